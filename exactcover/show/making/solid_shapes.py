"""Pieces as solids, in millimetres: of cells with faces, of balls, of bars, and flat ones."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BAR, SOLID, Bodies, Key
from exactcover.show.making.flat_shapes import Cell, neighbours_in, polygons
from exactcover.show.making.joined_faces import Facet, joined
from exactcover.show.making.packages import package
from exactcover.show.making.trimming import cut_back
from exactcover.show.render.parts import BAR_WIDTH, NECK
from exactcover.show.render.surfaces import outer_faces

CIRCLE = 48
"""Straight lines for the circle of a ball."""


def has_edges(bodies: Bodies) -> bool:
    """Whether cells have faces and edges, so that a bevel can be cut; balls and bars have none."""
    return bool(bodies.kinds) and all(body.sort == SOLID for body in bodies.kinds)


def solid_of(
    bodies: Bodies, cells: Sequence[Cell], unit: float, gap: float, bevel: float,
    width: float | None = None,
) -> Any:  # fmt: skip
    """The solid of these cells, a Manifold.

    unit   millimetres of one unit of the lattice
    gap    the distance to another piece beside it, in millimetres
    bevel  what is cut off its edges, in millimetres
    width  of bars, in millimetres
    """
    if has_edges(bodies):
        surface = joined(*_facets(bodies, cells, unit))
        return cut_back(surface, face_normals(bodies), gap, bevel)
    return _round_solid(bodies, cells, unit, gap, width)


def solids_of(bodies: Bodies, cells: Sequence[Cell]) -> int:
    """How many solids these cells are: cells are joined where they are neighbours."""
    group = {cell: cell for cell in cells}

    def first(cell: Cell) -> Cell:
        while group[cell] != cell:
            cell = group[cell]
        return cell

    for one, other in neighbours_in(bodies, cells):
        group[first(one)] = first(other)
    return sum(first(cell) == cell for cell in cells)


def cell_volume(bodies: Bodies, cell: Cell) -> float:
    """The volume of a convex cell, in units: that of the pyramids from its middle on its faces."""
    corners = bodies.in_space(bodies.body(cell).corners)
    middle = corners.mean(axis=0)
    total = 0.0
    for side in bodies.body(cell).sides:
        first, *others = (corners[number] - middle for number in side)
        for second, third in itertools.pairwise(others):
            total += abs(float(dot(first, np.cross(second, third)))) / 6
    return total


@lru_cache(maxsize=32)
def face_normals(bodies: Bodies) -> Floats:
    """The normals of all faces of all cells, and their opposites: float64 [n, 3]."""
    lattice = bodies.lattice
    found = []
    for kind in range(len(bodies.kinds)):
        cell = (0,) * lattice.dimension + ((kind,) if lattice.width > lattice.dimension else ())
        found += [face.normal for face in outer_faces(bodies, [[cell]])]
    normals = np.concatenate([found, -np.array(found)])
    # Only the comparison is rounded: rounded normals would make planes that nearly coincide.
    _, first = np.unique(np.round(normals, 9), axis=0, return_index=True)
    return np.asarray(normals[first])


def _facets(
    bodies: Bodies, cells: Sequence[Cell], unit: float
) -> tuple[list[Facet], dict[Any, Floats]]:
    """The outer faces of cells, and where their corners lie."""
    _check_faces(bodies, cells)
    faces = outer_faces(bodies, [cells])
    keys = sorted({key for face in faces for key in face.keys})
    places = dict(zip(keys, bodies.in_space(keys) * unit, strict=True))
    return [Facet(face.keys, face.normal) for face in faces], places


def _check_faces(bodies: Bodies, cells: Sequence[Cell]) -> None:
    """Cells of a lattice of one's own may be neighbours without a common face."""
    faces: dict[Cell, set[frozenset[Key]]] = {}
    for cell in cells:
        corners = bodies.corners(cell)
        faces[cell] = {
            frozenset(corners[number] for number in side) for side in bodies.body(cell).sides
        }
    for one, other in neighbours_in(bodies, cells):
        if not faces[one] & faces[other]:
            raise ExactCoverError(
                f"the neighbours {one} and {other} of the lattice {bodies.lattice.name} have no "
                "whole face in common, so they cannot be joined to a solid"
            )


# -- balls and bars -------------------------------------------------------------------------------


def _round_solid(
    bodies: Bodies, cells: Sequence[Cell], unit: float, gap: float, width: float | None
) -> Any:
    """Balls joined by necks, and bars with round ends."""
    m3 = package("manifold3d")
    parts = []
    radius = bodies.pitch * unit / 2
    balls = []
    ends = Counter(key for cell in cells for key in bodies.corners(cell))
    for cell in cells:
        if bodies.body(cell).sort == BAR:
            parts.append(_bar(bodies, cell, unit, gap, width, ends))
        else:
            balls.append(cell)
    for cell in balls:
        ball = m3.Manifold.sphere(max(radius - gap / 2, 0.0), CIRCLE)
        parts.append(ball.translate(bodies.centre(cell) * unit))
    for one, other in neighbours_in(bodies, balls):
        start, stop = bodies.centre(one) * unit, bodies.centre(other) * unit
        parts.append(_cylinder(start, stop, NECK * radius))
    return m3.Manifold.batch_boolean(parts, m3.OpType.Add)


def _bar(
    bodies: Bodies, cell: Cell, unit: float, gap: float, width: float | None, ends: Counter[Key]
) -> Any:
    """A bar; it ends before a point where its piece does not go on, since others may meet there."""
    m3 = package("manifold3d")
    keys = bodies.corners(cell)
    places = bodies.in_space(keys) * unit
    long = float(length(places[1] - places[0]))
    radius = (width or BAR_WIDTH * long) / 2
    along = (places[1] - places[0]) / long
    balls = []
    for key, place, inwards in zip(keys, places, (along, -along), strict=True):
        short = 2 * radius if ends[key] == 1 else 0.0
        ball = m3.Manifold.sphere(max(radius - gap / 2, 0.0), CIRCLE)
        balls.append(ball.translate(place + inwards * short))
    return m3.Manifold.batch_hull(balls)


def _cylinder(start: Floats, stop: Floats, radius: float) -> Any:
    """A cylinder between two points."""
    m3 = package("manifold3d")
    along = stop - start
    long = float(length(along))
    up = along / long
    other = np.eye(3)[int(np.abs(up).argmin())]
    right = np.cross(other, up)
    right /= length(right)
    turned = np.column_stack([right, np.cross(up, right), up, start])
    return m3.Manifold.cylinder(long, radius, radius, CIRCLE).transform(turned)


# -- flat pieces -----------------------------------------------------------------------------------


def tile(shape: Any, thickness: float, bevel: float) -> Any:
    """The solid over a polygon, or over several: a Manifold."""
    m3 = package("manifold3d")
    none = np.zeros((0, 3))
    return m3.Manifold.compose(
        [cut_back(joined(*_prism(part, thickness)), none, 0.0, bevel) for part in polygons(shape)]
    )


def _prism(polygon: Any, thickness: float) -> tuple[list[Facet], dict[Hashable, Floats]]:
    """The faces of a prism over a polygon with holes, and where their corners lie."""
    m3, shapely = package("manifold3d"), package("shapely")
    polygon = shapely.geometry.polygon.orient(shapely.simplify(polygon, 1e-6))
    loops = [np.array(ring.coords)[:-1] for ring in (polygon.exterior, *polygon.interiors)]
    points = np.concatenate(loops)
    places: dict[Hashable, Floats] = {
        (number, top): np.array([*point, top * thickness])
        for number, point in enumerate(points)
        for top in (0, 1)
    }
    up = np.array([0.0, 0.0, 1.0])
    facets = []
    for a, b, c in m3.triangulate(loops).tolist():
        facets.append(Facet(((a, 1), (b, 1), (c, 1)), up))
        facets.append(Facet(((c, 0), (b, 0), (a, 0)), -up))
    first = 0
    for loop in loops:
        count = len(loop)
        for place in range(count):
            a, b = first + place, first + (place + 1) % count
            along = points[b] - points[a]
            out = np.array([along[1], -along[0], 0.0]) / length(along)
            facets.append(Facet(((a, 0), (b, 0), (b, 1), (a, 1)), out))
        first += count
    return facets, places
