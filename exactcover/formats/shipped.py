"""The puzzles that come with the program, and every other place where a puzzle is looked for.

They lie in `defs/`: inside the installed package, or beside the package in a checkout. A puzzle is
called by its folder and file, `square/pentominoes_10x6`, or by the last part alone where only one
folder has it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from exactcover.errors import ExactCoverError, FormatError, UnknownName
from exactcover.formats.contents import Document, Heading, Refused, Source, accepted
from exactcover.formats.files import FORMATS, STANDARD_INPUT, read_entries, read_file

ENDINGS = tuple(ending for form in FORMATS for ending in form.endings)
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
    """The files of the shipped puzzles by name."""
    root = folder()
    return {} if root is None else _paths_below(root)


@cache
def _paths_below(root: Path) -> Mapping[str, Path]:
    """The files are looked for once in a process."""
    found = sorted(path for path in root.rglob("*") if path.suffix in ENDINGS and path.is_file())
    return {
        path.relative_to(root).with_suffix("").as_posix(): path
        for path in found
        if not path.name.endswith(LATTICE)
    }


def names() -> list[str]:
    """The names of the shipped puzzles, sorted."""
    return sorted(paths())


def entries() -> Iterator[Document]:
    """The shipped puzzles, read, in the order of their names."""
    for name, path in sorted(paths().items()):
        yield from read_file(path, name=name)


def headings() -> Iterator[Heading]:
    """The name, title and counts of every shipped puzzle, in the order of their names.

    To make the pieces of all puzzles takes more than a second, so those of TOML files are not made.
    """
    from exactcover.formats.toml.puzzles import read_headings

    for name, path in sorted(paths().items()):
        if path.suffix == ".toml":
            yield from read_headings(Source(path.read_text("utf-8"), name, str(path)))
        else:
            for entry in read_file(path, name=name):
                yield Heading(entry.name, entry.title, entry.counts)


def _full_name(name: str) -> str:
    known = paths()
    if name in known:
        return name
    alike = [full for full in known if full.endswith(f"/{name}")]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise ExactCoverError(
            f"more than one puzzle is called {name!r}: say {' or '.join(sorted(alike))}"
        )
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
    entries = list(_entries(picked[1] if picked else where))
    if not picked:
        return entries
    number = int(picked[2])
    if not 1 <= number <= len(entries):
        many = f"there are {len(entries)} puzzles, #1 to #{len(entries)}"
        if len(entries) == 1:
            many = f"there is 1 puzzle: leave #{number} out"
        raise FormatError(many, token=f"#{number}").at(file=picked[1])
    return [entries[number - 1]]


def _entries(where: str) -> Iterator[Document | Refused]:
    if where == STANDARD_INPUT:
        return read_entries(where)
    path, name = located(where)
    return read_entries(path, name=name)


def located(where: str) -> tuple[Path, str]:
    """The file of this name, or of the shipped puzzle of this name; and how its puzzle is called.

    Raises `FormatError` or `UnknownName` if there is no such file.
    """
    if _is_file(where):
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
