"""Random puzzles on every lattice, and what of a puzzle a file must keep."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import strategies as st

from exactcover.geometry.shapes import normal_form, shape_key
from exactcover.lattices import Lattice, get_lattice, lattices
from exactcover.lattices.base import Cells
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.cell_graphs import neighbours_of

LATTICES = tuple(name for name, lattice in lattices().items() if lattice.dimension <= 4)
for _name in LATTICES:
    assert get_lattice(_name).adjacent  # made now, so that no example seems slow

NAMES = st.text("ABab19*.#,:=~|_-'\"\\äß", min_size=1, max_size=4)


@st.composite
def cell_lists(draw: st.DrawFn, lattice: Lattice, most: int, far: int = 50) -> Cells:
    """Distinct cells, connected for the most part, some of them far away."""
    start = draw(st.tuples(*[st.integers(-3, 3)] * lattice.dimension))
    kinds = range(len(lattice.kinds))
    cells = {(*start, draw(st.sampled_from(kinds))) if len(kinds) > 1 else start}
    grown = [*cells]
    for step in draw(st.lists(st.integers(0, 999), max_size=most - 1)):
        near = list(neighbours_of(lattice, grown[step % len(grown)]))
        grown.append(near[step % len(near)])
    cells.update(grown)
    if draw(st.integers(0, 9)) == 0:
        away = tuple(value + far for value in start)
        cells.add((*away, 0) if len(kinds) > 1 else away)
    return np.array(sorted(cells), np.int64)


@st.composite
def puzzles(draw: st.DrawFn, names: tuple[str, ...] | None = None, plain: bool = False) -> Puzzle:
    """A puzzle on a lattice of these names; a plain one is what polycube can say, mostly."""
    lattice = get_lattice(draw(st.sampled_from(names or LATTICES)))
    space = draw(cell_lists(lattice, 24, 6 if plain else 50))
    optional = set() if plain else draw(st.sets(st.integers(0, len(space) - 1), max_size=4))
    is_optional = np.isin(np.arange(len(space)), sorted(optional))
    empty = None
    if optional and draw(st.booleans()):
        low = draw(st.integers(0, len(optional)))
        empty = (low, draw(st.integers(low, 5)))
    prices = st.just(0) if plain else st.sampled_from((0, 0, 3, -2, 0.1, 12.25))
    cost_of_size = [draw(prices) for _ in range(7)]  # so that equal shapes cost the same
    pieces, left = [], list(range(len(space)))
    for name in draw(st.lists(NAMES, min_size=1, max_size=5, unique=True)):
        if len(left) > 2 and draw(st.integers(0, 3)) == 0:
            taken = draw(st.sets(st.sampled_from(left), min_size=1, max_size=2))
            left = [cell for cell in left if cell not in taken]
            pieces.append(Piece(name, space[sorted(taken)], stationary=True))
            continue
        low = draw(st.integers(0 if pieces else 1, 3))
        high = low if plain else draw(st.one_of(st.none(), st.integers(low, 5)))
        cells = draw(cell_lists(lattice, 6))
        pieces.append(Piece(name, cells, low, high, cost=cost_of_size[len(cells) - 1]))
    wrap = []
    if not plain and draw(st.booleans()):  # so far that no two cells of it are the same
        wrap = [[200 * (axis == 0) + draw(st.integers(0, 3)) for axis in range(lattice.dimension)]]
    costs = {tuple(cell): draw(prices) for cell in space.tolist()}
    return Puzzle(
        lattice,
        Region(space[~is_optional], space[is_optional], empty, costs, wrap=wrap),
        tuple(pieces),
        reflections=draw(st.sampled_from([None, True, False])),
        crossing=draw(st.booleans()),
    )


def structure(puzzle: Puzzle) -> dict[str, Any]:
    """Everything that a puzzle says, in a form that can be compared."""
    return {
        "lattice": puzzle.lattice.name,
        "cells": _sorted(puzzle.region.cells),
        "optional": _sorted(puzzle.region.optional),
        "empty": puzzle.region.empty if len(puzzle.region.optional) else None,
        "costs": dict(puzzle.region.costs),
        "wrap": puzzle.region.wrap,
        "pieces": [
            (
                p.name,
                p.low,
                p.high,
                p.stationary,
                p.cost,
                _sorted(p.cells) if p.stationary else shape(puzzle, p),
            )
            for p in puzzle.pieces
        ],
        "reflections": puzzle.reflections,
        "crossing": puzzle.crossing,
    }


def shape(puzzle: Puzzle, piece: Piece) -> list[list[int]]:
    """The shape of a piece, turned as it is drawn."""
    return normal_form(puzzle.lattice, piece.cells).tolist()  # type: ignore[no-any-return]


def search(puzzle: Puzzle) -> tuple[Any, ...]:
    """What is left to solve: the free cells, moved to the origin, and the shapes by number."""
    fixed = {tuple(cell) for piece in puzzle.stationary for cell in piece.cells.tolist()}
    free = [cell for cell in puzzle.region.cells.tolist() if tuple(cell) not in fixed]
    shapes: Counter[bytes] = Counter()
    for piece in puzzle.movable:
        key = shape_key(puzzle.lattice, piece.cells, reflections=bool(puzzle.reflections))
        shapes[key] += piece.low
    cells = np.array(free, np.int64).reshape(-1, puzzle.lattice.width)
    moved = (cells - cells.min(axis=0)).tolist() if len(cells) else []
    return sorted(moved), +shapes


def _sorted(cells: Cells) -> list[list[int]]:
    return sorted(cells.tolist())


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A problem with everything that Knuth's text can say."""
    words = st.text("abcXYZ019,()/.$-", min_size=1, max_size=3)
    items = draw(st.lists(words, min_size=1, max_size=8, unique=True))
    primary = draw(st.integers(1, len(items)))
    low = [draw(st.integers(0, 2)) for _ in range(primary)]
    high = [value + draw(st.integers(0, 2)) for value in low]
    entries: list[int] = []
    colours: list[int] = []
    starts = [0]
    for _ in range(draw(st.integers(0, 8))):
        row = draw(st.lists(st.integers(0, len(items) - 1), min_size=1, max_size=4, unique=True))
        entries += row
        colours += [draw(st.integers(0, 3)) if item >= primary else 0 for item in row]
        starts.append(len(entries))
    used = sorted(set(colours) - {0}, key=colours.index)
    colours = [used.index(colour) + 1 if colour else 0 for colour in colours]
    costs = draw(
        st.one_of(
            st.none(),
            st.lists(st.floats(-1e9, 1e9), min_size=len(starts) - 1, max_size=len(starts) - 1),
        )
    )
    return Problem.from_arrays(
        len(items),
        starts,
        np.array(entries, np.int32),
        primary=primary,
        low=low,
        high=high,
        colours=colours,
        costs=costs if len(starts) > 1 else None,
        items=tuple(items),
        colour_names=tuple("rgb"[colour - 1] for colour in used),
    )
