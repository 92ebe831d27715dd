"""The first solution of a small plain problem: a batch of one set, without options given.

Such a problem is searched in a tenth of a millisecond. A strategy, its plan and a search that can
be watched and stopped take several times as long to make, and the caller of `first` sees none.
"""

from __future__ import annotations

import numpy as np

from exactcover.problem import Problem
from exactcover.search.driver import Clock, Pace
from exactcover.search.givens import NOTHING, AllSets

STEPS = 1 << 12
"""The choices of the first slice."""


def soonest(problem: Problem, clock: Clock) -> tuple[int, ...] | None:
    """The options of one solution, ascending, or None if there is none.

    None, too, if the clock is over before: its work is not done then. The tables of `planes` must
    be able to hold the problem.
    """
    found, pace, part = np.zeros(1, np.int64), Pace(STEPS), NOTHING
    search = None
    while not (part.done or clock.over):
        before = clock.seconds
        with clock.running():
            search = search or AllSets(problem, 1, np.zeros(2, np.int64), np.zeros(0, np.int64))
            part = search.advance(pace.steps, found, part)
        pace.learn(clock.seconds - before)
    return tuple(part.options.tolist()) if found[0] else None
