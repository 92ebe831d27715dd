"""Motions of a lattice, and the point group that generators make.

A symmetry is given by its integer matrix alone: which kind of cell becomes which, and how far it
moves, follows from where the centres of the kinds go. The group is closed by multiplication.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import LatticeError
from exactcover.lattices.structured import check_fields

Matrix = tuple[tuple[int, ...], ...]
Point = tuple[Fraction, ...]

MAX_GROUP = 50_000
"""More than the point groups of the lattices here have (6-D hypercubic: 46,080)."""

MAX_NUMBERS = 20_000_000
"""The most numbers that write all symmetries: with more kinds of cells, each takes more."""


def point(*coordinates: int | str | Fraction) -> Point:
    """A point in lattice coordinates, exact: `point("1/3", "1/3")`."""
    return tuple(Fraction(value) for value in coordinates)


def within(place: Sequence[Fraction]) -> Point:
    """The same place in the first unit of the lattice."""
    return tuple(value % 1 for value in place)


@dataclass(frozen=True)
class Motion:
    """A symmetry of the whole lattice: x -> matrix x + shift, in lattice coordinates."""

    matrix: Matrix
    shift: Point = ()

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, eq=False)
class Group:
    """The point group: every symmetry up to translation, proper motions first, identity at 0.

    A cell (v, k) goes to (matrices[g] v + offsets[g, k], kinds[g, k]).

    matrices  int64 [order, dimension, dimension]
    kinds     int64 [order, kinds]
    offsets   int64 [order, kinds, dimension]
    proper    bool [order]    turns without a mirror
    """

    matrices: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    proper: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.proper)

    def selected(self, reflections: bool) -> npt.NDArray[np.int64]:
        """The numbers of the motions that a piece may make."""
        return np.arange(len(self)) if reflections else np.flatnonzero(self.proper)


def closed(actions: Iterable[Action], dimension: int, kinds: int) -> Group:
    """The group that these actions generate."""
    generators = list(actions)
    identity = Action(
        np.eye(dimension, dtype=np.int64)[None],
        np.arange(kinds)[None],
        np.zeros((1, kinds, dimension), np.int64),
    )
    rows, fresh = [identity.rows()], identity
    known = {rows[0].tobytes()}
    while len(fresh.matrices):
        new = []
        for generator in generators:
            for row in generator.after(fresh).rows():
                if (key := row.tobytes()) not in known:
                    known.add(key)
                    new.append(row)
            if len(known) > MAX_GROUP or len(known) * rows[0].size > MAX_NUMBERS:
                raise LatticeError(f"the generators make more than {len(known)} symmetries")
        rows.append(np.array(new, np.int64).reshape(len(new), rows[0].shape[1]))
        fresh = Action.from_rows(rows[-1], dimension, kinds)
    action = Action.from_rows(np.concatenate(rows), dimension, kinds)
    proper = np.linalg.det(action.matrices) > 0
    order = np.argsort(~proper, kind="stable")
    return Group(action.matrices[order], action.kinds[order], action.offsets[order], proper[order])


class Action(NamedTuple):
    """Motions as what they do to (vector, kind): many at once, for closing the group."""

    matrices: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, motion: Motion, centres: Sequence[Point]) -> Action:
        """The action of a motion on the kinds, computed from the images of their centres."""
        numbers = {within(centre): number for number, centre in enumerate(centres)}
        shift = motion.shift or (Fraction(0),) * len(centres[0])
        kinds, offsets = [], []
        for centre in centres:
            image = [
                sum((m * x for m, x in zip(row, centre, strict=True)), start)
                for row, start in zip(motion.matrix, shift, strict=True)
            ]
            number = numbers.get(within(image))
            if number is None:
                raise LatticeError(
                    f"{motion.matrix} takes the centre {_text(centre)} to {_text(image)}, "
                    "where there is no cell"
                )
            kinds.append(number)
            offsets.append([int(a - b) for a, b in zip(image, centres[number], strict=True)])
        action = cls(np.array([motion.matrix]), np.array([kinds]), np.array([offsets]))
        return action.without_translation()

    def without_translation(self) -> Action:
        return Action(self.matrices, self.kinds, self.offsets - self.offsets[:, :1])

    def after(self, first: Action) -> Action:
        """This one motion after each of `first`."""
        matrix, kinds, offsets = self.matrices[0], self.kinds[0], self.offsets[0]
        return Action(
            np.einsum("ij,gjk->gik", matrix, first.matrices),
            kinds[first.kinds],
            np.einsum("ij,gkj->gki", matrix, first.offsets) + offsets[first.kinds],
        ).without_translation()

    def rows(self) -> npt.NDArray[np.int64]:
        """One row of whole numbers a motion, equal just where the motions are."""
        count = len(self.matrices)
        return np.concatenate(
            [self.matrices.reshape(count, -1), self.kinds, self.offsets.reshape(count, -1)], axis=1
        )

    @classmethod
    def from_rows(cls, rows: npt.NDArray[np.int64], dimension: int, kinds: int) -> Action:
        count, square = len(rows), dimension * dimension
        return cls(
            rows[:, :square].reshape(count, dimension, dimension),
            rows[:, square : square + kinds],
            rows[:, square + kinds :].reshape(count, kinds, dimension),
        )


def _text(values: Sequence[Fraction]) -> str:
    return "(" + ", ".join(str(value) for value in values) + ")"
