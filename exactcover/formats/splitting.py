"""The puzzles at many places, cut into the texts of single puzzles without reading them.

A place is a file, a folder, the name of a shipped puzzle, or `-` for a stream. What cannot be found
or opened is `Refused`, and the other places are still looked at.

Reading a puzzle takes a third of the time of solving a small one, so those who solve many read each
where they solve it. A cut needs a glance at each line only, and never the whole text: the output of
a program that never ends is cut as it comes.

A puzzle ends

- with its line, if it is a JSON object;
- with the line `~D` in polycube's format;
- before the next line `[[puzzle]]` in TOML;
- with a line `---` in any format, in a stream.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO

from exactcover.base.text.files import MIB, bytes_of
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats.contents import Document, Refused, puzzle_name
from exactcover.formats.files import (
    LARGEST,
    MAGIC,
    PACKED,
    STANDARD_INPUT,
    FormatName,
    Text,
    format_of_path,
    get_format,
    sniffed,
)
from exactcover.formats.shipped import ENDINGS, LATTICE, PICKED, located, read_puzzles

SEPARATOR = "---"
"""The line that ends a puzzle in a stream."""

LONGEST_LINE = MIB
"""Longer lines come in parts."""

HEADER = re.compile(r"\[\[\s*puzzle\s*\]\]\s*(?:#.*)?")
END = re.compile(r"~\s*D\s*")

TEXTS = re.compile(
    r"#.*"  # a comment
    r'|(?P<mark>"""|\'\'\')'
    r'|"(?:[^"\\]|\\.)*"?|\'[^\']*\'?'  # a text in one line
)
"""The three quotation marks that begin a text of several lines, and what may hold them."""

CLOSING = {
    '"""': re.compile(r'(?:[^"\\]|\\(?:.|$)|"(?!""))*"{3,5}'),
    "'''": re.compile(r"(?:[^']|'(?!''))*'{3,5}"),
}
"""The rest of a text of several lines, up to its end."""


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
        at = 0
        while self.form == "toml":
            if self.mark is None:
                found = next((one for one in TEXTS.finditer(line, at) if one["mark"]), None)
                if found is None:
                    return
                self.mark, at = found["mark"], found.end()
            end = CLOSING[self.mark].match(line, at)
            if end is None:
                return
            self.mark, at = None, end.end()

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
            yield Text(name, chunk.raw, chunk.form, chunk.above, "standard input")
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
