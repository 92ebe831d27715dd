"""The surface of cells in space: the faces that no two of them share.

Two cells share a face just where its corners are equal, and corners are whole numbers, so nothing
is rounded. Pictures, pages and printed parts are all made of these faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from exactcover.render.bodies import Bodies, Key
from exactcover.values.products import Floats, dot, length

THIN = 1e-6
"""A cell that is not thicker than this has faces with two sides."""

Edge = frozenset[Key]


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

    def edges(self) -> list[tuple[Key, Key]]:
        """Its edges, in cyclic order."""
        return list(zip(self.keys, (*self.keys[1:], self.keys[0]), strict=True))


def outer_faces(bodies: Bodies, sets: Sequence[Iterable[tuple[int, ...]]]) -> list[OuterFace]:
    """The surface of several sets of cells together; each set alone gives its own surface."""
    faces: list[tuple[int, tuple[Key, ...], Floats]] = []
    for owner, cells in enumerate(sets):
        for cell in cells:
            corners, centre = bodies.corners(cell), bodies.centre(cell)
            faces += [
                (owner, tuple(corners[number] for number in side), centre)
                for side in bodies.body(cell).sides
            ]
    times = Counter(frozenset(keys) for _, keys, _ in faces)
    return [
        _outwards(bodies, owner, keys, centre)
        for owner, keys, centre in faces
        if times[frozenset(keys)] == 1
    ]


def _outwards(bodies: Bodies, owner: int, keys: tuple[Key, ...], centre: Floats) -> OuterFace:
    corners = bodies.in_space(keys)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
    normal /= length(normal)
    outward = float(dot(normal, corners.mean(axis=0) - centre))
    if outward < -THIN:
        keys, normal = keys[::-1], -normal
    return OuterFace(owner, keys, normal, abs(outward) <= THIN)


def joint_faces(
    bodies: Bodies, cells: Iterable[tuple[int, ...]], beyond: Iterable[tuple[int, ...]]
) -> list[tuple[Key, ...]]:
    """The faces of cells that other cells have, too."""
    if not (others := {frozenset(face) for face in _faces(bodies, beyond)}):
        return []
    return [face for face in _faces(bodies, cells) if frozenset(face) in others]


def _faces(bodies: Bodies, cells: Iterable[tuple[int, ...]]) -> Iterator[tuple[Key, ...]]:
    for cell in cells:
        corners = bodies.corners(cell)
        for side in bodies.body(cell).sides:
            yield tuple(corners[number] for number in side)


def flat_edges(faces: Iterable[OuterFace]) -> set[tuple[int, Edge]]:
    """Edges between two faces of one set that lie in one plane; no picture shows them."""
    normals: dict[tuple[int, Edge], list[Floats]] = {}
    for face in faces:
        for edge in face.edges():
            normals.setdefault((face.owner, frozenset(edge)), []).append(face.normal)
    return {
        edge
        for edge, found in normals.items()
        if len(found) == 2 and abs(float(dot(found[0], found[1]))) > 1 - 1e-9
    }
