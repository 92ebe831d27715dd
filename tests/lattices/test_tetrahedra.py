"""The lattices of tetrahedra, against solids that are nothing but sets of corners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactcover.formats import read_puzzle
from exactcover.geometry.colourings import natural_colouring
from exactcover.geometry.enumeration import Sort, count_shapes
from exactcover.geometry.regions import region_cells
from exactcover.lattices import get_lattice
from tests.helpers.cell_graphs import neighbours_of
from tests.helpers.tetrahedra import ALL, HONEYCOMBS, STILL, TURNS, Honeycomb, Solid

SIZES = {"rhombic": 3, "octet": 4, "octet-eighths": 4}
MOTIONS = {Sort.FREE: ALL, Sort.ONE_SIDED: TURNS, Sort.FIXED: STILL}

OCTETS = [2, 1, 4, 9, 44, 195, 1186]
"""Free ones: OEIS A343909, by Drake Thomas and Peter Kagey."""


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("sort", MOTIONS, ids=lambda sort: sort.value)
def test_as_many_shapes_as_of_plain_solids(name: str, sort: Sort) -> None:
    lattice, honeycomb = get_lattice(name), HONEYCOMBS[name]
    for size in range(1, SIZES[name] + (sort is Sort.FIXED)):
        expected = honeycomb.classes(size, MOTIONS[sort])
        assert count_shapes(lattice, size, sort) == expected


def test_octets_as_published() -> None:
    octet = get_lattice("octet")
    found = [count_shapes(octet, size, Sort.FREE) for size in range(1, len(OCTETS) + 1)]
    assert found == OCTETS


@pytest.mark.parametrize("name", SIZES)
def test_cells_have_the_corners_of_plain_solids(name: str) -> None:
    """All cells near the origin, moved and scaled: the same solids, so they fill space."""
    lattice, honeycomb = get_lattice(name), HONEYCOMBS[name]
    shift = 1 if name == "rhombic" else 0
    solids = set()
    for cell in region_cells(lattice, "box", [3, 3, 3]).tolist():
        corners = list(lattice.outlines.values())[cell[3]]
        places = [[a + b for a, b in zip(corner, cell[:3], strict=True)] for corner in corners]
        if name != "rhombic":
            places = [[x + y, x + z, y + z] for x, y, z in places]
        solids.add(
            frozenset(tuple(int(value * honeycomb.scale) + shift for value in p) for p in places)
        )
    assert len(solids) == 27 * len(lattice.kinds)
    nearby = {
        solid
        for x in range(-1, 6)
        for y in range(-1, 6)
        for z in range(-1, 6)
        for solid in honeycomb.solids(x, y, z)
    }
    assert solids <= nearby


@pytest.mark.parametrize(
    ("name", "shipped", "side"),
    [("rhombic", "rhombic/pairs_cube", 1), ("octet-eighths", "octet-eighths/pairs_any_2x2x2", 2)],
)
def test_shipped_pairs(name: str, shipped: str, side: int) -> None:
    """Cubes in pairs of neighbours: matchings of plain solids, counted one by one."""
    honeycomb = HONEYCOMBS[name]
    cubes = product(range(side), repeat=3)
    solids = frozenset(solid for cube in cubes for solid in honeycomb.solids(*cube))
    [document] = read_puzzle(shipped)
    assert _matchings(honeycomb, solids) == document.counts["all"]


def _matchings(honeycomb: Honeycomb, left: frozenset[Solid]) -> int:
    if not left:
        return 1
    first = min(left, key=sorted)
    return sum(
        _matchings(honeycomb, left - {first, other}) for other in honeycomb.beside[first] & left
    )


@pytest.mark.parametrize("name", SIZES)
def test_two_colours_are_enough(name: str) -> None:
    lattice = get_lattice(name)
    found = natural_colouring(lattice)
    assert found is not None
    assert found.modulus == 2
    for cell in region_cells(lattice, "box", [2, 2, 2]).tolist():
        around = np.array([cell, *neighbours_of(lattice, tuple(cell))])
        mine, *others = found.colours(lattice, around).tolist()
        assert set(others) == {1 - mine}
