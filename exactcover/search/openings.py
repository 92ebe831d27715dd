"""The engines of a plan, made ready once for searches of many of its subtrees."""

from __future__ import annotations

from exactcover.backends.base import CuttingSearch, Task
from exactcover.problem.layout import pieces_left
from exactcover.search.plan import Plan, PlanOpening, opening_of_plan
from exactcover.search.stages import stages_from
from exactcover.search.strategy import Stage, Strategy


class Openings:
    """Starts searches of subtrees of a plan. Each thread needs its own.

    Stages above a subtree are dropped: their engines would only hand it over.
    """

    def __init__(self, plan: Plan, strategy: Strategy) -> None:
        self._plan = plan
        self.pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
        self._strategy = stages_from(strategy, self.pieces)
        self._strategies: dict[int, Strategy] = {}
        self._ready: dict[tuple[Stage, ...], PlanOpening] = {}

    def start(self, task: Task, left: int | None = None) -> CuttingSearch:
        """A search of a subtree.

        left  the pieces left there; None: it is the whole tree
        """
        strategy = self._strategy
        if left is not None:
            strategy = self._strategies.setdefault(left, stages_from(self._strategy, left))
        stages = strategy.stages
        if stages not in self._ready:
            parted = stages[0].backend == self._strategy.stages[0].backend
            self._ready[stages] = opening_of_plan(self._plan, strategy, parted=parted)
        return self._ready[stages].start(task)
