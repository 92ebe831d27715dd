"""The choices of a page: lattices, sets of pieces, boards to draw on, and the shipped puzzles.

The list of shipped puzzles with their sizes and difficulty is a file, `shelf.json`, which
`docs/pictures/shelf_list.py` makes.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from exactcover.app.serving import Answer, Refusal
from exactcover.app.serving.client_puzzles import ClientPuzzle, known
from exactcover.app.serving.page_boards import ON_A_SHEET, board, describe, pictured
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.formats import Document, puzzle_of, read_file
from exactcover.formats.shipped import paths
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import families, region_cells
from exactcover.lattices import Lattice, lattices
from exactcover.puzzle import Piece
from exactcover.puzzle.library import piece_set
from exactcover.puzzle.library.nouns import set_name, stem_of
from exactcover.show.picture import picture
from exactcover.show.svg import Theme

LARGEST = {1: 5, 2: 6, 3: 4, 4: 4}
"""The largest pieces whose set is offered, by the number of dimensions; 3 beyond."""

MOST = 400
"""Pieces of a set that is shown."""

MOST_OF_A_SET = 120
"""Pieces of a set that is drawn small."""


def all_lattices() -> list[dict[str, Any]]:
    """The lattices, with boards and sets for each."""
    return [_lattice(name) for name in lattices()]


@cache
def _lattice(name: str) -> dict[str, Any]:
    lattice = lattices()[name]
    return {
        "name": name,
        "dimension": lattice.dimension,
        "title": lattice.summary or name,
        "cell": lattice.coordinates_text(),
        "boards": examples(lattice),
        "sets": _sets(lattice),
    }


def _sets(lattice: Lattice) -> list[str]:
    """The names of the sets of a lattice; any larger one can be named, too."""
    most = LARGEST.get(lattice.dimension, 3)
    names = [set_name(stem_of(lattice), size) for size in range(1, most + 1)]
    if lattice.name == "cubic":
        names += ["pentacubes", "tetrominoes", "pentominoes", "planar pentacubes"]
    return [*dict.fromkeys([*names, *lattice.piece_names.sets])]


def pieces_of_set(name: str, lattice: str | None) -> list[dict[str, Any]]:
    """The pieces of a set."""
    found = piece_set(name, None if lattice is None else known(lattice))
    if len(found) > MOST:
        raise Refusal(413, f"{found.name} are {len(found):,} pieces: up to {MOST} are shown")
    return [{"name": piece.name, "cells": piece.cells.tolist()} for piece in found]


def picture_of_set(name: str, lattice: str | None, dark: Theme) -> Answer:
    """The pieces of a set, side by side."""
    found = piece_set(name, None if lattice is None else known(lattice))
    if len(found) > MOST_OF_A_SET:
        raise Refusal(413, f"{found.name} are {len(found):,} pieces, too many for a small picture")
    made = picture(found, names=False, theme=dark, cell=ON_A_SHEET, title=found.name)
    return pictured(made)


# -- boards to draw on ----------------------------------------------------------------------------

EXAMPLES, SMALL = (12, 8, 6, 5, 4, 3, 2, 1), (2, 1)
"""Sizes that are tried for an example of a family of regions; the latter beyond four dimensions."""

USUAL = {1: "20", 2: "8x8", 3: "4x4x4", 4: "3x3x3x3"}
"""A box to begin with, by the number of dimensions."""

FEW, MANY = 8, 300
"""The least and the most cells of an example."""


def cells_to_draw_on(
    lattice: str, shape: str, margin: int, most_cells: int, one: ClientPuzzle | None = None
) -> dict[str, Any]:
    """The board of a region in words, or the box around a puzzle."""
    grid = known(lattice)
    if one is None:
        return board(named(grid, shape), most_cells)
    if one.puzzle.lattice.name != grid.name:
        raise Refusal(400, f"the puzzle is on the lattice {one.puzzle.lattice.name}")
    return board(around(one, margin, most_cells), most_cells)


def named(lattice: Lattice, shape: str) -> CellSet:
    """The cells of a region in words, such as `10x6` or `hexagon 3`."""
    if "\n" in shape:
        raise Refusal(400, "shape: a region in words is needed, such as 10x6")
    one = Piece("one", np.zeros((1, lattice.width), np.int64), 0, 1)
    return puzzle_of([one], shape or usual(lattice), lattice).space


def around(one: ClientPuzzle, margin: int, most: int) -> CellSet:
    """All cells in the box around those of a puzzle, with a margin."""
    lattice, cells = one.puzzle.lattice, one.puzzle.space.cells
    vectors = lattice.vectors(cells)
    low, high = vectors.min(axis=0) - margin, vectors.max(axis=0) + margin
    number = float(np.prod(high - low + 1.0)) * len(lattice.kinds)
    if number > most:
        raise Refusal(413, f"{number:,.0f} cells are too many for the page: up to {most:,}")
    ranges = [range(a, b + 1) for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    grid = np.array([*product(*ranges)], np.int64)
    every = [lattice.cells(grid, np.full(len(grid), kind)) for kind in range(len(lattice.kinds))]
    return CellSet.of(lattice, np.concatenate(every))


def usual(lattice: Lattice) -> str:
    """A board to begin with."""
    return USUAL.get(lattice.dimension, "x".join(["2"] * lattice.dimension))


def examples(lattice: Lattice) -> list[dict[str, Any]]:
    """The families of regions of a lattice, each with an example."""
    found: list[dict[str, Any]] = []
    for family in families(lattice):
        if family.name == "box":
            found.append({"name": "box", "usage": family.usage, "example": usual(lattice)})
            continue
        sizes = _sizes(lattice, family.name, len(family.sizes))
        if sizes is not None:
            text = " ".join([family.name, *map(str, sizes)])
            found.append({"name": family.name, "usage": family.usage, "example": text})
    return found


def _sizes(lattice: Lattice, family: str, many: int) -> list[int] | None:
    """Sizes that make a region of moderate size."""
    chosen = EXAMPLES if lattice.dimension <= 4 else SMALL
    tries = [[size] * many for size in chosen]
    tries += [[a] + [b] * (many - 1) for a, b in pairwise(chosen) if many > 1]
    for sizes in tries:
        try:
            number = len(region_cells(lattice, family, sizes))
        except ExactCoverError:
            continue
        if FEW <= number <= MANY:
            return sizes
    return None


# -- the shipped puzzles --------------------------------------------------------------------------


def shelved(lattice: str, name: str, most_cells: int) -> Answer:
    """A shipped puzzle."""
    return describe(ClientPuzzle.of(shelved_document(f"{lattice}/{name}")), most_cells)


def shelved_document(name: str) -> Document:
    """A shipped puzzle as it was read; raises `Refusal`."""
    file, _, number = name.partition("#")
    there = paths().get(file)
    if there is None:
        near = UnknownName("puzzle", file[:80], paths())
        raise Refusal(404, str(near))
    for entry in read_file(there, name=file):
        if entry.puzzle is not None and (not number or entry.name == name):
            return entry
    raise Refusal(404, f"{name[:80]} is no puzzle with cells")
