"""Triangles: polyiamonds. Cell (x, y, 0) points up and (x, y, 1) points down.

The up triangle at (x, y) has its lower left corner at x e1 + y e2, with e1 and e2 60 degrees apart;
the down triangle completes the rhombus to its right.
"""

from __future__ import annotations

from exactcover.lattices.base import Lattice
from exactcover.lattices.motions import point
from exactcover.lattices.sketch import Sketch
from exactcover.lattices.slanting import MIRROR, PLANE, POLYGONS, SIXTH_TURN
from exactcover.lattices.view import LETTERS, Glyph, View, Wall

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
    corners=(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (1, -1, 1))),
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
