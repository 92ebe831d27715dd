"""Balls as greengrocers stack them: face-centred cubic, or rhombic dodecahedra.

The three unit vectors are edges of one tetrahedron, so a tetrahedral pile of side n is the cells
with x, y, z >= 0 and x + y + z < n. Each ball touches twelve others.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

from exactcover.lattices.base import Lattice, Motion, Point

_H = sqrt(0.5)


def _from_right_angles(x: Fraction, y: Fraction, z: Fraction) -> Point:
    """A point in lattice coordinates, from coordinates in which neighbours are (1, 1, 0) apart."""
    return ((x + y - z) / 2, (x + z - y) / 2, (y + z - x) / 2)


_ONE, _HALF = Fraction(1), Fraction(1, 2)
_RHOMBIC_DODECAHEDRON = (
    *((sign * _ONE, 0 * _ONE, 0 * _ONE) for sign in (-1, 1)),
    *((0 * _ONE, sign * _ONE, 0 * _ONE) for sign in (-1, 1)),
    *((0 * _ONE, 0 * _ONE, sign * _ONE) for sign in (-1, 1)),
    *product((-_HALF, _HALF), repeat=3),
)

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
    outlines={"cell": tuple(_from_right_angles(*corner) for corner in _RHOMBIC_DODECAHEDRON)},
    aliases=("sphere", "spheres", "face-centred-cubic", "rhombic-dodecahedra"),
    summary="close-packed balls (rhombic dodecahedra)",
)
