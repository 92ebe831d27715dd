"""Solids with the gap and the bevel that made parts need.

The gap is the distance between two parts that lie face to face: each face is moved inwards by half
of it. The bevel is cut off every ridge: a strip of this width of each of the two faces. Both are
differences of convex bodies, one for each face and each edge, so no face has to be moved by itself,
and the result is one solid without slits. Smaller cells would leave gaps inside a part, unions of
touching cells leave slits where corners differ in the last bit, and Minkowski sums take 40 s for a
part of balls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import acos, cos, pi
from typing import Any, NamedTuple

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.show.making.joined_faces import Side, Surface
from exactcover.show.making.packages import package

Manifold = Any
"""A solid of the package manifold3d, which has no types."""

Span = tuple[tuple[float, tuple[float, ...]], tuple[float, tuple[float, ...]]]
"""A stretch of a line: how far along it its two ends are, and where they lie."""

ROUND = 0.35
"""A ridge between faces whose normals differ by a smaller angle is part of a round side."""

FINE = 2e-4
"""Millimetres by which the surface may be moved where that leaves out tiny triangles."""

TAPER = 20
"""Without a gap a bevel tapers off over its width divided by this."""


class Ridge(NamedTuple):
    """A straight edge at which the solid is convex, with the same two planes all along.

    start, stop   its ends
    shoulders     two unit vectors, each in a face, across the edge and away from it
    normals       the normals of these faces
    """

    start: Floats
    stop: Floats
    shoulders: tuple[Floats, Floats]
    normals: tuple[Floats, Floats]


def filled(surface: Surface) -> Manifold:
    """The solid inside a surface."""
    m3 = package("manifold3d")
    points, triangles = surface.triangles()
    return m3.Manifold(
        m3.Mesh64(
            vert_properties=np.ascontiguousarray(points),
            tri_verts=np.array(triangles, np.uint64),
        )
    )


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
        ends = directions * (gap / 2 or bevel / TAPER)
        tools += [np.concatenate([*body]) for body in _bevels(surface, gap, bevel, ends)]
    solid = filled(surface)
    if not tools:
        return solid
    hulls = [m3.Manifold.hull_points(np.ascontiguousarray(points)) for points in tools]
    return (solid - m3.Manifold.batch_boolean(hulls, m3.OpType.Add)).simplify(FINE)


def _bevels(surface: Surface, gap: float, bevel: float, ends: Floats) -> Iterator[list[Floats]]:
    """The corners of the bodies that are cut off ridges.

    ends  points round an end of a ridge. Where another face is ahead the bevel tapers off there, so
          that no face of what is cut off lies in a face of the solid.
    """
    for ridge in ridges(surface):
        rim = np.concatenate([_rim(ridge.shoulders, ridge.normals, gap, bevel), ends])
        yield [ridge.start + rim, ridge.stop + rim]
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


def ridges(surface: Surface) -> list[Ridge]:
    """The convex edges; those that continue each other are one."""
    lines: dict[tuple[object, ...], list[Span]] = defaultdict(list)
    planes: dict[tuple[object, ...], tuple[tuple[Floats, Floats], tuple[Floats, Floats]]] = {}
    for side, twin in surface.twins.items():
        if side > twin or not _is_ridge(surface, side):
            continue
        shoulders, normals = _shoulders(surface, side)
        start, stop = (surface.points[point] for point in surface.ends(side))
        along = (stop - start) / length(stop - start)
        if tuple(np.round(along, 6)) < (0, 0, 0):
            along = -along
        across = start - dot(start, along) * along
        line = (
            *np.round(along, 6), *np.round(across, 4),
            *sorted(tuple(np.round(normal, 6)) for normal in normals),
        )  # fmt: skip
        planes[line] = shoulders, normals
        first, last = sorted((float(dot(end, along)), tuple(end.tolist())) for end in (start, stop))
        lines[line].append((first, last))
    return [
        Ridge(np.array(first), np.array(last), *planes[line])
        for line, spans in lines.items()
        for first, last in _merged(spans)
    ]


def _merged(spans: Sequence[Span]) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Stretches of a line: those that touch are one."""
    ordered = sorted(spans)
    (_, first), (reach, last) = ordered[0]
    for (low, start), (high, stop) in ordered[1:]:
        if low > reach + 1e-6:
            yield first, last
            first = start
        reach, last = high, stop
    yield first, last


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
