"""Triangles: polyiamonds. Cell (x, y, 0) points up and (x, y, 1) points down.

The up triangle at (x, y) has its lower left corner at x e1 + y e2, with e1 and e2 60 degrees apart;
the down triangle completes the rhombus to its right.
"""

from __future__ import annotations

from exactcover.lattices.base import Lattice, point
from exactcover.lattices.hexagonal import MIRROR, PLANE, SIXTH_TURN

TRIANGULAR = Lattice(
    name="triangular",
    polyform="polyiamond",
    dimension=2,
    centres={"up": point("1/3", "1/3"), "down": point("2/3", "2/3")},
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(((0, 0, 0), (0, 0, 1)),),
    corners=(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (1, -1, 1))),
    basis=PLANE,
    outlines={
        "up": (point(0, 0), point(1, 0), point(0, 1)),
        "down": (point(1, 0), point(1, 1), point(0, 1)),
    },
    aliases=("triangles", "polyiamond"),
    summary="equilateral triangles in the plane",
)
