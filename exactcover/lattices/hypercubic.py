"""Unit cells on a line and in four to six dimensions: polyhypercubes."""

from __future__ import annotations

from exactcover.lattices.boxes import corner, diamond, hypercubic

LINE = hypercubic(
    1,
    name="hypercubic-1",
    polyform="polyline",
    aliases=("line", "1d"),
    summary="unit cells on a line",
)
HYPERCUBIC = hypercubic(
    4,
    name="hypercubic",
    polyform="polytesseract",
    regions=(diamond(4), corner(4)),
    flat="cubic",
    names="exactcover.lattices.pieces:POLYTESSERACTS",
    aliases=("hypercubic-4", "hypercubic-4d", "tesseract", "4d"),
    summary="tesseracts: unit cells in 4-D",
)
HYPERCUBIC_5 = hypercubic(
    5, regions=(diamond(5), corner(5)), flat="hypercubic", aliases=("hypercubic-5d", "5d")
)
HYPERCUBIC_6 = hypercubic(
    6, regions=(diamond(6), corner(6)), flat="hypercubic-5", aliases=("hypercubic-6d", "6d")
)
