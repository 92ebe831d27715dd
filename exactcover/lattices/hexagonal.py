"""Hexagons: polyhexes. Cell (x, y) lies at x e1 + y e2, two unit vectors 60 degrees apart."""

from __future__ import annotations

from math import sqrt

from exactcover.lattices.base import Lattice, Motion, point

PLANE = ((1.0, 0.0), (0.5, sqrt(3) / 2))
"""Two unit vectors 60 degrees apart: the basis of every lattice of triangles and hexagons."""

SIXTH_TURN = Motion(((0, -1), (1, 1)))
MIRROR = Motion(((0, 1), (1, 0)))

HEXAGONAL = Lattice(
    name="hexagonal",
    polyform="polyhex",
    dimension=2,
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(((0, 0), (1, 0)),),
    basis=PLANE,
    outlines={
        "cell": (
            point("1/3", "1/3"),
            point("-1/3", "2/3"),
            point("-2/3", "1/3"),
            point("-1/3", "-1/3"),
            point("1/3", "-2/3"),
            point("2/3", "-1/3"),
        )
    },
    aliases=("hex", "hexagons", "polyhex"),
    summary="regular hexagons in the plane",
)
