"""The search of one solution: the plain search first, then a portfolio beside it.

An easy puzzle is solved by the plain search before the portfolio begins. The share of the plain
search at the beginning is a number of choices, so it is the same in every run.
"""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from exactcover.backends.base import Batch, Status
from exactcover.errors import ProblemError
from exactcover.search.planned import PlannedSearch, SubjectReport
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

if TYPE_CHECKING:
    from exactcover.runs.executors import Executor
    from exactcover.runs.portfolio.attempts import Attempt, Done, Portfolio

ENTRIES = 1 << 31
"""The choices before the portfolio times the entries of the problem: one or two seconds."""

FEWEST, MOST = 1 << 8, 1 << 20
"""The least and the most choices before the portfolio begins."""

WAIT = 0.02
"""Seconds of one slice while others work."""


class PortfolioSearch:
    """A `SubjectSearch` search of one solution.

    workers    how many threads there are once the portfolio has begun; None: one for each free
               processor

    portfolio  None before it begins
    """

    def __init__(
        self, subject: Subject, strategy: Strategy, *, seed: int, workers: int | None
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self.portfolio: Portfolio | None = None
        self._found = 0
        self._plain = PlannedSearch(subject, strategy)
        self._seed, self._threads = seed, workers
        entries = max(1, subject.problem.entries.size)
        self._choices = min(MOST, max(FEWEST, ENTRIES // entries))
        self._pool: Executor[Attempt, Done] | None = None
        self._outcomes: dict[int, Done] = {}  # outcomes that are not settled yet
        self._next = 0  # the attempt that is submitted next
        self._hopeless = False  # packers cannot search it
        self._done = False

    # -- going on -------------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for a slice, see `Search.advance`; it ends with the first solution."""
        if self._done:
            return Batch.of(Status.DONE)
        left = self._choices - self._plain.report(brief=True).choices
        if left > 0 or self._hopeless:
            batch = self._plain.advance(steps if self._hopeless else min(steps, left), capacity=1)
            if len(batch) or batch.status is Status.DONE:
                return self._ended(batch.solution(0) if len(batch) else None, keep)
            return batch
        if self._pool is None:
            self._begin()
            return Batch.of(Status.BUDGET)
        outcome = self._pack(self._pool)
        return Batch.of(Status.BUDGET) if outcome is None else self._ended(outcome.solution, keep)

    def stop(self) -> None:
        """Let the threads end."""
        if self.portfolio is not None:
            self.portfolio.stop()
        if self._pool is not None:
            self._pool.close()

    def _begin(self) -> None:
        """Make the tables of the portfolio."""
        from exactcover.runs.executors import free_processors, thread_pool
        from exactcover.runs.portfolio.attempts import LAG, Portfolio
        from exactcover.runs.portfolio.bench import Bench

        bench = Bench.of(self.subject)
        if bench is None:
            self._hopeless = True
            return
        self.portfolio = Portfolio(bench, self._seed, self._plain, self._choices)
        self._pool = thread_pool(min(self._threads or free_processors(), LAG))
        self._pool.start(self.portfolio)
        weakref.finalize(self, self.portfolio.stop)
        weakref.finalize(self, self._pool.close)

    def _pack(self, pool: Executor[Attempt, Done]) -> Done | None:
        """Submit the attempts whose outcomes to follow from are there, and take in outcomes; return
        the final one, once all attempts before it are done."""
        from exactcover.runs.portfolio.attempts import LAG

        portfolio = self.portfolio
        assert portfolio is not None
        while portfolio.last is None and (self._next < LAG or self._next - LAG in self._outcomes):
            if self._next >= LAG:
                portfolio.settle(self._outcomes.pop(self._next - LAG))
            pool.submit(self._next, portfolio.attempt(self._next))
            self._next += 1
        for number, done in pool.finished(WAIT):
            self._outcomes[number] = done
            portfolio.see(done)
        if portfolio.last is None:
            return None
        unsettled = range(max(0, self._next - LAG), portfolio.last)
        is_over = all(number in self._outcomes for number in unsettled)
        return self._outcomes[portfolio.last] if is_over else None

    def _ended(self, solution: tuple[int, ...] | None, keep: bool) -> Batch:
        """The last batch; a solution of the portfolio is checked before it is handed out."""
        self.stop()
        self._done = True
        if solution is None:
            return Batch.of(Status.DONE)
        wrong = self.portfolio and self.subject.problem.violation(solution)
        if wrong is not None:
            raise ProblemError(f"a packer gave an invalid solution: {wrong}")
        self._found = 1
        return Batch.of(Status.FULL, [solution] if keep else [])

    # -- what it has come to --------------------------------------------------------------------

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search. Its choices are those of the plain search: the packers count
        none. Symmetries are not counted."""
        workers = 1 if self._pool is None else self._pool.number
        report = replace(
            self._plain.report(brief=brief), found=self._found, symmetric=None, workers=workers
        )
        return replace(report, progress=1.0) if self._done else report
