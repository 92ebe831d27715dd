"""A subject searched by a strategy: the plan, and the search of the options that it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from exactcover.backends.base import Batch, Search, Status, Task, Tried
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


class Alone:
    """The thread that advances the search, without any other."""

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        return start_search(plan, strategy)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        return start_cutting(plan, strategy, Task(tally=True))


class PlannedSearch:
    """A `Reporting` search of a subject by a strategy. Making it applies the filters.

    tally  whether to count the options tried by the number of pieces left
    team   who searches
    """

    def __init__(
        self,
        subject: Subject,
        strategy: Strategy,
        *,
        tally: bool = False,
        team: Team | None = None,
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self.plan: Plan = make_plan(subject, strategy)
        self._team = team or Alone()
        self._tallied: TallyingSearch | None = None
        self._unique: Judging | None = None
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
            self._tallied = self._team.start_tallying(self.plan, self.strategy)
            return self._tallied
        return self._team.start(self.plan, self.strategy)

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
        """The searched share of the tree."""
        return 1.0 if self._search is None else self._search.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first."""
        return () if self._search is None else self._search.position()
