"""How far one piece can move before it hits another one, kept for all searches of a lattice.

The room between two pieces depends on their shapes in their orientations, which are called images
here, and on their relative position. The solutions of a puzzle have the same images over and over,
so each row of the table serves many of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from exactcover.base.values.products import length
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BALL, BAR, bodies_of
from exactcover.geometry.sweep import Ints, difference, directions
from exactcover.lattices.base import Cell, Lattice
from exactcover.puzzle import Puzzle

Image = tuple[int, Ints]
"""The number of an image, and where its origin lies."""

ROWS = 1 << 12
"""The rows that there is room for at first."""


class Blocking:
    """The images of the pieces of a lattice, and the room between each two of them.

    A thread uses one of its own.

    steps     int64 [directions, 3]: the lattice vectors along which pieces move
    opposite  the number of the opposite of each
    apart     whether two images come apart when they are alone: their numbers, and their offset
    """

    def __init__(self, lattice: Lattice) -> None:
        check_lattice(lattice)
        self.lattice = lattice
        self.steps = directions(lattice)
        numbers = {tuple(step): number for number, step in enumerate(self.steps.tolist())}
        self.opposite = np.array(
            [numbers[tuple(step)] for step in (-self.steps).tolist()], np.int64
        )
        self._bodies()
        self._images: dict[bytes, int] = {}
        self.starts = np.zeros(1, np.int64)
        self.cells = np.zeros((0, 4), np.int64)
        self._rows(ROWS)
        self.apart: dict[tuple[int, ...], bool] = {}

    def _bodies(self) -> None:
        """The faces of the difference of each two kinds of cells, for the kernel."""
        bodies = bodies_of(self.lattice)
        starts, normals, reaches, gaps = [0], [], [], []
        for a, b in product(bodies.kinds, repeat=2):
            if BALL not in (a.sort, b.sort):
                faces, distances = difference(a, b)
                normals += faces.tolist()
                reaches += distances.tolist()
            starts.append(len(normals))
            gaps.append([y - x for x, y in zip(a.centre, b.centre, strict=True)])
        self.faces = np.array(starts, np.int64)
        self.normals = np.array(normals, np.int64).reshape(-1, 3)
        self.reaches = np.array(reaches, np.int64)
        unit = bodies.denominator
        self.slopes = np.ascontiguousarray(
            (self.steps[:, None, :] * self.normals[None] * unit).sum(axis=2)
        )
        self.gaps = np.column_stack([np.array(gaps), np.full(len(gaps), unit)]).astype(np.int64)
        self.places = np.vstack([bodies.basis, np.full((1, 3), bodies.pitch)])
        ways = bodies.in_space(self.steps * unit)
        sizes = length(ways)
        self.ways = np.column_stack([ways / sizes[:, None], sizes])

    def _rows(self, capacity: int) -> None:
        self.keys = np.zeros(capacity, np.uint64)
        self.slots = np.full(2 * capacity, -1, np.int32)
        self.rows = np.zeros((capacity, len(self.steps)), np.int16)
        self.used = np.zeros(1, np.int64)

    def image(self, cells: Sequence[Cell]) -> Image:
        """The number of the image of a piece, and where its origin lies.

        The origin is the lowest coordinates of its cells.
        """
        there = np.array(sorted(cells), np.int64)
        vectors, kinds = self.lattice.vectors(there), self.lattice.kind_numbers(there)
        origin = vectors.min(axis=0)
        moved = np.column_stack([vectors - origin, kinds])
        number = self._images.setdefault(moved.tobytes(), len(self._images))
        if number + 1 == len(self.starts):
            from exactcover.burrs.moves_kernel import IMAGES

            if number >= IMAGES:
                raise ExactCoverError(f"pieces lie in more than {IMAGES:,} orientations")
            self.cells = np.concatenate([self.cells, moved])
            self.starts = np.append(self.starts, len(self.cells))
        return number, origin

    def box(self, image: int, origin: Sequence[int]) -> tuple[list[int], list[int]]:
        """The lowest and the highest coordinates of the cells of an image."""
        cells = self.cells[self.starts[image] : self.starts[image + 1], :3] + np.array(origin)
        return cells.min(axis=0).tolist(), cells.max(axis=0).tolist()

    def enlarge(self) -> None:
        """Make room for twice as many rows."""
        from exactcover.burrs.moves_kernel import place_rows

        keys, rows, used = self.keys, self.rows, int(self.used[0])
        self._rows(2 * len(keys))
        self.keys[:used], self.rows[:used], self.used[0] = keys[:used], rows[:used], used
        place_rows(self.keys, self.slots, used)

    def tables(self) -> tuple[Any, ...]:
        """The arguments of the kernels about images and rows."""
        return (
            self.opposite, self.keys, self.slots, self.rows, self.used, self.starts, self.cells,
            self.steps, self.faces, self.normals, self.reaches, self.slopes, self.gaps,
            self.places, self.ways,
        )  # fmt: skip

    def room(self, a: int, b: int, offset: Sequence[int]) -> list[int]:
        """How many steps image a can take along each direction before it hits image b.

        offset  from the origin of a to that of b
        """
        from exactcover.burrs.moves_kernel import clear

        out = np.empty(len(self.steps), np.int16)
        clear(
            a, b, np.array(offset, np.int64), self.starts, self.cells, self.steps, self.faces,
            self.normals, self.reaches, self.slopes, self.gaps, self.places, self.ways, out,
        )  # fmt: skip
        return [int(steps) for steps in out]


def check_apart(puzzle: Puzzle) -> None:
    """Raise unless solutions of a puzzle can be taken apart in space."""
    check_lattice(puzzle.lattice)
    if puzzle.region.wrap:
        raise ExactCoverError("the board is wrapped: its pieces cannot be taken apart in space")


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
            f"cells of the lattice {lattice.name} lie in the plane: their pieces are lifted out"
        )
    if any(body.sort == BAR for body in bodies.kinds):
        raise ExactCoverError(
            f"cells of the lattice {lattice.name} are bars in space: only solids and balls can be "
            "taken apart"
        )
