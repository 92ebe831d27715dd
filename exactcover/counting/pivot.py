"""One count as a few smaller ones: where the images of a piece lie up to symmetry.

A symmetry takes the solutions with one image of a piece to the solutions with another, so there are
as many of both. Where a piece is placed just once, as every solution has one image of it, it is
enough to count below one image of each orbit. Images in orbits of the same size are left together,
and what is counted with them counts so many times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem

Long = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Share:
    """A problem whose solutions count towards a sum, each so often."""

    problem: Problem
    layout: Layout | None
    times: int


@dataclass(frozen=True, eq=False)
class Pivot:
    """The options of an item that is covered once, up to symmetry.

    options  of the item
    kept     those that are the first of their orbit
    sizes    how large the orbits of these are
    """

    options: Long
    kept: Long
    sizes: Long

    @classmethod
    def of(cls, problem: Problem, item: int, permutations: IntArray) -> Pivot:
        """The orbits under those symmetries that take the item to itself."""
        owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        options = owner[problem.entries == item]
        covered = np.zeros(problem.n_options, bool)
        covered[options] = True
        moved = permutations[:, options]
        first = moved[covered[moved].all(axis=1)].min(axis=0)
        kept, sizes = np.unique(first, return_counts=True)
        return cls(options, kept.astype(np.int64), sizes)


def split(problem: Problem, layout: Layout | None, permutations: IntArray) -> Iterator[Share]:
    """Problems whose solutions, each so many times, are as many as those of the whole.

    permutations  int32 [s, options]: a group of symmetries
    """
    pivots = [Pivot.of(problem, item, permutations) for item in _placed_once(problem, layout)]
    pivots = [one for one in pivots if one.kept.size < one.options.size]
    if not pivots:
        yield Share(problem, layout, 1)
        return
    pivot = min(pivots, key=lambda one: one.kept.size)
    for size in np.unique(pivot.sizes).tolist():
        there = np.ones(problem.n_options, bool)
        there[pivot.options] = False
        there[pivot.kept[pivot.sizes == size]] = True
        options = np.flatnonzero(there)
        below = None
        if layout is not None:
            below = replace(layout, option_shape=layout.option_shape[options])
        yield Share(problem.restricted(options), below, size)


def _placed_once(problem: Problem, layout: Layout | None) -> list[int]:
    """The items of pieces that every solution has once."""
    if layout is None:
        return []
    once = (problem.low == 1) & (problem.high == 1)
    items = layout.shape_item[layout.shape_item >= 0].tolist()
    return [item for item in items if item < problem.primary and once[item]]
