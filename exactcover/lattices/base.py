"""What a lattice is: data, from which everything else follows.

Every periodic lattice is a motif repeated. A cell is one *kind* of the motif moved by an integer
vector; it is written as that vector, followed by the kind's number where there is more than one
kind. Two facts make a lattice a handful of numbers:

* The centre of a kind, in lattice coordinates, says where a motion takes it. So a symmetry is given
  by its integer matrix alone, and which kind becomes which, and how far it moves, is computed.
* Neighbours are closed under the symmetries. So one pair of neighbours per orbit is enough.

The point group is closed by multiplication once, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactcover.errors import LatticeError
from exactcover.values import Value

Cells = npt.NDArray[np.int64]
"""Cells as an int64 array [n, width]: vector, then the kind where a lattice has several."""

Matrix = tuple[tuple[int, ...], ...]
Point = tuple[Fraction, ...]
Pair = tuple[tuple[int, ...], tuple[int, ...]]

MAX_GROUP = 50_000
"""More than the point groups of the lattices here have (6-D hypercubic: 46,080)."""

MAX_NUMBERS = 20_000_000
"""The most numbers that write all symmetries: with more kinds of cells, each takes more."""

MAX_ENTRY = 1_000
"""Matrices of symmetries have small entries unless the basis is badly skewed."""


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


@dataclass(frozen=True, eq=False)
class Lattice(Value):
    """A periodic lattice.

    name         what the registry and puzzle files call it
    polyform     what a connected set of its cells is called: polyomino, polycube, ...
    dimension    how many coordinates a vector has
    centres      kind -> its centre in lattice coordinates; one kind is plainly the origin
    rotations    generators of the proper motions
    reflections  generators that need a mirror
    neighbours   pairs of cells that share a side, one per orbit under the symmetries
    corners      pairs that share only a corner (or an edge of a solid), one per orbit
    basis        where the unit vectors lie in space, for drawing; rows
    outlines     kind -> corners of its outline in lattice coordinates, for drawing
    junctions    for sticks: the cells round each kind of crossing point, in cyclic order
    aliases      other names
    """

    name: str
    polyform: str
    dimension: int
    rotations: tuple[Motion, ...]
    reflections: tuple[Motion, ...]
    neighbours: tuple[Pair, ...]
    corners: tuple[Pair, ...] = ()
    centres: Mapping[str, Point] = field(default_factory=dict)
    basis: tuple[tuple[float, ...], ...] = ()
    outlines: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    junctions: tuple[tuple[tuple[int, ...], ...], ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.dimension <= 6:
            raise LatticeError(
                f"{self.name}: a lattice has 1 to 6 dimensions, not {self.dimension}"
            )
        if not self.centres:
            object.__setattr__(self, "centres", {"cell": (Fraction(0),) * self.dimension})
        if not self.basis:
            object.__setattr__(self, "basis", tuple(map(tuple, np.eye(self.dimension).tolist())))
        self.freeze()
        self._check_points()
        for turns, sign, sort in (
            (self.rotations, 1, "rotation"),
            (self.reflections, -1, "reflection"),
        ):
            for motion in turns:
                self._check_motion(motion, sign, sort)
        for pair in (*self.neighbours, *self.corners):
            self._check_pair(pair)
        for ring in self.junctions:
            for cell in ring:
                self._check_cell(cell)

    def compared(self) -> tuple[object, ...]:
        """Its fields, and the order of its kinds, which numbers them."""
        return (*super().compared(), tuple(self.centres))

    # -- validation ---------------------------------------------------------------------------

    def _check_points(self) -> None:
        for kind, centre in self.centres.items():
            if len(centre) != self.dimension:
                raise LatticeError(
                    f"{self.name}: the centre of {kind!r} has {len(centre)} coordinates, "
                    f"{self.dimension} are needed"
                )
        if len({within(centre) for centre in self.centres.values()}) < len(self.centres):
            raise LatticeError(f"{self.name}: two kinds have the same centre, up to a translation")
        if len(self.basis) != self.dimension or len({len(row) for row in self.basis}) != 1:
            raise LatticeError(
                f"{self.name}: the basis needs {self.dimension} vectors of one length"
            )
        basis = np.array(self.basis)
        if not np.isfinite(basis).all() or np.linalg.matrix_rank(basis) < self.dimension:
            raise LatticeError(f"{self.name}: the vectors of the basis lie in fewer dimensions")
        for kind, outline in self.outlines.items():
            if kind not in self.centres or any(len(c) != self.dimension for c in outline):
                raise LatticeError(
                    f"{self.name}: the outline of {kind!r} must be that of a kind of cell, "
                    f"with corners of {self.dimension} coordinates"
                )

    def _check_motion(self, motion: Motion, sign: int, sort: str) -> None:
        rows = motion.matrix
        if len(rows) != self.dimension or any(len(row) != self.dimension for row in rows):
            raise LatticeError(
                f"{self.name}: a matrix must be {self.dimension}x{self.dimension}: {motion.matrix}"
            )
        if not all(_is_small(x) for row in rows for x in row):
            raise LatticeError(f"{self.name}: a matrix has small whole numbers: {motion.matrix}")
        if len(motion.shift) not in (0, self.dimension):
            raise LatticeError(f"{self.name}: a shift has {self.dimension} coordinates")
        matrix = np.array(rows)
        determinant = round(float(np.linalg.det(matrix)))
        if determinant != sign:
            raise LatticeError(
                f"{self.name}: {motion.matrix} is no {sort}: its determinant is {determinant}, "
                f"not {sign}"
            )
        basis = np.array(self.basis)
        gram = basis @ basis.T
        shortest = float(np.diag(gram).min())
        if not np.allclose(matrix.T @ gram @ matrix, gram, rtol=0, atol=1e-5 * shortest):
            raise LatticeError(f"{self.name}: {motion.matrix} changes lengths in the given basis")
        self._action(motion)

    def _check_pair(self, pair: Sequence[Sequence[int]]) -> None:
        if len({tuple(cell) for cell in pair}) != 2 or len(pair) != 2:
            raise LatticeError(f"{self.name}: {pair} is no pair of different cells")
        for cell in pair:
            self._check_cell(cell)

    def _check_cell(self, cell: Sequence[int]) -> None:
        if len(cell) != self.width or (self.width > self.dimension and not self.has_kind(cell[-1])):
            raise LatticeError(
                f"{self.name}: {tuple(cell)} is no cell: it takes {self.coordinates_text()}"
            )
        if not all(map(_is_small, cell)):
            raise LatticeError(f"{self.name}: {tuple(cell)} has no small whole numbers")

    def coordinates_text(self) -> str:
        """What a cell is written as, for messages: `x y`, `x y kind (0 up, 1 down)`."""
        letters = " ".join("xyzwvu"[: self.dimension])
        if self.width == self.dimension:
            return f"{self.dimension} whole numbers ({letters})"
        kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(self.centres))
        return f"{self.dimension + 1} whole numbers ({letters} and a kind: {kinds})"

    # -- what follows from the data -----------------------------------------------------------

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.centres)

    @property
    def width(self) -> int:
        """How many whole numbers write a cell."""
        return self.dimension + (len(self.centres) > 1)

    @property
    def flips(self) -> bool:
        """Whether pieces may be turned over by default: in the plane they can be picked up."""
        return self.dimension <= 2

    def has_kind(self, kind: int) -> bool:
        return 0 <= kind < len(self.centres)

    def vectors(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The vectors of cells [..., width], without the kind."""
        return cells[..., : self.dimension]

    def kind_numbers(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The kinds of cells [..., width]; all 0 where there is one kind."""
        if self.width == self.dimension:
            return np.zeros(cells.shape[:-1], np.int64)
        return cells[..., self.dimension]

    def cells(self, vectors: npt.NDArray[np.int64], kinds: npt.NDArray[np.int64]) -> Cells:
        """Cells from vectors [..., dimension] and kinds [...]."""
        if self.width == self.dimension:
            return vectors
        return np.concatenate([vectors, kinds[..., None]], axis=-1)

    def moved(self, cells: Cells, motions: npt.NDArray[np.int64] | Sequence[int]) -> Cells:
        """The cells [n, width] under each of the numbered motions: [motions, n, width]."""
        group, chosen = self.group, np.asarray(motions)
        vectors, kinds = self.vectors(cells), self.kind_numbers(cells)
        turned = np.einsum("gij,nj->gni", group.matrices[chosen], vectors)
        turned += group.offsets[chosen][:, kinds]
        return self.cells(turned, group.kinds[chosen][:, kinds])

    def positions(self, cells: Cells) -> npt.NDArray[np.float64]:
        """Where the centres of cells lie in space: [n, space dimension]."""
        centres = np.array([[float(x) for x in centre] for centre in self.centres.values()])
        return np.asarray(
            (self.vectors(cells) + centres[self.kind_numbers(cells)]) @ np.array(self.basis)
        )

    @cached_property
    def group(self) -> Group:
        """The point group, closed under multiplication."""
        generators = [self._action(motion) for motion in (*self.rotations, *self.reflections)]
        identity = _Action(
            np.eye(self.dimension, dtype=np.int64)[None],
            np.arange(len(self.centres))[None],
            np.zeros((1, len(self.centres), self.dimension), np.int64),
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
                    raise LatticeError(
                        f"{self.name}: the generators make more than {len(known)} symmetries"
                    )
            rows.append(np.array(new, np.int64).reshape(len(new), rows[0].shape[1]))
            fresh = _Action.from_rows(rows[-1], self.dimension, len(self.centres))
        action = _Action.from_rows(np.concatenate(rows), self.dimension, len(self.centres))
        proper = np.linalg.det(action.matrices) > 0
        order = np.argsort(~proper, kind="stable")
        return Group(
            action.matrices[order], action.kinds[order], action.offsets[order], proper[order]
        )

    @cached_property
    def adjacent(self) -> tuple[Cells, ...]:
        """For each kind, the cells that share a side with the cell of that kind at the origin."""
        return self._closed(self.neighbours)

    @cached_property
    def touching(self) -> tuple[Cells, ...]:
        """For each kind, the cells that share only a corner with the one at the origin."""
        return self._closed(self.corners)

    # -- how it follows -----------------------------------------------------------------------

    def _action(self, motion: Motion) -> _Action:
        """What a motion does to the kinds: found from where it takes their centres."""
        centres = list(self.centres.values())
        numbers = {within(centre): number for number, centre in enumerate(centres)}
        shift = motion.shift or (Fraction(0),) * self.dimension
        kinds, offsets = [], []
        for centre in centres:
            image = [
                sum((m * x for m, x in zip(row, centre, strict=True)), start)
                for row, start in zip(motion.matrix, shift, strict=True)
            ]
            number = numbers.get(within(image))
            if number is None:
                raise LatticeError(
                    f"{self.name}: {motion.matrix} takes the centre {_text(centre)} to "
                    f"{_text(image)}, where there is no cell"
                )
            kinds.append(number)
            offsets.append([int(a - b) for a, b in zip(image, centres[number], strict=True)])
        action = _Action(np.array([motion.matrix]), np.array([kinds]), np.array([offsets]))
        return action.without_translation()

    def _closed(self, pairs: Sequence[Pair]) -> tuple[Cells, ...]:
        """Pairs of cells closed under the symmetries, as offsets from a cell of each kind."""
        around: list[set[tuple[int, ...]]] = [set() for _ in self.centres]
        for pair in pairs:
            ends = np.array([pair, pair[::-1]])
            for first, second in ends:
                images = self.moved(np.array([first, second]), np.arange(len(self.group)))
                starts, stops = images[:, 0], images[:, 1]
                offsets = self.cells(
                    self.vectors(stops) - self.vectors(starts), self.kind_numbers(stops)
                )
                for kind, offset in zip(self.kind_numbers(starts), offsets, strict=True):
                    around[kind].add(tuple(offset.tolist()))
        return tuple(
            np.array(sorted(offsets), np.int64).reshape(len(offsets), self.width)
            for offsets in around
        )

    def __repr__(self) -> str:
        return f"<Lattice {self.name}: {self.dimension}-D, {len(self.kinds)} kind(s) of cell>"


@dataclass(frozen=True)
class _Action:
    """Motions as what they do to (vector, kind): many at once, for closing the group."""

    matrices: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]

    def without_translation(self) -> _Action:
        return _Action(self.matrices, self.kinds, self.offsets - self.offsets[:, :1])

    def after(self, first: _Action) -> _Action:
        """This one motion after each of `first`."""
        matrix, kinds, offsets = self.matrices[0], self.kinds[0], self.offsets[0]
        return _Action(
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
    def from_rows(cls, rows: npt.NDArray[np.int64], dimension: int, kinds: int) -> _Action:
        count, square = len(rows), dimension * dimension
        return cls(
            rows[:, :square].reshape(count, dimension, dimension),
            rows[:, square : square + kinds],
            rows[:, square + kinds :].reshape(count, kinds, dimension),
        )


def _is_small(entry: object) -> bool:
    return isinstance(entry, int) and abs(entry) <= MAX_ENTRY


def _text(values: Sequence[Fraction]) -> str:
    return "(" + ", ".join(str(value) for value in values) + ")"
