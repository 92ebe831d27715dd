"""The bodies of cells, and the outlines of several together."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from exactcover.geometry.bodies import SOLID, Body, Key, bodies_of, ring
from exactcover.lattices import Lattice, get_lattice
from exactcover.lattices.motions import Motion
from exactcover.show.outlines import OUTSIDE, loops_of, parted
from tests.helpers.lattices_under_test import EVERY, name_of


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_faces_obey_eulers_formula_and_fill_space(lattice: Lattice) -> None:
    bodies = bodies_of(lattice)
    if SOLID not in {body.sort for body in bodies.kinds}:
        pytest.skip("it is not made of solids")
    volume = 0.0
    for body in bodies.kinds:
        edges = {
            frozenset((a, b))
            for side in body.sides
            for a, b in zip(side, (*side[1:], side[0]), strict=True)
        }
        assert len(body.corners) - len(edges) + len(body.sides) == 2
        volume += _volume(bodies.in_space(body.corners), body)
    assert volume == pytest.approx(abs(np.linalg.det(bodies.basis)))


def _volume(corners: np.ndarray, body: Body) -> float:
    """The volume of a convex body: that of pyramids from its middle over its faces."""
    middle = corners.mean(axis=0)
    total = 0.0
    for side in body.sides:
        first, *others = (corners[number] - middle for number in side)
        for second, third in pairwise(others):
            total += abs(float(np.linalg.det([first, second, third]))) / 6
    return total


def outline(lattice: Lattice, cells: list[tuple[int, int]]) -> list[list[Key]]:
    """The loops round cells, as pictures have them: edges without a cell beyond."""
    bodies, polygons = bodies_of(lattice), []
    for cell in cells:
        corners = bodies.corners(cell)
        polygons.append([corners[start] for start, _ in bodies.body(cell).sides])
    return loops_of(
        edge
        for _, keys, beyond in parted(enumerate(polygons))
        for edge, other in zip(ring(keys), beyond, strict=True)
        if other == OUTSIDE
    )


def test_cells_that_do_not_meet_edge_to_edge_have_one_outline() -> None:
    """Bricks in rows, each half a brick off the last: a side meets two halves of others."""
    half = Fraction(1, 2)
    bricks = Lattice(
        "bricks", "polybrick", 2, (Motion(((-1, 0), (0, -1))),), (),
        (((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (-1, 1))),
        basis=((2.0, 0.0), (1.0, 1.0)),
        outlines={"cell": ((-Fraction(1, 4), -half), (Fraction(3, 4), -half),
                           (Fraction(1, 4), half), (-Fraction(3, 4), half))},
    )  # fmt: skip
    (loop,) = outline(bricks, [(0, 0), (1, 0), (0, 1)])
    assert _area(bodies_of(bricks).in_space(loop)) == pytest.approx(3 * 2)
    assert len(loop) == 8


def test_a_hole_is_a_loop_of_its_own_and_a_corner_does_not_join() -> None:
    square = get_lattice("square")

    def loops(cells: list[tuple[int, int]]) -> list[float]:
        return sorted(_area(bodies_of(square).in_space(loop)) for loop in outline(square, cells))

    around = [cell for cell in product(range(3), repeat=2) if cell != (1, 1)]
    assert loops(around) == pytest.approx([-1, 9])
    assert loops([(0, 0), (1, 1)]) == pytest.approx([1, 1])


def _area(corners: np.ndarray) -> float:
    x, y = corners.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
