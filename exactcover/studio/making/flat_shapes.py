"""The shape of pieces in the plane, in millimetres, as polygons of the package shapely.

Polygons of cells are joined exactly. Discs are joined by necks. Bars are the difficult ones, since
several pieces may meet at the point where bars end. The hub round that point is a polygon with one
side for each bar of the lattice. A bar ends at its side of the hub, and a piece with several bars
there has the convex hull of their sides. So pieces that do not cross at a point do not overlap,
whatever they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import atan2, pi, tan
from typing import Any

import numpy as np

from exactcover.base import Floats, length
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BALL, BAR, POLYGON, Bodies, Key
from exactcover.puzzle import Cell
from exactcover.show.packages import package
from exactcover.show.subjects import check_length
from exactcover.show.tiles import BAR_WIDTH, NECK

Polygon = Any
"""A polygon of shapely, or several of them as one; shapely has no types."""

SHARP = 10.0
"""A corner may be this many times as far from its old place as its sides are."""

OVERLAP = 1e-6
"""The share of a piece that may lie in another one, as a matter of rounding."""

SNAP = 1e-7
"""Coordinates are rounded to this many units where shapely joins polygons."""

QUARTER = 16
"""Straight lines for a quarter of a circle."""


def flat_shape(
    bodies: Bodies, cells: Sequence[Cell], unit: float, width: float | None = None
) -> Polygon:
    """The polygon of these cells, all joined.

    unit   millimetres of one unit of the lattice
    width  of bars, in millimetres
    """
    shapely = package("shapely")
    sorts: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        sorts[bodies.body(cell).sort].append(cell)
    found = list(_areas(bodies, sorts[POLYGON]))
    found += _bars(bodies, sorts[BAR], width / unit if width else None)
    found += _discs(bodies, sorts[BALL])
    whole = found[0] if len(found) == 1 else shapely.union_all(found, grid_size=SNAP)
    return shapely.transform(whole, lambda points: points * unit)


def check_width(bodies: Bodies, width: object, unit: float) -> None:
    """The width of bars, at most a unit; only a lattice of bars has one."""
    if width is not None and all(body.sort != BAR for body in bodies.kinds):
        raise ExactCoverError(f"width: {bodies.lattice.name} cells are no bars, so leave it out")
    check_length("width", width, unit / 1000, unit, optional=True)


def grown(shape: Polygon, distance: float) -> Polygon:
    """A polygon with its sides moved outwards, or inwards where the distance is below 0."""
    return shape.buffer(distance, join_style="mitre", mitre_limit=SHARP) if distance else shape


def polygons(shape: Polygon) -> list[Polygon]:
    """The polygons that a shape consists of."""
    parts = getattr(shape, "geoms", [shape])
    return [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]


# -- cells that are polygons ----------------------------------------------------------------------


def _areas(bodies: Bodies, cells: Iterable[Cell]) -> Iterator[Polygon]:
    shapely = package("shapely")
    polygons = []
    for cell in cells:
        corners = bodies.in_space(bodies.corners(cell))
        polygons.append(shapely.Polygon([corners[start] for start, _ in bodies.body(cell).sides]))
    if polygons:  # corners of two cells are equal to the last bit; others on a line are left out
        yield shapely.union_all(polygons).simplify(SNAP)


# -- discs ----------------------------------------------------------------------------------------


def _discs(bodies: Bodies, cells: Sequence[Cell]) -> Iterator[Polygon]:
    """Discs that touch, joined by necks."""
    shapely = package("shapely")
    radius = bodies.pitch / 2
    for cell in cells:
        yield shapely.Point(bodies.centre(cell)).buffer(radius, quad_segs=QUARTER)
    for one, other in neighbours_in(bodies, cells):
        ends = [bodies.centre(one), bodies.centre(other)]
        yield shapely.LineString(ends).buffer(NECK * radius, cap_style="flat")


def neighbours_in(bodies: Bodies, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """The pairs of cells that are neighbours on the lattice."""
    lattice, held = bodies.lattice, set(cells)
    for cell in cells:
        vector = cell[: lattice.dimension]
        for step in lattice.adjacent[bodies.kind(cell)].tolist():
            moved = (a + b for a, b in zip(vector, step, strict=False))
            other = (*moved, *step[lattice.dimension :])
            if cell < other and other in held:
                yield cell, other


# -- bars -----------------------------------------------------------------------------------------


def _bars(bodies: Bodies, cells: Sequence[Cell], width: float | None) -> Iterator[Polygon]:
    """Bars between the hubs of their ends, and what the piece has of each hub."""
    shapely = package("shapely")
    mouths: dict[Key, list[Floats]] = defaultdict(list)
    for cell in cells:
        keys = bodies.corners(cell)
        places = bodies.in_space(keys)
        long = float(length(places[1] - places[0]))
        broad = width or BAR_WIDTH * long
        ends, reach = [], 0.0
        for number, key in enumerate(keys):
            away = (places[1 - number] - places[number]) / long
            across = np.array([-away[1], away[0]]) * broad / 2
            hub = _hub(bodies, cell, number, broad)
            # The side of the hub that the bar ends at.
            ends.append(np.stack([places[number] + hub * away + sign * across for sign in (1, -1)]))
            mouths[key].append(ends[-1])
            reach += hub
        if reach >= long:
            raise ExactCoverError(
                f"bars {broad / long:.2g} of their length wide leave nothing between the points "
                "where they meet: make them narrower"
            )
        yield shapely.MultiPoint(np.concatenate(ends)).convex_hull
    for those in mouths.values():
        if len(those) > 1:
            yield shapely.MultiPoint(np.concatenate(those)).convex_hull


def _hub(bodies: Bodies, cell: Cell, end: int, width: float) -> float:
    """How far a side of the hub at an end of a bar is from its middle."""
    corner = bodies.corners(cell)[end]
    dimension = bodies.lattice.dimension
    vector = cell[:dimension]
    turns = []
    for step in product((-1, 0, 1), repeat=dimension):
        for kind in range(len(bodies.kinds)):
            near = tuple(a + b for a, b in zip(vector, step, strict=True))
            other = (*near, kind) if bodies.lattice.width > dimension else near
            keys = bodies.corners(other)
            if corner in keys:
                places = bodies.in_space([corner, keys[1 - keys.index(corner)]])
                ahead = places[1] - places[0]
                turns.append(atan2(ahead[1], ahead[0]))
    turns.sort()
    least = min((b - a for a, b in pairwise([*turns, turns[0] + 2 * pi])), default=pi)
    return width / 2 / tan(least / 2) if least < pi - 1e-9 else 0.0
