"""Counts solutions in the quickest way: by listing them, or by states that are counted once.

An engine that keeps states counts what no one could list, where the states are few enough; where
they are not, listing is quicker. Neither can be told beforehand. So a count for which no strategy
is named begins by listing. If that is not done soon, its progress says how long it would take, and
the engine that keeps states has its turn for as long as that is worth; and so in turns. However bad
the guess, the count takes at most about three times the time of the better way, and seldom twice.

Symmetries make such a count shorter, whether all solutions count or classes of them: it is enough
to count below one image of each orbit of a piece. How many classes there are follows from how many
solutions each symmetry fixes, after Burnside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from exactcover.backends import backends, get_backend
from exactcover.backends.base import CuttingSearch, Search, Task
from exactcover.counting.burnside import UniqueSearch
from exactcover.counting.engines import counting_search, counts_only
from exactcover.errors import (
    CapabilityError,
    ExactCoverError,
    LimitReached,
    StrategyError,
    TooLarge,
)
from exactcover.patience import within
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout
from exactcover.puzzle import Model, Puzzle
from exactcover.search.plan import MANY_IMAGES, Applied, Plan, make_plan
from exactcover.search.sharing import Watched
from exactcover.search.solving import (
    STRATEGIES,
    Result,
    Solution,
    Solving,
    Subject,
    View,
    checked_limit,
    checked_time_limit,
    told_in_short,
)
from exactcover.search.strategy import Stage, Strategy
from exactcover.values.arguments import check_kind, check_whole

FIRST_TURN = 0.25
"""Seconds of listing before anything else is tried: most puzzles are done by then."""

MAKING_READY = 2
"""In so many steps filters are applied and compiled code is loaded; they foretell nothing."""

WORTH = 0.5
"""The share of the time that listing seems to take yet for which states are kept instead."""

BOLD = 2
"""And up to so many times as long as listing has taken: progress can be far from the truth."""


class Counting(Watched[View]):
    """A count under way, with the interface of `Solving`: `step`, `run`, `stop`, `close`, `result`.

    Threads that share it count on in turns, and each is told the same number in the end.

    strategy  how to count; a stage of an engine that counts lists nothing. None: see above
    limit     stop once so many solutions are counted; `found` is never more
    memory    MiB that states may take, where no strategy is named; None: as the engine says
    spill     a folder for what does not fit them
    """

    def __init__(
        self,
        subject: Subject,
        *,
        counted: str | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        tally: bool = False,
        memory: int | None = None,
        spill: str | Path | None = None,
    ) -> None:
        super().__init__()
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        check_whole("memory", memory)
        check_kind("spill", spill, (str, Path, type(None)), "a folder, or None")
        if memory is not None and memory < 1:
            raise ExactCoverError(f"a memory of {memory} MiB: it must be at least 1")
        subject = subject if isinstance(subject, Puzzle) else Problem.of(subject)
        named = None if strategy is None else Strategy.of(strategy)
        self._limit, self._time_limit = checked_limit(limit), checked_time_limit(time_limit)
        if named is not None and _counts_only(named):
            self._ways: list[Solving] = [
                EngineCount(subject, counted=counted, strategy=named, time_limit=time_limit)
            ]
        else:
            listing = Solving(
                subject,
                counted=counted,
                strategy=named,
                limit=limit,
                tally=tally,
                time_limit=time_limit,
            )
            self._ways = [listing]
            if named is None and not listing.late:
                self._ways += [
                    EngineCount(subject, counted=counted, strategy=one, time_limit=time_limit)
                    for one in without_listing(listing.problem, listing.model, memory, spill)
                ]
        self._way = self._ways[0]
        self._turn_ends = FIRST_TURN  # in seconds of the way whose turn it is
        self._steps = 0
        self._passed_over: tuple[Applied, ...] = ()
        self._show(at_once=True)

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; whether there is more to do."""
        with self._turn():
            more = self._step()
            self._show(at_once=not more)
        return more

    def _step(self) -> bool:
        if self._over():
            return False
        try:
            with within(self._time_limit, self._seconds):
                if not self._way.step():
                    return False
        except (TooLarge, CapabilityError) as error:
            if len(self._ways) == 1:
                raise
            self._pass_over(error)
        self._steps += 1
        if self._steps <= MAKING_READY:
            self._turn_ends = self._way.seconds + FIRST_TURN
        elif len(self._ways) > 1 and self._way.seconds >= self._turn_ends:
            self._change_turns()
        return not self._over()

    def run(self) -> Result:
        """Count to the end, and say what came of it."""
        while self.step():
            pass
        return self.result

    def _let_go(self) -> None:
        super()._let_go()
        for way in self._ways:
            way.close()

    @property
    def found(self) -> int:
        """Solutions counted so far."""
        return self._seen().result.solutions

    @property
    def seconds(self) -> float:
        """How long it has counted."""
        return self._seen().result.seconds

    @property
    def progress(self) -> float:
        """How much is behind it, 0 to 1; once it has ended, of the way that found what is told."""
        return self._seen().progress

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """Where in the tree it is, level by level; nothing where it goes through no tree."""
        return self._seen().position

    @property
    def result(self) -> Result:
        """How far it has come, and what was passed over on the way."""
        return self._seen().result

    def __repr__(self) -> str:
        return told_in_short(type(self).__name__, self.result, self.progress)

    def _look(self) -> View:
        told, at_work = self._told, self._way
        view = told._look()
        progress = view.progress if told is at_work or self._over() else at_work.progress
        return View(self._result(view.result), progress, view.position)

    def _result(self, result: Result) -> Result:
        status, stopped_by, solutions = result.status, result.stopped_by, result.solutions
        if status == "searching" and self._over():
            status = "interrupted" if self._stopped else "limit"
            stopped_by = "" if self._stopped else "time"
        if self._limit is not None and solutions > self._limit:
            # An engine that keeps states knows the number only once it has counted all.
            solutions, status, stopped_by = self._limit, "limit", "solutions"
        return replace(
            result,
            status=status,
            solutions=solutions,
            stopped_by=stopped_by,
            seconds=self._seconds,
            applied=(*self._passed_over, *result.applied),
        )

    @property
    def _told(self) -> Solving:
        """The way to tell of: the one that is done, else that which has found something."""
        done = self._way._status() != "searching" and not self._way.late
        return self._way if done else self._ways[0]

    @property
    def _seconds(self) -> float:
        return sum(way.seconds for way in self._ways) + sum(o.seconds for o in self._passed_over)

    def _over(self) -> bool:
        late = self._time_limit is not None and self._seconds >= self._time_limit
        return self._stopped or late or self._way.late

    def _change_turns(self) -> None:
        """Let the other way have its turn."""
        listing, keeping = self._ways
        if self._way is keeping:
            self._way = listing
            self._turn_ends = max(listing.seconds + FIRST_TURN, keeping.seconds)
        else:
            self._way = keeping
            left = listing.seconds / max(listing.progress, 1e-9) - listing.seconds
            turn = min(WORTH * left, BOLD * listing.seconds)
            self._turn_ends = max(keeping.seconds + FIRST_TURN, turn)

    def _pass_over(self, error: ExactCoverError) -> None:
        """Go on with the other way alone."""
        way = self._way
        note = f"passed over: {error}"
        self._ways.remove(way)
        self._passed_over += (Applied(str(way.strategy), 0, 0, way.seconds, note),)
        self._way = self._ways[0]


def without_listing(
    problem: Problem,
    model: Model | None,
    memory: int | None = None,
    spill: str | Path | None = None,
) -> tuple[Strategy, ...]:
    """The strategy of a count that keeps states instead of listing, if there is one."""
    name, heuristic = ("memo", "f") if model is None else ("automaton", "narrow")
    if get_backend(name).capabilities.missing(problem) or problem.n_options > MANY_IMAGES:
        return ()
    settings = [("patience", "")] if model is None else []
    settings += [("memory", str(memory))] if memory is not None else []
    settings += [("spill", str(spill))] if spill is not None and model is not None else []
    return (Strategy((Stage(name, heuristic, None, tuple(settings)),)),)


def count(
    subject: Subject,
    *,
    counted: str | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory: int | None = None,
    spill: str | Path | None = None,
) -> int:
    """How many solutions there are.

    They are counted without being listed where the states of such a count fit the memory.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_20x3")
        >>> ec.count(puzzle), ec.count(puzzle, counted="all"), ec.count(puzzle, limit=1)
        (2, 8, 1)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution. "rotations": solutions that rotations take to each
                other count once; "reflections": those that mirrors take to each other, too;
                "all": every solution counts. Default: None, "rotations" for a puzzle. A plain
                problem has no symmetries, so all its solutions count, whatever this says
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    limit       count to this number and stop there: the result is at most `limit`, and a smaller
                one is the number of all solutions. Default: None, count all
    time_limit  seconds, a number. Default: None, no limit
    memory      MiB that a count by states may take, a whole number. Default: None, half of what
                is free
    spill       a folder for states that do not fit the memory. Default: None; then such a puzzle
                is counted by listing its solutions

    Raises `LimitReached` if the time limit comes first; the exception says how many solutions had
    been found, as `found`.
    """
    counting = Counting(
        subject,
        counted=counted,
        strategy=strategy,
        limit=limit,
        time_limit=time_limit,
        memory=memory,
        spill=spill,
    )
    result = counting.run()
    if result.stopped_by == "time":
        raise LimitReached(result.solutions, time_limit)
    return result.solutions


class EngineCount(Solving):
    """A count by an engine that lists nothing."""

    def _begin(self) -> None:
        """Apply the filters and start the count of what they leave."""
        permutations = None
        if self.model is not None:
            permutations = self.model.symmetries.selected(self.counted)
        plan = make_plan(self.problem, self.model, self.strategy, permutations)
        self._plan = replace(plan, canonical=None)
        if plan.reason:
            return
        engine = Engine(self.strategy.stages[0])
        broken = any(one.kind.symmetry != "kept" for one in self.strategy.filters)
        if permutations is None or (broken and plan.canonical is None):
            layout = self.model.layout if self.model is not None else None
            search = engine.below(plan.problem, layout, Task(plan.forced, plan.alive))
        else:
            search = _symmetric(plan, self.strategy, permutations, engine)
        self._search = cast("CuttingSearch", search)

    def __next__(self) -> Solution:
        raise CapabilityError("what is only counted cannot be listed: `solve` lists solutions")

    def _result(self) -> Result:
        """How far it has come; which symmetries the solutions have is not known."""
        return replace(super()._result(), symmetric={})


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


def _symmetric(
    plan: Plan, strategy: Strategy, permutations: IntArray, engine: Engine
) -> UniqueSearch:
    """The count of what each symmetry fixes, of the options that symmetric filters leave."""
    assert plan.model is not None
    for one in strategy.filters:
        if one.kind.symmetry == "unknown":
            raise StrategyError(
                f"{strategy}: {one.name} does not keep the symmetry by which solutions are "
                'counted once; leave it out, or count all solutions (counted="all")'
            )
    kept = tuple(one for one in strategy.filters if one.kind.symmetry == "kept")
    alive = make_plan(plan.problem, plan.model, replace(strategy, filters=kept), permutations).alive
    # An option may go where one that a symmetry takes to it may: neither is in any solution.
    every = plan.model.symmetries.options
    options = np.flatnonzero(alive[every].all(axis=0))
    number = np.full(alive.size, -1, np.int32)
    number[options] = np.arange(options.size)
    layout = plan.model.layout
    return UniqueSearch(
        plan.problem.restricted(options),
        replace(layout, option_shape=layout.option_shape[options]),
        number[permutations[:, options]],
        engine,
        number[every[:, options]],
    )
