"""Edges of a grid: polysticks (squares), polytrigs (triangles), polytwigs (hexagons).

A cell is an edge; two edges are neighbours where they share an end. Pieces may meet at a crossing
point but, if a puzzle forbids it, not cross there. `junctions` lists the edges round each crossing
point in cyclic order; two pieces cross just where their edges alternate. At a point of the
hexagonal grid only three edges meet, so nothing can cross.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from exactcover.lattices.base import Board, Lattice
from exactcover.lattices.motions import Motion, point
from exactcover.lattices.slanting import MIRROR, PLANE, SIXTH_TURN
from exactcover.lattices.view import (
    EAST,
    JOINTS,
    LETTERS,
    NORTH,
    OUTLINE,
    SOUTH,
    WEST,
    Glyph,
    Mark,
    Sketch,
    View,
)


def _views(
    letters: View, line: str = "-", vertices: str = "+o", *bits: tuple[int, int]
) -> Mapping[str, View]:
    """The styles of sticks: where all at a vertex are of one piece, the drawing joins them.

    line      the character of a line across
    vertices  what is drawn at a vertex, by its bits; where there are no lines: apart, or joined
    bits      of each glyph, the bits that its ends set. Default: 1
    """
    glyphs = tuple(
        glyph._replace(
            ends=tuple(
                (end.line, end.column, bit) for end, bit in zip(glyph.marks, own, strict=True)
            ),
            strokes=tuple(replace(s, text=s.text.replace("-", line)) for s in glyph.strokes),
        )
        for glyph, own in zip(letters.glyphs, bits or [(1, 1)] * len(letters.glyphs), strict=True)
    )
    outline = letters._replace(glyphs=glyphs, vertices=vertices)
    return {LETTERS: letters, OUTLINE: outline}


STICKS_SQUARE = Lattice(
    name="sticks-square",
    polyform="polystick",
    dimension=2,
    centres={"across": point("1/2", 0), "up": point(0, "1/2")},
    rotations=(Motion(((0, -1), (1, 0))),),
    reflections=(Motion(((0, 1), (1, 0))),),
    neighbours=(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 0, 1))),
    outlines={
        "across": (point(0, 0), point(1, 0)),
        "up": (point(0, 0), point(0, 1)),
    },
    junctions=(((0, 0, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 1)),),
    views=_views(
        View(
            across=(4, 0),
            up=(0, 2),
            glyphs=(
                Glyph(
                    column=2,
                    strokes=(Mark(0, -1, "-"), Mark(0, 1, "-")),
                    marks=(Mark(0, -2, "+"), Mark(0, 2, "+")),
                    bare="-",
                ),
                Glyph(up=1, marks=(Mark(-1, 0, "+"), Mark(1, 0, "+")), bare="|"),
            ),
        ),
        "─",
        "+" + JOINTS[1:],
        (EAST, WEST),
        (SOUTH, NORTH),
    ),
    sketch=Sketch(
        across=(2, 0),
        up=(0, 2),
        places=((1, 0), (0, 1)),
        marks="-|",
        points=(((-1, 0), (1, 0)), ((0, -1), (0, 1))),
        rule="edges lie between crossing points, which are two characters apart",
    ),
    board=Board("square", point("1/2", "1/2")),
    names="exactcover.lattices.pieces:POLYSTICKS",
    aliases=("sticks", "polystick", "polystick-square"),
    summary="edges of the square grid",
)

STICKS_TRIANGULAR = Lattice(
    name="sticks-triangular",
    polyform="polytrig",
    dimension=2,
    centres={
        "across": point("1/2", 0),
        "right": point(0, "1/2"),
        "left": point("-1/2", "1/2"),
    },
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(
        ((0, 0, 0), (0, 0, 1)),
        ((0, 0, 0), (0, 0, 2)),
        ((0, 0, 0), (1, 0, 0)),
    ),
    basis=PLANE,
    outlines={
        "across": (point(0, 0), point(1, 0)),
        "right": (point(0, 0), point(0, 1)),
        "left": (point(0, 0), point(-1, 1)),
    },
    junctions=(((0, 0, 0), (0, 0, 1), (0, 0, 2), (-1, 0, 0), (0, -1, 1), (1, -1, 2)),),
    views=_views(
        View(
            across=(8, 4),
            up=(0, 4),
            glyphs=(
                Glyph(
                    column=4,
                    strokes=(Mark(0, -3, "---"), Mark(0, 1, "---")),
                    marks=(Mark(0, -4, "+"), Mark(0, 4, "+")),
                    bare="-",
                ),
                Glyph(
                    up=2,
                    column=2,
                    strokes=(Mark(1, -1, "/"), Mark(-1, 1, "/")),
                    marks=(Mark(2, -2, "+"), Mark(-2, 2, "+")),
                    bare="/",
                ),
                Glyph(
                    up=2,
                    column=-2,
                    strokes=(Mark(1, 1, "\\"), Mark(-1, -1, "\\")),
                    marks=(Mark(2, 2, "+"), Mark(-2, -2, "+")),
                    bare="\\",
                ),
            ),
        ),
    ),
    board=Board("triangular"),
    aliases=("polytrig", "polytrig-triangular-edges"),
    summary="edges of the triangular grid",
)

STICKS_HEXAGONAL = Lattice(
    name="sticks-hexagonal",
    polyform="polytwig",
    dimension=2,
    centres={
        "east": point("1/2", 0),
        "north-east": point(0, "1/2"),
        "north-west": point("-1/2", "1/2"),
    },
    rotations=(SIXTH_TURN,),
    reflections=(MIRROR,),
    neighbours=(((0, 0, 0), (0, 0, 1)),),
    basis=PLANE,
    outlines={
        "east": (point("2/3", "-1/3"), point("1/3", "1/3")),
        "north-east": (point("1/3", "1/3"), point("-1/3", "2/3")),
        "north-west": (point("-1/3", "2/3"), point("-2/3", "1/3")),
    },
    views=_views(
        View(
            across=(8, 4),
            up=(0, 4),
            glyphs=(
                Glyph(column=4, marks=(Mark(-1, 0, "+"), Mark(1, 0, "+")), bare="|"),
                Glyph(up=2, column=2, marks=(Mark(1, 2, "+"), Mark(-1, -2, "+")), bare="\\"),
                Glyph(up=2, column=-2, marks=(Mark(1, -2, "+"), Mark(-1, 2, "+")), bare="/"),
            ),
        ),
    ),
    board=Board("hexagonal"),
    names="exactcover.lattices.pieces:POLYTWIGS",
    aliases=("polytwig", "polytwig-hexagonal-edges"),
    summary="edges of the hexagonal grid, named by the side of the hexagon they are on",
)
