"""The directions in which pieces move, and what a cell hits on its way: the geometry of a sweep.

Cells are convex. One that moves along an axis hits another just where the axis, seen from it, runs
into the inside of the difference of the two bodies. This difference is convex too, and its faces
are parallel to faces of the bodies, or to an edge of each. All corners are whole numbers, so each
comparison is exact; only balls are compared by rounded distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd

import numpy as np
import numpy.typing as npt

from exactcover.geometry.bodies import Body, Key, bodies_of, minus, ring
from exactcover.lattices.base import Lattice

Ints = npt.NDArray[np.int64]


@lru_cache(maxsize=32)
def directions(lattice: Lattice) -> Ints:
    """The axes along which pieces move, both ways: int64 [n, 3], times the denominator.

    They are the lattice vectors, the lines from a cell to its neighbours, and the edges of cells.
    """
    bodies = bodies_of(lattice)
    found = [tuple(row) for row in (np.eye(3, dtype=np.int64) * bodies.denominator).tolist()]
    for kind, around in enumerate(lattice.adjacent):
        here = lattice.cells(np.zeros((1, lattice.dimension), np.int64), np.array([kind]))[0]
        start = bodies.middle(tuple(here.tolist()))
        found += [minus(bodies.middle(tuple(cell)), start) for cell in around.tolist()]
    for body in bodies.kinds:
        found += _edges(body)
    whole = {_primitive(vector) for vector in found if any(vector)}
    return np.array(sorted(whole | {minus((0, 0, 0), vector) for vector in whole}), np.int64)


def _edges(body: Body) -> list[Key]:
    """The edges of a solid, as vectors."""
    return [minus(body.corners[b], body.corners[a]) for side in body.sides for a, b in ring(side)]


def _lines(body: Body) -> list[Key]:
    """The directions of the edges of a solid."""
    return [_primitive(edge) for edge in _edges(body)]


def _primitive(vector: Sequence[int]) -> Key:
    """The shortest whole vector with the same direction."""
    shared = gcd(*vector)
    return tuple(x // shared for x in vector)


@lru_cache(maxsize=1024)
def difference(a: Body, b: Body) -> tuple[Ints, Ints]:
    """The difference of two bodies: the normals and the distances of its faces.

    The first body, moved by a vector, hits the second just where normal @ vector < distance for
    each. The normals are covectors in lattice coordinates, so that they are whole numbers.
    """
    lines = [
        sorted({max(line, minus((0, 0, 0), line)) for line in _lines(body)}) for body in (a, b)
    ]
    spans = [pair for some in lines for pair in combinations(some, 2)]
    spans += [(one, other) for one in lines[0] for other in lines[1]]
    crossed = np.cross([one for one, _ in spans], [other for _, other in spans])
    found = {_primitive(row) for row in crossed.tolist() if any(row)}
    normals = np.array(sorted(found | {minus((0, 0, 0), row) for row in found}), np.int64)
    first, second = np.array(a.corners), np.array(b.corners)
    return normals, (second @ normals.T).max(axis=0) - (first @ normals.T).min(axis=0)
