"""The puzzles that a child works on: read or drawn by a client, and known by their digest.

A puzzle is posed as TOML text, whatever format it came in; one with colours, which only the format
of BurrTools holds, as XML. A child remembers the last few that it
has read. Text from a client never names a file of this computer.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from exactcover.app.serving import Refusal
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, Refused, format_of_path, write
from exactcover.formats.contents import Names
from exactcover.formats.files import FormatName, Text, parse
from exactcover.geometry.enumeration import Sort
from exactcover.lattices import Cells, Lattice, lattices
from exactcover.lattices.registry import without_files
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.library import piece_set

REMEMBERED = 16
"""Puzzles that a child keeps at hand."""

MOST = 200
"""Puzzles of one file."""

COORDINATE = 10_000
"""The most that a coordinate of a drawn cell may be."""

MOST_PIECES = 2000
"""Pieces of a draft."""


@dataclass(frozen=True)
class ClientPuzzle:
    """A puzzle, its text, and the digest of that."""

    id: str
    text: str
    title: str
    puzzle: Puzzle

    @classmethod
    def of(cls, document: Document) -> ClientPuzzle:
        """The puzzle of a document; raises `Refusal` for a plain problem."""
        puzzle = document.puzzle
        if puzzle is None:
            raise Refusal(
                422, "this is a plain problem: it has no cells, so there is nothing to draw"
            )
        title = document.title or document.name.rpartition("/")[2]
        about = Document(document.name, puzzle, title, document.source, document.counts)
        form: FormatName = "toml" if puzzle.paint is None else "xmpuzzle"
        text = write([about], form)
        digest = sha256(text.encode()).hexdigest()[:20]
        return posed(digest, text)  # as every other child will read it

    @property
    def link(self) -> str:
        """The fragment of an address that holds the puzzle."""
        packer = zlib.compressobj(9, wbits=-15)
        packed = packer.compress(self.text.encode()) + packer.flush()
        return "#puzzle=" + urlsafe_b64encode(packed).decode().rstrip("=")


@lru_cache(REMEMBERED)
def posed(digest: str, text: str) -> ClientPuzzle:
    """The puzzle of a question, by its id and its text."""
    with without_files():
        document = parse(text, name="puzzle")[0]
    assert document.puzzle is not None, "a text of `ClientPuzzle.of` holds a puzzle"
    return ClientPuzzle(digest, text, document.title, document.puzzle)


def read(
    name: str, text: str | None, base64: str | None, most: int
) -> Iterator[ClientPuzzle | Refused]:
    """The puzzles of a file that a client sent, as a text or as bytes.

    most  bytes that are read
    """
    name = name.replace("\\", "/").rpartition("/")[2]
    try:
        raw = (
            b64decode(base64 or "", validate=True)
            if text is None
            else text.encode(errors="replace")
        )
    except (binascii.Error, ValueError) as error:
        raise Refusal(400, f"base64: {error}") from None
    if len(raw) > most:
        raise Refusal(413, f"the file has {len(raw):,} bytes; at most {most:,} are read")
    count = 0
    with without_files():
        for entry in Text(name or "puzzle", raw, _format(name)).entries():
            count += 1
            if count > MOST:
                raise Refusal(413, f"the file holds more than {MOST} puzzles: give fewer")
            if isinstance(entry, Document):
                try:
                    yield ClientPuzzle.of(entry)
                except (ExactCoverError, Refusal) as error:
                    yield Refused(entry.name, FormatError(str(error)))
            else:
                yield entry


def _format(name: str) -> FormatName | None:
    """The format that the name of a file tells; None: as it begins."""
    try:
        return format_of_path(name)
    except FormatError:
        return None


def known(name: str) -> Lattice:
    """The registered lattice of this name; raises `Refusal`."""
    found = lattices().get(name)
    if found is None:
        raise Refusal(404, f"there is no lattice {name[:40]!r}: there are {', '.join(lattices())}")
    return found


# -- drafts ---------------------------------------------------------------------------------------


def region_of(draft: Mapping[str, Any], most: int) -> tuple[Lattice, Region]:
    """The region of a draft, and its lattice; see `drawn`."""
    lattice = known(_text(draft, "lattice"))
    cells = _cells(draft.get("cells", []), lattice, "cells", most)
    return lattice, Region(cells, _cells(draft.get("optional", []), lattice, "optional", most))


def drawn(draft: Mapping[str, Any], most: int) -> ClientPuzzle:
    """The puzzle of a draft.

    most  cells; raises `Refusal` if there are more, or if the draft makes no sense
    """
    lattice, region = region_of(draft, most)
    listed = draft.get("pieces", [])
    if not isinstance(listed, list) or len(listed) > MOST_PIECES:
        raise Refusal(400, f"pieces: a list of at most {MOST_PIECES} pieces is needed")
    names = Names()
    pieces = tuple(
        replace(piece, name=names.take(piece.name))
        for number, entry in enumerate(listed)
        for piece in _pieces(entry, lattice, number, most)
    )
    if len(pieces) > MOST_PIECES:
        raise Refusal(413, f"{len(pieces):,} pieces are too many: up to {MOST_PIECES}")
    reflect = draft.get("reflect")
    if reflect is not None and not isinstance(reflect, bool):
        raise Refusal(400, "reflect: true or false is needed")
    title = _text(draft, "title", "My puzzle")
    puzzle = Puzzle(lattice, region, pieces, reflect, name="draft")
    return ClientPuzzle.of(Document("draft", puzzle, title or "My puzzle"))


def _pieces(entry: object, lattice: Lattice, number: int, most: int) -> list[Piece]:
    """The pieces of an entry: one, or all of a set."""
    if not isinstance(entry, dict):
        raise Refusal(400, f"pieces: entry {number} must be an object")
    low, high = entry.get("low", 1), entry.get("high", 1)
    for bound in (low, high):
        if bound is not None and (not isinstance(bound, int) or not 0 <= bound <= COORDINATE):
            message = f"low and high of entry {number} must be whole numbers up to {COORDINATE}"
            raise Refusal(400, f"pieces: {message}")
    if "set" in entry:
        found = piece_set(_text(entry, "set"), lattice)
        turns_over = False if found.sort is Sort.ONE_SIDED and lattice.flips else None
        return [
            Piece(name, cells, low, high, reflections=turns_over)
            for name, cells in found.pieces.items()
        ]
    cells = _cells(entry.get("cells", []), lattice, f"cells of piece {number}", most)
    name = _text(entry, "name", "") or f"P{number + 1}"
    return [Piece(name, cells, low, high)]


def _text(entry: Mapping[str, Any], key: str, usual: str | None = None) -> str:
    value = entry.get(key, usual)
    if not isinstance(value, str) or len(value) > 200:
        raise Refusal(400, f"{key}: a text of at most 200 characters is needed")
    return value


def _cells(value: object, lattice: Lattice, where: str, most: int) -> Cells:
    """Cells that a client has sent."""
    if not isinstance(value, list):
        raise Refusal(400, f"{where}: a list of cells is needed")
    if len(value) > most:
        raise Refusal(413, f"{where}: {len(value):,} cells are too many: up to {most:,}")
    for cell in value:
        if not _is_cell(cell, lattice):
            shown = repr(cell)[:60]
            raise Refusal(
                400, f"{where}: {shown} is no cell, which is {lattice.coordinates_text()}"
            )
    return np.array(value, np.int64).reshape(len(value), lattice.width)


def _is_cell(cell: object, lattice: Lattice) -> bool:
    if not isinstance(cell, Sequence) or isinstance(cell, str) or len(cell) != lattice.width:
        return False
    return all(
        isinstance(x, int) and not isinstance(x, bool) and abs(x) <= COORDINATE for x in cell
    ) and (lattice.width == lattice.dimension or lattice.has_kind(cell[-1]))
