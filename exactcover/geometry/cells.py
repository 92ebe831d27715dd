"""Sets of cells as sorted whole numbers, and fast look-up in them.

Within a box, a cell becomes one number by mixed radix: `codes`. Sorted by code, two sets of cells
are equal just where their codes are, and a cell is found by a table where the box is small enough,
otherwise by binary search.

On a wrapped board a cell stands for all cells that differ from it by a period, and any of these is
found. So every look-up of cells in a region (placements, neighbours, crossings) works there as
well.

Periods are translations of the lattice. One of them makes a cylinder, two independent ones in the
plane make a torus; they need not be parallel to the axes. All their sums form a lattice of their
own, kept here in Hermite normal form: each vector has a first coordinate that is not 0, further to
the right than that of the vector before it. So a vector is reduced by one division a period, and
two vectors differ by a period just where their remainders are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Value
from exactcover.base.values.arguments import is_whole
from exactcover.errors import PuzzleError
from exactcover.lattices.base import Cells, Lattice

Vectors = npt.NDArray[np.int64]
Wrap = tuple[tuple[int, ...], ...]
"""Period vectors, as a puzzle says them."""

MAX_PERIOD = 1_000_000
"""The largest coordinate of a period vector."""

MAX_ENTRY = 1 << 40
"""The largest coordinate in normal form; with it nothing overflows."""


@dataclass(frozen=True, eq=False)
class Periods:
    """All sums of some period vectors, in Hermite normal form.

    rows    int64 [rank, dimension]
    pivots  the first coordinate of each row that is not 0, ascending
    """

    rows: Vectors
    pivots: tuple[int, ...]

    @classmethod
    def of(cls, lattice: Lattice, wrap: Sequence[Sequence[int]]) -> Periods | None:
        """The periods of a board, None for a board that is not wrapped; raises `PuzzleError`."""
        if not len(wrap):
            return None
        vectors = period_vectors(lattice, wrap)
        rows, pivots = _normal_form([list(vector) for vector in vectors])
        if len(rows) < len(vectors):
            raise PuzzleError(
                f"wrap: the period vectors {_text(vectors)} depend on each other: "
                "none may be 0 or follow from the others"
            )
        if max(abs(value) for row in rows for value in row) > MAX_ENTRY:
            raise PuzzleError(f"wrap: the periods {_text(vectors)} are too large")
        return cls(np.array(rows, np.int64), tuple(pivots))

    def reduced(self, vectors: Vectors) -> Vectors:
        """The remainders of vectors [..., dimension]: equal just where they differ by a period."""
        left = vectors.copy()
        for row, pivot in zip(self.rows, self.pivots, strict=True):
            left -= (left[..., pivot] // row[pivot])[..., None] * row
        return left

    def classes(self, lattice: Lattice, cells: Cells) -> Cells:
        """Cells [..., width] with their vectors reduced."""
        return lattice.cells(self.reduced(lattice.vectors(cells)), lattice.kind_numbers(cells))

    def kept_by(self, matrix: Vectors) -> bool:
        """Whether a motion with this matrix takes periods to periods."""
        rows, _ = _normal_form((self.rows @ matrix.T).tolist())
        return bool(np.array_equal(rows, self.rows))


def period_vectors(lattice: Lattice, wrap: Sequence[Sequence[int]]) -> Wrap:
    """Period vectors as tuples, checked to be translations of the lattice."""
    try:
        vectors = tuple(tuple(vector) for vector in wrap)
    except TypeError:
        raise _not_vectors(lattice, wrap) from None
    for vector in vectors:
        if len(vector) != lattice.dimension or not all(
            is_whole(value) and abs(value) <= MAX_PERIOD for value in vector
        ):
            raise _not_vectors(lattice, wrap)
    return tuple(tuple(map(int, vector)) for vector in vectors)


def _not_vectors(lattice: Lattice, wrap: object) -> PuzzleError:
    example = [[10, *[0] * (lattice.dimension - 1)]]
    return PuzzleError(
        f"wrap: period vectors are lists of {lattice.dimension} whole numbers up to "
        f"{MAX_PERIOD:,} on the lattice {lattice.name}, such as {example}, not {wrap!r:.60}"
    )


def _text(vectors: Wrap) -> str:
    return " ".join(str(list(vector)) for vector in vectors)


def _normal_form(rows: list[list[Any]]) -> tuple[list[list[int]], list[int]]:
    """The Hermite normal form of whole vectors, and the pivot of each row; 0 is left out."""
    rows = [[int(value) for value in row] for row in rows]
    done: list[list[int]] = []
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        while len(having := [row for row in rows if row[column]]) > 1:
            having.sort(key=lambda row: abs(row[column]))
            for row in having[1:]:
                _subtract(row, having[0], row[column] // having[0][column])
        if not having:
            continue
        pivot = having[0]
        rows = [row for row in rows if row is not pivot]
        if pivot[column] < 0:
            pivot[:] = [-value for value in pivot]
        for row in done:
            _subtract(row, pivot, row[column] // pivot[column])
        done.append(pivot)
        pivots.append(column)
    return done, pivots


def _subtract(row: list[int], other: list[int], times: int) -> None:
    row[:] = [a - times * b for a, b in zip(row, other, strict=True)]


TABLE_LIMIT = 1 << 24
"""A table of this many entries is still quick to make; larger boxes are searched."""

CODE_LIMIT = 1 << 62

MAX_CELLS = 1_000_000
"""The most cells of a region or a piece."""


def distinct_rows(rows: Cells) -> Cells:
    """The distinct rows of int64 [n, width], sorted: the result of `np.unique`, but much sooner."""
    rows = rows[np.lexsort(rows.T[::-1])]
    fresh = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[np.concatenate([[True], fresh])] if len(rows) else rows


@dataclass(frozen=True, eq=False)
class Frame:
    """A box around cells, in which each cell has a number."""

    low: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]

    @classmethod
    def around(cls, cells: Cells) -> Frame:
        """The smallest box that holds the cells."""
        flat = cells.reshape(-1, cells.shape[-1])
        low, high = flat.min(axis=0), flat.max(axis=0)
        size = high - low + 1
        if prod(size.tolist()) >= CODE_LIMIT:
            raise PuzzleError(
                f"the cells lie too far apart: from {tuple(low.tolist())} to {tuple(high.tolist())}"
            )
        return cls(low, size)

    @property
    def volume(self) -> int:
        return prod(self.size.tolist())

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The last coordinate counts units, so codes sort as coordinates do."""
        return np.concatenate([np.cumprod(self.size[:0:-1])[::-1], [1]]).astype(np.int64)

    def codes(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The numbers of cells [..., width], -1 for those outside the box."""
        shifted = cells - self.low
        inside = ((shifted >= 0) & (shifted < self.size)).all(axis=-1)
        return np.where(inside, shifted @ self.weights, -1)


@dataclass(frozen=True, eq=False)
class CellSet(Value):
    """Distinct cells, sorted by their coordinates; each has a position in that order.

    cells    int64 [n, width], sorted, read-only
    periods  of a wrapped board: no two cells differ by one of them
    """

    lattice: Lattice
    cells: Cells
    periods: Periods | None = None

    @classmethod
    def of(cls, lattice: Lattice, cells: Cells, periods: Periods | None = None) -> CellSet:
        """The distinct ones among these cells; of those that differ by a period, the first."""
        distinct = distinct_rows(np.asarray(cells, np.int64).reshape(-1, lattice.width))
        if periods is not None and len(distinct):
            _, first = np.unique(periods.classes(lattice, distinct), axis=0, return_index=True)
            distinct = distinct[np.sort(first)]
        distinct.setflags(write=False)
        return cls(lattice, distinct, periods)

    def part(self, keep: npt.NDArray[np.bool_]) -> CellSet:
        """Some of these cells: those for which bool [n] is true."""
        cells = self.cells[keep]
        cells.setflags(write=False)
        return CellSet(self.lattice, cells, self.periods)

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def frame(self) -> Frame:
        """The box in which cells are looked up, once they are reduced by the periods."""
        if not len(self.cells):
            width = self.lattice.width
            return Frame(np.zeros(width, np.int64), np.zeros(width, np.int64))
        return Frame.around(self._reduced(self.cells))

    def _reduced(self, cells: Cells) -> Cells:
        return cells if self.periods is None else self.periods.classes(self.lattice, cells)

    @cached_property
    def _table(self) -> npt.NDArray[np.int32] | None:
        """Position by code, one more entry of -1 at the end for cells outside the box."""
        if self.frame.volume > TABLE_LIMIT:
            return None
        table = np.full(self.frame.volume + 1, -1, np.int32)
        table[self.frame.codes(self._reduced(self.cells))] = np.arange(
            len(self.cells), dtype=np.int32
        )
        return table

    @cached_property
    def _sorted_codes(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The codes in order, and the positions of the cells that have them."""
        codes = self.frame.codes(self._reduced(self.cells))
        order = np.argsort(codes)
        return codes[order], order

    def find(self, cells: Cells) -> npt.NDArray[np.int32]:
        """The positions of cells [..., width] in this set, -1 where they are not in it."""
        if not len(self.cells):
            return np.full(cells.shape[:-1], -1, np.int32)
        codes = self.frame.codes(self._reduced(cells))
        if self._table is not None:
            return self._table[codes]
        known, order = self._sorted_codes
        at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
        return np.where(known[at] == codes, order[at], -1).astype(np.int32)

    def __contains__(self, cell: object) -> bool:
        return bool(self.find(np.array([cell], np.int64))[0] >= 0)
