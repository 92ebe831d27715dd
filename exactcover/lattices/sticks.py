"""Edges of a grid: polysticks (squares), polytrigs (triangles), polytwigs (hexagons).

A cell is an edge; two edges are neighbours where they share an end. Pieces may meet at a crossing
point but, where a puzzle says so, not cross there. `junctions` lists the edges round each crossing
point in cyclic order; two pieces cross just where their edges alternate. At a point of the
hexagonal grid only three edges meet, so nothing can cross.
"""

from __future__ import annotations

from exactcover.lattices.base import Lattice, Motion, point
from exactcover.lattices.hexagonal import MIRROR, PLANE, SIXTH_TURN

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
    aliases=("polytwig", "polytwig-hexagonal-edges"),
    summary="edges of the hexagonal grid, named by the side of the hexagon they are on",
)
