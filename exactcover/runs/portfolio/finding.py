"""One solution, or the best partial packing when the time is up.

An easy puzzle is solved by the plain search before the portfolio begins. The share of the plain
search at the beginning is a number of choices, so it is the same in every run.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from exactcover.backends.base import Slice, Status, Where
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import LimitReached, ProblemError
from exactcover.puzzle.rectangles import FloorModel
from exactcover.search.automatic import for_one_solution
from exactcover.search.begun import Begun, begin_listing
from exactcover.search.result import Result, Solution
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

if TYPE_CHECKING:
    from exactcover.runs.portfolio.attempts import Portfolio

ENTRIES = 1 << 31
"""The choices before the portfolio times the entries of the problem: one or two seconds."""

FEWEST, MOST = 1 << 8, 1 << 20
"""The least and the most choices before the portfolio begins."""


class PortfolioSearch:
    """A search of one solution: the plain search first, then a portfolio beside it.

    portfolio  None before it begins
    """

    def __init__(self, subject: Subject, begun: Begun, *, seed: int, workers: int | None) -> None:
        self.subject = subject
        self.portfolio: Portfolio | None = None
        self._plain = begun.search
        self._seed, self._threads = seed, workers
        entries = max(1, subject.problem.entries.size)
        self._pace = min(MOST, max(FEWEST, ENTRIES // entries))
        self._choices = self._pace  # left before the portfolio
        self._hopeless = False  # packers cannot search it
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for a slice, see `Search.advance`; it ends with the first solution.

        Its choices are those of the plain search: the packers count none.
        """
        if self._done:
            return Slice(Status.DONE)
        slices: list[Slice] = []
        solution: tuple[int, ...] | None = None
        if self._choices > 0 or self._hopeless:
            most = steps if self._hopeless else min(steps, self._choices)
            made = self._plain.advance(most, capacity=1)
            self._choices -= made.choices
            slices.append(made.without_rows(found=0, symmetric={}))
            self._done = len(made) > 0 or made.status is Status.DONE
            solution = made.solution(0) if len(made) else None
        elif self.portfolio is None:
            self._begin()
        else:
            outcome = self.portfolio.advance()
            slices, self.portfolio.made = self.portfolio.made, []
            self._done = outcome is not None
            solution = outcome.options if outcome is not None and outcome.solved else None
        status = Status.DONE if self._done else Status.BUDGET
        if solution is not None:
            status = Status.FULL
            slices.append(self._checked(solution, keep))
        if self._done:
            self.stop()
        return Slice.joined(slices, status)

    def stop(self) -> None:
        """Let the threads end."""
        if self.portfolio is not None:
            self.portfolio.stop()

    def _begin(self) -> None:
        from exactcover.base.machine import processors
        from exactcover.runs.portfolio.attempts import Portfolio
        from exactcover.runs.portfolio.board import PackingBoard

        # Rectangles are filled by their sizes; a packer would need all their cells.
        is_floor = isinstance(self.subject.model, FloorModel)
        board = None if is_floor else PackingBoard.of(self.subject)
        if board is None:
            self._hopeless = True
            return
        threads = self._threads or processors()
        self.portfolio = Portfolio(board, self._seed, self._plain, self._pace, threads)
        weakref.finalize(self, self.portfolio.stop)

    def _checked(self, solution: tuple[int, ...], keep: bool) -> Slice:
        """The slice of a solution; one of the portfolio is checked before it is handed out."""
        wrong = self.portfolio and self.subject.problem.violation(solution)
        if wrong is not None:
            raise ProblemError(f"a packer gave an invalid solution: {wrong}")
        return Slice.of(Status.FULL, [solution] if keep else [], found=1)

    def where(self) -> Where:
        """Where the plain search is."""
        workers = 1 if self.portfolio is None else self.portfolio.threads
        where = replace(self._plain.where(), workers=workers)
        return replace(where, progress=1.0) if self._done else where


class Finding(Solving):
    """A search that ends with its first solution; `first` runs it.

    subject     as for `solve`
    counted     as for `solve`
    time_limit  seconds. Default: None, no limit
    workers     how many threads search once the puzzle proves hard. Default: None, one for each
                free processor
    seed        of the random choices. Default: 0

    `best` is the best partial packing at any time. At a time limit the status of the result is
    `unknown`.
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: Convention | None = None,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
    ) -> None:
        check_whole("workers", workers, least=1)
        check_whole("seed", seed, least=0, optional=False)
        self._workers, self._seed = workers, seed
        self._searched: PortfolioSearch | None = None
        super().__init__(subject, counted=counted, limit=1, time_limit=time_limit)

    def _chosen_strategy(self) -> Strategy:
        return for_one_solution(self.subject)

    def _make(self) -> Begun:
        begun = begin_listing(self.subject, self.strategy)
        self._searched = PortfolioSearch(
            self.subject, begun, seed=self._seed, workers=self._workers
        )
        return begun._replace(search=self._searched)

    def _let_go(self) -> None:
        if self._searched is not None:
            self._searched.stop()
        super()._let_go()

    @property
    def _portfolio(self) -> Portfolio | None:
        return None if self._searched is None else self._searched.portfolio

    @property
    def best(self) -> Solution | None:
        """The best partial packing so far, as a `Solution` that leaves cells open.

        None before the portfolio begins, and if nothing is packed.
        """
        options = () if self._portfolio is None else self._portfolio.best
        return Solution(options, self.problem, self.model) if options else None

    @property
    def told(self) -> str:
        """How far the portfolio is, in words; empty before it begins."""
        if (portfolio := self._portfolio) is None:
            return ""
        return (
            f"{len(portfolio.best)} pieces placed at best, {portfolio.left} cells open; "
            f"{portfolio.dives} restarts"
        )

    def _result(self) -> Result:
        result = super()._result()
        if result.status == "limit" and not result.solutions and result.stopped_by == "time":
            result = replace(result, status="unknown")
        if self._portfolio is None:
            return result
        return replace(result, strategy=f"portfolio; {result.strategy}")


def first(
    subject: Solvable,
    *,
    strategy: Strategy | str | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Callable[[Solving], object] | None = None,
) -> Solution | None:
    """One solution, or None if there is none.

        >>> import exactcover as ec
        >>> ec.first({"x": ["a", "b"], "y": ["c"], "z": ["b", "c"]}).names
        ('x', 'y')

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, the plain search and then a portfolio of packers
    time_limit  seconds, a number. Default: None, no limit
    workers     how many threads search once the puzzle proves hard. Default: None, one for each
                free processor
    seed        of the random choices: the same seed gives the same solution, with any number of
                workers. Default: 0
    progress    a function that is called about fifty times a second, with the search under way: its
                `progress` is the share that is done, and it has `found` and `seconds`. What the
                function raises ends the search. Default: None

    For an easy puzzle it is the first solution of `solve`. A small plain problem is searched by
    `planes` unless you name a strategy: that engine starts soonest and follows forced choices
    first. A puzzle that proves hard is given to many randomised packers, beside the plain search.

    Raises `LimitReached` if the time limit comes first. Its `best` is the best partial packing.
    """
    with (
        Finding(subject, time_limit=time_limit, workers=workers, seed=seed)
        if strategy is None
        else Solving(subject, strategy=strategy, limit=1, time_limit=time_limit)
    ) as solving:
        solving.between = progress
        solution = next(solving, None)
        if solution is None and solving.result.status in ("limit", "unknown"):
            best = solving.best if isinstance(solving, Finding) else None
            raise LimitReached(0, time_limit, best=best)
    return solution
