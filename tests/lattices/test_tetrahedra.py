"""The lattices of tetrahedra, against solids that are nothing but sets of corners."""

from __future__ import annotations

import pytest

from exactcover.geometry.enumeration import Sort, count_shapes
from exactcover.geometry.regions import region_cells
from exactcover.lattices import get_lattice
from tests.helpers.tetrahedra import HONEYCOMBS

SIZES = {"rhombic": 3, "octet": 4, "octet-eighths": 4}

OCTETS = [2, 1, 4, 9, 44, 195, 1186]
"""Free ones: OEIS A343909, by Drake Thomas and Peter Kagey."""


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
