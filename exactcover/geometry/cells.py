"""Sets of cells as sorted whole numbers, and fast look-up in them.

Within a box, a cell becomes one number by mixed radix: `codes`. Sorted by code, two sets of cells
are equal just where their codes are, and a cell is found by a table where the box is small enough,
otherwise by binary search.

On a wrapped board a cell stands for all cells that differ from it by a period, and any of these is
found. So every look-up of cells in a region (images, neighbours, crossings) works there as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Value
from exactcover.errors import PuzzleError
from exactcover.geometry.wrapping import Periods
from exactcover.lattices.base import Cells, Lattice

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
