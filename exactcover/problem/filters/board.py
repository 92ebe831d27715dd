"""The filters' view of a search: the cells that each option fills, and the pieces left to place.

A `CellProblem` is made once from a puzzle's model. A `FilterState` is the state of a search for
filters: the options chosen and those still alive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class CellProblem:
    """A problem on cells.

    option_cells  the cells that each option fills, as compressed rows (starts, cells)
    """

    problem: Problem
    layout: Layout
    option_cells: tuple[IntArray, IntArray]

    def cells_among(self, cells: Flags) -> IntArray:
        """How many of these cells each option fills: int32 [options]."""
        starts, filled = self.option_cells
        sums = np.concatenate([[0], np.cumsum(cells[filled])])
        counts: IntArray = (sums[starts[1:]] - sums[starts[:-1]]).astype(np.int32)
        return counts


@dataclass(frozen=True, eq=False)
class FilterState:
    """A state of a search: options chosen, and bool [options]: those that may yet be chosen."""

    board: CellProblem
    chosen: tuple[int, ...]
    alive: Flags

    @cached_property
    def filled(self) -> Flags:
        """Which cells a chosen option fills: bool [cells]."""
        starts, cells = self.board.option_cells
        filled = np.zeros(self.board.layout.n_cells, bool)
        for option in self.chosen:
            filled[cells[starts[option] : starts[option + 1]]] = True
        return filled

    @cached_property
    def copies(self) -> IntArray:
        """int32 [shapes, 2]: how many copies are yet to be placed, at least and at most."""
        layout = self.board.layout
        shapes = layout.option_shape[list(self.chosen)]
        used = np.bincount(shapes[shapes >= 0], minlength=layout.n_shapes)
        return (layout.copies - used[:, None]).clip(0).astype(np.int32)
