"""Hexagons: polyhexes. Cell (x, y) lies at x e1 + y e2, two unit vectors 60 degrees apart."""

from __future__ import annotations

from dataclasses import replace

from exactcover.lattices.base import Lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import point
from exactcover.lattices.slanting import MIRROR, PLANE, POLYGONS, SIXTH_TURN
from exactcover.lattices.view import LETTERS, OUTLINE, Glyph, Sketch, View, Wall

CELL = Glyph(
    walls=(
        Wall(0, -2, "|"),
        Wall(0, 2, "|"),
        Wall(-1, -1, "/"),
        Wall(-1, 1, "\\"),
        Wall(1, -1, "\\"),
        Wall(1, 1, "/"),
    )
)


def _in_hexagons(polygon: Family) -> Family:
    """The same polygon with sides counted in hexagons."""
    smaller = polygon.resized(lambda size: f"({size} - 1)")
    return replace(smaller, summary=f"{polygon.summary}, in hexagons")


HEXAGONAL = Lattice(
    name="hexagonal",
    polyform="polyhex",
    dimension=2,
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(((0, 0), (1, 0)),),
    basis=PLANE,
    outlines={
        "cell": (
            point("1/3", "1/3"),
            point("-1/3", "2/3"),
            point("-2/3", "1/3"),
            point("-1/3", "-1/3"),
            point("1/3", "-2/3"),
            point("2/3", "-1/3"),
        )
    },
    views={
        LETTERS: View(across=(2, 1), up=(0, 1), share=2, longest=3),
        OUTLINE: View(across=(4, 2), up=(0, 2), glyphs=(CELL,), room=3, longest=3, pad=" "),
    },
    sketch=Sketch(
        across=(2, 1),
        up=(0, 1),
        rule="hexagons stand two characters apart, each row one character off the row below",
    ),
    regions=(
        *map(_in_hexagons, POLYGONS),
        Family(
            "rectangle",
            ("width", "height"),
            "rows of `width` hexagons, every second one half a hexagon to the right",
            ("-(height // 2)..width - 1", "0..height - 1"),
            "x >= -(y // 2) and x < width - y // 2",
            sides=(("width", "0"), ("-height / 2", "height")),
        ),
    ),
    names="exactcover.lattices.pieces:POLYHEXES",
    aliases=("hex", "hexagons", "polyhex"),
    summary="regular hexagons in the plane",
)
