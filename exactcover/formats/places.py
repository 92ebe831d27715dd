"""The puzzles at many places, as texts that are read where they are solved.

A place is a file, a folder, the name of a shipped puzzle, or `-` for a stream. What cannot be found
or opened is `Refused`, and the other places are still looked at.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO

from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats.document import Document, Refused
from exactcover.formats.reading import STANDARD_INPUT, format_of_path, get_format
from exactcover.formats.shelf import ENDINGS, LATTICE, PICKED, located, read_puzzles
from exactcover.formats.source import numbered
from exactcover.formats.stream import Text, cut
from exactcover.text.files import bytes_of

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
        for above, form, raw in cut(stream):
            name = f"{STANDARD_INPUT}#{next(numbers)}"
            yield Text(name, raw, form, above, "standard input")
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
    for number, (above, _, part) in enumerate(parts, 1):
        yield Text(numbered(name, number, len(parts)), part, form.name, above, str(path))


def _as_format_error(error: ExactCoverError) -> FormatError:
    return error if isinstance(error, FormatError) else FormatError(str(error))
