"""How far one piece can move before it hits another one, kept for all searches of a lattice.

The room between two pieces depends on their shapes in their orientations, which are called images
here, and on their relative position. The solutions of a puzzle have the same images over and over,
so each row of the table serves many of them.

Cells are convex. One that moves along an axis hits another just where the axis, seen from it, runs
into the inside of the difference of the two bodies. This difference is convex too, and its faces
are parallel to faces of the bodies, or to an edge of each. All corners are whole numbers, so each
comparison is exact; only balls are compared by rounded distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BALL, BAR, Body, Key, bodies_of, minus, ring
from exactcover.lattices import Lattice

Ints = npt.NDArray[np.int64]

Image = tuple[int, Ints]
"""The number of an image, and where its origin lies."""

ROWS = 1 << 15
"""The rows of a table; a full one is emptied."""

IMAGES = 1 << 16
"""The rows of a lattice are for fewer images of pieces than this."""

Shorts = npt.NDArray[np.int16]
Numbers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]


class Shapes(NamedTuple):
    """The directions of a lattice, the images of pieces and the kinds of cells, for the kernel.

    opposite  the number of the opposite of each direction
    steps    int64 [directions, 3]
    starts   the cells of image i are those from starts[i] to starts[i + 1]
    cells    int64 [n, 4]: vector and kind
    faces    int64 [kinds * kinds + 1]: where the faces of the difference of two kinds begin; two
             kinds without faces are balls
    normals, reaches, slopes  of each face; slopes [directions, faces]
    gaps     int64 [kinds * kinds, 4]: from the centre of a kind to that of another; its last column
             is the denominator
    places   float64 [4, 3]: the basis in space, and the pitch
    ways     float64 [directions, 4]: a step in space as a unit vector, and its length
    """

    opposite: Ints
    steps: Ints
    starts: Ints
    cells: Ints
    faces: Ints
    normals: Ints
    reaches: Ints
    slopes: Ints
    gaps: Ints
    places: Floats
    ways: Floats


class RoomTable(NamedTuple):
    """The room of pairs of images: a hash table of rows.

    keys   uint64 [capacity]: two images, and their offset
    slots  the row in each slot, -1: none
    rows   int16 [capacity, directions]
    used   the number of rows, in an array
    """

    keys: Words
    slots: Numbers
    rows: Shorts
    used: Ints

    @classmethod
    def of(cls, directions: int) -> RoomTable:
        """An empty table."""
        return cls(
            np.zeros(ROWS, np.uint64),
            np.full(2 * ROWS, -1, np.int32),
            np.zeros((ROWS, directions), np.int16),
            np.zeros(1, np.int64),
        )


class MoveStates(NamedTuple):
    """The states of a search.

    images     the image of each piece
    positions  int16 [capacity, pieces, 3]: the states; the first one is given
    parents    the state that each comes from
    moves      int16 [capacity, 2]: direction and steps of the move to each state
    groups     the pieces that this move moves, as bits
    table      a hash table of the states: their numbers, -1: none; its size is a power of two
    progress   see `HEAD` in the kernel
    """

    images: Ints
    positions: Shorts
    parents: Numbers
    moves: Shorts
    groups: Words
    table: Numbers
    progress: Ints


class Blocking:
    """The images of the pieces of a lattice, and the room between each two of them.

    A thread uses one of its own.

    apart  whether two images come apart when they are alone: their numbers, and their offset
    """

    def __init__(self, lattice: Lattice) -> None:
        check_lattice(lattice)
        self.lattice = lattice
        self.shapes = _shapes(lattice)
        self._images: dict[bytes, int] = {}
        self.table = RoomTable.of(len(self.shapes.steps))
        self.apart: dict[tuple[int, ...], bool] = {}

    def image(self, cells: Sequence[tuple[int, ...]]) -> Image:
        """The number of the image of a piece, and where its origin lies.

        The origin is the lowest coordinates of its cells.
        """
        there = np.array(sorted(cells), np.int64)
        vectors, kinds = self.lattice.vectors(there), self.lattice.kind_numbers(there)
        origin = vectors.min(axis=0)
        moved = np.column_stack([vectors - origin, kinds])
        number = self._images.setdefault(moved.tobytes(), len(self._images))
        shapes = self.shapes
        if number + 1 == len(shapes.starts):
            if number >= IMAGES:
                raise ExactCoverError(f"pieces lie in more than {IMAGES:,} orientations")
            every = np.concatenate([shapes.cells, moved])
            starts = np.append(shapes.starts, len(every))
            self.shapes = shapes._replace(cells=every, starts=starts)
        return number, origin

    def vectors(self, image: int, origin: Sequence[int]) -> Ints:
        """The vectors of the cells of an image: int64 [n, 3]."""
        starts = self.shapes.starts
        here: Ints = self.shapes.cells[starts[image] : starts[image + 1], :3] + np.array(origin)
        return here

    def empty(self) -> None:
        """Make the table empty, for other rows."""
        self.table = RoomTable.of(len(self.shapes.steps))


def _shapes(lattice: Lattice) -> Shapes:
    """The directions of a lattice, and the faces of the difference of each two kinds of cells; no
    images yet."""
    steps, bodies = directions(lattice), bodies_of(lattice)
    numbers = {tuple(step): number for number, step in enumerate(steps.tolist())}
    opposite = [numbers[tuple(step)] for step in (-steps).tolist()]
    starts, normals, reaches, gaps = [0], [], [], []
    for a, b in product(bodies.kinds, repeat=2):
        if BALL not in (a.sort, b.sort):
            faces, distances = difference(a, b)
            normals += faces.tolist()
            reaches += distances.tolist()
        starts.append(len(normals))
        gaps.append([y - x for x, y in zip(a.centre, b.centre, strict=True)])
    across = np.array(normals, np.int64).reshape(-1, 3)
    unit = bodies.denominator
    ways = bodies.in_space(steps * unit)
    sizes = np.sqrt((ways * ways).sum(axis=1))
    return Shapes(
        opposite=np.array(opposite, np.int64),
        steps=steps,
        starts=np.zeros(1, np.int64),
        cells=np.zeros((0, 4), np.int64),
        faces=np.array(starts, np.int64),
        normals=across,
        reaches=np.array(reaches, np.int64),
        slopes=np.ascontiguousarray((steps[:, None, :] * across[None] * unit).sum(axis=2)),
        gaps=np.column_stack([np.array(gaps), np.full(len(gaps), unit)]).astype(np.int64),
        places=np.vstack([bodies.basis, np.full((1, 3), bodies.pitch)]),
        ways=np.column_stack([ways / sizes[:, None], sizes]),
    )


def check_lattice(lattice: Lattice) -> None:
    """Raise unless the pieces of a lattice are solids or balls in space."""
    if lattice.dimension > 3:
        raise ExactCoverError(
            f"cells of the lattice {lattice.name} have {lattice.dimension} dimensions: pieces with "
            "3 can be taken apart"
        )
    bodies = bodies_of(lattice)
    if not bodies.solid or lattice.dimension < 3:
        raise ExactCoverError(
            f"cells of the lattice {lattice.name} lie in the plane, so every solution comes apart: "
            "its pieces are lifted out; moves are searched for solids in space, as in somacube"
        )
    if any(body.sort == BAR for body in bodies.kinds):
        raise ExactCoverError(
            f"cells of the lattice {lattice.name} are bars in space: only solids and balls can be "
            "taken apart"
        )


# -- the geometry of a sweep ---------------------------------------------------------------------


@lru_cache(maxsize=32)
def directions(lattice: Lattice) -> Ints:
    """The axes along which pieces move, both ways: int64 [n, 3], times the denominator.

    They are the lattice vectors, the lines from a cell to its neighbours, and the edges of cells.
    Those that go up come first: a piece is lifted out if it can be.
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
    ways = np.array(sorted(whole | {minus((0, 0, 0), vector) for vector in whole}), np.int64)
    heights = [round(float(z), 6) for _, _, z in bodies.in_space(ways * bodies.denominator)]
    return ways[sorted(range(len(ways)), key=lambda way: -heights[way])]


def _edges(body: Body) -> list[Key]:
    """The edges of a solid, as vectors."""
    return [minus(body.corners[b], body.corners[a]) for side in body.sides for a, b in ring(side)]


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
        sorted({max(line, minus((0, 0, 0), line)) for line in map(_primitive, _edges(body))})
        for body in (a, b)
    ]
    spans = [pair for some in lines for pair in combinations(some, 2)]
    spans += [(one, other) for one in lines[0] for other in lines[1]]
    crossed = np.cross([one for one, _ in spans], [other for _, other in spans])
    found = {_primitive(row) for row in crossed.tolist() if any(row)}
    normals = np.array(sorted(found | {minus((0, 0, 0), row) for row in found}), np.int64)
    first, second = np.array(a.corners), np.array(b.corners)
    return normals, (second @ normals.T).max(axis=0) - (first @ normals.T).min(axis=0)


def in_space(lattice: Lattice, vector: Sequence[int]) -> list[float]:
    """A vector of the lattice in space."""
    bodies = bodies_of(lattice)
    place = bodies.in_space([tuple(x * bodies.denominator for x in vector)])[0]
    return [round(float(x), 6) + 0.0 for x in place]
