"""A count of all solutions that lists only the solutions with one image per orbit of a pivot.

A symmetry takes the solutions with one image of the pivot to those with another image in its orbit,
so there are equally many of both. So the weight of each solution found is the size of the orbit of
its image, and nothing is searched below the other images.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Search
from exactcover.search.plan import Plan
from exactcover.search.planned import Judge, Judgement, PlannedSearch
from exactcover.search.subject import Subject

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

    grouped = False

    def _begin(self, *, tally: bool) -> tuple[Search, Judge | None]:
        """Start the search of the options that the plan leaves, without the canonical test."""
        self.plan = replace(self.plan, canonical=None)
        return super()._begin(tally=tally)[0], Weights.of(self.plan)


@dataclass(frozen=True, eq=False)
class Weights:
    """Counts each solution with the weight of its image of the pivot, and keeps none.

    of_option  int64 [options]: the size of the orbit; 0: no image of the pivot
    """

    of_option: npt.NDArray[np.int64]

    @classmethod
    def of(cls, plan: Plan) -> Weights | None:
        """Those of the pivot of a plan; None: there is no pivot, so each solution counts once."""
        if plan.pivot is None:
            return None
        weights = np.zeros(plan.problem.n_options, np.int64)
        weights[plan.pivot.kept] = plan.pivot.sizes
        return cls(weights)

    def __call__(self, batch: Batch) -> Judgement:
        """The sum of the weights of the solutions of a batch."""
        found = int(self.of_option[batch.options].sum())
        return Judgement(np.zeros(0, np.int64), found, Counter())
