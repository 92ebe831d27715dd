"""A subject searched by a strategy: the plan, and the search of the options that it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from exactcover.backends.base import Batch, Report, Search, Status, Task
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import Ask, Asking
from exactcover.search.engine import start_cutting, start_search
from exactcover.search.plan import Applied, Plan, make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY, judged


@dataclass(frozen=True, kw_only=True)
class SubjectReport(Report):
    """The state of the search of a subject, for a `Result`.

    strategy  how it searches
    reason    why there is no solution, if its filters show it; else empty
    applied   the filters applied before the search, with their effects
    why       why it goes on in this way, if that was measured; else empty
    notices   messages for the user, one line each
    """

    strategy: Strategy
    reason: str = ""
    applied: tuple[Applied, ...] = ()
    why: str = ""
    notices: tuple[str, ...] = ()


class Reporting(Search, Protocol):
    """A search of a subject."""

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search, see `Search.report`."""


class Team(Protocol):
    """Who searches a plan; `runs.Threads` is a team of several threads."""

    def start(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> Search:
        """The search of a plan.

        A search whose reports have `symmetric` applies the canonical test of the plan itself. With
        `tally` it raises `CapabilityError` if an engine has none.
        """

    @property
    def any_order(self) -> bool:
        """Whether the automaton, which finds in another order, may be used instead."""

    def crew(self) -> Crew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""


class Alone:
    """The thread that advances the search, without any other."""

    any_order = True

    def start(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> Search:
        """The search of a plan; with `tally` it raises `CapabilityError` if an engine has none."""
        if tally:
            return start_cutting(plan, strategy, Task(tally=True))
        return start_search(plan, strategy)

    def crew(self) -> None:
        """Nobody: one thread counts."""


MOST_DONE = 0.95
"""The most that a rough estimate takes for done before the end."""

NONE = Report(0, 0, 0, progress=1.0)
"""The report of a search that has nothing to search."""


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
        self._farthest = 0.0  # its progress never goes back
        self._search: Search | None = None if self.plan.reason else self._begin(tally=tally)

    def _begin(self, *, tally: bool) -> Search:
        """Start the search of the options that the plan leaves."""
        search = self._start(tally=tally)
        if self.plan.canonical is None or search.report(brief=True).symmetric is not None:
            return search
        return judged(search, self.plan) or search

    def _start(self, *, tally: bool) -> Search:
        """The search of the strategy's stages."""
        search = self._team.start(self.plan, self.strategy, tally=tally)
        if isinstance(search, Asking):
            search.ask = self._ask
        return search

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        if self._search is None:
            return Batch.of(Status.DONE)
        return self._search.advance(steps, capacity=capacity, keep=keep)

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search. Its progress is what was expected, where anything was."""
        report = NONE if self._search is None else self._search.report(brief=brief)
        figures = vars(report) | {"symmetric": self._symmetric(report)}
        if not brief:
            figures["progress"] = self._progress(report)
        plan = self.plan
        return SubjectReport(
            **figures, strategy=self.strategy, reason=plan.reason, applied=plan.applied
        )

    @property
    def choices(self) -> int:
        """Options tried so far."""
        return 0 if self._search is None else self._search.report(brief=True).choices

    def _symmetric(self, report: Report) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries."""
        if report.symmetric is not None:
            return report.symmetric
        # The filters have removed every copy, so no solution has a symmetry of its own.
        return {NO_SYMMETRY: report.found} if self.subject.counted != "all" and report.found else {}

    def _progress(self, report: Report) -> float:
        """The searched share of the tree; it never goes back."""
        done = report.progress
        if self.expected is not None and done < 1.0:
            done = min(report.choices / max(report.choices, self.expected, 1.0), MOST_DONE)
        self._farthest = max(self._farthest, done)
        return self._farthest
