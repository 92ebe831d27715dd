"""The face-centred and the body-centred cubic lattice.

The first has balls as greengrocers stack them, or rhombic dodecahedra. Its
three unit vectors are edges of one tetrahedron, so a tetrahedral pile of side n is the cells with
x, y, z >= 0 and x + y + z < n. Each ball touches twelve others. The second has truncated octahedra,
with eight neighbours across hexagons and six across squares.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
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
