"""Counts solutions in the quickest way that fits: without listing them, or by listing them.

An engine that keeps states counts what no one could list, if its states fit the memory. That turns
out on the way, so a count for which no strategy is named has other ways to fall back on.

Where solutions that symmetries take to each other count once, there are two ways without listing.
If constraining one piece leaves no symmetric copies, what is left is counted. If it does, it is
counted what each symmetry fixes, after Burnside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from exactcover.backends import backends, get_backend
from exactcover.backends.base import CuttingSearch, Search, Task
from exactcover.counting.burnside import UniqueSearch
from exactcover.counting.engines import counting_search, counts_only
from exactcover.errors import CapabilityError, LimitReached, StrategyError, TooLarge
from exactcover.layout import Layout
from exactcover.plan import MANY_IMAGES, Applied, Plan, make_plan
from exactcover.problem import IntArray, Problem
from exactcover.puzzle import Model
from exactcover.solver import Result, Solution, Solving, Subject, problem_of
from exactcover.strategy import Filter, Stage, Strategy

UNSYMMETRIC = ("redundancy", "reduce")
"""Filters that may take away an option and leave one that a symmetry takes it to."""


class Counting:
    """A count under way, with the interface of `Solving`: `step`, `stop`, `result`.

    strategy  how to count; a stage of an engine that counts lists nothing. None: the first of the
              ways for such a subject that fits
    """

    def __init__(
        self,
        subject: Subject,
        *,
        counted: str = "all",
        strategy: Strategy | str | None = None,
        time_limit: float | None = None,
        tally: bool = False,
    ) -> None:
        self._subject, self._counted = subject, counted
        self._time_limit, self._tally = time_limit, tally
        self._passed_over: tuple[Applied, ...] = ()
        self._seconds = 0.0
        if strategy is None:
            problem, model = problem_of(subject)
            self._subject = subject if model is not None else problem
            self._ways: list[Strategy | None] = [*ways(problem, model, counted), None]
        else:
            self._ways = [Strategy.parse(strategy) if isinstance(strategy, str) else strategy]
        self._way = self._next_way()

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; whether there is more to do."""
        try:
            return self._way.step()
        except (TooLarge, CapabilityError) as error:
            if not self._ways:
                raise
            so_far = self._way.result
            note = f"passed over: {error}"
            record = Applied(str(so_far.strategy), 0, 0, so_far.seconds, note)
            self._passed_over = (*self._passed_over, record)
            self._seconds += so_far.seconds
            self._way = self._next_way()
            return True

    def run(self) -> Result:
        """Count to the end, and say what came of it."""
        while self.step():
            pass
        return self.result

    def stop(self) -> None:
        """End the count after the step that it is in."""
        self._way.stop()

    @property
    def found(self) -> int:
        """Solutions counted so far."""
        return self._way.found

    @property
    def progress(self) -> float:
        """How much is behind it, 0 to 1."""
        return self._way.progress

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """Where in the tree it is, level by level; nothing where it goes through no tree."""
        return self._way.position

    @property
    def result(self) -> Result:
        """How far it has come, and what was passed over on the way."""
        result = self._way.result
        return replace(
            result,
            seconds=result.seconds + self._seconds,
            applied=(*self._passed_over, *result.applied),
        )

    def _next_way(self) -> Solving:
        strategy = self._ways.pop(0)
        lists = strategy is None or not _counts_only(strategy)
        return (Solving if lists else EngineCount)(
            self._subject,
            counted=self._counted,
            strategy=strategy,
            time_limit=self._time_limit,
            tally=self._tally and lists,
        )


def ways(problem: Problem, model: Model | None, counted: str) -> tuple[Strategy, ...]:
    """The ways of counting to be tried before solutions are listed."""
    name, heuristic = ("memo", "f") if model is None else ("automaton", "narrow")
    if get_backend(name).capabilities.missing(problem) or problem.n_options > MANY_IMAGES:
        return ()
    filters = (Filter("redundancy"),) if model is not None and counted != "all" else ()
    settings = (("patience", ""),) if model is None else ()
    return (Strategy((Stage(name, heuristic, None, settings),), filters),)


def count(
    subject: Subject,
    *,
    counted: str = "all",
    strategy: Strategy | str | None = None,
    time_limit: float | None = None,
) -> int:
    """How many solutions there are; raises `LimitReached` if the time does not suffice."""
    result = Counting(subject, counted=counted, strategy=strategy, time_limit=time_limit).run()
    if result.status == "limit":
        raise LimitReached(result.solutions)
    return result.solutions


class EngineCount(Solving):
    """A count by an engine that lists nothing."""

    def _begin(self) -> None:
        """Apply the filters and start the count of what they leave."""
        permutations = None
        if self.model is not None and self.counted != "all":
            permutations = self.model.symmetries.selected(self.counted)
        plan = make_plan(self.problem, self.model, self.strategy, permutations)
        self._plan = replace(plan, canonical=None)
        if plan.reason:
            return
        engine = Engine(self.strategy.stages[0])
        if plan.canonical is None or permutations is None:
            layout = self.model.layout if self.model is not None else None
            search = engine.below(plan.problem, layout, Task(plan.forced, plan.alive))
        else:
            search = _unique(plan, self.strategy, permutations, engine)
        self._search = cast("CuttingSearch", search)

    def __next__(self) -> Solution:
        raise CapabilityError("what is only counted cannot be listed: `solve` lists solutions")

    @property
    def result(self) -> Result:
        """How far it has come; which symmetries the solutions have is not known."""
        return replace(super().result, symmetric={})


@dataclass(frozen=True)
class Engine:
    """What starts a count as a stage says."""

    stage: Stage

    def __call__(self, problem: Problem, layout: Layout | None) -> Search:
        """The count of all solutions."""
        return self.below(problem, layout, Task())

    def below(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """The count of those below a task."""
        told = dict(self.stage.settings)
        task = replace(task, heuristic=self.stage.heuristic, settings=told)
        return counting_search(get_backend(self.stage.backend), problem, layout, task)


def _counts_only(strategy: Strategy) -> bool:
    """Whether a strategy names an engine that lists nothing; then it must be all that it names."""
    names = [stage.backend for stage in strategy.stages]
    if len(names) > 1 or strategy.stepwise or strategy.triggers:
        silent = [name for name in names if not get_backend(name).capabilities.lists_solutions]
        if silent:
            able = [name for name, one in backends().items() if one.capabilities.lists_solutions]
            raise StrategyError(
                f"{strategy}: {silent[0]} counts the whole, in one stage, with filters before the "
                f"search only; for stages and filters at every step there are {', '.join(able)}"
            )
        return False
    return counts_only(get_backend(names[0]))


def _unique(plan: Plan, strategy: Strategy, permutations: IntArray, engine: Engine) -> UniqueSearch:
    """The count of what each symmetry fixes, of the options that symmetric filters leave."""
    assert plan.model is not None
    if any(one.name == "reduce" for one in strategy.filters):
        raise StrategyError(
            f"{strategy}: reduce does not keep the symmetry by which solutions are counted once; "
            "leave it out, or count --all"
        )
    kept = tuple(one for one in strategy.filters if one.name not in UNSYMMETRIC)
    alive = make_plan(plan.problem, plan.model, replace(strategy, filters=kept), permutations).alive
    # An option may go where one that a symmetry takes to it may: neither is in any solution.
    options = np.flatnonzero(alive[permutations].all(axis=0))
    number = np.full(alive.size, -1, np.int32)
    number[options] = np.arange(options.size)
    layout = plan.model.layout
    return UniqueSearch(
        plan.problem.restricted(options),
        replace(layout, option_shape=layout.option_shape[options]),
        number[permutations[:, options]],
        engine,
    )
