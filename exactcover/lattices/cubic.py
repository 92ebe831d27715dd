"""Cubes: polycubes. The solid case of `hypercubic`."""

from __future__ import annotations

from exactcover.lattices.hypercubic import hypercubic

CUBIC = hypercubic(
    3,
    name="cubic",
    polyform="polycube",
    aliases=("hypercubic-3", "cubes", "3d"),
    summary="cubes in space",
)
