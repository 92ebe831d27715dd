"""The puzzles that a child works on: read or drawn by a client, and known by their digest.

A puzzle is posed as TOML text, whatever format it came in; one with colours, which only the format
of BurrTools holds, as XML. A child remembers the last few that it
has read. Text from a client never names a file of this computer.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from exactcover.app.serving import Refusal
from exactcover.base.text.names import numbered
from exactcover.base.values.arguments import check_kind
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, Refused, format_of_path, write
from exactcover.formats.files import FormatName, parse, read_texts, texts_of
from exactcover.geometry.enumeration import Sort
from exactcover.lattices import Lattice, lattices
from exactcover.lattices.registry import without_files
from exactcover.puzzle import Piece, Puzzle, Region, cells_array
from exactcover.puzzle.library import piece_set

REMEMBERED = 16
"""Puzzles that a child keeps at hand."""

MOST = 200
"""Puzzles of one file."""

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
        for entry in read_texts(texts_of(raw, name or "puzzle", _format(name), None)):
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


def region_of(draft: Mapping[str, Any]) -> tuple[Lattice, Region]:
    """The region of a draft, and its lattice; see `drawn`."""
    check_kind("lattice", draft.get("lattice"), str, "the name of a lattice")
    return known(draft["lattice"]), Region(draft.get("cells", []), draft.get("optional", []))


def drawn(draft: Mapping[str, Any]) -> ClientPuzzle:
    """The puzzle of a draft; raises an error of the package if the draft makes no sense."""
    lattice, region = region_of(draft)
    listed, title = draft.get("pieces", []), draft.get("title") or "My puzzle"
    check_kind("pieces", listed, list, "a list of pieces")
    check_kind("title", title, str, "a text")
    made = [
        piece for number, entry in enumerate(listed, 1) for piece in _pieces(entry, lattice, number)
    ]
    names = numbered([piece.name for piece in made])
    pieces = tuple(replace(one, name=name) for one, name in zip(made, names, strict=True))
    if len(pieces) > MOST_PIECES:
        raise Refusal(413, f"{len(pieces):,} pieces are too many: up to {MOST_PIECES}")
    puzzle = Puzzle(lattice, region, pieces, draft.get("reflect"), name="draft")
    return ClientPuzzle.of(Document("draft", puzzle, title[:200]))


def _pieces(entry: Any, lattice: Lattice, number: int) -> list[Piece]:
    """The pieces of an entry: one, or all of a set."""
    check_kind("pieces", entry, dict, "a list of objects")
    low, high = entry.get("low", 1), entry.get("high", 1)
    if "set" not in entry:
        name = entry.get("name") or f"P{number}"
        return [Piece(name, cells_array(lattice, entry.get("cells", []), name), low, high)]
    check_kind("set", entry["set"], str, "the name of a set of pieces")
    found = piece_set(entry["set"], lattice)
    turns_over = False if found.sort is Sort.ONE_SIDED and lattice.flips else None
    return [
        Piece(name, cells, low, high, reflections=turns_over)
        for name, cells in found.pieces.items()
    ]
