"""Pieces that may be turned over or cross, beside others that may not, on symmetric regions.

Everything is compared with the plain reference, which knows a kind of piece by all its ways to lie.
Each puzzle has a piece of which there are two hands, a mirror partner now and then, and filler.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.geometry.regions import region_cells
from exactcover.lattices import Lattice, get_lattice
from exactcover.search.solving import Solving
from tests.helpers.examples import few, some
from tests.helpers.naive_symmetry import orbits, symmetries
from tests.helpers.naive_tiling import Cell, PlainPiece, PlainPuzzle, tilings
from tests.helpers.plain_puzzles import told

Cells = tuple[Cell, ...]

REGIONS = {
    "square": ("box", (3, 3)),
    "hexagonal": ("hexagon", (2,)),
    "triangular": ("hexagon", (1,)),
    "cubic": ("box", (3, 2, 2)),
    "sticks-square": ("box", (2, 1)),
    "sticks-triangular": ("box", (1, 1)),
    "fcc": ("tetrahedron", (3,)),
}

HANDED: dict[str, Cells] = {
    "square": ((0, 0), (1, 0), (2, 0), (0, 1)),
    "hexagonal": ((0, 0), (1, 0), (2, 0), (0, 1)),
    "triangular": ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)),
    "cubic": ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
    "sticks-square": ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
    "sticks-triangular": ((0, 0, 0), (0, 0, 1), (1, 0, 0)),
    "fcc": ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
}


def mirrored(lattice: Lattice, cells: Cells) -> Cells:
    mirror = int(np.flatnonzero(~lattice.group.proper)[0])
    return tuple(map(tuple, lattice.moved(np.array(cells), [mirror])[0].tolist()))


@st.composite
def mixed(draw: st.DrawFn, lattice: Lattice) -> PlainPuzzle:
    family, sizes = REGIONS[lattice.name]
    region = tuple(map(tuple, region_cells(lattice, family, list(sizes)).tolist()))
    own = st.sampled_from((None, True, False))
    handed = HANDED[lattice.name]
    pieces = []
    for name in "ABC"[: draw(st.integers(1, 3))]:
        cells = mirrored(lattice, handed) if draw(st.booleans()) else handed
        copies = draw(st.sampled_from(((1, 1), (0, 1), (0, 2))))
        pieces.append(PlainPiece(name, cells, *copies, reflections=draw(own), crossing=draw(own)))
    for name, size in (("D", 2), ("E", 1)):
        pieces.append(PlainPiece(name, handed[:size], 0, None, reflections=draw(own)))
    optional = region if draw(st.booleans()) else ()
    return PlainPuzzle(
        lattice,
        () if optional else region,
        optional,
        tuple(draw(st.permutations(pieces))),
        (0, draw(st.integers(0, 2))) if optional else None,
        reflections=draw(st.booleans()),
        crossing=draw(st.booleans()),
    )


@pytest.mark.parametrize("name", some(REGIONS, one_in=4))
@given(data=st.data())
@few
def test_all_conventions_against_the_reference(name: str, data: st.DataObject) -> None:
    plain = data.draw(mixed(get_lattice(name)))
    puzzle = told(plain)
    try:
        assume(ec.count(puzzle, counted="all") < 2000)
    except PuzzleError:  # a piece that fits nowhere
        assert not tilings(plain)
        return
    solutions = tilings(plain)
    assert ec.count(puzzle, counted="all") == len(solutions)
    for counted in ("rotations", "reflections"):
        classes = orbits(plain, solutions, counted)
        event(f"{counted}: {len(symmetries(plain, counted))} symmetries")
        for strategy in (None, "automaton:narrow", "volume; fit; automaton:f"):
            assert ec.count(puzzle, counted=counted, strategy=strategy) == len(classes)
        for strategy in (None, "redundancy; dlx:s", "redundancy=none; dlx:f", "fila:f"):
            assert sum(1 for _ in Solving(puzzle, counted=counted, strategy=strategy)) == len(
                classes
            )
