"""Triangles, and the prisms that are triangles stacked: cells (x, y, kind) and (x, y, z, kind).

Kind 0 points up and kind 1 points down. The up triangle at (x, y) has its lower left corner at
x e1 + y e2, with e1 and e2 60 degrees apart; the down triangle completes the rhombus to its right.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Motion, Point, point
from exactcover.lattices.slanting import MIRROR, PLANE, POLYGONS, SIXTH_TURN
from exactcover.lattices.view import LETTERS, Glyph, Sketch, View, Wall

LEVEL, FALLING, RISING = 1, 2, 4
NODES = " -\\+/+++"
UP = Glyph(
    up=1,
    column=2,
    walls=(
        Wall(0, -1, "/", ((1, -2, RISING), (-1, 0, RISING))),
        Wall(0, 1, "\\", ((-1, 0, FALLING), (1, 2, FALLING))),
        Wall(1, -1, "---", ((1, -2, LEVEL), (1, 2, LEVEL))),
    ),
    bare=" ",
)
DOWN = Glyph(
    up=1,
    column=4,
    walls=(
        Wall(0, -1, "\\", ((-1, -2, FALLING), (1, 0, FALLING))),
        Wall(0, 1, "/", ((-1, 2, RISING), (1, 0, RISING))),
        Wall(-1, -1, "---", ((-1, -2, LEVEL), (-1, 2, LEVEL))),
    ),
    bare=" ",
)
VIEW = View(across=(4, 2), up=(0, 2), glyphs=(UP, DOWN), nodes=NODES)

TRIANGULAR = Lattice(
    name="triangular",
    polyform="polyiamond",
    dimension=2,
    centres={"up": point("1/3", "1/3"), "down": point("2/3", "2/3")},
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(((0, 0, 0), (0, 0, 1)),),
    basis=PLANE,
    outlines={
        "up": (point(0, 0), point(1, 0), point(0, 1)),
        "down": (point(1, 0), point(1, 1), point(0, 1)),
    },
    views={LETTERS: VIEW},
    sketch=Sketch(
        across=(2, 1),
        up=(0, 1),
        places=((0, 0), (1, 0)),
        marks="^v",
        rule="triangles that point up and down take turns, along a row and up a column",
    ),
    regions=POLYGONS,
    names="exactcover.lattices.pieces:POLYIAMONDS",
    aliases=("triangles", "polyiamond"),
    summary="equilateral triangles in the plane",
)


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
    return view._replace(across=(*view.across, 0), up=(*view.up, 0), layers=((0, 0, 1),))


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
    outlines={kind: _column(corners) for kind, corners in TRIANGULAR.outlines.items()},
    views={style: _in_layers(view) for style, view in TRIANGULAR.views.items()},
    regions=tuple(map(_stacked, TRIANGULAR.regions)),
    aliases=("triangular-prism", "prisms"),
    summary="triangular prisms, stacked",
)
