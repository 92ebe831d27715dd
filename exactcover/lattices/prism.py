"""Triangular prisms: the triangles of `triangular`, stacked. Cell (x, y, z, kind)."""

from __future__ import annotations

from math import sqrt

from exactcover.lattices.base import Lattice, Motion, point

PRISM = Lattice(
    name="prism",
    polyform="polyprism",
    dimension=3,
    centres={"up": point("1/3", "1/3", 0), "down": point("2/3", "2/3", 0)},
    rotations=(
        Motion(((0, -1, 0), (1, 1, 0), (0, 0, 1))),
        Motion(((0, 1, 0), (1, 0, 0), (0, 0, -1))),
    ),
    reflections=(Motion(((1, 0, 0), (0, 1, 0), (0, 0, -1))),),
    neighbours=(((0, 0, 0, 0), (0, 0, 0, 1)), ((0, 0, 0, 0), (0, 0, 1, 0))),
    basis=((1.0, 0.0, 0.0), (0.5, sqrt(3) / 2, 0.0), (0.0, 0.0, 1.0)),
    aliases=("triangular-prism", "prisms"),
    summary="triangular prisms, stacked",
)
