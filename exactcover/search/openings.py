"""The engines of a plan, made ready once for searches of many of its subtrees."""

from __future__ import annotations

from dataclasses import replace

from exactcover.backends.base import CuttingSearch, Task
from exactcover.problem.layout import pieces_left
from exactcover.search.plan import Plan, PlanOpening, opening_of_plan
from exactcover.search.stages import stages_from
from exactcover.search.strategy import Strategy


class Openings:
    """Starts searches of subtrees of a plan. Each thread needs its own.

    Stages above a subtree are dropped: their engines would only hand it over. So are filters at
    every step that end above it.
    """

    def __init__(self, plan: Plan, strategy: Strategy) -> None:
        self._plan = plan
        self.pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
        self._strategy = stages_from(strategy, self.pieces)
        self._strategies: dict[int, Strategy] = {}
        self._ready: dict[Strategy, PlanOpening] = {}

    def start(self, task: Task, left: int | None = None) -> CuttingSearch:
        """A search of a subtree.

        left  the pieces left there; None: it is the whole tree
        """
        strategy = self._strategy
        if left is not None:
            if left not in self._strategies:
                self._strategies[left] = _below(self._strategy, left)
            strategy = self._strategies[left]
        if strategy not in self._ready:
            parted = strategy.stages[0].backend == self._strategy.stages[0].backend
            self._ready[strategy] = opening_of_plan(self._plan, strategy, parted=parted)
        return self._ready[strategy].start(task)


def _below(strategy: Strategy, left: int) -> Strategy:
    """What a strategy does below a state with this many pieces left."""
    over = {one for one in strategy.stepwise if one.down_to is not None and left < one.down_to}
    filters = tuple(one for one in strategy.filters if one not in over)
    return replace(stages_from(strategy, left), filters=filters)
