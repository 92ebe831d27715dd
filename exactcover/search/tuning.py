"""Tuning: every candidate measured, and the best one kept for later runs."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from exactcover.backends.base import Status
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.automatic import Candidate, candidates
from exactcover.search.driver import SLICE, Clock, Pace, Shared
from exactcover.search.engine import cuttable, legs_of, require_cuttable, start_search
from exactcover.search.plan import Plan, make_plan
from exactcover.search.racing import Measured, TimedStrategy, branch_alike, draw, race, ratio
from exactcover.search.sampler import Subtrees
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject
from exactcover.search.subtrees import Steps
from exactcover.search.winners import remember

SECONDS = 30.0
"""The default limit of tuning."""

LOOK = 0.3
"""Seconds of the first choice: if it is done by then, there is nothing to tune."""

MAKING_READY = 2
"""The first slices apply filters and load compiled code, so they say nothing of the speed."""

OWN = "your own"
"""Why a strategy that the user names is a candidate."""

DRAWS = 128
"""The subtrees on which the last candidates are measured."""

DRAWING = 0.3
"""The share of a race in which subtrees are drawn. Later candidates race only if they search
subtrees that are drawn already."""

LONGER = 4
"""A time limit that was too short for two candidates should be longer by this factor."""

SURE = 2.0
"""The best candidate must be better than the first choice by this many standard errors."""


@dataclass(frozen=True)
class Tuning:
    """The result of tuning.

    strategy   the best one
    why        why, in a line
    rows       the candidates that were measured, the best first
    unmeasured  those that were not: the time was over, or their engines cannot take the problem
    seconds    that it took, without those of compilation, which are `compiling`
    tuned      whether candidates were compared; a problem that is solved at once is not tuned
    """

    strategy: Strategy
    why: str
    rows: tuple[Measured, ...]
    unmeasured: tuple[Candidate, ...]
    seconds: float
    tuned: bool
    compiling: float = 0.0

    def __repr__(self) -> str:
        return f"<Tuning: {self.strategy} ({self.why})>"

    def record(self) -> dict[str, Any]:
        """The figures for a script."""
        return {
            "strategy": str(self.strategy),
            "why": self.why,
            "tuned": self.tuned,
            "seconds": round(self.seconds, 6),
            "compiling": round(self.compiling, 6),
            "candidates": [_row(row) for row in self.rows],
            "unmeasured": [str(one.strategy) for one in self.unmeasured],
        }


def _row(row: Measured) -> dict[str, Any]:
    return {
        "strategy": str(row.candidate.strategy),
        "why": row.candidate.why,
        "seconds": _finite(row.seconds),
        "error": _finite(row.error),
        "choices": round(row.choices),
        "subtrees": row.subtrees,
        "states": row.states,
    }


def _finite(seconds: float) -> float | None:
    """Seconds for JSON, which has no infinity."""
    return round(seconds, 6) if seconds < float("inf") else None


class Tuner(Shared):
    """A tuning in progress: `step` goes on, `tuning` is what was found so far.

    `stop` ends it, also from a signal handler. The arguments are those of `tune`.
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: Convention | None = None,
        time_limit: float | None = SECONDS,
        seed: int | None = None,
        strategies: Sequence[Strategy | str] = (),
    ) -> None:
        super().__init__()
        check_seconds("time_limit", time_limit)
        check_whole("seed", seed)
        self._clock = Clock()
        with self._clock.running():
            self.subject = Subject.of(subject, counted)
        need_cells(self.subject.model, "tuning")
        self._field = self._candidates(strategies)
        self._limit = float("inf") if time_limit is None else time_limit
        self._random = np.random.default_rng(seed or 0)
        self._trials: list[TimedStrategy] = []
        self._best: TimedStrategy | None = None  # None before the end of the race
        self._racing = False
        self._reason = ""
        self._steps, self._done = self._work(), False

    def _candidates(self, strategies: Sequence[Strategy | str]) -> tuple[Candidate, ...]:
        """The first choice, the user's own, which must be able to search the subject, the others.

        The user's own stand before the others, so that there is time for them.
        """
        check_kind("strategies", strategies, (list, tuple), "a list of strategies or their texts")
        first, *others = candidates(self.subject)
        own = [Candidate(Strategy.of(one), OWN) for one in strategies]
        for one in own:
            require_cuttable(one.strategy)
            legs_of(one.strategy, self.subject.problem, self.subject.layout)
        field: dict[Strategy, Candidate] = {}
        for one in (first, *own, *others):
            field.setdefault(one.strategy, one)
        return tuple(field.values())

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            if not self._stopped and not self._done:
                began = perf_counter()
                with self._clock.running():
                    while not self._done and perf_counter() - began < SLICE:
                        self._done = next(self._steps, True) or self._done
            return not (self._stopped or self._done)

    @property
    def stopped(self) -> bool:
        """Whether `stop` ended it before its end."""
        return self._stopped and not self._done

    # -- the work -------------------------------------------------------------------------------

    def _work(self) -> Steps:
        """All of the work, in slices."""
        strategy = self._field[0].strategy
        plan = make_plan(self.subject, strategy)
        self._reason = plan.reason
        yield
        if plan.reason or (yield from _is_done_at_once(plan, strategy)):
            return
        self._racing, self._began = True, self._clock.now
        yield from self._draw_all(plan)
        if len(self._trials) > 1:
            field = yield from race(self._trials, self._may_go_on)
            self._best = field[0]

    @property
    def _spent(self) -> float:
        """The seconds of the race so far."""
        return self._clock.now - self._began

    def _may_go_on(self) -> bool:
        return self._spent < self._limit

    def _draw_all(self, plan: Plan) -> Steps:
        """Draw subtrees for all candidates, the same for those that branch alike."""
        trials = self._trials
        plans = {self._field[0].strategy.once: plan}
        known: list[tuple[Strategy, Subtrees]] = []
        for one in self._field:
            strategy, late = one.strategy, bool(trials) and self._spent > DRAWING * self._limit
            if not cuttable(strategy):
                continue
            if strategy.once not in plans:
                if late:
                    continue
                plans[strategy.once] = make_plan(self.subject, strategy)
                yield
            plan = plans[strategy.once]
            if plan.reason:
                continue
            alike = (its for other, its in known if branch_alike(plan, strategy, other, its.left))
            subtrees = next(alike, None)
            if subtrees is None:
                if late:
                    continue
                subtrees = yield from self._drawn(plan, strategy, DRAWING if trials else 1.0)
                if subtrees is None:
                    continue
                known.append((strategy, subtrees))
            if len(subtrees.states) > 1:
                trials.append(TimedStrategy(plan, one, subtrees))
            elif not trials:  # the first choice cannot be measured
                return

    def _drawn(
        self, plan: Plan, strategy: Strategy, most: float
    ) -> Generator[None, None, Subtrees | None]:
        """Draw subtrees; None: more than a share of the race is over first."""
        drawing = draw(plan, strategy, DRAWS, self._random)
        while self._spent <= most * self._limit:
            try:
                next(drawing)
            except StopIteration as end:
                subtrees: Subtrees = end.value
                return subtrees
            yield
        return None

    @property
    def tuning(self) -> Tuning:
        """The result so far."""
        trials = [one for one in tuple(self._trials) if one.seconds]
        times = {"seconds": self._clock.working, "compiling": self._clock.compiling}
        if len(trials) < 2 or trials[0] is not self._trials[0]:
            return Tuning(self._field[0].strategy, self._untuned, (), (), tuned=False, **times)
        present, first = trials[0], self._best or min(trials, key=lambda one: one.total)
        compared, error = ratio(first, present)
        best = first if compared + SURE * error < 1.0 else present
        rows = tuple(sorted((one.measured() for one in trials), key=lambda row: row.seconds))
        measured = {row.candidate.strategy for row in rows}
        rest = tuple(one for one in self._field if one.strategy not in measured)
        why = _why(best.measured(), present.measured(), len(rows))
        return Tuning(best.candidate.strategy, why, rows, rest, tuned=True, **times)

    @property
    def _untuned(self) -> str:
        """Why no candidates were compared."""
        if self.stopped:
            return "interrupted before anything was measured"
        if self._racing:
            if self._limit == float("inf"):
                return "fewer than two candidates could be measured"
            return (
                f"fewer than two candidates were measured within {self._limit:g} s: try a time "
                f"limit of {max(SECONDS, LONGER * self._limit):g} s"
            )
        return self._reason or f"solved within {LOOK:g} s: not tuned"

    def keep(self) -> None:
        """Keep the best strategy for later runs, if the tuning came to its end."""
        tuning = self.tuning
        if tuning.tuned and not self.stopped:
            remember(self.subject, Candidate(tuning.strategy, tuning.why))


def _why(its: Measured, present: Measured, many: int) -> str:
    """Why a candidate was chosen, in a line; `many` were measured."""
    on = f"on {its.subtrees:,} of {its.states:,} subtrees"
    if its.candidate is present.candidate:
        return f"{its.candidate.why}: no other of {many} was faster {on}"
    return (
        f"{its.candidate.why}: about {its.seconds:.1f} s, "
        f"{present.candidate.why} {present.seconds:.1f} s, measured {on}"
    )


def tune(
    subject: Solvable,
    *,
    counted: Convention | None = None,
    time_limit: float | None = SECONDS,
    seed: int | None = None,
    strategies: Sequence[Strategy | str] = (),
    cache: bool = True,
) -> Tuning:
    """Measure every strategy that may be the best, and keep the best one for later runs.

        >>> import exactcover as ec
        >>> ec.tune(ec.read("pentominoes_20x3"), cache=False).tuned
        False

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    time_limit  seconds that the measurement may take. Default: 30; None, until all is measured
    seed        draws other subtrees. Default: None, the same ones each time
    strategies  strategies of your own to measure beside the others, or their texts. Default: (),
                none
    cache       whether the best strategy is kept for later `solve` and `count`. Default: True

    A problem that is solved in a few tenths of a second is not tuned.
    """
    tuner = Tuner(subject, counted=counted, time_limit=time_limit, seed=seed, strategies=strategies)
    while tuner.step():
        pass
    if cache:
        tuner.keep()
    return tuner.tuning


def _is_done_at_once(plan: Plan, strategy: Strategy) -> Generator[None, None, bool]:
    """Whether a search ends within `LOOK`."""
    search, pace, spent, slices = start_search(plan, strategy), Pace(), 0.0, 0
    while spent < LOOK:
        began = perf_counter()
        if search.advance(pace.steps, keep=False).status is Status.DONE:
            return True
        seconds, slices = perf_counter() - began, slices + 1
        if slices > MAKING_READY:
            spent += seconds
        pace.learn(seconds)
        yield
    return False


def _named(candidate: Candidate) -> str:
    """The strategy of a candidate, for a table."""
    return f"{candidate.strategy}" + (f"  ({OWN})" if candidate.why == OWN else "")


def table(tuning: Tuning) -> Iterator[str]:
    """The candidates as lines of a table."""
    rows = [("seconds", "error", "choices", "subtrees", "strategy")]
    for row in tuning.rows:
        rows.append(
            (
                f"{row.seconds:.2f}",
                f"{row.error:.2f}" if row.error < float("inf") else "-",
                f"{row.choices:,.0f}",
                f"{row.subtrees} of {row.states:,}",
                _named(row.candidate),
            )
        )
    own = [one for one in tuning.unmeasured if one.why == OWN]
    rows += [("-", "-", "-", "not measured", _named(one)) for one in own]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        *figures, text = cells
        words = (word.rjust(width) for word, width in zip(figures, widths, strict=False))
        yield "  ".join((*words, text))
