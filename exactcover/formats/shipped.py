"""The puzzles that come with the program, and every other place where a puzzle is looked for.

They lie in `defs/`: inside the installed package, or beside the package in a checkout. A puzzle is
called by its folder and file, `square/pentominoes_10x6`, or by the last part alone where only one
folder has it.

A place is a file, a folder, the name of a shipped puzzle, or `-` for a stream.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

from exactcover.errors import ExactCoverError, FormatError, UnknownName
from exactcover.formats.document import Document, Refused, accepted
from exactcover.formats.files import (
    ENDINGS,
    STANDARD_INPUT,
    Text,
    file_texts,
    read_file,
    read_texts,
    stream_texts,
)

LATTICE = "lattice.toml"
"""So end the names of files that describe a lattice, for puzzles beside them."""

LISTING = "`exactcover list puzzles` lists those that come with the program"

PICKED = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


def folder() -> Path | None:
    """Where the shipped puzzles are, or None where there are none."""
    package = Path(__file__).parent.parent
    places = (package / "defs", package.parent / "defs")
    return next((place for place in places if place.is_dir()), None)


def paths() -> Mapping[str, Path]:
    """The files of the shipped puzzles by name, sorted."""
    root = folder()
    return {} if root is None else _paths_below(root)


@cache
def _paths_below(root: Path) -> Mapping[str, Path]:
    """The files are looked for once in a process."""
    found = (path for path in root.rglob("*") if path.suffix in ENDINGS and path.is_file())
    named = {
        path.relative_to(root).with_suffix("").as_posix(): path
        for path in found
        if not path.name.endswith(LATTICE)
    }
    return dict(sorted(named.items()))


def entries() -> Iterator[Document]:
    """The shipped puzzles, read, in the order of their names."""
    for name, path in paths().items():
        yield from read_file(path, name=name)


class Heading(NamedTuple):
    """A shipped puzzle in a list: the fields of a `Document` with the same names."""

    name: str
    title: str
    counts: Mapping[str, int]


def headings() -> Iterator[Heading]:
    """The headings of the shipped puzzles, in the order of their names.

    To make the pieces of all puzzles takes more than a second, so those of TOML files are not made.
    """
    for name, path in paths().items():
        if path.suffix == ".toml":
            whole = tomllib.loads(path.read_text("utf-8"))
            tables = whole.get("puzzle", [whole])
            for number, table in enumerate(tables, 1):
                own = name if len(tables) == 1 else f"{name}#{number}"
                yield Heading(own, table.get("title", ""), table.get("counts", {}))
        else:
            for entry in read_file(path, name=name):
                yield Heading(entry.name, entry.title, entry.counts)


def called(name: str) -> list[str]:
    """The shipped puzzles of this name, with the folder or without it."""
    known = paths()
    return [name] if name in known else [full for full in known if full.endswith(f"/{name}")]


def _full_name(name: str) -> str:
    alike = called(name)
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise ExactCoverError(
            f"more than one puzzle is called {name!r}: say {' or '.join(sorted(alike))}"
        )
    known = paths()
    parts = {full.rpartition("/")[2] for full in known}
    raise UnknownName("puzzle", name, parts if "/" not in name else known, LISTING)


def short_name(name: str) -> str:
    """The name of a puzzle without folders and without the ending of a file; empty for one from
    standard input."""
    name, _, number = name.partition("#")
    name = name.replace("\\", "/").rpartition("/")[2]
    if name == STANDARD_INPUT:
        return ""
    ending = next((one for one in ENDINGS if name.lower().endswith(one)), "")
    name = name[: len(name) - len(ending)]
    return f"{name}#{number}" if number else name


def read_puzzle(where: str) -> list[Document]:
    """The puzzles in a file, on standard input (`-`), or shipped under this name, in that order.

    `file.txt#2` or `name#2` picks one puzzle of several, whatever is wrong with the others.
    """
    return list(accepted(read_puzzles(where)))


def read_puzzles(where: str) -> list[Document | Refused]:
    """The same, with those puzzles of a file that are refused."""
    picked = None if _is_file(where) else PICKED.fullmatch(where)
    place = picked[1] if picked else where
    entries = list(read_texts(file_texts(*located(place))))
    if not picked:
        return entries
    number = int(picked[2])
    if not 1 <= number <= len(entries):
        many = f"there are {len(entries)} puzzles, #1 to #{len(entries)}"
        if len(entries) == 1:
            many = f"there is 1 puzzle: leave #{number} out"
        raise FormatError(many, token=f"#{number}").at(file=picked[1])
    return [entries[number - 1]]


def located(where: str) -> tuple[Path, str]:
    """The file of this name, or of the shipped puzzle of this name; and how its puzzle is called.

    Raises `FormatError` or `UnknownName` if there is no such file.
    """
    if where == STANDARD_INPUT or _is_file(where):
        return Path(where), where
    try:
        name = _full_name(where)
    except UnknownName:
        if os.path.isdir(where):
            message = f"this is a directory: name a file in it, as in {Path(where) / 'puzzle.toml'}"
            raise FormatError(message).at(file=where) from None
        if not where.lower().endswith(ENDINGS) and not Path(where).is_absolute():
            raise
        raise FormatError(f"there is no such file; {LISTING}").at(file=where) from None
    return paths()[name], name


def _is_file(where: str) -> bool:
    return os.path.exists(where) and not os.path.isdir(where)


# -- at many places -------------------------------------------------------------------------------

Found = Text | Document | Refused
"""A puzzle at a place: its text, the puzzle itself, or why there is none."""


def texts_at(places: Iterable[str], stream: BinaryIO) -> Iterator[Found]:
    """The puzzles at these places, one after the other.

    stream  what `-` stands for; it is read as the puzzles are taken, and may never end
    """
    for place in places:
        try:
            if place == STANDARD_INPUT:
                yield from stream_texts(stream)
            elif os.path.isdir(place):
                yield from _in_folder(place, stream)
            elif PICKED.fullmatch(place) and not os.path.exists(place):
                yield from read_puzzles(place)
            else:
                yield from file_texts(*located(place))
        except OSError as error:
            message = f"cannot be read: {error.strerror}"
            yield Refused(place, FormatError(message).at(file="standard input"))
        except FormatError as error:
            yield Refused(place, error)
        except ExactCoverError as error:
            yield Refused(place, FormatError(str(error)))


def _in_folder(folder: str, stream: BinaryIO) -> Iterator[Found]:
    """The puzzles of all files in a folder and the folders in it, in the order of their names."""
    found = False
    closed: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=closed.append):
        folders.sort()
        for file in sorted(files):
            if file.lower().endswith(ENDINGS) and not file.endswith(LATTICE):
                found = True
                yield from texts_at([str(Path(root) / file)], stream)
    for reason in closed:
        message = f"{reason.strerror}: this directory cannot be read"
        yield Refused(reason.filename, FormatError(message).at(file=reason.filename))
    if not found and not closed:
        message = f"no puzzle in this directory: no file in it ends with {', '.join(ENDINGS)}"
        yield Refused(folder, FormatError(message).at(file=folder))
