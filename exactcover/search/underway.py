"""A search under way, as `Solving` and `Counting` have it: limits, results, stop, close.

A subclass decides in `_make` what it searches, and what it collects.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Any

from exactcover.backends import get_backend
from exactcover.backends.base import Batch, KeptStates
from exactcover.backends.tasks import require
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.errors import ExactCoverError
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.search.automatic import automatic
from exactcover.search.driver import BATCH, SLICE, Clock, Driver, Shared
from exactcover.search.planned import NO_SYMMETRY, SubjectReport, SubjectSearch, Team
from exactcover.search.rectangles import filling, fills
from exactcover.search.result import Remaining, Result, summary
from exactcover.search.stages import cuttable
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject, counted_as

Snapshot = tuple[Result, float, tuple[tuple[int, int], ...]]
"""The outcome, the progress and the position, for one thread to look at while another searches."""

NOT_BEGUN = SubjectReport(0, 0, 0, strategy=Strategy())
"""The report before the search is made."""


class Underway(Shared, ABC):
    """A search under way. Threads may share it: `result` is right in all of them.

    A snapshot is taken at the end of a turn, at most every fiftieth of a second, for threads that
    look during the next one.

    The arguments are those of `solve`, and

    tally  whether the result counts the options tried by the number of remaining pieces. Default:
           False

    between  called with the search after each slice, by the thread that searches; None: nothing is.
             It shows the progress while the next solution is awaited
    """

    between: Callable[[Any], object] | None = None

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        tally: bool = False,
        team: Team | None = None,
    ) -> None:
        super().__init__()
        self._shown: Snapshot
        self._shown_at = 0.0
        known = f"one of {', '.join(map(repr, CONVENTIONS))}"
        check_kind("counted", counted, (str, type(None)), known)
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self.limit, self.time_limit = checked_limit(limit), checked_time_limit(time_limit)
        self._given = subject
        self._named = None if strategy is None else Strategy.of(strategy)
        self._tally, self._team = tally, team
        self._clock = Clock(self.time_limit)
        self._driver: Driver[SubjectSearch] = Driver(self._begin, self._clock)
        self._latest = NOT_BEGUN  # in brief, after the last slice
        with self._clock.running():
            self._set_up()
        self._show(at_once=True)

    def _set_up(self) -> None:
        """Make the problem and choose the strategy; raises if the strategy's engines cannot take
        it."""
        if not fills(self.subject, self.strategy):
            for stage in self.strategy.stages:
                require(get_backend(stage.backend), self.problem)
        self._tally = self._tally and cuttable(self.strategy)

    def _begin(self) -> SubjectSearch:
        """The search: by the sizes of rectangles, if the strategy names an engine for that."""
        return filling(self.subject, self.strategy) or self._make()

    @abstractmethod
    def _make(self) -> SubjectSearch:
        """The search of options; making it applies the filters."""

    # -- what it searches ---------------------------------------------------------------------

    @cached_property
    def subject(self) -> Subject:
        """The subject; made now, without a time limit, if the limit passed before."""
        return Subject.of(self._given, self.counted)

    @property
    def problem(self) -> Problem:
        """The problem that it solves."""
        return self.subject.problem

    @property
    def model(self) -> Model | None:
        """The puzzle behind the problem, if there is one."""
        return self.subject.model

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy: as named, or chosen for the problem."""
        return self._named or self._chosen_strategy()

    def _chosen_strategy(self) -> Strategy:
        return automatic(self.subject)

    # -- going on -----------------------------------------------------------------------------

    def run(self) -> Result:
        """Search to the end without handing solutions out; return the result."""
        while self.step():
            pass
        return self.result

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            if not self._over():
                self._advance(keep=False)
            more = not self._over()
            self._show(at_once=not more)
        return more

    def _advance(self, *, keep: bool, most: int = BATCH) -> Batch:
        """One slice; with `keep` it returns at most this number of solutions."""
        room = most if self.limit is None else min(most, self.limit - self._latest.found)
        batch = self._driver.advance(capacity=room, keep=keep)
        self._latest = self._report(brief=True)
        return batch

    def elapse(self, seconds: float) -> None:
        """Count the time that the caller spends on solutions against the time limit.

        Otherwise the limit holds for the search alone, so that one can be left and resumed.
        """
        self._clock.shorten(seconds)

    def _let_go(self) -> None:
        self._show(at_once=True)
        self._driver.let_go()

    # -- what it has come to ------------------------------------------------------------------

    @property
    def found(self) -> int:
        """Solutions found so far, including those not handed out yet."""
        return self.result.solutions

    @property
    def seconds(self) -> float:
        """Seconds of searching so far, including the setup."""
        return self._clock.seconds

    @property
    def late(self) -> bool:
        """Whether the time limit ended it in the middle of a step; then it cannot go on."""
        return self._clock.late

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; it never goes back.

        Sibling branches count equally, unless it was estimated how many choices the whole makes.
        """
        return self._seen()[1]

    @property
    def workers(self) -> int:
        """How many threads or processes search."""
        return self._report().workers

    @property
    def kept(self) -> KeptStates | None:
        """The states that a count keeps instead of listing; None: it keeps none."""
        return self._report().kept

    @property
    def notices(self) -> tuple[str, ...]:
        """Messages for the user, one line each, for example that much memory is taken."""
        return self._report().notices

    @property
    def placed(self) -> tuple[int, ...]:
        """The options placed now, to draw the board; empty if the engine cannot say."""
        return self._report().chosen

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """The position in the tree: which branch of how many, level by level."""
        return self._seen()[2]

    @property
    def result(self) -> Result:
        """The outcome so far, or in the end."""
        return self._seen()[0]

    @property
    def reason(self) -> str:
        """Why there can be no solution, if that is known; else empty."""
        return "" if self.late else self.subject.reason or self._latest.reason

    def __repr__(self) -> str:
        return summary(type(self).__name__, self.result, self.progress)

    def _report(self, *, brief: bool = False) -> SubjectReport:
        search = self._driver.search
        return NOT_BEGUN if search is None else search.report(brief=brief)

    def _show(self, *, at_once: bool = False) -> None:
        """Take a snapshot, for threads that look during a turn."""
        now = perf_counter()
        if not self._closed and (at_once or now - self._shown_at >= SLICE):
            report = self._report()
            progress = 1.0 if self._driver.done else report.progress
            self._shown = self._result(report), progress, (*report.position,)
            self._shown_at = now

    def _seen(self) -> Snapshot:
        """The search as a thread sees it that looks at it; it does not wait for a turn."""
        if not self._lock.locked():
            with self._lock:
                self._show(at_once=True)
        return self._shown

    def _result(self, report: SubjectReport) -> Result:
        status, listed = self._status(), report.found
        found = listed if self.limit is None else min(listed, self.limit)
        strategy = self._named if report is NOT_BEGUN else report.strategy
        if strategy is None and not self.late:
            strategy = self.strategy
        symmetric = dict(sorted((report.symmetric or {}).items()))
        if found < listed and symmetric:  # only where no solution is symmetric
            symmetric = {NO_SYMMETRY: found}
        by_limit = "solutions" if self._limit_reached() else "time"
        by_remaining = tuple(
            Remaining(left, report.strategy.at(left).in_force, tries, fits, tries - fits)
            for left, (tries, fits) in sorted(report.tally.items(), reverse=True)
        )
        return Result(
            status=status,
            solutions=found,
            counted=self.counted,
            fits=report.fits,
            nofits=report.nofits,
            seconds=self._clock.working,
            compiling=self._clock.compiling,
            strategy=str(strategy or ""),
            reason=self.reason,
            symmetric=symmetric,
            applied=report.applied,
            by_remaining=by_remaining,
            stopped_by=by_limit if status == "limit" else "",
            why=report.why,
        )

    def _status(self) -> str:
        if self.reason:
            return "impossible"
        if self._limit_reached() and not (self._driver.done and self._latest.found == self.limit):
            return "limit"
        if self._driver.done:
            return "complete"
        if self._stopped:
            return "interrupted"
        return "limit" if self._clock.over else "searching"

    def _limit_reached(self) -> bool:
        """Whether as many are found; if they are only counted, there may be more."""
        return self.limit is not None and self._latest.found >= self.limit

    def _over(self) -> bool:
        return self._stopped or self._driver.over or bool(self.reason) or self._limit_reached()


def checked_limit(solutions: int | None) -> int | None:
    """The limit on the number of solutions, checked."""
    check_whole("limit", solutions)
    if solutions is None:
        return None
    if solutions < 0:
        raise ExactCoverError(f"a limit of {solutions} solutions: it must not be negative")
    return int(solutions)


def checked_time_limit(seconds: float | None) -> float | None:
    """The time limit, checked; raises if it is invalid."""
    check_seconds("time_limit", seconds)
    if seconds is not None and not seconds >= 0:
        raise ExactCoverError(f"a time limit of {seconds} s: it must not be negative")
    return seconds
