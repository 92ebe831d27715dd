"""Rigid moves: a motion of the lattice and a translation, which take a block of pieces elsewhere.

A block is turned, mirrored or moved as a whole if one rigid move takes each of its pieces to where
it lies afterwards. Cells are compared as positions in the region, so that a wrapped board needs no
other code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells, Lattice

MOVED, TURNED, MIRRORED = "moved", "turned", "mirrored"

SHARES = {2: "half", 3: "third", 4: "quarter", 6: "sixth"}
"""The part of a whole turn that a rotation of this order is."""

OUTSIDE = -1


@dataclass(frozen=True)
class RigidMove:
    """A motion of the lattice, then a translation.

    motion  its number in the lattice's point group
    shift   what is added to each vector afterwards
    """

    lattice: Lattice
    motion: int
    shift: tuple[int, ...]

    def cells(self, cells: Cells) -> Cells:
        """Where it takes cells [n, width]."""
        moved = self.lattice.moved(cells, [self.motion])[0]
        vectors = self.lattice.vectors(moved) + np.array(self.shift, np.int64)
        return self.lattice.cells(vectors, self.lattice.kind_numbers(moved))

    @property
    def kind(self) -> str:
        """`moved`: without a turn; `turned`; or `mirrored`, with or without a turn."""
        return kind_of_motion(self.lattice, self.motion)

    @property
    def text(self) -> str:
        """For a reader: `turned by a half turn`."""
        return motion_text(self.lattice, self.motion)

    @property
    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        """The sort key: the least of several moves with the same effect on a block is named."""
        order = (MOVED, TURNED, MIRRORED).index(self.kind)
        return order, order_of(self.lattice, self.motion), self.motion, self.shift


def kind_of_motion(lattice: Lattice, motion: int) -> str:
    """Whether a motion of the point group turns or mirrors; the identity only moves."""
    if not lattice.group.proper[motion]:
        return MIRRORED
    return MOVED if order_of(lattice, motion) == 1 else TURNED


def motion_text(lattice: Lattice, motion: int) -> str:
    """A motion of the point group in words."""
    kind = kind_of_motion(lattice, motion)
    share = SHARES.get(order_of(lattice, motion))
    if kind == TURNED and share is not None:
        return f"turned by a {share} turn" if share != "third" else "turned by a third of a turn"
    return kind


def order_of(lattice: Lattice, motion: int) -> int:
    """How often a motion is repeated until all directions are as before."""
    matrix = lattice.group.matrices[motion]
    identity = np.eye(lattice.dimension, dtype=np.int64)
    power, order = matrix, 1
    while not np.array_equal(power, identity):
        power, order = power @ matrix, order + 1
    return order


def moves_between(space: CellSet, before: Sequence[int], after: Sequence[int]) -> list[RigidMove]:
    """Every rigid move that takes some cells of a region to others, given by their positions."""
    if len(before) != len(after):
        return []
    lattice = space.lattice
    cells, targets = space.cells[list(before)], space.cells[list(after)]
    images = lattice.moved(cells, np.arange(len(lattice.group)))
    vectors, kinds = lattice.vectors(images), lattice.kind_numbers(images)
    found = []
    for target in targets:
        shifts = lattice.vectors(target) - vectors[:, 0]
        there = space.find(lattice.cells(vectors + shifts[:, None], kinds))
        onto = (np.sort(there, axis=1) == sorted(after)).all(axis=1)
        onto &= kinds[:, 0] == lattice.kind_numbers(target)
        found += [
            RigidMove(lattice, int(motion), tuple(shifts[motion].tolist()))
            for motion in np.flatnonzero(onto)
        ]
    return found


def moved_positions(space: CellSet, move: RigidMove, positions: Sequence[int]) -> frozenset[int]:
    """Where a move takes cells of a region; `OUTSIDE` is among them if it takes one outside."""
    return frozenset(space.find(move.cells(space.cells[list(positions)])).tolist())
