"""The outline of a set of polygons: the edges that only one of them has, joined to loops.

Each polygon runs against the clock. An edge that a neighbour has too is there in both directions,
so the two cancel. Where cells do not meet edge to edge, edges are first cut at the corners of the
others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import atan2, pi

from exactcover.render.bodies import Key

Edge = tuple[Key, Key]


def outline(polygons: Iterable[Iterable[Edge]]) -> list[list[Key]]:
    """The loops round these polygons, the outer ones against the clock, holes with it."""
    edges = [edge for polygon in polygons for edge in polygon]
    return _loops(_boundary(edges) if _meet(edges) else _boundary(_cut(edges)))


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


def _meet(edges: list[Edge]) -> bool:
    """Whether no corner lies inside an edge of the boundary, so that nothing has to be cut."""
    boundary = _boundary(edges)
    corners = {corner for edge in boundary for corner in edge}
    return not any(_inside(corner, edge) for edge in boundary for corner in corners)


def _cut(edges: Iterable[Edge]) -> list[Edge]:
    """The edges, cut at all corners that lie on them."""
    edges = list(edges)
    corners = {corner for edge in edges for corner in edge}
    pieces = []
    for a, b in edges:
        between = [corner for corner in corners if _inside(corner, (a, b))]
        between.sort(key=lambda corner: abs(corner[0] - a[0]) + abs(corner[1] - a[1]))
        stops = [a, *between, b]
        pieces += list(pairwise(stops))
    return pieces


def _inside(corner: Key, edge: Edge) -> bool:
    """Whether a corner lies on an edge, between its ends."""
    (x, y), ((ax, ay), (bx, by)) = corner, edge
    if (bx - ax) * (y - ay) != (by - ay) * (x - ax):
        return False
    along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
    return 0 < along < (bx - ax) ** 2 + (by - ay) ** 2


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
                following = max(choices, key=lambda end: _turn(loop[-2], loop[-1], end))
                choices.remove(following)
                loop.append(following)
            loops.append(_straightened(loop[:-1]))
    return loops


def _turn(a: Key, b: Key, c: Key) -> float:
    """By how much the way a-b-c turns to the left, -pi to pi."""
    turn = atan2(c[1] - b[1], c[0] - b[0]) - atan2(b[1] - a[1], b[0] - a[0])
    return (turn + pi) % (2 * pi) - pi


def _straightened(loop: list[Key]) -> list[Key]:
    """The loop without corners at which it goes straight on."""
    around = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [
        b for a, b, c in around if (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])
    ]
