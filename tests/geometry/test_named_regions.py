"""Named families of regions: how many cells they have, how symmetric they are, what is refused."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from exactcover.errors import PuzzleError, UnknownName
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import families, region_cells
from exactcover.geometry.symmetry import region_symmetries
from exactcover.lattices import Lattice, get_lattice
from tests.helpers.cell_graphs import networkx_graph
from tests.helpers.lattices_under_test import EVERY, name_of

COUNTED = [
    ("square", "box", (3, 4), 12),
    ("square", "triangle", (5,), 15),
    ("square", "staircase", (5,), 15),
    ("square", "parallelogram", (15, 14), 210),
    ("square", "pyramid", (4,), 16),
    ("square", "cross", (2, 3), 33),
    ("square", "frame", (5, 6, 1), 18),
    ("cubic", "box", (2, 3, 4), 24),
    ("cubic", "corner", (4,), 20),
    ("hypercubic", "diamond", (2,), 41),
    ("hypercubic", "box", (2, 2, 2, 3), 24),
    ("hypercubic-5", "box", (2, 2, 2, 2, 2), 32),
    ("triangular", "box", (2, 3), 12),
    ("triangular", "inverted-triangle", (5,), 25),
    ("triangular", "hexagon", (2, 3, 4), 52),
    ("triangular", "truncated-triangle", (3, 1), 22),
    ("triangular", "parallelogram", (3, 4), 24),
    ("triangular", "rhombus", (4,), 32),
    ("triangular", "trapezoid", (5, 3), 21),
    ("hexagonal", "hexagon", (2, 3, 4), 18),
    ("hexagonal", "rhombus", (3,), 9),
    ("hexagonal", "parallelogram", (3, 5), 15),
    ("hexagonal", "trapezoid", (5, 3), 12),
    ("hexagonal", "rectangle", (4, 5), 20),
    ("prism", "hexagon", (2, 3), 72),
    ("prism", "trapezoid", (5, 3, 2), 42),
    ("fcc", "cuboctahedron", (3,), 55),
    ("bcc", "cuboid", (3, 3, 3), 35),
    ("rhombic", "box", (2, 2, 1), 96),
    ("octet-eighths", "tetrahedron", (2,), 12),
    ("octet-eighths", "octahedron", (2,), 56),
    ("octet-eighths", "cuboid", (2, 3, 4), 120),
    ("sticks-square", "box", (5, 5), 60),
    ("sticks-square", "diamond", (1,), 16),
    ("sticks-triangular", "hexagon", (1,), 12),
    ("sticks-triangular", "box", (1, 1), 5),
    ("sticks-hexagonal", "box", (2, 2), 19),
]

SYMMETRIES = [
    ("square", "diamond", (3,), 8),
    ("square", "pyramid", (4,), 2),
    ("square", "cross", (2, 3), 8),
    ("cubic", "diamond", (2,), 48),
    ("cubic", "pyramid", (3,), 8),
    ("triangular", "triangle", (4,), 6),
    ("triangular", "hexagon", (2, 3, 4), 2),
    ("triangular", "rhombus", (3,), 4),
    ("triangular", "star", (2,), 12),
    ("fcc", "tetrahedron", (3,), 24),
    ("fcc", "square-pyramid", (3,), 8),
    ("bcc", "cuboid", (3, 3, 3), 48),
    ("rhombic", "dodecahedron", (1,), 48),
    ("octet", "octahedron", (2,), 48),
    ("octet-eighths", "cuboid", (2, 2, 2), 48),
]


@pytest.mark.parametrize(("name", "family", "sizes", "count"), COUNTED)
def test_number_of_cells(name: str, family: str, sizes: tuple[int, ...], count: int) -> None:
    cells = region_cells(get_lattice(name), family, sizes)
    assert len(cells) == len(np.unique(cells, axis=0)) == count


@pytest.mark.parametrize(("name", "family", "sizes", "order"), SYMMETRIES)
def test_number_of_symmetries(name: str, family: str, sizes: tuple[int, ...], order: int) -> None:
    lattice = get_lattice(name)
    region = CellSet.of(lattice, region_cells(lattice, family, sizes))
    assert len(region_symmetries(region)) == order


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_every_family_makes_connected_regions(lattice: Lattice) -> None:
    for family in families(lattice):
        assert family.summary
        for first in (1, 2, 3):
            sizes = [first + place % 2 for place in range(len(family.sizes))]
            if family.needs:  # the first is at least the second
                sizes[:2] = [first + 1, first]
            if lattice.name == "square" and family.name == "parallelogram":
                sizes[0] += 1  # of width 1 it would hang together by corners
            if lattice.dimension > 4:
                sizes = [min(size, 2) for size in sizes]
            region = CellSet.of(lattice, region_cells(lattice, family.name, sizes))
            assert len(region)
            assert networkx.is_connected(networkx_graph(region)), (family.usage, sizes)


def test_formulas() -> None:
    for n in range(1, 8):
        for name, family, count in [
            ("square", "diamond", 2 * n * n + 2 * n + 1),
            ("square", "aztec", 2 * n * (n + 1)),
            ("cubic", "diamond", (2 * n + 1) * (2 * n * n + 2 * n + 3) // 3),
            ("cubic", "pyramid", n * (2 * n - 1) * (2 * n + 1) // 3),
            ("triangular", "triangle", n * n),
            ("triangular", "hexagon", 6 * n * n),
            ("triangular", "star", 12 * n * n),
            ("hexagonal", "hexagon", 3 * n * (n - 1) + 1),
            ("hexagonal", "triangle", n * (n + 1) // 2),
            ("hexagonal", "star", 6 * n * (n - 1) + 1),
            ("fcc", "tetrahedron", n * (n + 1) * (n + 2) // 6),
            ("fcc", "octahedron", n * (2 * n * n + 1) // 3),
            ("fcc", "square-pyramid", n * (n + 1) * (2 * n + 1) // 6),
            ("rhombic", "dodecahedron", 48 * n**3),
            ("octet", "tetrahedron", n * (n * n + 1) // 2),
            ("octet", "octahedron", n * (2 * n * n - 1)),
            ("sticks-triangular", "triangle", 3 * n * (n + 1) // 2),
            ("sticks-hexagonal", "hexagon", 3 * n * (3 * n - 1)),
        ]:
            assert len(region_cells(get_lattice(name), family, [n])) == count


def test_what_is_refused() -> None:
    square = get_lattice("square")
    with pytest.raises(UnknownName, match="did you mean diamond"):
        region_cells(square, "diamnd", [1])
    with pytest.raises(UnknownName, match="there are: box, cuboid"):
        region_cells(get_lattice("bcc"), "sphere", [1])
    with pytest.raises(PuzzleError, match="it takes 'diamond r', but 2 sizes are given"):
        region_cells(square, "diamond", [1, 2])
    with pytest.raises(PuzzleError, match="'hexagon n' or 'hexagon a b c'"):
        region_cells(get_lattice("hexagonal"), "hexagon", [1, 2])
    with pytest.raises(PuzzleError, match="it needs height <= bottom, not 2 3"):
        region_cells(get_lattice("hexagonal"), "trapezoid", [2, 3])
    for size in (0, -3, 1.5, True, "2"):
        with pytest.raises(PuzzleError, match="must be 1 or more"):
            region_cells(square, "diamond", [size])  # type: ignore[list-item]
