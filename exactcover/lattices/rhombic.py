"""Cubes cut along the six planes through opposite edges: 24 tetrahedra each, all alike.

A tetrahedron stands on a quarter of a face, with its tip in the middle of the cube. It is named by
two signed axes, the face first and then the edge of that face: `+x-y` has an edge of the cube on
the face towards +x, on its side towards -y. Four of them make a pyramid on a face, and 48 a rhombic
dodecahedron: a cube with a pyramid of the next cube on each face.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, Point

Direction = tuple[int, int, int]
"""One of the six ways along an axis."""


def _direction(sign: int, axis: int) -> Direction:
    x, y, z = (sign if place == axis else 0 for place in range(3))
    return x, y, z


KINDS: dict[str, tuple[Direction, Direction]] = {
    f"{'-+'[face > 0]}{'xyz'[one]}{'-+'[edge > 0]}{'xyz'[other]}": (
        _direction(face, one),
        _direction(edge, other),
    )
    for one, other in permutations(range(3), 2)
    for face, edge in product((1, -1), repeat=2)
}
"""By its name, towards which face and which edge of it a tetrahedron lies."""


def _corners(face: Direction, edge: Direction) -> tuple[Point, ...]:
    """The middle of the cube, the middle of the face, and the ends of the edge."""
    half = Fraction(1, 2)
    third = next(axis for axis in range(3) if not face[axis] and not edge[axis])
    ends = [
        [half * (a + b + c) for a, b, c in zip(face, edge, _direction(sign, third), strict=True)]
        for sign in (1, -1)
    ]
    middle = [half * a for a in face]
    return (Fraction(0),) * 3, tuple(middle), *map(tuple, ends)


_OUTLINES = {name: _corners(face, edge) for name, (face, edge) in KINDS.items()}

_TOWARDS = {directions: kind for kind, directions in enumerate(KINDS.values())}
_X, _Y, _Z = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_START = (0, 0, 0, _TOWARDS[_X, _Y])

RHOMBIC = Lattice(
    name="rhombic",
    polyform="polyrhombic tetrahedron",
    dimension=3,
    centres={
        name: tuple(sum(values) / 4 for values in zip(*corners, strict=True))
        for name, corners in _OUTLINES.items()
    },
    # Quarter turn about z and third turn about (1, 1, 1).
    rotations=(
        Motion(((0, -1, 0), (1, 0, 0), (0, 0, 1))),
        Motion(((0, 0, 1), (1, 0, 0), (0, 1, 0))),
    ),
    reflections=(Motion(((-1, 0, 0), (0, 1, 0), (0, 0, 1))),),
    neighbours=(
        (_START, (0, 0, 0, _TOWARDS[_X, _Z])),
        (_START, (0, 0, 0, _TOWARDS[_Y, _X])),
        (_START, (1, 0, 0, _TOWARDS[(-1, 0, 0), _Y])),
    ),
    outlines=_OUTLINES,
    regions=(
        Family(  # round the middle of a cube, with a pyramid on each face
            "dodecahedron",
            ("n",),
            "a rhombic dodecahedron 2n wide",
            ("-n..n",) * 3,
            "abs(x) + abs(y) <= n and abs(y) + abs(z) <= n and abs(x) + abs(z) <= n",
        ),
    ),
    aliases=("rhombic-tetrahedra",),
    summary="tetrahedra, 24 to a cube",
)
