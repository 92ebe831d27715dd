"""Random pieces on symmetric boards: unique counts without a list, and the list in classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice
from tests.helpers.examples import few, some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import PlainPiece, PlainPuzzle, tilings
from tests.helpers.plain_puzzles import grown, told
from tests.helpers.transfer import transfer_count

MOST_CELLS = 10
"""On larger boards the reference, which lists, would take long."""

LATTICES = [
    lattice for lattice in EVERY if lattice.dimension <= 3 and len(lattice.kinds) <= MOST_CELLS
]

COUNTS = ((0, None), (0, 2), (1, 3), (2, 2), (0, 0), (3, 20))


@st.composite
def symmetric_puzzles(draw: st.DrawFn, lattice: Lattice) -> PlainPuzzle:
    """A block of the lattice, perhaps with a hole in the middle, and a few small pieces."""
    side = max(n for n in range(1, 9) if len(lattice.kinds) * n**lattice.dimension <= MOST_CELLS)
    cells = [tuple(cell) for cell in some_cells(lattice, side).tolist()]
    middle = tuple(np.zeros(lattice.width, int).tolist())
    pieces = [
        PlainPiece(
            f"P{number}",
            draw(grown(lattice, draw(st.integers(1, 3)), spread=0.1)),
            *draw(st.sampled_from(COUNTS)),
        )
        for number in range(draw(st.integers(1, 3)))
    ]
    hole = draw(st.sampled_from(("none", "gone", "stationary", "optional", "all optional")))
    if hole == "gone":
        cells.remove(middle)
    if hole == "stationary":
        pieces.append(PlainPiece("S", (middle,), stationary=True))
    optional = {"optional": [middle], "all optional": cells}.get(hole, [])
    return PlainPuzzle(
        lattice,
        tuple(cell for cell in cells if cell not in optional),
        tuple(optional),
        tuple(pieces),
        draw(st.sampled_from((None, (0, 3), (1, 1)))) if optional else None,
        reflections=draw(st.booleans()),
        crossing=draw(st.booleans()),
    )


@pytest.mark.parametrize("lattice", some(LATTICES, one_in=3, first=2), ids=name_of)
@given(data=st.data(), counted=st.sampled_from(("rotations", "reflections")))
@few
def test_symmetric_puzzles(lattice: Lattice, counted: str, data: st.DataObject) -> None:
    plain = data.draw(symmetric_puzzles(lattice))
    try:
        puzzle = told(plain)
        problem = puzzle.model.problem
    except PuzzleError:
        assume(False)
        raise
    many = 0 if puzzle.model.reason else transfer_count(problem)
    assume(many < 1000)
    classes = len(orbits(plain, tilings(plain), counted))
    event("none" if not many else "symmetric" if classes < many else "not symmetric")
    for strategy in (None, "automaton:narrow", "volume; fit; automaton:f", "parity; dlx:s"):
        assert ec.count(puzzle, counted=counted, strategy=strategy) == classes
