"""A race of candidates under way: it measures them in slices, and says which is the best.

`automatic` says which candidates there are, and how they race. Here their plans are made, and the
subtrees are drawn on which they are measured, see `sampled`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from time import perf_counter, thread_time

from exactcover.backends.kinds import CuttingBackend
from exactcover.problem.layout import pieces_left
from exactcover.search.automatic import Candidate, race
from exactcover.search.driver import SLICE
from exactcover.search.plan import Plan, make_plan
from exactcover.search.sampled import Level, Measured, Steps, Trial, ratio
from exactcover.search.stages import engine_of, stage_at
from exactcover.search.strategy import Strategy

DRAWS = 24
"""The subtrees that are drawn for a race in the course of a search."""

GAIN = 0.95
"""A search changes to a candidate that takes at most this share of its time."""

AFRESH = 0.8
"""It starts afresh for one that takes at most this share of the time that it still takes."""

SURE = 2.0
"""A candidate must be better by this many standard errors."""

DRAWING = 0.3
"""The share of a race in which subtrees are drawn. Later candidates race only if they search
subtrees that are drawn already."""

ONE_DRAWING = 0.1
"""A candidate is left out if drawing subtrees of its own takes more than this share."""

LOADING = 0.3
"""A race of fewer seconds is among strategies whose engines are loaded: loading one takes about so
long."""


LOOKS, LEAST = 3, 0.1
"""What the best candidate takes counts after this number of subtrees; a race may take so many
seconds at least."""


@dataclass(frozen=True)
class Measurement:
    """A candidate, and what was measured of it."""

    candidate: Candidate
    measured: Measured


@dataclass(frozen=True)
class Outcome:
    """The end of a race.

    rows     the candidates that were measured, the best first
    present  the strategy with which the others are compared
    best     the best candidate, if it is clearly better; else the present strategy
    plan     of the best
    """

    rows: tuple[Measurement, ...]
    present: Measurement
    best: Measurement
    plan: Plan

    @property
    def why(self) -> str:
        """Why the best was chosen, in a line."""
        its, others = self.best.measured, self.present.measured
        on = f"on {its.subtrees:,} of {its.states:,} subtrees"
        if self.best is not self.present:
            return (
                f"{self.best.candidate.why}: about {its.seconds:.1f} s, "
                f"{self.present.candidate.why} {others.seconds:.1f} s, measured {on}"
            )
        return f"{self.best.candidate.why}: no other of {len(self.rows)} was faster {on}"


class Racing:
    """A race under way.

    plan, present  of the search
    others   what may be better
    seconds  what the race may take
    share    it ends at this share of what the best candidate seems to take; None: it does not
    choices  what the search is thought to take
    replan   whether candidates with other filters or another pivot may take part
    clock    measures the processor seconds of this thread

    outcome  None before the end, and if nothing could be measured
    """

    def __init__(
        self,
        plan: Plan,
        present: Candidate,
        others: Sequence[Candidate],
        *,
        seconds: float,
        choices: float,
        share: float | None = None,
        replan: bool = False,
        draws: int = DRAWS,
        random: Random | None = None,
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self.outcome: Outcome | None = None
        self.seconds = 0.0  # that it has taken
        self._limit, self._share = seconds, share
        self._choices, self._draws = choices, draws
        self._plan, self._present, self._clock = plan, present, clock
        self._field = [present, *(one for one in others if one.strategy != present.strategy)]
        if not replan:
            alike = present.strategy.once
            self._field = [one for one in self._field if one.strategy.once == alike]
        if seconds < LOADING:
            loaded = _engines(present)
            self._field = [one for one in self._field if _engines(one) <= loaded]
        self._random = random or Random(0)
        self._began: float | None = None
        self._trials: dict[Trial, Candidate] = {}
        self._steps = self._work()

    def advance(self, seconds: float = SLICE) -> bool:
        """Go on for about so long; return whether there is more to do."""
        while True:
            self._began = perf_counter()
            try:
                next(self._steps)
            except StopIteration:
                return False
            finally:
                spent = perf_counter() - self._began
                self.seconds, self._began = self.seconds + spent, None
            seconds -= spent
            if seconds <= 0:
                return True

    @property
    def so_far(self) -> Outcome | None:
        """What it has come to, if it ends now; None: no two candidates were measured."""
        measured = [one for one in self._trials if one.seconds]
        if len(measured) < 2:
            return None
        return self._ended(self._trials, min(measured, key=lambda one: one.total))

    def shorten(self, seconds: float) -> None:
        """Let the race take at most so many seconds in all."""
        self._limit = min(self._limit, seconds)

    def _may_go_on(self) -> bool:
        now = 0.0 if self._began is None else perf_counter() - self._began
        limit = self._limit
        if self._share is not None:
            totals = (one.total for one in self._trials if len(one.seconds) >= LOOKS)
            limit = min(limit, max(self._share * min(totals, default=inf), LEAST))
        return self.seconds + now < limit

    def _work(self) -> Steps:
        """All of the race."""
        trials = self._trials
        plans = {self._present.strategy.once: self._plan}
        levels: dict[tuple[object, ...], Level] = {}
        for one in self._field:
            late = bool(trials) and self.seconds > DRAWING * self._limit
            engine = engine_of(one.strategy, self._plan.subject.layout)
            if not isinstance(engine, CuttingBackend):
                continue
            if one.strategy.once not in plans:
                if late:
                    continue
                plans[one.strategy.once] = make_plan(self._plan.subject, one.strategy)
                yield
            plan = plans[one.strategy.once]
            if plan.reason:
                continue
            alike = (its for key, its in levels.items() if key == _above(plan, one.strategy, its))
            level = next(alike, None)
            if level is None:
                if late:
                    continue
                level = Level(
                    plan,
                    one.strategy,
                    choices=self._choices,
                    draws=self._draws,
                    near=max((its.left for its in levels.values()), default=None),
                    random=Random(self._random.random()),
                )
                drawn = yield from self._drawn(level, most=ONE_DRAWING if trials else 1.0)
                if not drawn:
                    continue
                levels[_above(plan, one.strategy, level)] = level
            if len(level.drawn) > 1:
                trials[Trial(plan, one.strategy, level, clock=self._clock)] = one
            elif not trials:  # the present strategy cannot be measured
                return
        if len(trials) > 1:
            field = yield from race(list(trials), self._may_go_on)
            self.outcome = self._ended(trials, field[0])

    def _drawn(self, level: Level, most: float) -> Generator[None, None, bool]:
        """Draw the subtrees of a level, unless that takes more than a share of the race."""
        before = self.seconds
        for _ in level.work():
            if self.seconds - before > most * self._limit:
                return False
            yield
        return True

    def _ended(self, trials: dict[Trial, Candidate], first: Trial) -> Outcome | None:
        rows = {
            trial: Measurement(candidate, trial.measured())
            for trial, candidate in trials.items()
            if trial.seconds
        }
        present = next(iter(trials))
        if present not in rows:
            return None
        compared, error = ratio(first, present)
        clearly = compared < GAIN and compared + SURE * error < 1.0
        best = rows[first] if clearly else rows[present]
        ranked = sorted(rows.values(), key=lambda row: row.measured.seconds)
        return Outcome(tuple(ranked), rows[present], best, (first if clearly else present).plan)


def _engines(candidate: Candidate) -> set[str]:
    return {stage.backend for stage in candidate.strategy.stages}


def _above(plan: Plan, strategy: Strategy, level: Level) -> tuple[object, ...]:
    """What the states at a level depend on: filters, and how the tree above it is branched."""
    pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
    stages = (stage_at(strategy, left) for left in range(pieces, level.left, -1))
    return (
        strategy.filters,
        *((stage.backend, stage.heuristic, stage.settings) for stage in stages),
    )
