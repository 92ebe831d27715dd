"""A subject searched by a strategy: the plan, and the search of the options that it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from exactcover.backends.base import Batch, Search, Status, Task, Tried
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import Ask, Asking, Outlook
from exactcover.search.activity import outlook_of, placed_of, workers_of
from exactcover.search.plan import Applied, Plan, make_plan, start_cutting, start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY, Judging, judged


class Reporting(Search, Protocol):
    """A search that reports how it searches, for a `Result`."""

    @property
    def strategy(self) -> Strategy:
        """How it searches."""

    @property
    def reason(self) -> str:
        """Why there is no solution, if its filters show it; else empty."""

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The filters applied before the search, with their effects."""

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries, if that is known."""

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""


class TallyingSearch(Search, Protocol):
    """A search that can count the options that it tries by the number of pieces left."""

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""


class Team(Protocol):
    """Who searches a plan; `runs.Threads` is a team of several threads.

    A search of a team may apply the canonical test of the plan itself, see `Judging`.
    """

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""

    @property
    def any_order(self) -> bool:
        """Whether the automaton, which finds in another order, may be used instead."""

    def crew(self) -> Crew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""


class Alone:
    """The thread that advances the search, without any other."""

    any_order = True

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        return start_search(plan, strategy)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        return start_cutting(plan, strategy, Task(tally=True))

    def crew(self) -> None:
        """Nobody: one thread counts."""


MOST_DONE = 0.95
"""The most that a rough estimate takes for done before the end."""


class PlannedSearch:
    """A `Reporting` search of a subject by a strategy. Making it applies the filters.

    tally  whether to count the options tried by the number of pieces left
    team   who searches
    ask    asked before an engine that keeps states takes much memory; None: it may

    expected  the choices that the whole seems to take, to say how much is done; None: unknown
    """

    def __init__(
        self,
        subject: Subject,
        strategy: Strategy,
        *,
        tally: bool = False,
        team: Team | None = None,
        ask: Ask | None = None,
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self.expected: float | None = None
        self._ask = ask
        self.plan: Plan = make_plan(subject, strategy)
        self._team = team or Alone()
        self._tallied: TallyingSearch | None = None
        self._started: Search | None = None
        self._unique: Judging | None = None
        self._farthest = 0.0  # its progress never goes back
        self._search: Search | None = None if self.plan.reason else self._begin(tally=tally)

    def _begin(self, *, tally: bool) -> Search:
        """Start the search of the options that the plan leaves."""
        search = self._start(tally=tally)
        if isinstance(search, Judging) and self.plan.canonical is not None:
            self._unique = search
        else:
            self._unique = judged(search, self.plan)
        return search if self._unique is None else self._unique

    def _start(self, *, tally: bool) -> Search:
        """The search of the strategy's stages."""
        if tally:
            self._started = self._tallied = self._team.start_tallying(self.plan, self.strategy)
        else:
            self._started = self._team.start(self.plan, self.strategy)
        if isinstance(self._started, Asking):
            self._started.ask = self._ask
        return self._started

    @property
    def workers(self) -> int:
        """How many threads or processes search."""
        return workers_of(self._started)

    @property
    def outlook(self) -> Outlook | None:
        """The expected work and memory; None: the engine expects none."""
        return outlook_of(self._started)

    @property
    def reason(self) -> str:
        """Why there is no solution, if the plan shows it; else empty."""
        return self.plan.reason

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The filters applied, with their effects."""
        return self.plan.applied

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries."""
        if self._unique is not None:
            return self._unique.symmetric
        # The filters have removed every copy, so no solution has a symmetry of its own.
        return {NO_SYMMETRY: self.found} if self.subject.counted != "all" and self.found else {}

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        return {} if self._tallied is None else self._tallied.tally()

    # -- the search -----------------------------------------------------------------------------

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return 0 if self._search is None else self._search.fits

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return 0 if self._search is None else self._search.nofits

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return 0 if self._search is None else self._search.found

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        if self._search is None:
            return Batch.of(Status.DONE)
        return self._search.advance(steps, capacity=capacity, keep=keep)

    def progress(self) -> float:
        """The searched share of the tree; it never goes back.

        Sibling branches count equally, unless it is known how many choices the whole takes.
        """
        if self._search is None:
            return 1.0
        done = self._search.progress()
        if self.expected is not None and done < 1.0:
            made = self.fits + self.nofits
            done = min(made / max(made, self.expected, 1.0), MOST_DONE)
        self._farthest = max(self._farthest, done)
        return self._farthest

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first."""
        return () if self._search is None else self._search.position()

    def chosen(self) -> tuple[int, ...]:
        """The options placed now; empty if the engine cannot say."""
        return placed_of(self._started)
