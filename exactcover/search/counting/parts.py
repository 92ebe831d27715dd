"""Counting the parts of a plain problem that no option joins, and multiplying their numbers.

Each part is counted in its own best way: one may have few states, another only few solutions. Small
parts stay together, so that a problem of thousands of them does not begin thousands of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from exactcover.backends.arrays import Long
from exactcover.backends.base import Slice, Status, Where
from exactcover.errors import CapabilityError
from exactcover.problem import IntArray, Problem
from exactcover.search.begun import Begun

SMALL = 1 / 16
"""A part with a smaller share of the options is counted together with other small ones."""


class Product:
    """A count of parts, one after the other; it ends with the first that has no solution.

    begins  functions that begin the counts of the parts
    """

    def __init__(self, begins: Sequence[Callable[[], Begun]]) -> None:
        self._begins, self._at, self._many, self._here = begins, 0, 1, 0
        self._begun = begins[0]()

    @property
    def now(self) -> Begun:
        """The count at work, or the last one."""
        return self._begun

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`; it hands out no solutions, and finds all at its end."""
        if keep:
            raise CapabilityError("a count of parts hands out no solutions")
        made = self._begun.search.advance(steps, capacity=capacity, keep=False)
        done, self._here = made.status is Status.DONE, self._here + made.found
        made = Slice(Status.BUDGET, fits=made.fits, nofits=made.nofits)
        if done:
            self._many, self._here, self._at = self._many * self._here, 0, self._at + 1
            if self._many == 0 or self._at == len(self._begins):
                return replace(made, status=Status.DONE, found=self._many)
            self._begun = self._begins[self._at]()
        return made

    def where(self) -> Where:
        """Where the count at work is; each part is an equal share of the whole."""
        here, many = self._begun.search.where(), len(self._begins)
        done = min(1.0, (self._at + here.progress) / many)
        return replace(here, progress=done, chosen=())


def parts_of(problem: Problem) -> list[Problem]:
    """The parts of a problem, those with few options first; the small ones are one part."""
    options = np.flatnonzero(problem.choosable)
    starts, entries = problem.rows(options)
    items = problem.entries[entries]
    lacking = problem.low > np.bincount(items, minlength=problem.n_items)[: problem.primary]
    if not options.size or lacking.any():
        return [problem]
    label = _joined(problem.n_items, starts, items)[items[starts[:-1]]]
    _, number, sizes = np.unique(label, return_inverse=True, return_counts=True)
    large = sizes >= SMALL * options.size
    group = np.where(large, np.arange(sizes.size), sizes.size)[number]
    if len(numbers := np.unique(group)) == 1:
        return [problem]
    parts = [_part(problem, options[group == one]) for one in numbers.tolist()]
    return sorted(parts, key=lambda one: one.n_options)


def _joined(n_items: int, starts: Long, items: IntArray) -> Long:
    """The least item of the part of each item, from the items of options as compressed rows."""
    label = np.arange(n_items)
    while True:
        least = np.minimum.reduceat(label[items], starts[:-1])
        below = label.copy()
        np.minimum.at(below, items, np.repeat(least, np.diff(starts)))
        below = below[below]
        if np.array_equal(below, label):
            return label
        label = below


def _part(problem: Problem, options: Long) -> Problem:
    """The problem of these options, with the items that they have."""
    some = problem.restricted(options)
    items, entries = np.unique(some.entries, return_inverse=True)
    primary = items[items < problem.primary]
    return Problem.from_arrays(
        items.size,
        some.starts,
        entries,
        primary=primary.size,
        low=problem.low[primary],
        high=problem.high[primary],
        colours=some.colours,
    )
