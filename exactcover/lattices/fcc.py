"""Balls as greengrocers stack them: face-centred cubic, or rhombic dodecahedra.

The three unit vectors are edges of one tetrahedron, so a tetrahedral pile of side n is the cells
with x, y, z >= 0 and x + y + z < n. Each ball touches twelve others.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, Point
from exactcover.lattices.view import solid_views

_H = sqrt(0.5)


def from_right_angles(x: int | Fraction, y: int | Fraction, z: int | Fraction) -> Point:
    """A point in lattice coordinates, from coordinates in which neighbours are (1, 1, 0) apart."""
    return Fraction(x + y - z, 2), Fraction(x + z - y, 2), Fraction(y + z - x, 2)


_RHOMBIC_DODECAHEDRON: tuple[tuple[int | Fraction, ...], ...] = (
    (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1),
    *product((Fraction(-1, 2), Fraction(1, 2)), repeat=3),
)  # fmt: skip

# In the regions below x + y, x + z and y + z are coordinates at right angles.

FCC = Lattice(
    name="fcc",
    polyform="polysphere",
    dimension=3,
    # Quarter turn about z and third turn about (1, 1, 1), written in the basis below.
    rotations=(
        Motion(((0, 0, -1), (-1, 0, 0), (1, 1, 1))),
        Motion(((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    ),
    reflections=(Motion(((0, 1, 0), (1, 0, 0), (0, 0, 1))),),
    neighbours=(((0, 0, 0), (1, 0, 0)),),
    corners=(((0, 0, 0), (1, 1, -1)),),
    basis=((_H, _H, 0.0), (_H, 0.0, _H), (0.0, _H, _H)),
    outlines={"cell": tuple(from_right_angles(*corner) for corner in _RHOMBIC_DODECAHEDRON)},
    balls=True,
    views=solid_views((2, 1, 1), (0, -1, 1), (0, 1, 1)),
    regions=(
        Family(
            "tetrahedron",
            ("n",),
            "a pile of balls with n along each edge",
            ("0..n - 1",) * 3,
            "x + y + z < n",
        ),
        Family(
            "octahedron",
            ("n",),
            "balls with n along each edge",
            ("-(n - 1)..2 * (n - 1)",) * 3,
            "abs(x + y - (n - 1)) + abs(x + z) + abs(y + z) <= n - 1",
        ),
        Family(
            "square-pyramid",
            ("n",),
            "a pile of balls on an n x n square",
            ("-(n - 1)..2 * (n - 1)",) * 3,
            "abs(x + y - (n - 1)) + abs(x + z) + abs(y + z) <= n - 1 and y + z >= 0",
        ),
        Family(
            "cuboctahedron",
            ("n",),
            "balls with n along each edge",
            ("-2 * (n - 1)..2 * (n - 1)",) * 3,
            "max(abs(x + y), abs(x + z), abs(y + z)) <= n - 1"
            " and abs(x + y) + abs(x + z) + abs(y + z) <= 2 * (n - 1)",
        ),
    ),
    aliases=("sphere", "spheres", "face-centred-cubic", "rhombic-dodecahedra"),
    summary="close-packed balls (rhombic dodecahedra)",
)
