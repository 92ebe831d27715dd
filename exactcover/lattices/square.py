"""Squares: polyominoes. The plane case of `hypercubic`."""

from __future__ import annotations

from exactcover.lattices.hypercubic import hypercubic

SQUARE = hypercubic(
    2,
    name="square",
    polyform="polyomino",
    aliases=("hypercubic-2", "squares", "2d"),
    summary="squares in the plane",
)
