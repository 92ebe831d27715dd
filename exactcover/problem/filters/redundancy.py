"""One of the symmetric copies of each solution: the redundancy filter, and the canonical test.

A pivot is a piece that occurs once, or a cell that must be filled: every solution has exactly one
placement of it. The symmetries that keep the pivot take these placements to each other, so keeping
one per orbit keeps at least one of the symmetric copies of every solution. Duplicates remain, from
placements that a symmetry fixes, or from symmetries that take the pivot elsewhere.

The canonical test removes them. The copies of a solution are its images under the symmetries. The
search can find the copies whose options the filter allows. The copy with the least list of options
among them is kept. So nothing is stored, every class of solutions is kept once with every filter,
and the symmetries that fix a solution are counted on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.tree import Flags
from exactcover.problem.layout import Layout

# -- the redundancy filter -------------------------------------------------------------------------

Long = npt.NDArray[np.int64]

GROWTH = 5
"""The size of the tree below a placement is about this power of the placements that fit beside
it."""

CLEARLY = 2
"""A tree counts as smaller if its estimate is this many times smaller."""

MANY_CELLS = 2_000
"""With more cells than this, cells are tried as pivots only if no piece can be one."""


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


def piece_pivots(
    layout: Layout, permutations: IntArray, shape: int | None = None
) -> Iterator[Pivot]:
    """The pieces that occur once and have placements, or the piece of a shape alone."""
    single = np.flatnonzero((layout.copies == 1).all(axis=1)).tolist()
    for number in single if shape is None else [shape]:
        options = np.flatnonzero(layout.option_shape == number)
        if options.size:
            yield Pivot.of("piece", number, options, permutations)


def cell_pivots(problem: Problem, layout: Layout, permutations: IntArray) -> Iterator[Pivot]:
    """The cells that must be filled and that some symmetry keeps while it moves their
    placements."""
    once = np.zeros(problem.n_items, bool)
    once[: problem.primary] = (problem.low == 1) & (problem.high == 1)
    for cell in patiently(np.flatnonzero(once[layout.cell_item]).tolist()):
        pivot = Pivot.of(
            "cell", cell, problem.options_of(int(layout.cell_item[cell])), permutations
        )
        if pivot.helps:
            yield pivot


# -- constraints ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Constraint:
    """One piece or cell, constrained to one placement per orbit.

    pivot    the piece or the cell
    placements  those of it that are left
    allowed     bool [options]: all options except the placements removed
    left        how many symmetries fix a placement, on average; 1: only the identity
    """

    pivot: Pivot
    placements: npt.NDArray[np.int64]
    allowed: Flags
    left: float

    @classmethod
    def to(cls, pivot: Pivot, n_options: int, alive: Flags | None = None) -> Constraint:
        """Keep the first placement of each orbit, if it is alive: not filtered out before."""
        here = np.ones(pivot.kept.size, bool) if alive is None else alive[pivot.kept]
        images = pivot.kept[here]
        allowed = np.ones(n_options, bool)
        allowed[pivot.options] = False
        allowed[images] = True
        unbroken = pivot.left[here] if here.any() else pivot.left
        return cls(pivot, images, allowed, float(unbroken.mean()))

    @property
    def breaks_all(self) -> bool:
        """Whether no symmetric copy of a solution is left."""
        return self.left == 1.0

    @property
    def rank(self) -> tuple[float, int]:
        """Fewest unbroken symmetries first, then fewest placements."""
        return round(self.left, 9), self.placements.size


def least(pivots: Iterable[Pivot], n_options: int, alive: Flags | None = None) -> Constraint | None:
    """The constraint of the pivot with the least rank; None: no pivot.

    alive  bool [options]: those not filtered out before
    """
    found = (Constraint.to(pivot, n_options, alive) for pivot in patiently(pivots))
    return min(found, key=attrgetter("rank"), default=None)


def choose(layout: Layout, permutations: IntArray) -> Constraint | None:
    """The piece whose constraint leaves the fewest symmetries, then the fewest placements; None: no
    piece."""
    if len(permutations) == 1:
        return None
    return least(piece_pivots(layout, permutations), permutations.shape[1])


def choose_by_room(problem: Problem, layout: Layout, permutations: IntArray) -> Constraint | None:
    """The pivot whose constraint leaves clearly the smallest tree, by estimate; else the usual one.

    The usual one is the piece that `choose` takes, or the cell of least rank if no piece occurs
    once. Below each placement of the pivot is a tree, which is smaller if fewer placements
    fit beside it. So it is best to place a large or awkward piece first, as M. Busche later found,
    too. The sizes of the trees of the Tetris Cube are about the fifth power of that number, for
    each of its pieces. The symmetries that are left do not matter: symmetric copies are a small
    part of the search. Pivots with more than four times the fewest placements are left out.
    """
    if len(permutations) == 1:
        return None
    usual, n_options = choose(layout, permutations), problem.n_options
    cell = None
    if usual is None or layout.n_cells <= MANY_CELLS:
        cell = least(cell_pivots(problem, layout, permutations), n_options)
    if usual is None:
        return cell
    pieces = patiently(piece_pivots(layout, permutations))
    found = [Constraint.to(pivot, n_options) for pivot in pieces]
    if cell is not None:
        found.append(cell)
    fewest = min(made.placements.size for made in found)
    best = min(
        (made for made in found if made.placements.size <= 4 * fewest),
        key=lambda made: _work(problem, made),
    )
    return best if CLEARLY * _work(problem, best) < _work(problem, usual) else usual


def _work(problem: Problem, made: Constraint) -> float:
    """An estimate of the tree below all placements of a constraint, in no particular unit."""
    fit = 0
    for option in patiently(made.placements.tolist()):
        free = np.ones(problem.n_options, bool)
        for item in problem.items_of(option).tolist():
            free[problem.options_of(item)] = False
        fit += int(free.sum())
    return float(made.placements.size * (fit / made.placements.size) ** GROWTH)


# -- the canonical test ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Canonical:
    """The test for one search.

    permutations  int32 [s, options]: the symmetries, the identity first
    allowed       bool [options]: the options that the redundancy filter leaves
    """

    permutations: IntArray
    allowed: npt.NDArray[np.bool_]

    def fixing(self, starts: npt.NDArray[np.int64], options: IntArray) -> npt.NDArray[np.int32]:
        """For each solution, the number of symmetries that fix it, or 0 if another copy is kept.

        Solutions are compressed rows of ascending option numbers.
        """
        from exactcover.problem.filters.kernels import fixing

        out = np.empty(len(starts) - 1, np.int32)
        longest = int(np.diff(starts).max(initial=0))
        fixing(
            self.permutations, self.allowed, starts.astype(np.int64), options,
            np.empty(longest, np.int32), out,
        )  # fmt: skip
        return out
