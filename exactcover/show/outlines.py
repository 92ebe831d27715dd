"""The outlines of polygons: their edges with what lies beyond each, and edges joined to loops.

Each polygon runs against the clock, so an edge that a neighbour has too is there in both
directions. Where cells do not meet edge to edge, edges are first cut at the corners of the others.

Of convex polygons that are painted on each other, `unhidden` finds the rest that is seen.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, gcd, pi

import numpy as np

from exactcover.geometry.bodies import Key, ring

Edge = tuple[Key, Key]


OUTSIDE = -1
"""The number of the polygon beyond an edge that only one of them has."""


def parted(
    outlines: Iterable[tuple[int, Sequence[Key]]],
) -> Iterator[tuple[int, tuple[Key, ...], tuple[int, ...]]]:
    """Polygons, all of them in the same sense, by number; each with the one beyond each edge.

    An edge on which corners of other polygons lie is cut there, so that each part of it has one
    polygon beyond.
    """
    edges = [(number, list(ring(outline))) for number, outline in outlines]
    there = {edge for _, those in edges for edge in those}
    lonely = {edge for edge in there if edge[::-1] not in there}
    parts = dict(zip(lonely, cut(lonely, {a for edge in lonely for a in edge}), strict=True))
    parted = [
        (number, [part for edge in those for part in parts.get(edge, (edge,))])
        for number, those in edges
    ]
    owner = {edge: number for number, those in parted for edge in those}
    for number, those in parted:
        beyond = tuple(owner.get((b, a), OUTSIDE) for a, b in those)
        yield number, tuple(a for a, _ in those), beyond


def cut(edges: Iterable[Edge], corners: Iterable[Key]) -> list[list[Edge]]:
    """Each edge in parts, from one of the corners that lie on it to the next.

    The corners are sorted by the lines in the direction of an edge on which they lie.
    """
    ordered = sorted(set(corners))
    lines: dict[Key, dict[int, list[Key]]] = {}
    found = []
    for edge in edges:
        low, high = sorted(edge)
        (ax, ay), (bx, by) = low, high
        shared = gcd(bx - ax, by - ay)
        dx, dy = (bx - ax) // shared, (by - ay) // shared
        if (dx, dy) not in lines:
            lines[dx, dy] = {}
            for x, y in ordered:
                lines[dx, dy].setdefault(dx * y - dy * x, []).append((x, y))
        along = lines[dx, dy].get(dx * ay - dy * ax, [])
        between = along[bisect_right(along, low) : bisect_left(along, high)]
        parts = list(pairwise([low, *between, high]))
        found.append(parts if edge[0] == low else [(b, a) for a, b in reversed(parts)])
    return found


def turn(a: Key, b: Key, c: Key) -> int:
    """Twice the area of the triangle a-b-c, above 0 if it runs against the clock."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def loops_of(boundary: Iterable[Edge]) -> list[list[Key]]:
    """The edges of an outline as closed loops, without corners on straight lines."""
    after: dict[Key, list[Key]] = defaultdict(list)
    for a, b in sorted(boundary):
        after[a].append(b)
    loops = []
    for start in sorted(after):
        while after[start]:
            loop = [start, after[start].pop()]
            while loop[-1] != start:
                choices = after[loop[-1]]
                # At a corner where the outline meets itself, the sharpest left turn stays in the
                # same cells, so that cells which share only this corner get loops of their own.
                following = max(choices, key=lambda end: _angle(loop[-2], loop[-1], end))
                choices.remove(following)
                loop.append(following)
            loops.append(_straightened(loop[:-1]))
    return loops


def _angle(a: Key, b: Key, c: Key) -> float:
    """By how much the way a-b-c turns to the left, -pi to pi."""
    angle = atan2(c[1] - b[1], c[0] - b[0]) - atan2(b[1] - a[1], b[0] - a[0])
    return (angle + pi) % (2 * pi) - pi


def _straightened(loop: list[Key]) -> list[Key]:
    """The loop without corners at which it goes straight on."""
    around = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [b for a, b, c in around if turn(a, b, c)]


# -- what is seen of polygons below others ---------------------------------------------------------

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
