"""The lines that a laser follows: each line once, in strokes as long as possible.

Outlines of pieces that touch have lines in common. shapely cuts all outlines where they meet, which
leaves each stretch once. Stretches are then joined: a stroke starts where an odd number of them
meet, goes straight on where it can, and ends where nothing is left. What remains are loops. So
there are as few strokes as there can be, up to loops.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from exactcover.making.extra import package
from exactcover.values.products import Floats, dot, length

GRID = 1e-5
"""Millimetres; points that are nearer to each other are one."""

Point = tuple[float, float]
Stroke = Floats
"""Points in millimetres, float64 [n, 2]; a closed stroke ends where it starts."""


def strokes_of(shapes: Sequence[Any]) -> list[Stroke]:
    """The outlines of polygons, each line once."""
    shapely = package("shapely")
    lines = shapely.union_all([shape.boundary for shape in shapes], grid_size=GRID)
    after: dict[Point, set[Point]] = defaultdict(set)
    for line in getattr(lines, "geoms", [lines]):
        points = [(float(x), float(y)) for x, y in line.coords]
        for a, b in itertools.pairwise(points):
            after[a].add(b)
            after[b].add(a)
    strokes = []
    for start in sorted(point for point, others in after.items() if len(others) % 2):
        if len(after[start]) % 2:  # no earlier stroke has ended here
            strokes.append(_straightened(_stroke(after, start)))
    for start in sorted(after):
        while after[start]:
            strokes.append(_straightened(_stroke(after, start)))
    return in_order(strokes)


def _stroke(after: dict[Point, set[Point]], start: Point) -> list[Point]:
    """A way along lines that are left, which are taken away; straight on where that is possible."""
    way = [start]
    while after[way[-1]]:
        here = way[-1]
        choices = sorted(after[here])
        if len(way) > 1:
            ahead = np.subtract(here, way[-2])
            choices.sort(key=lambda point: -_straight(ahead, np.subtract(point, here)))
        after[here].remove(choices[0])
        after[choices[0]].remove(here)
        way.append(choices[0])
    return way


def _straight(a: Floats, b: Floats) -> float:
    """The cosine of the angle between two directions."""
    return round(float(dot(a, b) / length(a) / length(b)), 9)


def _straightened(way: Sequence[Point]) -> Stroke:
    """A way without the points at which it goes straight on."""
    points = np.array(way)
    if way[0] == way[-1] and len(way) > 3:  # start where it turns
        turns = [
            place for place in range(len(way) - 1)
            if _bends(points[place - 1 - (place == 0)], points[place], points[place + 1])
        ]  # fmt: skip
        if turns:
            points = np.concatenate([points[turns[0] : -1], points[: turns[0] + 1]])
    inner = [
        place
        for place in range(1, len(points) - 1)
        if _bends(points[place - 1], points[place], points[place + 1])
    ]
    return np.asarray(points[[0, *inner, len(points) - 1]])


def _bends(a: Floats, b: Floats, c: Floats) -> bool:
    """Whether a way turns by more than rounding explains."""
    along, ahead = b - a, c - b
    cross = along[0] * ahead[1] - along[1] * ahead[0]
    return bool(abs(cross) > GRID * (length(along) + length(ahead)) or dot(along, ahead) < 0)


def in_order(strokes: Iterable[Stroke]) -> list[Stroke]:
    """Strokes one after the other, each time the one that starts or ends nearest."""
    left = sorted(strokes, key=lambda stroke: tuple(stroke.min(axis=0)))
    order: list[Stroke] = []
    here = np.zeros(2)
    while left:
        ends = np.array([[stroke[0], stroke[-1]] for stroke in left])
        away = length(ends - here)
        number, end = np.unravel_index(int(np.round(away, 6).argmin()), away.shape)
        stroke = left.pop(int(number))
        order.append(stroke[::-1] if end else stroke)
        here = order[-1][-1]
    return order


def length_of(stroke: Stroke) -> float:
    """How long a stroke is, in millimetres."""
    return float(length(np.diff(stroke, axis=0)).sum())
