"""A count of all solutions that lists only the solutions with one image per orbit of a pivot.

A symmetry takes the solutions with one image of the pivot to those with another image in its orbit,
so there are equally many of both. So the weight of each solution found is the size of the orbit of
its image, and nothing is searched below the other images.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Search
from exactcover.search.plan import Plan
from exactcover.search.planned import Judge, Judgement, Team, alone
from exactcover.search.strategy import Strategy
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


def start_by_orbits(
    plan: Plan, strategy: Strategy, *, tally: bool, team: Team | None
) -> tuple[Search, Judge | None]:
    """Start the count of all solutions, by a strategy whose `redundancy` has a pivot.

    The subject comes from `by_orbits`. If no pivot helps, all solutions are listed.
    """
    plan = replace(plan, canonical=None)
    search = (alone if team is None else team.start)(plan, strategy, tally=tally)
    if plan.pivot is None:
        return search, None
    weights = np.zeros(plan.problem.n_options, np.int64)
    weights[plan.pivot.kept] = plan.pivot.sizes
    return search, partial(_by_weight, weights)


def _by_weight(weights: npt.NDArray[np.int64], batch: Batch) -> Judgement:
    """Counts each solution with the size of the orbit of its image of the pivot, and keeps none."""
    return np.zeros(0, np.int64), int(weights[batch.options].sum()), Counter()
