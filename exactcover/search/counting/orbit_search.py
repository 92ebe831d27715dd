"""A count of all solutions that lists only the solutions with one image per orbit of a pivot.

A symmetry takes the solutions with one image of the pivot to those with another image in its orbit,
so there are equally many of both. So the weight of each solution found is the size of the orbit of
its image, and nothing is searched below the other images.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Report, Search
from exactcover.errors import CapabilityError
from exactcover.search.planned import PlannedSearch
from exactcover.search.subject import Subject
from exactcover.search.unique import SearchWrapper

MOST_MOVED = 1 << 20
"""Limit on motions times images. Above it, finding the symmetries takes seconds, so every solution
is listed."""


def by_orbits(subject: Subject) -> Subject | None:
    """The subject with all its symmetries; None if counting by orbits would save no time."""
    model = subject.model
    if model is None or subject.counted != "all":
        return None
    if not symmetries_are_soon_found(subject):
        return None
    return subject.counting("reflections")


def symmetries_are_soon_found(subject: Subject) -> bool:
    """Whether finding the symmetries of a subject takes less than seconds."""
    if subject.model is None:
        return True
    motions = len(subject.model.puzzle.lattice.group.proper)
    return motions * subject.problem.n_options <= MOST_MOVED


class OrbitSearch(PlannedSearch):
    """The count of all solutions, by a strategy whose `redundancy` has a pivot.

    The subject comes from `by_orbits`. If no pivot helps, all solutions are listed.
    """

    def _begin(self, *, tally: bool) -> Search:
        """Start the search of the options that the plan leaves, without the canonical test."""
        self.plan = replace(self.plan, canonical=None)
        pivot, search = self.plan.pivot, self._start(tally=tally)
        if pivot is None:
            return search
        weights = np.zeros(self.plan.problem.n_options, np.int64)
        weights[pivot.kept] = pivot.sizes
        return WeightedSearch(search, weights)

    def _symmetric(self, report: Report) -> Mapping[str, int]:
        """Nothing: all solutions count."""
        return {}


class WeightedSearch(SearchWrapper):
    """A search that counts each solution with the sum of the weights of its options."""

    def __init__(self, search: Search, weights: npt.NDArray[np.int64]) -> None:
        super().__init__(search)
        self._weights = weights

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on for about `steps` choices, see `Search.advance`."""
        if keep:
            raise CapabilityError("what is only counted cannot be listed: `solve` lists solutions")
        batch = self._search.advance(steps, capacity=capacity, keep=True)
        self.found += int(self._weights[batch.options].sum())
        return Batch.of(batch.status)
