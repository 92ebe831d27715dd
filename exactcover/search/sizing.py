"""How large a search is, by a few of its subtrees: quick and rough.

The progress of a search may be ten times too small or too large after its first tenth of a second,
because it counts sibling branches equally. A few subtrees drawn from all parts of the tree say how
many choices the whole takes. That costs some hundredths of a second, so it is worth doing where a
choice depends on it. `weighing` is more exact, and takes longer.
"""

from __future__ import annotations

from random import Random
from statistics import fmean
from time import perf_counter

from exactcover.backends.base import Status
from exactcover.backends.kinds import CuttingBackend
from exactcover.search.plan import Plan
from exactcover.search.sampled import Level, Steps, spread
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy

DRAWS = 32
"""The subtrees that are searched."""

MOST = 1 << 15
"""The choices of one subtree; of a longer one the rest is estimated."""

SLICE = 0.01
"""The seconds of a moment, between two looks at whether the search is to stop."""

LEAST = 0.02
"""The least progress that a subtree is taken to have made when it is not finished."""


class Sizing:
    """The size of the search of a plan, found in slices with searches of its own.

    choices   what the search is thought to take

    found     its choices by the subtrees so far; None before the first one, and if it cannot be cut
    subtrees  how many were searched
    """

    def __init__(self, plan: Plan, strategy: Strategy, choices: float) -> None:
        self.found: float | None = None
        self.subtrees = 0
        self._plan, self._strategy, self.choices = plan, strategy, choices
        self._steps = self._work()

    def advance(self) -> bool:
        """Go on for a moment; return whether there is more to do."""
        end = perf_counter() + SLICE
        return any(perf_counter() >= end for _ in self._steps)

    def _work(self) -> Steps:
        if not isinstance(engine_of(self._strategy, self._plan.subject.layout), CuttingBackend):
            return
        level = Level(
            self._plan, self._strategy, choices=self.choices, draws=DRAWS, random=Random(0)
        )
        yield from level.work()
        sizes = []
        for number in spread(len(level.drawn)):
            drawn = level.drawn[number]
            search = level.openings.start(drawn.task, drawn.left)
            done = search.advance(MOST, keep=False).status is Status.DONE
            share = 1.0 if done else max(search.progress(), LEAST)
            sizes.append(drawn.weight * (search.fits + search.nofits) / share)
            self.found, self.subtrees = level.above + level.states * fmean(sizes), len(sizes)
            yield
