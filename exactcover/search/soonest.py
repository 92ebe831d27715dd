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


class Soonest:
    """A short search for one solution.

    The tables of `planes` must be able to hold the problem.
    """

    def __init__(self, problem: Problem) -> None:
        self._search = AllSets(problem, 1, np.zeros(2, np.int64), np.zeros(0, np.int64))
        self._found, self._part, self._left = np.zeros(1, np.int64), NOTHING, MOST

    def advance(self, steps: int) -> Soon | None:
        """Make at most this number of choices; None: it is not over."""
        steps = min(steps, self._left)
        self._part = self._search.advance(steps, self._found, self._part)
        self._left -= steps
        if self._part.done:
            return Soon(True, tuple(self._part.options.tolist()) if self._found[0] else None)
        return None if self._left else Soon(done=False)


def soonest(problem: Problem, time_limit: float | None) -> Soon:
    """The result of a short search; raises `LimitReached` if the time limit comes first."""
    began = perf_counter()
    search, pace = Soonest(problem), Pace(STEPS)
    while True:
        before = perf_counter()
        if time_limit is not None and before - began >= time_limit:
            raise LimitReached(0, time_limit)
        if (soon := search.advance(pace.steps)) is not None:
            return soon
        pace.learn(perf_counter() - before)
