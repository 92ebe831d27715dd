"""Truncated octahedra: body-centred cubic. Eight neighbours across hexagons, six across squares."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from exactcover.lattices.base import Lattice, Motion, Point


def _from_right_angles(x: Fraction, y: Fraction, z: Fraction) -> Point:
    """A point in lattice coordinates, from coordinates along the edges of the unit cube."""
    return (y + z, x + z, x + y)


_TRUNCATED_OCTAHEDRON = sorted(
    {
        corner
        for short, long in product((-1, 1), repeat=2)
        for corner in permutations((Fraction(0), Fraction(short, 4), Fraction(long, 2)))
    }
)

BCC = Lattice(
    name="bcc",
    polyform="polytruncated octahedron",
    dimension=3,
    # Quarter turn about z and third turn about (1, 1, 1), written in the basis below.
    rotations=(
        Motion(((0, 1, 0), (0, 1, -1), (-1, 1, 0))),
        Motion(((0, 0, 1), (1, 0, 0), (0, 1, 0))),
    ),
    reflections=(Motion(((0, 1, 0), (1, 0, 0), (0, 0, 1))),),
    neighbours=(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (1, 1, 0))),
    basis=((-0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, -0.5)),
    outlines={"cell": tuple(_from_right_angles(*corner) for corner in _TRUNCATED_OCTAHEDRON)},
    aliases=("body-centred-cubic", "truncated-octahedra"),
    summary="truncated octahedra",
)
