"""Which convex polygons in space can be seen, and in which order they are painted.

Polygons that look towards the viewer and whose pictures overlap are compared at a point of the
overlap: the one behind is painted first. Faces of convex bodies that do not intersect give such an
order; should there be a circle all the same, the farthest polygon breaks it. A polygon that those
in front of it cover completely is left out.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.values.products import Floats, length

Polygon = list[tuple[float, float]]

DIGITS = 6
"""Depths that agree in this many decimals are equal; faces at equal depth come by their numbers."""

NOTHING = 1e-7
"""An area below this is none, where cells have sizes about 1."""


@dataclass(frozen=True, eq=False)
class Face:
    """A convex polygon in the coordinates of the viewer: right, up, and towards the viewer.

    corners  float64 [n, 3], against the clock as the viewer sees it
    owner    whose face it is
    number   which of its faces
    """

    corners: Floats
    owner: int
    number: int

    def picture(self) -> Polygon:
        """The face as it is seen."""
        return [(float(x), float(y)) for x, y in self.corners[:, :2]]


@dataclass(frozen=True, eq=False)
class Seen:
    """A face of which something can be seen; the largest convex part of it that is not covered."""

    face: Face
    clear: Polygon


def painted(faces: Sequence[Face]) -> list[Seen]:
    """The faces that can be seen, from the back to the front."""
    pictures = [face.picture() for face in faces]
    behind: list[list[int]] = [[] for _ in faces]
    in_front: list[list[int]] = [[] for _ in faces]
    for a, b in _near(faces):
        common = clipped(pictures[a], pictures[b])
        if area(common) <= NOTHING:
            continue
        x, y = middle(common)
        if _depth(faces[a], x, y) > _depth(faces[b], x, y):
            a, b = b, a
        in_front[a].append(b)
        behind[b].append(a)
    seen = []
    depths = [round(float(face.corners[:, 2].mean()), DIGITS) for face in faces]
    for number in _back_to_front(depths, behind, in_front):
        left = [pictures[number]]
        for cover in in_front[number]:
            left = [rest for part in left for rest in without(part, pictures[cover])]
            if not left:
                break
        else:
            seen.append(Seen(faces[number], max(left, key=area)))
    return seen


def uncovered(polygons: Sequence[Polygon], covers: Sequence[bool], least: float) -> list[int]:
    """The numbers of the polygons of which one sees an area, when each is painted on those before.

    covers  whether a polygon covers others
    least   an area below this is none
    """
    low = np.array([np.min(polygon, axis=0) for polygon in polygons])
    high = np.array([np.max(polygon, axis=0) for polygon in polygons])
    later = np.array(covers)
    seen = []
    for number, polygon in enumerate(polygons):
        later[number] = False
        meets = ((low < high[number]) & (high > low[number])).all(axis=1) & later
        away = length(low + high - low[number] - high[number])
        nearest = sorted(np.flatnonzero(meets).tolist(), key=lambda cover: float(away[cover]))
        above = [polygons[cover] for cover in nearest]
        if _sticks_out(polygon, above):
            seen.append(number)
            continue
        left = [polygon]
        for cover in above:
            left = [rest for part in left for rest in without(part, cover)]
            if not left:
                break
        if sum(map(area, left)) > least:
            seen.append(number)
    return seen


def _sticks_out(polygon: Polygon, covers: Sequence[Polygon]) -> bool:
    """Whether a point near a corner of a polygon is clearly not covered: a quick test."""
    points = np.array(polygon)
    points += 0.02 * (points.mean(axis=0) - points)
    bare = np.ones(len(points), bool)
    for cover in covers:
        corners = np.array(cover)
        steps = np.roll(corners, -1, axis=0) - corners
        away = points[:, None] - corners
        bare &= (steps[:, 0] * away[..., 1] - steps[:, 1] * away[..., 0] < -NOTHING).any(axis=1)
    return bool(bare.any())


def _near(faces: Sequence[Face]) -> list[tuple[int, int]]:
    """Pairs of faces whose boxes on paper overlap, the first number less."""
    if not faces:
        return []
    low = np.array([face.corners[:, :2].min(axis=0) for face in faces]) + 1e-6
    high = np.array([face.corners[:, :2].max(axis=0) for face in faces]) - 1e-6
    pairs = []
    for number in range(len(faces) - 1):
        later = slice(number + 1, None)
        meets = ((low[later] < high[number]) & (high[later] > low[number])).all(axis=1)
        pairs += [(number, number + 1 + int(other)) for other in np.flatnonzero(meets)]
    return pairs


def _depth(face: Face, x: float, y: float) -> float:
    """How far towards the viewer the plane of a face is at a place on paper."""
    first, second, third = face.corners[:3]
    normal = np.cross(second - first, third - second)
    return float(first[2] - (normal[0] * (x - first[0]) + normal[1] * (y - first[1])) / normal[2])


def _back_to_front(
    depths: Sequence[float], behind: Sequence[Sequence[int]], in_front: Sequence[Sequence[int]]
) -> list[int]:
    """An order in which each face comes after all that are behind it; the farthest come first."""
    waiting = [len(others) for others in behind]
    ready = [(depths[number], number) for number, count in enumerate(waiting) if not count]
    heapq.heapify(ready)
    order: list[int] = []
    done = [False] * len(depths)
    while len(order) < len(depths):
        if not ready:
            left = [number for number, was in enumerate(done) if not was]
            ready = [min((depths[number], number) for number in left)]
        _, number = heapq.heappop(ready)
        if done[number]:
            continue
        done[number] = True
        order.append(number)
        for other in in_front[number]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, (depths[other], other))
    return order


# -- convex polygons on paper, against the clock --------------------------------------------------


def area(polygon: Polygon) -> float:
    """The area of a polygon."""
    return 0.5 * sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)
    )


def middle(polygon: Polygon) -> tuple[float, float]:
    """The centre of gravity of a polygon with an area."""
    x = y = total = 0.0
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        weight = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * weight
        y += (a[1] + b[1]) * weight
        total += weight
    return x / (3 * total), y / (3 * total)


def clipped(polygon: Polygon, window: Polygon) -> Polygon:
    """What two polygons have in common."""
    for a, b in zip(window, window[1:] + window[:1], strict=True):
        polygon = _left_of(polygon, a, b)
        if not polygon:
            break
    return polygon


def without(polygon: Polygon, cover: Polygon) -> list[Polygon]:
    """What is left of a polygon without another, as polygons."""
    rest = []
    for a, b in zip(cover, cover[1:] + cover[:1], strict=True):
        outside = _left_of(polygon, b, a)
        if area(outside) > NOTHING:
            rest.append(outside)
        polygon = _left_of(polygon, a, b)
        if area(polygon) <= NOTHING:
            break
    return rest


def _left_of(polygon: Polygon, a: tuple[float, float], b: tuple[float, float]) -> Polygon:
    """The part of a polygon to the left of the line from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    heights = [dx * (y - a[1]) - dy * (x - a[0]) for x, y in polygon]
    kept: Polygon = []
    for number, (x, y) in enumerate(polygon):
        here, before = heights[number], heights[number - 1]
        if (here > 0 > before) or (here < 0 < before):
            share = before / (before - here)
            last = polygon[number - 1]
            kept.append((last[0] + share * (x - last[0]), last[1] + share * (y - last[1])))
        if here >= 0:
            kept.append((x, y))
    return kept if len(kept) > 2 else []
