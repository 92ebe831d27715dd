"""The outline of a set of polygons: the edges that only one of them has, joined to loops.

Each polygon runs against the clock. An edge that a neighbour has too is there in both directions,
so the two cancel. Where cells do not meet edge to edge, edges are first cut at the corners of the
others.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import atan2, gcd, pi

from exactcover.geometry.bodies import Key

Edge = tuple[Key, Key]


def outline(polygons: Iterable[Iterable[Edge]]) -> list[list[Key]]:
    """The loops round these polygons, the outer ones against the clock, holes with it."""
    edges = [edge for polygon in polygons for edge in polygon]
    boundary = _boundary(edges)
    if any(len(parts) > 1 for parts in cut(boundary, _corners(boundary))):
        boundary = _boundary(part for parts in cut(edges, _corners(edges)) for part in parts)
    return _loops(boundary)


def parted(
    polygons: Iterable[Iterable[Edge]], beyond: Iterable[Iterable[Edge]]
) -> tuple[list[Edge], list[Edge]]:
    """The edges of the outline: without a polygon of `beyond` on the other side; with one."""
    boundary = _boundary(edge for polygon in polygons for edge in polygon)
    across = {(b, a) for polygon in beyond for a, b in polygon}
    return sorted(boundary - across), sorted(boundary & across)


def _boundary(edges: Iterable[Edge]) -> set[Edge]:
    """The edges whose reverse is not there."""
    directed = set(edges)
    return {(a, b) for a, b in directed if (b, a) not in directed}


def _corners(edges: Iterable[Edge]) -> set[Key]:
    return {corner for edge in edges for corner in edge}


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


def _loops(boundary: set[Edge]) -> list[list[Key]]:
    """The edges as closed loops, without corners on straight lines."""
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
