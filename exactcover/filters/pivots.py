"""Pivots: choices that every solution makes in exactly one way, with their symmetries.

Every solution has one image of a piece that occurs once, and one image on a cell that must be
filled. The symmetries that keep this piece, or this cell, take its images to each other. So it is
enough to look for the solutions with one image per orbit: each solution has a symmetric copy among
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from exactcover.patience import patiently
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pivot:
    """The options of one piece or one cell, up to symmetry.

    kind     whether `number` is that of a shape or that of a cell of the layout
    options  all options of this piece or cell, ascending
    kept     the first option of each orbit
    sizes    the size of each orbit
    left     how many symmetries fix an option of each orbit; 1: only the identity
    """

    kind: Literal["piece", "cell"]
    number: int
    options: Long
    kept: Long
    sizes: Long
    left: npt.NDArray[np.float64]

    @classmethod
    def of(
        cls,
        kind: Literal["piece", "cell"],
        number: int,
        options: npt.NDArray[np.integer],
        permutations: IntArray,
    ) -> Pivot:
        """The orbits under those symmetries that take these options to each other.

        permutations  int32 [s, options]: a group of symmetries
        """
        inside = np.zeros(permutations.shape[1], bool)
        inside[options] = True
        moved = permutations[:, options]
        first = moved[inside[moved].all(axis=1)].min(axis=0)
        kept, sizes = np.unique(first, return_counts=True)
        left = len(permutations) / sizes
        return cls(kind, number, options.astype(np.int64), kept.astype(np.int64), sizes, left)

    @property
    def helps(self) -> bool:
        """Whether a symmetry takes one of the options to another."""
        return self.kept.size < self.options.size


def single_shapes(layout: Layout) -> IntArray:
    """The shapes with exactly one copy in every solution."""
    return np.flatnonzero((layout.copies == 1).all(axis=1)).astype(np.int32)


def piece_pivots(layout: Layout, permutations: IntArray) -> Iterator[Pivot]:
    """The pieces that occur once and have images."""
    for shape in patiently(single_shapes(layout).tolist()):
        options = np.flatnonzero(layout.option_shape == shape)
        if options.size:
            yield Pivot.of("piece", shape, options, permutations)


def cell_pivots(problem: Problem, layout: Layout, permutations: IntArray) -> Iterator[Pivot]:
    """The cells that must be filled and that some symmetry keeps while it moves their images."""
    once = np.zeros(problem.n_items, bool)
    once[: problem.primary] = (problem.low == 1) & (problem.high == 1)
    for cell in patiently(np.flatnonzero(once[layout.cell_item]).tolist()):
        pivot = Pivot.of(
            "cell", cell, problem.options_of(int(layout.cell_item[cell])), permutations
        )
        if pivot.helps:
            yield pivot
