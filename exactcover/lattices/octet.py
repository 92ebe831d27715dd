"""Regular octahedra and tetrahedra, as they fill space together; and the octahedra in eighths.

Octahedra lie where the balls of `fcc` do, edge to edge. The tetrahedra between them have their
middles halfway up the diagonals of cubes: of the cubes of the grid of whole numbers in which the
corners of all of them are the points of odd sum, and the middles of octahedra those of even sum.

Each such cube holds a whole tetrahedron and an eighth of four octahedra: five tetrahedra, which in
neighbouring cubes lie the other way round. Those are the cells of `octet-eighths`.
"""

from __future__ import annotations

from itertools import product

from exactcover.lattices.base import Lattice
from exactcover.lattices.centred import FCC, from_right_angles
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Point

SIGNS = tuple(product((1, -1), repeat=3))
"""The eighths of an octahedron: on which side of its middle they lie along x, y and z."""


def _middle(corners: tuple[Point, ...]) -> Point:
    return tuple(sum(values) / len(corners) for values in zip(*corners, strict=True))


_TETRAHEDRA = {
    name: tuple(
        from_right_angles(*(sign * value for value in corner))
        for corner in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))
    )
    for name, sign in (("tetrahedron-up", 1), ("tetrahedron-down", -1))
}
_OCTAHEDRON = tuple(
    from_right_angles(*corner)
    for sign in (1, -1)
    for corner in ((sign, 0, 0), (0, sign, 0), (0, 0, sign))
)
_EIGHTHS = {
    "eighth" + "".join("-+"[sign > 0] for sign in (x, y, z)): tuple(
        from_right_angles(*corner) for corner in ((0, 0, 0), (x, 0, 0), (0, y, 0), (0, 0, z))
    )
    for x, y, z in SIGNS
}

_WHOLE = {"octahedron": _OCTAHEDRON, **_TETRAHEDRA}
_CUT = {**_TETRAHEDRA, **_EIGHTHS}

REGIONS = (
    Family(  # its sides are those of the tetrahedra: halfway between whole numbers
        "tetrahedron",
        ("n",),
        "a tetrahedron with edges n long",
        ("0..n - 1",) * 3,
        "x >= -1/2 and y >= -1/2 and z >= -1/2 and x + y + z <= n - 3/2",
    ),
    Family(  # round the middle of an octahedron if n is odd, otherwise round a corner of one
        "octahedron",
        ("n",),
        "an octahedron with edges n long",
        ("-(n // 2) - 1..n // 2 + 1",) * 3,
        "abs(x + y - (n + 1) % 2) + abs(x + z) + abs(y + z) <= n",
    ),
)

OCTET = Lattice(
    name="octet",
    polyform="polyoctet",
    dimension=3,
    centres={name: _middle(corners) for name, corners in _WHOLE.items()},
    rotations=FCC.rotations,
    reflections=FCC.reflections,
    neighbours=(((0, 0, 0, 0), (0, 0, 0, 1)),),
    basis=FCC.basis,
    outlines=_WHOLE,
    regions=REGIONS,
    aliases=("octahedra-and-tetrahedra", "alternated-cubic"),
    summary="regular octahedra and tetrahedra",
)

_FIRST = len(_TETRAHEDRA)
"""The kind of the eighth `+++`, which lies beside `tetrahedron-up`."""

OCTET_EIGHTHS = Lattice(
    name="octet-eighths",
    polyform="polyoctet-eighth",
    dimension=3,
    centres={name: _middle(corners) for name, corners in _CUT.items()},
    rotations=FCC.rotations,
    reflections=FCC.reflections,
    neighbours=(((0, 0, 0, _FIRST), (0, 0, 0, 0)), ((0, 0, 0, _FIRST), (0, 0, 0, _FIRST + 1))),
    basis=FCC.basis,
    outlines=_CUT,
    regions=(
        *REGIONS,
        Family(
            "cuboid",
            ("a", "b", "c"),
            "a x b x c cubes of five cells each",
            (
                "-(c // 2) - 1..(a + b) // 2 + 1",
                "-(b // 2) - 1..(a + c) // 2 + 1",
                "-(a // 2) - 1..(b + c) // 2 + 1",
            ),
            "0 <= x + y <= a and 0 <= x + z <= b and 0 <= y + z <= c",
        ),
    ),
    aliases=("octet-in-eighths", "cubes-in-five"),
    summary="regular tetrahedra and eighths of octahedra: cubes cut in five",
)
