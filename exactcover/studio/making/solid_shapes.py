"""Pieces as solids, in millimetres: of cells with faces, of balls, of bars, and flat ones.

The gap is the distance between two parts that lie face to face: each face is moved inwards by half
of it. The bevel is cut off every ridge: a strip of this width of each of the two faces. Both are
differences of convex bodies, one for each face and each edge, so no face has to be moved by itself,
and the result is one solid without slits. Smaller cells would leave gaps inside a part, unions of
touching cells leave slits where corners differ in the last bit, and Minkowski sums take 40 s for a
part of balls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import acos, cos, pi
from typing import Any

import numpy as np

from exactcover.base import Floats, dot, length
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BAR, SOLID, Bodies, Key, ring
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import components, neighbour_graph
from exactcover.puzzle import Cell
from exactcover.show.packages import package
from exactcover.show.tiles import BAR_WIDTH, NECK, Face, outer_faces
from exactcover.studio.making.flat_shapes import neighbours_in, polygons
from exactcover.studio.making.meshes import Side, Surface, joined, solid_in

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
    if not has_edges(bodies):
        return _round_solid(bodies, cells, unit, gap, width)
    _check_faces(bodies, cells)
    faces = outer_faces(bodies, cells)
    keys = sorted({key for face in faces for key in face.keys})
    places: dict[Key, Floats] = dict(zip(keys, bodies.in_space(keys) * unit, strict=True))
    surface = joined(faces, places)
    return cut_back(surface, face_normals(bodies), gap, bevel)


def solids_of(bodies: Bodies, cells: Sequence[Cell]) -> int:
    """How many solids these cells are: cells are joined where they are neighbours."""
    region = CellSet.of(bodies.lattice, np.array(cells, np.int64))
    return int(components(neighbour_graph(region)).max()) + 1


def volume_of(bodies: Bodies, cells: Sequence[Cell]) -> float:
    """The volume of convex cells, in units."""
    hull = package("manifold3d").Manifold.hull_points
    return float(sum(hull(bodies.in_space(bodies.body(cell).corners)).volume() for cell in cells))


@lru_cache(maxsize=32)
def face_normals(bodies: Bodies) -> Floats:
    """The normals of all faces of all cells, and their opposites: float64 [n, 3]."""
    lattice = bodies.lattice
    found = []
    for kind in range(len(bodies.kinds)):
        cell = (0,) * lattice.dimension + ((kind,) if lattice.width > lattice.dimension else ())
        found += [face.normal for face in outer_faces(bodies, [cell])]
    normals = np.concatenate([found, -np.array(found)])
    # Only the comparison is rounded: rounded normals would make planes that nearly coincide.
    _, first = np.unique(np.round(normals, 9), axis=0, return_index=True)
    return np.asarray(normals[first])


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
    radius = bodies.pitch * unit / 2
    ends = Counter(key for cell in cells for key in bodies.corners(cell))
    bars = [cell for cell in cells if bodies.body(cell).sort == BAR]
    balls = [cell for cell in cells if bodies.body(cell).sort != BAR]
    parts = [_bar(bodies, cell, unit, gap, width, ends) for cell in bars]
    ball = m3.Manifold.sphere(max(radius - gap / 2, 0.0), CIRCLE)
    parts += [ball.translate(bodies.centre(cell) * unit) for cell in balls]
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
    ball = m3.Manifold.sphere(max(radius - gap / 2, 0.0), CIRCLE)
    return m3.Manifold.batch_hull(
        [
            ball.translate(place + inwards * (2 * radius if ends[key] == 1 else 0.0))
            for key, place, inwards in zip(keys, places, (along, -along), strict=True)
        ]
    )


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


def _prism(polygon: Any, thickness: float) -> tuple[list[Face], dict[Key, Floats]]:
    """The faces of a prism over a polygon with holes, and where their corners lie."""
    m3, shapely = package("manifold3d"), package("shapely")
    polygon = shapely.geometry.polygon.orient(shapely.simplify(polygon, 1e-6))
    loops = [np.array(line.coords)[:-1] for line in (polygon.exterior, *polygon.interiors)]
    points = np.concatenate(loops)
    places: dict[Key, Floats] = {
        (number, top): np.array([*point, top * thickness])
        for number, point in enumerate(points)
        for top in (0, 1)
    }
    up = np.array([0.0, 0.0, 1.0])
    facets = []
    for a, b, c in m3.triangulate(loops).tolist():
        facets.append(Face(((a, 1), (b, 1), (c, 1)), up))
        facets.append(Face(((c, 0), (b, 0), (a, 0)), -up))
    first = 0
    for loop in loops:
        for a, b in ring(range(first, first + len(loop))):
            along = points[b] - points[a]
            out = np.array([along[1], -along[0], 0.0]) / length(along)
            facets.append(Face(((a, 0), (b, 0), (b, 1), (a, 1)), out))
        first += len(loop)
    return facets, places


# -- gaps and bevels -------------------------------------------------------------------------------

Manifold = Any
"""A solid of the package manifold3d, which has no types."""

ROUND = 0.35
"""A ridge between faces whose normals differ by a smaller angle is part of a round side."""

FINE = 2e-4
"""Millimetres by which the surface may be moved where that leaves out tiny triangles."""


def cut_back(surface: Surface, directions: Floats, gap: float, bevel: float) -> Manifold:
    """The solid inside a surface, with its gap and its bevel.

    directions  float64 [n, 3]: unit vectors among which is the normal of every face that a gap is
                cut at, and its opposite
    """
    m3 = package("manifold3d")
    tools = []
    if gap:
        around = directions * gap / 2
        tools += [
            (surface.points[list(face)][:, None] + around).reshape(-1, 3) for face in surface.faces
        ]
    if bevel:
        ends = directions * gap / 2
        tools += [np.concatenate([*body]) for body in _bevels(surface, gap, bevel, ends)]
    solid = solid_in(*surface.triangles())
    if not tools:
        return solid
    hulls = [m3.Manifold.hull_points(np.ascontiguousarray(points)) for points in tools]
    return (solid - m3.Manifold.batch_boolean(hulls, m3.OpType.Add)).simplify(FINE)


def _bevels(surface: Surface, gap: float, bevel: float, ends: Floats) -> Iterator[list[Floats]]:
    """The corners of the bodies that are cut off ridges.

    ends  points round an end of a ridge. Where another face is ahead the bevel tapers off there, so
          that no face of what is cut off lies in a face of the solid.
    """
    for side, twin in surface.twins.items():
        if side < twin and _is_ridge(surface, side):
            start, stop = (surface.points[point] for point in surface.ends(side))
            rim = np.concatenate([_rim(*_shoulders(surface, side), gap, bevel), ends])
            yield [start + rim, stop + rim]
    for corner, one, other in _inner_corners(surface):
        body = [corner + ends]
        for side in (one, other):
            start, stop = (surface.points[point] for point in surface.ends(side))
            far = stop if np.array_equal(start, corner) else start
            ahead = (far - corner) / length(far - corner)
            rim = _rim(*_shoulders(surface, side), gap, bevel)
            # The body reaches a little into both ridges, so that no slit is left between them.
            body += [corner + rim, corner + rim + ahead * min(bevel, length(far - corner))]
        yield body


def _rim(
    shoulders: tuple[Floats, Floats], normals: tuple[Floats, Floats], gap: float, bevel: float
) -> Floats:
    """The triangle that is cut off across a ridge, from a point of the ridge."""
    middle = normals[0] + normals[1]
    middle /= length(middle)
    tilt = abs(float(dot(shoulders[0], middle)))
    reach = gap / 2 / float(dot(middle, normals[0])) / tilt + bevel
    return np.array([middle * reach / 10, shoulders[0] * reach, shoulders[1] * reach])


def _shoulders(surface: Surface, side: Side) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    twin = surface.twins[side]
    return (
        (surface.inwards(side), surface.inwards(twin)),
        (surface.normals[side.face], surface.normals[twin.face]),
    )


def _is_ridge(surface: Surface, side: Side) -> bool:
    """Whether an edge gets a bevel: it is convex, and not between two strips of a round side."""
    if surface.bend(side) <= 0:
        return False
    one, other = (surface.normals[s.face] for s in (side, surface.twins[side]))
    return bool(dot(one, other) < cos(ROUND))


def _inner_corners(surface: Surface) -> Iterator[tuple[Floats, Side, Side]]:
    """Corners where two ridges bound one flat side that turns inwards there, and these ridges.

    The bevels of both end at such a corner, and what is between them has to be cut, too.
    """
    for side in surface.twins:
        if not _is_ridge(surface, side):
            continue
        turn, here = 0.0, side
        corner = surface.points[surface.ends(side)[1]]
        while True:  # across the faces of this flat side, round the end of the edge
            following = Side(here.face, (here.edge + 1) % len(surface.faces[here.face]))
            before = corner - surface.points[surface.ends(here)[0]]
            after = surface.points[surface.ends(following)[1]] - corner
            cosine = -float(dot(before, after) / length(before) / length(after))
            turn += acos(min(1.0, max(-1.0, cosine)))
            if surface.bend(following):
                break
            here = surface.twins[following]
        if turn > pi + 1e-6 and _is_ridge(surface, following):
            yield corner, side, following
