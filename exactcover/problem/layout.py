"""The link from a problem back to its puzzle, as arrays that an engine can read.

An engine never sees a lattice. A layout has the facts about the puzzle that an engine may need: the
items that are cells, their places and neighbours, the shape that each option is a placement of, and
the number of copies of each shape. A problem without geometry has no layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Value
from exactcover.problem.checking import IntArray
from exactcover.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class Layout(Value):
    """The geometry behind a problem, for engines, filters and heuristics.

    cell_item     int32 [cells]         the item of each cell
    positions     float64 [cells, 2+]   where the cell's centre lies in space
    adjacent      int32 CSR over cells  (starts, neighbours): cells that share a side
    optional      bool [cells]          the cell may stay empty
    option_shape  int32 [options]       the shape that each option places, -1: none (a hole)
    shape_item    int32 [shapes]        the item that counts the shape's copies, -1: not counted
    shape_size    int32 [shapes]        its number of cells
    copies        int32 [shapes, 2]     how many copies must be placed: low, high
    connected     bool [shapes]         whether the shape is connected; on a wrapped board only some
                  placements of a shape may be
    """

    cell_item: IntArray
    positions: npt.NDArray[np.float64]
    adjacent: tuple[IntArray, IntArray]
    optional: npt.NDArray[np.bool_]
    option_shape: IntArray
    shape_item: IntArray
    shape_size: IntArray
    copies: IntArray
    connected: npt.NDArray[np.bool_]

    @property
    def n_cells(self) -> int:
        return self.cell_item.size

    @property
    def n_shapes(self) -> int:
        return self.shape_item.size


def digest_of(problem: Problem, layout: Layout | None) -> str:
    """SHA-256 of the items and options in their order, and of what the items are.

    It has the names of the pieces that are counted, and so of each that a strategy can name. It is
    the same on every machine. Ledgers hold it, so it must stay the same in later versions.
    """
    digest = sha256(f"{problem.primary} of {problem.n_items}\0".encode())
    for item in problem.items:
        digest.update(f"{item}\0".encode())
    arrays = [problem.starts, problem.entries, problem.colours, problem.low, problem.high]
    if layout is not None:
        arrays += [layout.cell_item, layout.option_shape]
    for array in arrays:
        digest.update(f"{array.size}\0".encode())
        digest.update(np.ascontiguousarray(array, "<i8").tobytes())
    return digest.hexdigest()


def pieces_left(problem: Problem, layout: Layout | None, chosen: Sequence[int] = ()) -> int:
    """How many pieces are left to place once some options are chosen, or the most that can be.

    Without pieces, it is the number of options that must be chosen, or a lower bound on it.
    """
    if layout is None:
        widest = int(np.diff(problem.starts).max(initial=1))
        return max(0, -(-int(problem.low.sum()) // max(1, widest)) - len(chosen))
    low, high = (int(many) for many in layout.copies.sum(axis=0))
    smallest = int(layout.shape_size.min()) if layout.n_shapes else 1
    pieces = low if low == high else max(low, layout.n_cells // smallest)
    placed = int((layout.option_shape[list(chosen)] >= 0).sum())
    return max(0, pieces - placed)
