"""Triangular prisms: the triangles of `triangular`, stacked. Cell (x, y, z, kind)."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, Point, point
from exactcover.lattices.triangular import TRIANGULAR
from exactcover.lattices.view import View


def _column(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The corners of a prism, bottom and top, from those of its triangle."""
    return tuple((*corner, *point(height)) for height in ("-1/2", "1/2") for corner in corners)


def _stacked(polygon: Family) -> Family:
    """The polygon as the base of a column."""
    height = "layers" if "height" in polygon.sizes else "height"
    return replace(
        polygon,
        sizes=(*polygon.sizes, height),
        summary=f"{polygon.summary}, stacked",
        limits=(*polygon.limits, f"0..{height} - 1"),
        sides=(),
    )


def _in_layers(view: View) -> View:
    """The drawing of triangles, a layer for each height."""
    return replace(view, across=(*view.across, 0), up=(*view.up, 0), layers=((0, 0, 1),))


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
    views={style: _in_layers(view) for style, view in TRIANGULAR.views.items()},
    regions=tuple(map(_stacked, TRIANGULAR.regions)),
    aliases=("triangular-prism", "prisms"),
    summary="triangular prisms, stacked",
)
