"""The engines of a plan, made ready once for searches of many of its subtrees."""

from __future__ import annotations

from dataclasses import replace

from exactcover.backends.base import CuttingSearch, Task
from exactcover.backends.kinds import Opening
from exactcover.backends.tasks import cutting
from exactcover.problem.layout import pieces_left
from exactcover.search.plan import Plan, plan_engine, plan_task
from exactcover.search.stages import stages_from
from exactcover.search.strategy import Strategy


class Openings:
    """Starts searches of subtrees of a plan. Each thread needs its own.

    Stages above a subtree are dropped: their engines would only hand it over. So are filters at
    every step that end above it.

    tally   whether its searches count the options tried by the number of pieces left
    pieces  left at the root

    Starting a search raises `CapabilityError` if a backend of the stages cannot be cut.
    """

    def __init__(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> None:
        self._plan, self._tally = plan, tally
        self.pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
        self._strategy = stages_from(strategy, self.pieces)
        self._strategies: dict[int, Strategy] = {}
        self._ready: dict[Strategy, tuple[Task, Opening[CuttingSearch]]] = {}

    def start(self, task: Task, left: int | None = None) -> CuttingSearch:
        """A search of a subtree, which may be written down as its options alone, with a cut.

        left  the pieces left there; None: it is the whole tree
        """
        strategy = self._strategy
        if left is not None:
            if left not in self._strategies:
                self._strategies[left] = _below(self._strategy, left)
            strategy = self._strategies[left]
        if strategy not in self._ready:
            self._ready[strategy] = self._opening(strategy)
        whole, opening = self._ready[strategy]
        if task.allowed is None:
            return opening.start(replace(whole, cut=task.cut, tally=self._tally))
        return opening.start(replace(task, watch=whole.watch, tally=self._tally))

    def _opening(self, strategy: Strategy) -> tuple[Task, Opening[CuttingSearch]]:
        """The task of the whole plan, and its engines made ready for it."""
        plan = self._plan
        engine = cutting(plan_engine(plan, strategy))
        parted = strategy.stages[0].backend == self._strategy.stages[0].backend
        whole = replace(plan_task(engine, plan), parted=parted)
        return whole, engine.opening(plan.problem, plan.subject.layout, whole)


def _below(strategy: Strategy, left: int) -> Strategy:
    """The part of a strategy below a state with this many pieces left."""
    over = {one for one in strategy.stepwise if one.down_to is not None and left < one.down_to}
    filters = tuple(one for one in strategy.filters if one not in over)
    return replace(stages_from(strategy, left), filters=filters)
