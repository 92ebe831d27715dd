"""Cubes: polycubes. The solid case of `boxes`."""

from __future__ import annotations

from exactcover.lattices.boxes import corner, diamond, hypercubic
from exactcover.lattices.family import Family

CUBIC = hypercubic(
    3,
    name="cubic",
    polyform="polycube",
    regions=(
        diamond(3),
        corner(3),
        Family(
            "pyramid",
            ("n",),
            "square layers of side 2n - 1, ... 3, 1",
            ("1 - n..n - 1", "1 - n..n - 1", "0..n - 1"),
            "abs(x) < n - z and abs(y) < n - z",
        ),
    ),
    flat="square",
    names="exactcover.lattices.pieces.polycubes:POLYCUBES",
    aliases=("hypercubic-3", "cubes", "3d"),
    summary="cubes in space",
)
