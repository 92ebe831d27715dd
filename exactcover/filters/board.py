"""What the filters read of a search: which cells each option fills, and what is left to place.

A `Board` is made once from a problem and its layout. A `Position` is the state of a search as far
as filters care: the options chosen and those still alive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Board:
    """A problem on cells."""

    problem: Problem
    layout: Layout

    @cached_property
    def option_cells(self) -> tuple[IntArray, IntArray]:
        """The cells that each option fills, as compressed rows."""
        cell_of = np.full(self.problem.n_items, -1, np.int32)
        cell_of[self.layout.cell_item] = np.arange(self.layout.n_cells, dtype=np.int32)
        cells = cell_of[self.problem.entries]
        ends = np.concatenate([[0], np.cumsum(cells >= 0)])
        return ends[self.problem.starts].astype(np.int32), cells[cells >= 0]

    @cached_property
    def connected(self) -> Flags:
        """Whether the cells of each shape hang together, seen on its first image if at all."""
        if self.layout.connected is not None:
            return self.layout.connected
        starts, others = self.layout.adjacent
        option_starts, cells = self.option_cells
        joined = np.ones(self.layout.n_shapes, bool)
        for shape in range(self.layout.n_shapes):
            images = np.flatnonzero(self.layout.option_shape == shape)
            if not len(images):
                continue
            left = set(cells[option_starts[images[0]] : option_starts[images[0] + 1]].tolist())
            reached = [left.pop()]
            while reached:
                cell = reached.pop()
                near = left.intersection(others[starts[cell] : starts[cell + 1]].tolist())
                left -= near
                reached.extend(near)
            joined[shape] = not left
        return joined


@dataclass(frozen=True, eq=False)
class Position:
    """A state of a search: options chosen, and bool [options]: those that may yet be chosen."""

    board: Board
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
