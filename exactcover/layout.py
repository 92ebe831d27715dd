"""What ties a problem back to its puzzle, as arrays that an engine can read.

An engine never sees a lattice. What it may want to know of the puzzle behind a problem is here:
which items are cells and where they lie, which cells are neighbours, which options are images of
which shape, and how many copies of each shape there are. A problem without geometry has no layout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray


@dataclass(frozen=True, eq=False)
class Layout:
    """The geometry behind a problem, for engines, filters and heuristics.

    cell_item     int32 [cells]         the item of each cell
    positions     float64 [cells, 2+]   where the cell's centre lies in space
    adjacent      int32 CSR over cells  (starts, neighbours): cells that share a side
    optional      bool [cells]          the cell may stay empty
    option_shape  int32 [options]       the shape that each option places, -1: none (a hole)
    shape_item    int32 [shapes]        the item that counts the shape's copies, -1: not counted
    shape_size    int32 [shapes]        its number of cells
    copies        int32 [shapes, 2]     how many copies are to be placed: low, high
    """

    cell_item: IntArray
    positions: npt.NDArray[np.float64]
    adjacent: tuple[IntArray, IntArray]
    optional: npt.NDArray[np.bool_]
    option_shape: IntArray
    shape_item: IntArray
    shape_size: IntArray
    copies: IntArray

    @property
    def n_cells(self) -> int:
        return self.cell_item.size

    @property
    def n_shapes(self) -> int:
        return self.shape_item.size
