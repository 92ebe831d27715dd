"""The surface of cells in space: the faces that no two of them share.

Two cells share a face just where its corners are equal, and corners are whole numbers, so nothing
is rounded. Pictures, pages and printed parts are all made of these faces. A picture shows them from
far away along a diagonal, with light from the upper left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.geometry.bodies import Bodies, Body, Key

THIN = 1e-6
"""A cell that is not thicker than this has faces with two sides."""

_TURNED = np.array([[1, -1, 1], [1, 1, -1], [0, 2, 1]])
_LENGTHS = np.sqrt([2.0, 6.0, 3.0])
VIEW = _TURNED / _LENGTHS
"""Space to the coordinates of the viewer: right, up, towards the viewer. z goes up on paper."""

LIGHT = np.array([-0.35, 0.8, 0.5]) / length(np.array([-0.35, 0.8, 0.5]))
"""Where the light comes from, in the coordinates of the viewer."""

DARKEST = 0.8
"""The light on a face that is turned away from the light."""

EDGE_ON = 1e-6
"""A face whose normal is as near as this to the paper is not seen."""


class OuterFace(NamedTuple):
    """A face of one cell that no other cell has.

    owner      whose it is: the number of a set of cells
    keys       its corners, against the clock as seen from outside
    normal     float64 [3]: points outwards, length 1
    two_sided  its cell has no thickness, so the normal may point either way
    """

    owner: int
    keys: tuple[Key, ...]
    normal: Floats
    two_sided: bool


def outer_faces(bodies: Bodies, sets: Sequence[Iterable[tuple[int, ...]]]) -> list[OuterFace]:
    """The surface of several sets of cells together; each set alone gives its own surface."""
    faces = [face for owner, cells in enumerate(sets) for face in faces_of(bodies, cells, owner)]
    times = Counter(frozenset(face.keys) for face in faces)
    return [face for face in faces if times[frozenset(face.keys)] == 1]


def faces_of(
    bodies: Bodies, cells: Iterable[tuple[int, ...]], owner: int = 0
) -> Iterator[OuterFace]:
    """All faces of cells, those between two of them twice."""
    for cell in cells:
        corners = bodies.corners(cell)
        for side, normal, two_sided in _oriented(bodies, bodies.body(cell)):
            yield OuterFace(owner, tuple(corners[at] for at in side), normal, two_sided)


@lru_cache(maxsize=256)
def _oriented(bodies: Bodies, body: Body) -> tuple[tuple[tuple[int, ...], Floats, bool], ...]:
    """The faces of a body: the numbers of their corners, the normal, and whether it has two
    sides."""
    places, (centre,) = bodies.in_space(body.corners), bodies.in_space([body.centre])
    found = []
    for side in body.sides:
        corners = places[list(side)]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal /= length(normal)
        outward = float(dot(normal, corners.mean(axis=0) - centre))
        if outward < -THIN:
            side, normal = side[::-1], -normal
        found.append((side, normal, abs(outward) <= THIN))
    return tuple(found)


# -- as seen from the front ------------------------------------------------------------------------


def in_view(bodies: Bodies, keys: Sequence[Key]) -> Floats:
    """Where corners lie in the coordinates of the viewer: float64 [n, 3].

    Sums of whole numbers are divided at the end, so equal depths are equal.
    """
    places = np.array(keys, np.int64) @ (bodies.steps @ _TURNED)
    return np.asarray(places / (bodies.fine * bodies.denominator * _LENGTHS))


def lit(normal: Floats) -> float:
    """How much light a face gets that looks in this direction of the viewer's coordinates."""
    return min(1.0, DARKEST + (1 - DARKEST) * max(0.0, float(dot(normal, LIGHT))))
