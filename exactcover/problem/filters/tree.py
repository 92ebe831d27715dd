"""A place in a search in plain arrays: cells filled, conflicts, and the item to branch on.

A `Subtree` is the state that filters see: the options chosen and those still alive. An engine
updates its arrays step by step. This module makes them anew at each node, which is far slower and
needs no state. It serves the few nodes at the top where filters are applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from exactcover.errors import CapabilityError
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout

Flags = npt.NDArray[np.bool_]


class Ground(Protocol):
    """The part of a puzzle that filters read; a `Model` is one."""

    @property
    def layout(self) -> Layout:
        """The cells and shapes behind the problem."""

    @property
    def problem(self) -> Problem:
        """The problem, with an option for each placement."""

    @property
    def option_cells(self) -> tuple[IntArray, IntArray]:
        """The cells that each option fills, as compressed rows: starts, cells."""

    def colourings(self, modulus: int | None = None) -> list[IntArray]:
        """Colours of the cells: of the natural colouring, or of all modulo a number."""

    def shape_called(self, name: str) -> int:
        """The shape of the piece with this name; raises `UnknownName`."""

    def title_of(self, kind: str, number: int) -> str:
        """The name of a piece or a cell of the layout, for a reader."""


@dataclass(frozen=True, eq=False)
class Subtree:
    """The part of a search that a filter is applied to.

    problem       the whole problem
    ground        the puzzle behind it; None: it has no geometry
    chosen        the options chosen already; none before the search
    alive         bool [options]: those that may still be chosen
    permutations  int32 [s, options]: the symmetries that identify solutions; None: all solutions
                  are wanted, or the symmetries are already handled
    applied       the filter, as the strategy says it
    """

    problem: Problem
    ground: Ground | None
    chosen: tuple[int, ...]
    alive: Flags
    permutations: IntArray | None = None
    applied: str = "a filter"

    @cached_property
    def filled(self) -> Flags:
        """Which cells a chosen option fills: bool [cells]."""
        starts, cells = self.cells.option_cells
        filled = np.zeros(self.cells.layout.n_cells, bool)
        for option in self.chosen:
            filled[cells[starts[option] : starts[option + 1]]] = True
        return filled

    @cached_property
    def copies(self) -> IntArray:
        """int32 [shapes, 2]: how many copies are yet to be placed, at least and at most."""
        layout = self.cells.layout
        shapes = layout.option_shape[list(self.chosen)]
        used = np.bincount(shapes[shapes >= 0], minlength=layout.n_shapes)
        return (layout.copies - used[:, None]).clip(0).astype(np.int32)

    @property
    def cells(self) -> Ground:
        """The puzzle; raises `CapabilityError` where the problem has none."""
        if self.ground is None:
            raise CapabilityError(
                f"{self.applied}: it needs the cells of a puzzle, and a plain problem has none"
            )
        return self.ground


def cells_among(ground: Ground, cells: Flags) -> IntArray:
    """How many of these cells each option fills: int32 [options]."""
    starts, filled = ground.option_cells
    sums = np.concatenate([[0], np.cumsum(cells[filled])])
    counts: IntArray = (sums[starts[1:]] - sums[starts[:-1]]).astype(np.int32)
    return counts


# -- conflicts -------------------------------------------------------------------------------------

Chosen = tuple[int, ...]


def times_covered(problem: Problem, chosen: Chosen) -> IntArray:
    """How often the chosen options cover each item: int32 [items]."""
    listed = [problem.items_of(option) for option in chosen]
    entries = np.concatenate([np.zeros(0, np.int32), *listed])
    return np.bincount(entries, minlength=problem.n_items).astype(np.int32)


def excluded_by(problem: Problem, chosen: Chosen, option: int) -> Flags:
    """The options that cannot be chosen once this one is, including itself: bool [options]."""
    out = np.zeros(problem.n_options, bool)
    out[option] = True
    times = times_covered(problem, (*chosen, option))
    items, colours = problem.items_of(option), problem.colours_of(option)
    for item, colour in zip(items.tolist(), colours.tolist(), strict=True):
        others = problem.options_of(item)
        if item < problem.primary:
            if times[item] >= problem.high[item]:
                out[others] = True
        elif colour:
            differs = [
                int(problem.colours_of(other)[problem.items_of(other) == item][0]) != colour
                for other in others.tolist()
            ]
            out[others[differs]] = True
        else:
            out[others] = True
    return out


def branches(
    problem: Problem,
    chosen: Chosen,
    alive: Flags,
    most_spare: int | None = None,
    ranks: npt.NDArray[np.int64] | None = None,
) -> IntArray | None:
    """The options of the item with the fewest to spare, or None if no item needs one.

    If an item lacks options there are no branches: a dead end. Items with `most_spare` or more to
    spare count as equal. So with 1, the first item is branched on, unless another leaves no choice.
    If ranks are given, int64 [items], the first item is the one of least rank; ties go to the one
    with the fewest to spare.
    """
    need = problem.low - times_covered(problem, chosen)[: problem.primary]
    asking = np.flatnonzero(need > 0)
    if not len(asking):
        return None
    live = np.repeat(alive, np.diff(problem.starts))
    sizes = np.bincount(problem.entries[live], minlength=problem.n_items)
    spare = sizes[asking] - need[asking]
    if spare.min() < 0:
        return np.zeros(0, np.int32)
    rank = asking if ranks is None else ranks[asking]
    clipped = spare if most_spare is None else spare.clip(max=most_spare)
    first = np.lexsort((asking, spare, rank, clipped))[0]
    options = problem.options_of(int(asking[first]))
    return options[alive[options]]
