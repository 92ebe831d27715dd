"""Squares: polyominoes. The plane case of `boxes`."""

from __future__ import annotations

from exactcover.lattices.boxes import corner, diamond, hypercubic
from exactcover.lattices.family import Family

SQUARE = hypercubic(
    2,
    name="square",
    polyform="polyomino",
    regions=(
        diamond(2),
        corner(2, "triangle"),
        corner(2, "staircase"),
        Family(
            "parallelogram",
            ("width", "height"),
            "rows of `width` cells, each one cell further than the last",
            ("0..width + height - 2", "0..height - 1"),
            "y <= x < y + width",
        ),
        Family(
            "pyramid",
            ("n",),
            "rows of 1, 3, 5 ... 2n - 1 cells",
            ("1 - n..n - 1", "0..n - 1"),
            "abs(x) < n - y",
        ),
        Family(
            "aztec",
            ("n",),
            "the Aztec diamond: rows of 2, 4, ... 2n, 2n, ... 4, 2 cells",
            ("-n..n - 1", "-n..n - 1"),
            "abs(x + 1/2) + abs(y + 1/2) <= n",
        ),
        Family(
            "cross",
            ("arm", "width"),
            "four arms round a square of side `width`",
            ("-arm..width + arm - 1", "-arm..width + arm - 1"),
            "0 <= x < width or 0 <= y < width",
        ),
        Family(
            "frame",
            ("width", "height", "border"),
            "a box with a hole in the middle",
            ("0..width - 1", "0..height - 1"),
            "x < border or x >= width - border or y < border or y >= height - border",
        ),
    ),
    names="exactcover.lattices.pieces.polyominoes:POLYOMINOES",
    aliases=("hypercubic-2", "squares", "2d"),
    summary="squares in the plane",
)
