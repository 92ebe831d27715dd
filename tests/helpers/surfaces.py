"""The surface of pieces in space, counted plainly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

import exactcover as ec
from exactcover.geometry.bodies import Key, bodies_of, ring
from exactcover.show.tiles import faces_of

Cell = tuple[int, ...]


def surface(puzzle: ec.Puzzle, sets: Sequence[Iterable[Cell]]) -> tuple[int, int]:
    """The triangles of the surface of cells, and the edges of each set on it."""
    bodies = bodies_of(puzzle.lattice)
    every = [(owner, face) for owner, cells in enumerate(sets) for face in faces_of(bodies, cells)]
    times = Counter(frozenset(face.keys) for _, face in every)
    faces = [(owner, face) for owner, face in every if times[frozenset(face.keys)] == 1]
    normals: dict[tuple[int, frozenset[Key]], list[np.ndarray]] = {}
    for owner, face in faces:
        for edge in ring(face.keys):
            normals.setdefault((owner, frozenset(edge)), []).append(face.normal)
    # An edge between two faces of a piece in one plane is not drawn.
    drawn = [
        edge
        for edge, found in normals.items()
        if len(found) != 2 or abs(found[0] @ found[1]) < 1 - 1e-9
    ]
    return sum(len(face.keys) - 2 for _, face in faces), len(drawn)


def apart(puzzle: ec.Puzzle, sets: Sequence[Iterable[Cell]]) -> tuple[int, int]:
    """The triangles and the edges where each piece lies alone."""
    counts = [surface(puzzle, [cells]) for cells in sets]
    return sum(triangles for triangles, _ in counts), sum(edges for _, edges in counts)
