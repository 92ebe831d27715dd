"""One count split into smaller ones: below one image per orbit of a piece that occurs once.

A symmetry takes the solutions with one image of the piece to the solutions with another, so there
are equally many of both. It is enough to count below one image of each orbit and to multiply by the
size of the orbit. Images in orbits of the same size are counted together, as one part of the whole.

Each part repeats most of the states, so a piece whose orbits are all of one size is better than one
with half as many of two sizes: `PT12_spread` has 2.1 million states instead of 4.7. With a quarter
as many the two sizes are better, as in the rectangle of 15 by 6 of one-sided pentominoes.

Cells could be pivots as well, but the parts then have more states: 1.5 to 1.8 times those of the
whole, measured on polyominoes in boxes of 45 to 90 cells. A sweep reaches the cell late, and each
part repeats all states before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.redundancy import Pivot, piece_pivots
from exactcover.problem.layout import Layout

PART = 1.5
"""The power of the number of parts that states grow with, where orbits are equally many."""


@dataclass(frozen=True, eq=False)
class Share:
    """A problem whose solutions count towards a sum, each `times` times.

    parts  how many shares, this one among them, are parts of the whole problem; 0: it is none
    """

    problem: Problem
    layout: Layout | None
    times: int
    parts: int = 0


def split(problem: Problem, layout: Layout | None, permutations: IntArray) -> Iterator[Share]:
    """Problems whose numbers of solutions, each multiplied by `times`, add up to that of the whole.

    permutations  int32 [s, options]: a group of symmetries
    """
    pivot = None if layout is None else _pivot(layout, permutations)
    if layout is None or pivot is None:
        yield Share(problem, layout, 1)
        return
    for size in np.unique(pivot.sizes).tolist():
        there = np.ones(problem.n_options, bool)
        there[pivot.options] = False
        there[pivot.kept[pivot.sizes == size]] = True
        options = np.flatnonzero(there)
        below = replace(layout, option_shape=layout.option_shape[options])
        yield Share(problem.restricted(options), below, size)


def _pivot(layout: Layout, permutations: IntArray) -> Pivot | None:
    """The piece with few orbits, of few sizes, if a symmetry moves its images."""
    pivots = (pivot for pivot in piece_pivots(layout, permutations) if pivot.helps)
    return min(pivots, key=_cost, default=None)


def _cost(pivot: Pivot) -> float:
    """How many states the parts have, on a scale of its own: `PART` is fitted."""
    return float(pivot.kept.size * np.unique(pivot.sizes).size ** PART)
