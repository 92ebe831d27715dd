"""Convex polygons on paper, against the clock: the visible rest of one below others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Polygon = list[tuple[float, float]]

NOTHING = 1e-7
"""The area below which a polygon is dropped, where cells have sizes about 1."""

MANY = 12
"""A polygon with more corners is a round one, of which it only matters whether it is seen."""


def unhidden(
    polygons: Sequence[Polygon], covers: Sequence[bool], least: float = NOTHING
) -> dict[int, Polygon]:
    """The polygons that are seen when each is painted on those before it.

    covers  whether a polygon covers others
    least   an area up to this is not seen

    By their numbers, each with the largest convex part of it that is not covered; a round one that
    clearly sticks out, as a whole.
    """
    if not polygons:
        return {}
    low = np.array([np.min(polygon, axis=0) for polygon in polygons]) + 1e-6
    high = np.array([np.max(polygon, axis=0) for polygon in polygons]) - 1e-6
    later = np.array(covers)
    seen: dict[int, Polygon] = {}
    for number, polygon in enumerate(polygons):
        later[number] = False
        meets = ((low < high[number]) & (high > low[number])).all(axis=1) & later
        above = [polygons[cover] for cover in np.flatnonzero(meets).tolist()]
        left = [polygon]
        for cover in () if len(polygon) > MANY and _sticks_out(polygon, above) else above:
            left = [rest for part in left for rest in without(part, cover)]
            if not left:
                break
        if sum(map(area, left)) > least:
            seen[number] = max(left, key=area)
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


def without(polygon: Polygon, cover: Polygon) -> list[Polygon]:
    """The difference of two polygons, as polygons."""
    rest, common = [], polygon
    for a, b in zip(cover, cover[1:] + cover[:1], strict=True):
        outside = _left_of(common, b, a)
        if area(outside) > NOTHING:
            rest.append(outside)
        common = _left_of(common, a, b)
        if area(common) <= NOTHING:
            return [polygon]
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
