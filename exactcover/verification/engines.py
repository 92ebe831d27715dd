"""An engine to be compared: a strategy on one problem, run on the whole of it or on a part.

What a filter took away counts as the engine's word that no solution has it: a part that fixes such
an option has no solution, says the engine, and another one may find that it has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

from exactcover.backends import get_backend, require
from exactcover.backends.base import Search, Status, Task
from exactcover.counting.engines import counts_only
from exactcover.errors import ProblemError, TimeUp
from exactcover.patience import within
from exactcover.problem import Problem
from exactcover.puzzle import Model
from exactcover.search.plan import Plan, automatic, make_plan, start_search
from exactcover.search.strategy import Strategy

AUTOMATIC = "auto"

SLICE = 0.02
FIRST_STEPS = 1 << 8
MOST_STEPS = 1 << 22
BATCH = 1 << 12
SOME = 1 << 10
"""So many solutions are kept at least, where more are found."""

Options = tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """What an engine found in a problem or a part of it.

    count      so many solutions
    solutions  which they are; None: not listed, or not kept
    finished   whether that is all of them
    some       the first of them, where the engine lists any
    """

    count: int
    solutions: frozenset[Options] | None
    finished: bool
    seconds: float
    duplicates: int = 0
    some: tuple[Options, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """How far an engine goes: seconds, choices, and solutions that are kept; None: no bound."""

    seconds: float | None = None
    choices: int | None = None
    kept: int = 0


class Engine:
    """A strategy, ready to search one problem or parts of it."""

    def __init__(self, name: str, problem: Problem, model: Model | None) -> None:
        self.name = name
        self.problem, self.model = problem, model
        if name == AUTOMATIC:
            self.strategy = automatic(problem, model, "all")
        else:
            self.strategy = Strategy.parse(name)
        engines = [get_backend(stage.backend) for stage in self.strategy.stages]
        self.lists = all(engine.capabilities.lists_solutions for engine in engines)
        self.counts = all(counts_only(engine) for engine in engines)
        self._plan: Plan | None = None

    def find(
        self, task: Task, bounds: Bounds, enough: Callable[[Found], bool] = lambda _: False
    ) -> Found:
        """What it finds in a part of the problem within these bounds.

        `enough` is told several times a second how far it is, and ends it when it says so. Raises
        `CapabilityError` or `StrategyError` where the engine cannot take the problem.
        """
        for stage in self.strategy.stages:
            require(get_backend(stage.backend), self.problem)
        began = perf_counter()
        try:
            with within(bounds.seconds):
                return self._found(task, bounds, enough, began)
        except TimeUp:
            return Found(0, None, False, perf_counter() - began)

    def _found(
        self, task: Task, bounds: Bounds, enough: Callable[[Found], bool], began: float
    ) -> Found:
        search = self._search(task)
        if search is None:
            return Found(0, frozenset(), True, perf_counter() - began)
        listed: set[Options] = set()
        some: tuple[Options, ...] = ()
        keep = self.lists and bounds.kept > 0
        steps = FIRST_STEPS
        while True:
            before = perf_counter()
            if bounds.choices is not None:
                steps = min(steps, max(1, bounds.choices - search.fits))
            batch = search.advance(steps, capacity=BATCH, keep=keep)
            given = [batch.solution(number) for number in range(len(batch))]
            listed.update(given)
            some = (*some, *given[: SOME - len(some)])
            keep = keep and len(listed) <= bounds.kept
            now = perf_counter()
            finished = batch.status is Status.DONE
            so_far = Found(
                search.found, None, finished, now - began, getattr(search, "duplicates", 0), some
            )
            if finished or enough(so_far) or _over(bounds, so_far.seconds, search):
                return replace(so_far, solutions=frozenset(listed)) if keep else so_far
            if now - before > SLICE * 2:
                steps = max(steps // 2, 1)
            elif now - before < SLICE / 2:
                steps = min(steps * 2, MOST_STEPS)

    def _search(self, task: Task) -> Search | None:
        """A search of the part, or None where the plan says that it has no solution."""
        if self._plan is None:
            self._plan = make_plan(self.problem, self.model, self.strategy, None)
            if self.model is not None and self.model.reason:
                # The engine is to find that out by itself.
                self._plan = replace(self._plan, reason="")
        plan = self._plan
        gone = [o for o in task.chosen if not plan.alive[o] and o not in plan.forced]
        if plan.reason or gone:
            return None
        try:
            return start_search(plan, self.strategy, task)
        except ProblemError:
            if not plan.forced:
                raise
            return None  # the part contradicts what the filters say every solution has


def _over(bounds: Bounds, seconds: float, search: Search) -> bool:
    return (bounds.seconds is not None and seconds >= bounds.seconds) or (
        bounds.choices is not None and search.fits >= bounds.choices
    )
