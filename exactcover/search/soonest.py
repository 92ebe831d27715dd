"""The first solution of a small plain problem: a batch of one set, without given options.

Such a problem is searched in a tenth of a millisecond. A strategy, its plan and a search that can
be watched and stopped take several times as long to make, and the caller of `first` sees none.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.search.driver import Pace
from exactcover.search.givens import NOTHING, AllSets

STEPS = 1 << 12
"""The choices of the first slice."""

MOST = 1 << 20
"""The choices after which it is given up: a second or two."""


@dataclass(frozen=True)
class Soon:
    """What a short search came to.

    done     whether it found a solution, or that there is none
    options  of the solution, ascending; None: there is none, or it was given up
    """

    done: bool
    options: tuple[int, ...] | None = None


def soonest(problem: Problem, time_limit: float | None) -> Soon:
    """A short search for one solution.

    The tables of `planes` must be able to hold the problem. Raises `LimitReached` if the time limit
    comes first.
    """
    began = perf_counter()
    search = AllSets(problem, 1, np.zeros(2, np.int64), np.zeros(0, np.int64))
    found, pace, part, spent = np.zeros(1, np.int64), Pace(STEPS), NOTHING, 0
    while not part.done:
        if spent > MOST:
            return Soon(done=False)
        before = perf_counter()
        if time_limit is not None and before - began >= time_limit:
            raise LimitReached(0, time_limit)
        part = search.advance(pace.steps, found, part)
        spent += pace.steps
        pace.learn(perf_counter() - before)
    return Soon(done=True, options=tuple(part.options.tolist()) if found[0] else None)
