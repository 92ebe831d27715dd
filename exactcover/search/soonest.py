"""The first solution of a small plain problem: a batch of one set, without given options.

Such a problem is searched in a tenth of a millisecond. A strategy, its plan and a search that can
be watched and stopped take several times as long to make, and the caller of `first` sees none.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.search.driver import Pace
from exactcover.search.givens import NOTHING, AllSets

STEPS = 1 << 12
"""The choices of the first slice."""


def soonest(problem: Problem, time_limit: float | None) -> tuple[int, ...] | None:
    """The options of one solution, ascending, or None if there is none.

    The tables of `planes` must be able to hold the problem. Raises `LimitReached` if the time limit
    comes first.
    """
    began = perf_counter()
    search = AllSets(problem, 1, np.zeros(2, np.int64), np.zeros(0, np.int64))
    found, pace, part = np.zeros(1, np.int64), Pace(STEPS), NOTHING
    while not part.done:
        before = perf_counter()
        if time_limit is not None and before - began >= time_limit:
            raise LimitReached(0, time_limit)
        part = search.advance(pace.steps, found, part)
        pace.learn(perf_counter() - before)
    return tuple(part.options.tolist()) if found[0] else None
