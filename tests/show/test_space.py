"""The faces that a page draws: closed, of the right volume, and looking outwards."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from exactcover.geometry.bodies import BAR, POLYGON, SOLID, bodies_of
from exactcover.lattices import Lattice
from exactcover.show.space import THICKNESS, Space, triangles
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells


def space_of(lattice: Lattice, cells: np.ndarray) -> Space:
    spots = [(0, tuple(cell)) for cell in cells.tolist()]
    return Space(bodies_of(lattice), [np.zeros(3)], spots)


def surface(made: Space) -> np.ndarray:
    """The triangles of the faces with one cell only: float64 [n, 3, 3]."""
    found = []
    for number, (face, (_, second)) in enumerate(zip(made.faces, made.sides, strict=True)):
        if second < 0:
            ears = made.ears.get(number) or [
                place for last in range(2, len(face)) for place in (0, last - 1, last)
            ]
            found += [made.corners[face[place]] for place in ears]
    return np.array(found).reshape(-1, 3, 3)


def volume(made: Space) -> float:
    """The volume inside the surface, if each of its triangles looks outwards."""
    found = surface(made)
    return float(np.einsum("ni,ni->", found[:, 0], np.cross(found[:, 1], found[:, 2])) / 6)


def cell_volume(lattice: Lattice, cell: tuple[int, ...]) -> float:
    """The volume of the body of a cell, computed in another way."""
    bodies = bodies_of(lattice)
    body = bodies.body(cell)
    corners = bodies.in_space(body.corners)
    if body.sort == SOLID:
        return float(ConvexHull(corners).volume)
    x, y = corners.T
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    return area * THICKNESS * bodies.pitch


FACED = [
    lattice
    for lattice in EVERY
    if all(body.sort in (SOLID, POLYGON) for body in bodies_of(lattice).kinds)
    and lattice.dimension <= 3
]


@pytest.mark.parametrize("lattice", FACED, ids=name_of)
def test_the_surface_is_closed_and_holds_the_volume_of_the_cells(lattice: Lattice) -> None:
    cells = some_cells(lattice, 3 if lattice.dimension == 3 else 4)
    made = space_of(lattice, cells)
    expected = sum(cell_volume(lattice, tuple(cell)) for cell in cells.tolist())
    assert volume(made) == pytest.approx(expected)
    assert volume(space_of(lattice, cells[:1])) > 0
    inner = sum(second >= 0 for _, second in made.sides)
    assert inner > 0


@pytest.mark.parametrize("lattice", FACED, ids=name_of)
def test_each_edge_of_the_surface_is_run_through_both_ways(lattice: Lattice) -> None:
    made = space_of(lattice, some_cells(lattice, 3))
    edges: dict[tuple[int, int], int] = {}
    for face, (_, second) in zip(made.faces, made.sides, strict=True):
        if second < 0:
            for edge in zip(face, (*face[1:], face[0]), strict=True):
                edges[edge] = edges.get(edge, 0) + 1
    assert all(edges.get((b, a), 0) == times for (a, b), times in edges.items())


def lattice_of(outline: list[tuple[Fraction, Fraction]], up: tuple[int, int]) -> Lattice:
    """Cells of one outline in rows; `up`: where the next row begins, in units of a third."""
    return Lattice(
        name="odd",
        polyform="oddity",
        dimension=2,
        rotations=(),
        reflections=(),
        neighbours=(((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (-1, 1))),
        basis=((1.0, 0.0), (up[0] / 3, up[1] / 3)),
        outlines={"cell": tuple(outline)},
    )


def test_a_concave_cell_is_filled_and_cells_in_bond_share_their_walls() -> None:
    """Bricks in rows, each row shifted by a third: no wall is inside the block."""
    third = Fraction(1, 3)
    # In lattice coordinates a brick of width and height 1 slants back by what the row is shifted.
    brick = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)),
             (1 - third, Fraction(1)), (-third, Fraction(1))]  # fmt: skip
    lattice = lattice_of(brick, (1, 3))
    made = space_of(lattice, np.array(list(product(range(3), repeat=2))))
    assert volume(made) == pytest.approx(9 * THICKNESS * bodies_of(lattice).pitch)
    outer = [face for face, (_, b) in zip(made.faces, made.sides, strict=True) if b < 0]
    walls = [face for face in outer if len({made.corners[c][2] for c in face}) == 2]
    length = sum(
        float(np.linalg.norm(made.corners[face[0]][:2] - made.corners[face[2]][:2]))
        for face in walls
    )
    assert length == pytest.approx(3 * 4 + 4 * third)


@pytest.mark.parametrize(
    "loop",
    [
        [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],
        [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)],
        [(0, 0), (2, 0), (4, 0), (4, 4), (2, 2), (0, 4)],
        [(0, 4), (2, 1), (4, 4), (4, 0), (0, 0)],
    ],
)
def test_triangles_of_a_concave_polygon_have_its_area(loop: list[tuple[int, int]]) -> None:
    def twice(*corners: tuple[int, int]) -> int:
        pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)

    found = triangles(loop)
    assert found is not None
    areas = [twice(*(loop[place] for place in ear)) for ear in found]
    sign = 1 if twice(*loop) > 0 else -1
    assert sum(areas) == twice(*loop)
    assert all(sign * area >= 0 for area in areas)


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_every_cell_of_every_lattice_is_drawn(lattice: Lattice) -> None:
    cells = some_cells(lattice, 2)
    made = space_of(lattice, cells)
    drawn = {cell for pair in made.sides for cell in pair if cell >= 0}
    drawn |= set(made.balls) | {cell for cell, _, _ in made.bars}
    assert drawn == set(range(len(cells)))
    bars = sum(bodies_of(lattice).body(tuple(cell)).sort == BAR for cell in cells.tolist())
    assert len(made.bars) == bars
