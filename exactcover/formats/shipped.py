"""The puzzles that come with the program, and every other place where a puzzle is looked for.

They lie in `defs/`: inside the installed package, or beside the package in a checkout. A puzzle is
called by its folder and file, `square/pentominoes_10x6`, or by the last part alone where only one
folder has it.

A place is a file, a folder, the name of a shipped puzzle, or `-` for a stream. The puzzles at many
places are cut into the texts of single puzzles without reading them: reading a puzzle takes a third
of the time of solving a small one, so those who solve many read each where they solve it. A cut
needs a glance at each line only, and never the whole text: the output of a program that never ends
is cut as it comes. A puzzle ends

- with its line, if it is a JSON object;
- with the line `~D` in polycube's format;
- before the next line `[[puzzle]]` in TOML;
- with a line `---` in any format, in a stream.
"""

from __future__ import annotations

import io
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from exactcover.base.text.files import MIB, bytes_of
from exactcover.base.text.toml import outside_texts
from exactcover.errors import ExactCoverError, FormatError, UnknownName
from exactcover.formats.contents import Document, Refused, accepted, puzzle_name
from exactcover.formats.files import (
    FORMATS,
    LARGEST,
    MAGIC,
    PACKED,
    STANDARD_INPUT,
    FormatName,
    Text,
    format_of_path,
    get_format,
    read_entries,
    read_file,
    sniffed,
)

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


class Heading(NamedTuple):
    """A shipped puzzle in a list: the fields of a `Document` with the same names."""

    name: str
    title: str
    counts: Mapping[str, int]


def headings() -> Iterator[Heading]:
    """The headings of the shipped puzzles, in the order of their names.

    To make the pieces of all puzzles takes more than a second, so those of TOML files are not made.
    """
    for name, path in sorted(paths().items()):
        if path.suffix == ".toml":
            whole = tomllib.loads(path.read_text("utf-8"))
            tables = whole.get("puzzle", [whole])
            for number, table in enumerate(tables, 1):
                own = puzzle_name(name, number, len(tables))
                yield Heading(own, table.get("title", ""), table.get("counts", {}))
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


# -- cut without being read -----------------------------------------------------------------------

SEPARATOR = "---"
"""The line that ends a puzzle in a stream."""

LONGEST_LINE = MIB
"""Longer lines come in parts."""

HEADER = re.compile(r"\[\[\s*puzzle\s*\]\]\s*(?:#.*)?")
END = re.compile(r"~\s*D\s*")


class Chunk:
    """The lines of one puzzle so far.

    form    the name of its format; None: nothing but comments so far
    above   the lines above it
    lines   how many lines it has
    begun   whether it has more than comments
    packed  whether it is packed, and goes on to the end of the stream
    headed  whether it begins with `[[puzzle]]`
    mark    the quotation marks of the text of several lines that is open
    """

    def __init__(self, form: FormatName | None, above: int) -> None:
        self.form, self.above, self.lines = form, above, 0
        self.begun = self.packed = self.headed = False
        self.mark: str | None = None
        self._parts: list[bytes] = []
        self._size = 0

    @property
    def raw(self) -> bytes:
        """Its bytes; of a puzzle that is too large, enough for its reader to refuse it."""
        return b"".join(self._parts)

    def look(self, line: str) -> None:
        """Look at a line that is to be added, for the format and for texts of several lines."""
        statement = line.partition("#")[0].strip()
        if statement and not self.begun:
            self.begun = True
            self.form = self.form or sniffed(line)
            self.headed = HEADER.fullmatch(line.strip()) is not None
        if self.form == "toml":
            _, self.mark = outside_texts(line, self.mark)

    def add(self, raw: bytes) -> None:
        """Add a line, or a part of a long one."""
        self.lines += raw.endswith(b"\n")
        if self._size <= LARGEST:
            self._parts.append(raw)
            self._size += len(raw)


def cut(
    stream: BinaryIO, form: FormatName | None = None, *, separated: bool = True
) -> Iterator[Chunk]:
    """The lines of single puzzles.

    form       the format of all; None: of each, as it begins
    separated  whether a line `---` ends a puzzle
    """
    chunk = Chunk(form, 0)
    whole = True  # whether a line begins here
    while raw := stream.readline(LONGEST_LINE):
        ended = False
        if not chunk.lines and whole and raw.startswith(MAGIC):
            chunk.packed = chunk.begun = True
            chunk.form = chunk.form or PACKED.name
        if whole and not chunk.packed:
            line = raw.decode("utf-8-sig", "replace").rstrip()
            separator = separated and line == SEPARATOR
            if chunk.mark is None and (separator or (chunk.headed and HEADER.fullmatch(line))):
                if chunk.begun:
                    yield chunk
                chunk = Chunk(form, chunk.above + chunk.lines + separator)
            if separator and chunk.mark is None:
                continue
            chunk.look(line)
            ended = chunk.form == "polycube" and END.fullmatch(line.partition("#")[0]) is not None
        whole = raw.endswith(b"\n")
        chunk.add(raw)
        if ended or (whole and chunk.form == "jsonl" and chunk.begun):
            yield chunk
            chunk = Chunk(form, chunk.above + chunk.lines)
    if chunk.begun:
        yield chunk


# -- at many places -------------------------------------------------------------------------------

Found = Text | Document | Refused
"""A puzzle at a place: its text, the puzzle itself, or why there is none."""


def texts_at(places: Iterable[str], stream: BinaryIO) -> Iterator[Found]:
    """The puzzles at these places, one after the other.

    stream  what `-` stands for; it is read as the puzzles are taken, and may never end
    """
    for place in places:
        try:
            yield from _texts_at(place, stream)
        except ExactCoverError as error:
            yield Refused(place, _as_format_error(error))


def _texts_at(place: str, stream: BinaryIO) -> Iterator[Found]:
    if place == STANDARD_INPUT:
        yield from texts_in(stream)
    elif os.path.isdir(place):
        yield from _in_folder(place)
    elif PICKED.fullmatch(place) and not os.path.exists(place):
        yield from read_puzzles(place)
    else:
        yield from _in_file(*located(place))


def texts_in(stream: BinaryIO) -> Iterator[Found]:
    """The puzzles of a stream, which are called `-#1`, `-#2` and so on."""
    numbers = count(1)
    try:
        for chunk in cut(stream):
            name = f"{STANDARD_INPUT}#{next(numbers)}"
            yield Text(name, chunk.raw, None, chunk.above, "standard input")
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        yield Refused(STANDARD_INPUT, FormatError(message).at(file="standard input"))


def _in_folder(folder: str) -> Iterator[Found]:
    """The puzzles of all files in a folder and the folders in it, in the order of their names."""
    found = False
    closed: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=closed.append):
        folders.sort()
        for file in sorted(files):
            if file.lower().endswith(ENDINGS) and not file.endswith(LATTICE):
                found = True
                path = Path(root) / file
                try:
                    yield from _in_file(path, str(path))
                except ExactCoverError as error:
                    yield Refused(str(path), _as_format_error(error))
    for reason in closed:
        message = f"{reason.strerror}: this directory cannot be read"
        yield Refused(reason.filename, FormatError(message).at(file=reason.filename))
    if not found and not closed:
        message = f"no puzzle in this directory: no file in it ends with {', '.join(ENDINGS)}"
        yield Refused(folder, FormatError(message).at(file=folder))


def _in_file(path: Path, name: str) -> Iterator[Found]:
    form = get_format(format_of_path(path))
    raw = bytes_of(path, form.max_bytes)
    # Where a format has only one puzzle a file, a cut would do harm: nothing is cut at `---`.
    parts = [*cut(io.BytesIO(raw), form.name, separated=False)]
    if len(parts) <= 1:  # an empty file is refused by its reader
        yield Text(name, raw, form.name, 0, str(path))
        return
    for number, part in enumerate(parts, 1):
        own = puzzle_name(name, number, len(parts))
        yield Text(own, part.raw, form.name, part.above, str(path))


def _as_format_error(error: ExactCoverError) -> FormatError:
    return error if isinstance(error, FormatError) else FormatError(str(error))
