"""Triangular prisms: the triangles of `triangular`, stacked. Cell (x, y, z, kind)."""

from __future__ import annotations

from math import sqrt

from exactcover.lattices.base import Lattice, Motion, Point, point
from exactcover.lattices.triangular import TRIANGULAR


def _column(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The corners of a prism, bottom and top, from those of its triangle."""
    return tuple((*corner, *point(height)) for height in ("-1/2", "1/2") for corner in corners)


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
    corners=(
        ((0, 0, 0, 0), (1, 0, 0, 0)),
        ((0, 0, 0, 0), (1, -1, 0, 1)),
        ((0, 0, 0, 0), (0, 0, 1, 1)),
        ((0, 0, 0, 0), (1, 0, 1, 0)),
        ((0, 0, 0, 0), (1, -1, 1, 1)),
    ),
    basis=((1.0, 0.0, 0.0), (0.5, sqrt(3) / 2, 0.0), (0.0, 0.0, 1.0)),
    outlines={kind: _column(corners) for kind, corners in TRIANGULAR.outlines.items()},
    aliases=("triangular-prism", "prisms"),
    summary="triangular prisms, stacked",
)
