"""A session: the search that a user holds, with its limits, its result, `stop` and `close`.

It advances a search in slices, adds them up, and alone knows the time. `Solving` and `Counting` are
sessions: they decide in `_make` what is searched, and what is handed out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Any

from exactcover.backends import get_backend
from exactcover.backends.base import KeptStates, Slice, Status, Where
from exactcover.backends.tasks import require
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.problem import Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.search.automatic import automatic
from exactcover.search.begun import Begun, Nothing, Team
from exactcover.search.clock import BATCH, SLICE, Clock, Pace, Shared
from exactcover.search.judge import NO_SYMMETRY
from exactcover.search.rectangles import filling, fills
from exactcover.search.result import Remaining, Result, summary
from exactcover.search.stages import cuttable
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject, counted_as


class Session(Shared, ABC):
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
        known = f"one of {', '.join(map(repr, CONVENTIONS))}"
        check_kind("counted", counted, (str, type(None)), known)
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        check_whole("limit", limit, least=0)
        check_seconds("time_limit", time_limit)
        self.limit = None if limit is None else int(limit)
        self.time_limit = time_limit
        self._given = subject
        self._named = None if strategy is None else Strategy.of(strategy)
        self._tally, self._team = tally, team
        self._clock, self._pace = Clock(self.time_limit), Pace()
        self._begun: Begun | None = None  # it begins in the first slice
        self._sum = Slice(Status.BUDGET)  # of all slices, without rows
        self._shown: tuple[Result, Where]  # for threads that look during a turn
        self._shown_at = self._farthest = 0.0
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

    @abstractmethod
    def _make(self) -> Begun:
        """The search of options, begun; that applies the filters."""

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

    def _advance(self, *, keep: bool, most: int = BATCH) -> Slice:
        """One slice; with `keep` it hands out at most this number of solutions. The first one
        begins the search.

        Raises `BrokenSearch` if an earlier slice was broken off: its solutions are lost. An error
        of the engine is raised again.
        """
        room = most if self.limit is None else min(most, self.limit - self._sum.found)
        made, steps, begun = Slice(Status.BUDGET), self._pace.begin(), self._begun
        with self._clock.running():
            if begun is None:
                # By the sizes of rectangles, if the strategy names an engine for that.
                self._begun = filling(self.subject, self.strategy) or self._make()
            else:
                with self._unbroken():
                    made = begun.search.advance(steps, capacity=room, keep=keep)
        self._sum = Slice.joined([self._sum, made.without_rows()], made.status)
        self._pace.learn(spent=begun is not None and made.status is Status.BUDGET)
        return made

    def elapse(self, seconds: float) -> None:
        """Count the time that the caller spends on solutions against the time limit.

        Otherwise the limit holds for the search alone, so that one can be left and resumed.
        """
        self._clock.shorten(seconds)

    def _let_go(self) -> None:
        self._show(at_once=True)
        if self._begun is not None:
            self._begun = self._begun._replace(search=Nothing(), plan=None)

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
        return self._seen()[1].progress

    @property
    def workers(self) -> int:
        """How many threads or processes search."""
        return self._seen()[1].workers

    @property
    def kept(self) -> KeptStates | None:
        """The states that a count keeps instead of listing; None: it keeps none."""
        return self._seen()[1].kept

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """The position in the tree: which branch of how many, level by level."""
        return (*self._seen()[1].position,)

    @property
    def result(self) -> Result:
        """The outcome so far, or in the end."""
        return self._seen()[0]

    @property
    def reason(self) -> str:
        """Why there can be no solution, if that is known; else empty."""
        if self.late:
            return ""
        return self.subject.reason or ("" if self._begun is None else self._begun.reason)

    def __repr__(self) -> str:
        return summary(type(self).__name__, self.result, self.progress)

    def _now(self, begun: Begun) -> Begun:
        """The search that goes on, of several among which a count chooses."""
        return begun

    def _show(self, *, at_once: bool = False) -> None:
        """Take a snapshot, at most every fiftieth of a second unless at once."""
        now = perf_counter()
        if not self._closed and (at_once or now - self._shown_at >= SLICE):
            where = Where() if self._begun is None else self._begun.search.where()
            self._farthest = 1.0 if self._done else max(self._farthest, where.progress)
            self._shown = self._result(), where._replace(progress=self._farthest)
            self._shown_at = now

    def _seen(self) -> tuple[Result, Where]:
        """The search as a thread sees it that looks at it; it does not wait for a turn."""
        if not self._lock.locked():
            with self._lock:
                self._show(at_once=True)
        return self._shown

    def _result(self) -> Result:
        status, listed, made = self._status(), self._sum.found, self._sum
        found = listed if self.limit is None else min(listed, self.limit)
        begun = None if self._begun is None else self._now(self._begun)
        strategy = self._named if begun is None else begun.strategy
        if strategy is None and not self.late:
            strategy = self.strategy
        symmetric = {name: many for name, many in sorted(made.symmetric.items()) if many}
        if found < listed and symmetric:  # only where no solution is symmetric
            symmetric = {NO_SYMMETRY: found}
        by_limit = "solutions" if self._limit_reached() else "time"
        by_remaining = tuple(
            Remaining(left, (strategy or Strategy()).at(left).in_force, tries, fits, tries - fits)
            for left, (tries, fits) in sorted(made.tally.items(), reverse=True)
        )
        return Result(
            status=status,
            solutions=found,
            counted=self.counted,
            fits=made.fits,
            nofits=made.nofits,
            seconds=self._clock.working,
            compiling=self._clock.compiling,
            strategy=str(strategy or ""),
            reason=self.reason,
            symmetric=symmetric,
            applied=() if begun is None else begun.applied,
            by_remaining=by_remaining,
            stopped_by=by_limit if status == "limit" else "",
            why="" if begun is None else begun.why,
        )

    @property
    def _done(self) -> bool:
        """Whether the search has come to its end."""
        return self._sum.status is Status.DONE or self._closed

    def _status(self) -> str:
        if self.reason:
            return "impossible"
        if self._limit_reached() and not (self._done and self._sum.found == self.limit):
            return "limit"
        if self._done:
            return "complete"
        if self._stopped:
            return "interrupted"
        return "limit" if self._clock.over else "searching"

    def _limit_reached(self) -> bool:
        """Whether as many are found; if they are only counted, there may be more."""
        return self.limit is not None and self._sum.found >= self.limit

    def _over(self) -> bool:
        return (
            self._stopped
            or self._done
            or self._clock.over
            or bool(self.reason)
            or self._limit_reached()
        )
