"""What was drawn on the page, as a puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from exactcover.formats import Document
from exactcover.geometry.enumeration import Sort
from exactcover.lattices import Cells, Lattice
from exactcover.library import piece_set
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.serving.boards import known
from exactcover.serving.posed import Posed
from exactcover.serving.refusals import Refusal

COORDINATE = 10_000
"""The most that a coordinate of a drawn cell may be."""

MOST = 2000
"""Pieces of a draft."""


def drawn(draft: Mapping[str, Any], most: int) -> Posed:
    """The puzzle of a draft.

    most  cells; raises `Refusal` if there are more, or if the draft makes no sense
    """
    lattice = known(_text(draft, "lattice"))
    cells = _cells(draft.get("cells", []), lattice, "cells", most)
    optional = _cells(draft.get("optional", []), lattice, "optional", most)
    listed = draft.get("pieces", [])
    if not isinstance(listed, list) or len(listed) > MOST:
        raise Refusal(400, f"pieces: a list of at most {MOST} pieces is needed")
    pieces: dict[str, Piece] = {}
    for number, entry in enumerate(listed):
        if not isinstance(entry, dict):
            raise Refusal(400, f"pieces: entry {number} must be an object")
        for piece in _pieces(entry, lattice, number, most):
            name = _free_name(piece.name, pieces)
            pieces[name] = Piece(
                name, piece.cells, piece.low, piece.high, reflections=piece.reflections
            )
    if len(pieces) > MOST:
        raise Refusal(413, f"{len(pieces):,} pieces are too many: up to {MOST}")
    reflect = draft.get("reflect")
    if reflect is not None and not isinstance(reflect, bool):
        raise Refusal(400, "reflect: true or false is needed")
    title = _text(draft, "title", "My puzzle")
    puzzle = Puzzle(lattice, Region(cells, optional), tuple(pieces.values()), reflect, name="draft")
    return Posed.of(Document("draft", puzzle, title or "My puzzle"))


def _pieces(entry: Mapping[str, Any], lattice: Lattice, number: int, most: int) -> list[Piece]:
    """The pieces of an entry: one, or all of a set."""
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


def _free_name(name: str, taken: Mapping[str, Piece]) -> str:
    """The name, with a number if there is a piece of this name."""
    count = 2
    free = name
    while free in taken:
        free, count = f"{name}{count}", count + 1
    return free


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
