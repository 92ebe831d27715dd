"""Truncated octahedra: body-centred cubic. Eight neighbours across hexagons, six across squares."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion
from exactcover.lattices.view import solid_views

_TRUNCATED_OCTAHEDRON = sorted(
    {
        corner
        for short, long in product((-1, 1), repeat=2)
        for corner in permutations((Fraction(0), Fraction(short, 4), Fraction(long, 2)))
    }
)
"""Along the edges of the unit cube."""

# In the region below a cell lies at half of (y + z - x, x + z - y, x + y - z).

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
    outlines={"cell": tuple((y + z, x + z, x + y) for x, y, z in _TRUNCATED_OCTAHEDRON)},
    views=solid_views((-1, 1, 1), (1, -1, 1), (1, 1, -1)),
    regions=(
        Family(
            "cuboid",
            ("a", "b", "c"),
            "a x b x c cells at right angles and those between",
            ("0..b + c - 2", "0..a + c - 2", "0..a + b - 2"),
            "0 <= y + z - x <= 2 * (a - 1) and 0 <= x + z - y <= 2 * (b - 1)"
            " and 0 <= x + y - z <= 2 * (c - 1)",
        ),
    ),
    aliases=("body-centred-cubic", "truncated-octahedra"),
    summary="truncated octahedra",
)
