"""A subject searched by a strategy: its plan, the search of the options left, and a judge.

Where symmetric solutions count once, a canonical test keeps one of each. It is needed where the
filters of a plan cannot remove all copies. A judge may also give each solution a weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Crew, Report, Search, Status, Task
from exactcover.base.values import Convention
from exactcover.problem.filters.redundancy import Canonical
from exactcover.puzzle.symmetry import PuzzleSymmetries
from exactcover.search.plan import Applied, Plan, make_plan
from exactcover.search.stages import start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

NO_SYMMETRY = "no symmetry"


Judgement = tuple[npt.NDArray[np.int64], int, Counter[str]]
"""The numbers of the solutions of a batch that are handed out, how many solutions the batch counts,
and how many of these have each group of symmetries."""

Judge = Callable[[Batch], Judgement]


def canonical_test(plan: Plan) -> Judge | None:
    """The test that keeps the least of the symmetric copies of a solution; None: all count."""
    if plan.canonical is None or plan.model is None:
        return None
    symmetries, counted = plan.model.symmetries, plan.subject.counted
    return partial(_least_of_copies, plan.canonical, symmetries, counted)


def _least_of_copies(
    canonical: Canonical, symmetries: PuzzleSymmetries, counted: Convention, batch: Batch
) -> Judgement:
    fixing = canonical.fixing(batch.starts, batch.options)
    kept, symmetric = np.flatnonzero(fixing), Counter[str]()
    if plain := int((fixing == 1).sum()):
        symmetric[NO_SYMMETRY] += plain
    for number in np.flatnonzero(fixing > 1).tolist():
        symmetric[symmetries.name_of_group(batch.solution(number), counted)] += 1
    return kept, len(kept), symmetric


class JudgedSearch:
    """A search whose solutions are judged.

    search     whose tree it goes through
    judge      None: all solutions are kept
    symmetric  how many of the solutions found have each group of symmetries
    """

    def __init__(self, search: Search, judge: Judge | None) -> None:
        self.search, self.judge = search, judge
        self.symmetric: Counter[str] = Counter()
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`. A judge needs the solutions even with `keep`
        off."""
        needed = keep or self.judge is not None
        return self.judged(self.search.advance(steps, capacity=capacity, keep=needed), keep=keep)

    def judged(self, batch: Batch, *, keep: bool) -> Batch:
        """The solutions of a batch of the search that are handed out."""
        if self.judge is None:
            return batch
        kept, found, symmetric = self.judge(batch)
        self._found += found
        self.symmetric += symmetric
        return batch.selected(kept) if keep else Batch.of(batch.status)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, with the groups of symmetries if there is a judge."""
        report = self.search.report(brief=brief)
        if self.judge is None:
            return report
        return replace(report, found=self._found, symmetric=self.symmetric)


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


class SubjectSearch(Search, Protocol):
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

    def crew(self) -> Crew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""


def alone(plan: Plan, strategy: Strategy, *, tally: bool = False) -> Search:
    """The search of a plan by the thread that advances it.

    With `tally` it raises `CapabilityError` if an engine has none.
    """
    return start_search(plan, strategy, Task(tally=tally))


MOST_DONE = 0.95
"""The most that a rough estimate takes for done before the end."""

NONE = Report(0, 0, 0, progress=1.0)
"""The report of a search that has nothing to search."""


class Nothing:
    """The search of a plan that has no solution."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Nothing, see `Search.advance`."""
        return Batch.of(Status.DONE)

    def report(self, *, brief: bool = False) -> Report:
        """The state of a search that is done."""
        return NONE


Start = Callable[[Plan, Strategy], tuple[Search, Judge | None]]
"""Starts the search of the options that a plan leaves, and says how its solutions are judged."""


class PlannedSearch(JudgedSearch):
    """A `SubjectSearch` search of a subject by a strategy. Making it applies the filters.

    tally  whether to count the options tried by the number of pieces left
    team   who searches; None: the thread that advances it
    start  starts a search that does not list the solutions that count, in place of these three:
           then the symmetries of solutions are not found out

    expected  the choices that the whole seems to take, to say how much is done; None: unknown
    """

    def __init__(
        self,
        subject: Subject,
        strategy: Strategy,
        *,
        tally: bool = False,
        team: Team | None = None,
        start: Start | None = None,
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self.expected: float | None = None
        self.plan: Plan = make_plan(subject, strategy)
        self._grouped = start is None
        self._farthest = 0.0  # its progress never goes back
        if self.plan.reason:
            super().__init__(Nothing(), None)
        elif start is not None:
            super().__init__(*start(self.plan, strategy))
        else:
            begin = alone if team is None else team.start
            search = begin(self.plan, strategy, tally=tally)
            judges = search.report(brief=True).symmetric is not None  # the team judges by itself
            super().__init__(search, None if judges else canonical_test(self.plan))

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search. Its progress is what was expected, where anything was."""
        report = super().report(brief=brief)
        figures = vars(report) | {"symmetric": self._groups(report)}
        if not brief:
            done = report.progress
            if self.expected is not None and done < 1.0:
                done = min(report.choices / max(report.choices, self.expected, 1.0), MOST_DONE)
            figures["progress"] = self._farthest = max(self._farthest, done)
        plan = self.plan
        return SubjectReport(
            **figures, strategy=self.strategy, reason=plan.reason, applied=plan.applied
        )

    @property
    def choices(self) -> int:
        """Options tried so far."""
        return self.search.report(brief=True).choices

    def _groups(self, report: Report) -> Mapping[str, int]:
        """How many of the solutions have each group of symmetries; empty: that is unknown."""
        if not self._grouped:
            return {}
        if report.symmetric is not None:
            return report.symmetric
        # The filters have removed every copy, so no solution has a symmetry of its own.
        return {NO_SYMMETRY: report.found} if self.subject.counted != "all" and report.found else {}
