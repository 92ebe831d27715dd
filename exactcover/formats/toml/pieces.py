"""Pieces in a TOML file: `"pentominoes - X"`, `"O tetromino x 2"`, `"domino any cost 3"`, tables.

What a piece may do is said in tables, where it differs from the puzzle.

A text may list several: `"X pentomino, domino x 2"`, `"32x11, 21x18 * 2"`. Rectangles are called by
their sizes.

Pieces of the library keep the names they have there, unless two sizes have the same: then the
number of cells is put behind it, and the straight pieces of three and four cells are I3 and I4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from exactcover.base.text import numbered
from exactcover.errors import FormatError, PuzzleError, UnknownName, shown
from exactcover.formats.toml.cells import drawing_of, read_cells
from exactcover.formats.toml.region import box_in_words, cost_of
from exactcover.formats.toml.table import Bounds, Table, bounds_of, few_words
from exactcover.geometry.enumeration import Sort
from exactcover.lattices import Cells, Lattice
from exactcover.puzzle import Piece
from exactcover.puzzle.library import find_piece, is_set, piece_set, set_names
from exactcover.puzzle.library.nouns import sizes_in
from exactcover.puzzle.pieces import GROUPS, summed

PIECE_KEYS = (
    "name", "cells", "drawing", "shape", "copies", "cost", "stationary",
    "reflections", "crossing", "turns", "groups",
)  # fmt: skip

LONG = 50
"""A rectangle of at least this many cells is written by its size."""

NUMBERS = r"-?[0-9]+(?:\.\.(?:-?[0-9]+)?)?"
WITH_COPIES = re.compile(rf"(.+?)\s+(?:[x×*]\s*({NUMBERS})|(-?[0-9]+\.\.-?[0-9]*|any))", re.DOTALL)
WITH_COST = re.compile(r"(.+?)\s+cost\s+(\S+)", re.DOTALL)


class NamedPieces(NamedTuple):
    """Pieces of the library, named by one text.

    cost     of each copy
    implies  whether they may be turned over, if the name of a set states it
    """

    text: str
    pieces: tuple[tuple[str, Cells], ...]
    copies: Bounds
    lattice: Lattice
    cost: float
    implies: bool | None = None


def parts_of(text: str) -> list[str]:
    """The parts of a text, which commas separate; a drawing is one.

    A text of several lines is a drawing, unless each line ends with a comma.
    """
    lines = text.strip().split("\n")
    if "," not in text or not all(line.rstrip().endswith(",") for line in lines[:-1]):
        return [text]
    parts = [part.strip() for part in text.split(",")]
    if len(lines) > 1 and not parts[-1]:
        parts.pop()
    if "" in parts:
        raise FormatError("there is nothing beside a comma", token=shown(text))
    return parts


@lru_cache(maxsize=64)
def pieces_in(text: str, lattice: Lattice | None) -> NamedPieces:
    """The pieces that a text names, on this lattice, or on the lattice that the text implies."""
    name, cost = few_words(text).strip(), 0.0
    if found := WITH_COST.fullmatch(name):
        name, cost = found[1], cost_of(found[2])
    copies: Bounds = (1, 1)
    if not sizes_in(name) and (found := WITH_COPIES.fullmatch(name)):
        name, copies = found[1], bounds_of(found[2] or found[3], "copies")
    if name.isdigit():
        raise FormatError("a size is written without blanks, as in '32x11 * 2'", token=shown(text))
    if is_set(name, lattice):
        pieces = piece_set(name, lattice)
        if pieces.sort is Sort.FIXED:
            raise PuzzleError(f"{name}: the pieces of a puzzle may be turned, so none are fixed")
        implied: bool | None = pieces.sort is Sort.FREE
        if implied and pieces.lattice.flips:  # as is natural there
            implied = None
        named = tuple(pieces.pieces.items())
        return NamedPieces(text, named, copies, pieces.lattice, cost, implied)
    try:
        piece = find_piece(name, lattice)
    except UnknownName as error:
        if error.what != "piece":
            raise
        raise UnknownName("piece or set of pieces", name, set_names()) from None
    return NamedPieces(text, ((piece.name, piece.cells),), copies, piece.lattice, cost)


def named_pieces(
    named: Sequence[NamedPieces], taken: Collection[str]
) -> list[tuple[Piece, NamedPieces]]:
    """The named pieces under distinct names, none of which is taken.

    A piece that is named several times is one piece with the copies of all, unless the costs
    differ. Pieces of one name and several sizes get the size behind it.
    """
    copies: dict[Piece, list[NamedPieces]] = {}
    for entry in named:
        for name, cells in entry.pieces:
            alike = Piece(name, np.asarray(cells), cost=entry.cost)
            copies.setdefault(alike, []).append(entry)
    sizes: dict[str, set[int]] = {}
    for piece in copies:
        sizes.setdefault(piece.name, set()).add(len(piece.cells))
    wanted = [
        piece.name
        if len(sizes[piece.name]) == 1 and piece.name not in taken
        else f"{piece.name}{len(piece.cells)}"
        for piece in copies
    ]
    found = []
    for (piece, entries), name in zip(copies.items(), numbered(wanted, taken), strict=True):
        low, high = summed(entry.copies for entry in entries)
        found.append((replace(piece, name=name, low=low, high=high), entries[0]))
    return found


# -- pieces in tables -----------------------------------------------------------------------------


def read_piece(table: Table, lattice: Lattice) -> Piece:
    table.check_keys(PIECE_KEYS, "a piece")
    if "name" not in table and "shape" not in table:
        raise table.error("a piece needs a name")
    name, cells = _shape(table, lattice)
    stationary = bool(table.flag("stationary"))
    copies: Bounds = (1, 1)
    with table.errors_at("copies"):
        copies = bounds_of(table.values.get("copies", 1), "copies")
    cost = 0.0
    with table.errors_at("cost"):
        cost = cost_of(table.values.get("cost", 0))
    reflections, crossing, turns = map(table.flag, ("reflections", "crossing", "turns"))
    groups = table.get("groups", list, GROUPS, [])
    doubtful = (key for key in ("cost", "reflections", "turns", "groups") if key in table)
    with table.errors_at(next(doubtful, "name")):
        return Piece(name, cells, *copies, stationary, cost, reflections, crossing, turns, groups)


def _shape(table: Table, lattice: Lattice) -> tuple[str, Cells]:
    """The name and the cells of a piece; those of the library have a name already."""
    name = table.text("name")
    ways = [key for key in ("cells", "drawing", "shape") if key in table]
    if len(ways) != 1:
        what = name or table.text("shape")
        raise table.error(f"piece {what} needs either cells or a drawing, or a shape by name")
    with table.errors_at(ways[0]):
        if ways == ["shape"]:
            found = find_piece(few_words(table.text("shape")), lattice)
            return (name if "name" in table else found.name), found.cells
        return name, read_cells(table, lattice, f"piece {name}")


# -- writing --------------------------------------------------------------------------------------


def piece_table(lattice: Lattice, piece: Piece) -> dict[str, Any]:
    """A piece as a table."""
    table: dict[str, Any] = {"name": piece.name}
    if (size := _long_size(lattice, piece)) is not None:
        table["shape"] = size
    elif not piece.stationary and (drawing := drawing_of(lattice, piece.cells)):
        table["drawing"] = drawing
    else:
        table["cells"] = piece.cells.tolist()
    if piece.stationary:
        table["stationary"] = True
    elif piece.high is None:
        table["copies"] = f"{piece.low}.." if piece.low else "any"
    elif piece.low != piece.high:
        table["copies"] = f"{piece.low}..{piece.high}"
    elif piece.low != 1:
        table["copies"] = piece.low
    if piece.cost:
        table["cost"] = piece.cost
    for key in ("reflections", "crossing", "turns"):
        if (flag := getattr(piece, key)) is not None:
            table[key] = flag
    if piece.groups:
        table["groups"] = [*map(list, piece.groups)]
    return table


def _long_size(lattice: Lattice, piece: Piece) -> str | None:
    """The size of a rectangle or a brick, if that is its name or a drawing would be long."""
    if lattice.name not in ("square", "cubic") or piece.stationary:
        return None
    words = box_in_words(lattice, piece.cells)
    if words is None or (len(piece.cells) < LONG and words != piece.name):
        return None
    return words.split()[0]
