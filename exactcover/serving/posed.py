"""The puzzles that a child works on: read from what a client sent, and known by their digest.

A puzzle is posed as TOML text, whatever format it came in. A child remembers the last few that it
has read. What comes from a client never names a file of this computer.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, Refused, format_of_path, write
from exactcover.formats.reading import FormatName, decoded_entries, parse
from exactcover.lattices.registry import without_files
from exactcover.puzzle import Puzzle
from exactcover.serving.refusals import Refusal

REMEMBERED = 16
"""Puzzles that a child keeps at hand."""

MOST = 200
"""Puzzles of one file."""


@dataclass(frozen=True)
class Posed:
    """A puzzle, its text, and the digest of that."""

    id: str
    text: str
    title: str
    puzzle: Puzzle

    @classmethod
    def of(cls, document: Document) -> Posed:
        """The puzzle of a document; raises `Refusal` for a plain problem."""
        puzzle = document.puzzle
        if puzzle is None:
            raise Refusal(
                422, "this is a plain problem: it has no cells, so there is nothing to draw"
            )
        title = document.title or document.name.rpartition("/")[2]
        about = Document(document.name, puzzle, title, document.source, document.counts)
        text = write([about], "toml")
        digest = sha256(text.encode()).hexdigest()[:20]
        return posed({"id": digest, "text": text})  # as every other child will read it

    @property
    def link(self) -> str:
        """The fragment of an address that holds the puzzle."""
        packer = zlib.compressobj(9, wbits=-15)
        packed = packer.compress(self.text.encode()) + packer.flush()
        return "#puzzle=" + urlsafe_b64encode(packed).decode().rstrip("=")


_known: OrderedDict[str, Posed] = OrderedDict()


def remembered(one: Posed) -> Posed:
    """The puzzle, which is at hand from now on."""
    _known[one.id] = one
    _known.move_to_end(one.id)
    if len(_known) > REMEMBERED:
        _known.popitem(last=False)
    return one


def posed(given: Mapping[str, Any]) -> Posed:
    """The puzzle of a question: its `id` and its `text`."""
    one = _known.get(given["id"])
    if one is None:
        with without_files():
            document = parse(given["text"], "toml", name="puzzle")[0]
        assert document.puzzle is not None, "a TOML file holds puzzles"
        one = Posed(given["id"], given["text"], document.title, document.puzzle)
    return remembered(one)


def read(given: Mapping[str, Any], most: int) -> Iterator[Posed | Refused]:
    """The puzzles of a file that a client sent, as `text` or `base64`, with its `name`.

    most  bytes that are read
    """
    name = str(given["name"]).replace("\\", "/").rpartition("/")[2]
    if "text" in given:
        raw = str(given["text"]).encode("utf-8", "replace")
    else:
        try:
            raw = b64decode(str(given["base64"]), validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refusal(400, f"base64: {error}") from None
    if len(raw) > most:
        raise Refusal(413, f"the file has {len(raw):,} bytes; at most {most:,} are read")
    count = 0
    with without_files():
        for entry in decoded_entries(raw, _format(name), name or "puzzle", None):
            count += 1
            if count > MOST:
                raise Refusal(413, f"the file holds more than {MOST} puzzles: give fewer")
            yield _posed(entry)


def _posed(entry: Document | Refused) -> Posed | Refused:
    if isinstance(entry, Refused):
        return entry
    try:
        return Posed.of(entry)
    except (ExactCoverError, Refusal) as error:
        return Refused(entry.name, FormatError(str(error)))


def _format(name: str) -> FormatName | None:
    """The format that the name of a file tells; None: as it begins."""
    try:
        return format_of_path(name)
    except FormatError:
        return None
