"""One solution, or the best partial packing when the time is up.

An easy puzzle is solved by the plain search before the portfolio begins. Then packers dive by many
methods, one after the other, and the plain search goes on beside them in the calling thread. It is
complete: if it ends without a solution, there is none.

A run with the same seed gives the same solution, however many threads there are and however fast
they are. So nothing depends on a clock:

- attempts are numbered, and what an attempt does follows from its number alone: its method, its
  random choices, and the number of steps after which it ends;
- the plain search has a turn of a number of choices before each attempt whose number is a multiple
  of `EVERY`;
- among solutions, that of the attempt with the lowest number counts.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf

from exactcover.backends.base import Slice, Status, Where
from exactcover.base.machine import processors
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import LimitReached, ProblemError
from exactcover.puzzle.rectangles import FloorModel
from exactcover.runs.executors import WAIT, Pool, Work, thread_pool
from exactcover.runs.portfolio.board import PackingBoard
from exactcover.runs.portfolio.packer import Attempt, Method, Outcome, Packer
from exactcover.search.automatic import for_one_solution
from exactcover.search.begun import Begun, begin_listing
from exactcover.search.result import Result, Solution
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

ENTRIES = 1 << 31
"""The choices before the portfolio times the entries of the problem: one or two seconds."""

ENDLESS = 1 << 62
"""The choices of the plain search if packers cannot search the puzzle."""

FEWEST, MOST = 1 << 8, 1 << 20
"""The least and the most choices before the portfolio begins."""

EVERY = 16
"""The attempts for each turn of the plain search."""

PLAIN_SHARE = 8
"""The choices of a turn, as a multiple of those before the portfolio."""

STEPS = 4_000_000
"""The most steps of a short attempt: some hundredths of a second."""

LONGER = 32
"""The steps of an attempt with windows, as a multiple of them."""

AHEAD = 2
"""Attempts that are submitted for each thread."""

HUGE = 50
"""A puzzle of this many pieces has methods of its own, with windows."""


def methods(board: PackingBoard) -> tuple[Method, ...]:
    """The methods, those that are good on most puzzles first."""
    if board.cells / board.mean_size >= HUGE:
        # From the ends of the longest axis; windows in other orders seldom succeed.
        orders = range(min(board.orders, 2))
        return tuple(Method(order, 34.0, skill=32.0, line=22.0, length=LONGER) for order in orders)
    return tuple(
        Method(order, threshold)
        for threshold in (20.0, 28.0, 14.0)
        for order in range(board.orders)
    )


class Portfolio(Work[Attempt, Outcome]):
    """A search of one solution: the plain search first, then attempts of packers beside it. It is
    also the `Work` of the threads of these.

    best     the options of the best partial packing so far, ascending
    left     how many cells it leaves open
    dives    how many dives have ended
    threads  how many there are; 1 before the packers begin
    """

    def __init__(self, subject: Subject, begun: Begun, *, seed: int, workers: int | None) -> None:
        self.subject = subject
        self.best: tuple[int, ...] = ()
        self.left = self.dives = 0
        self.threads = 1
        self._plain = begun.search
        self._seed, self._workers = seed, workers
        entries = max(1, subject.problem.entries.size)
        self._pace = min(MOST, max(FEWEST, ENTRIES // entries))
        self._choices = self._pace  # left in this turn of the plain search
        self._turn = -0.5  # where the turn is among the attempts
        self._due = EVERY  # the attempt before which the next turn begins
        self._pool: Pool[Attempt, Outcome] | None = None
        self._next = 0  # the attempt that is submitted next
        self._open: set[int] = set()  # those at work
        self._last = inf  # the lowest number that has ended the search
        self._solution: tuple[int, ...] | None = None
        self._done = False

    @property
    def has_begun(self) -> bool:
        """Whether packers search."""
        return self._pool is not None

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for a slice, see `Search.advance`; it ends with the first solution.

        Its choices are those of the plain search: the packers count none.
        """
        if self._done:
            return Slice(Status.DONE)
        slices: list[Slice] = []
        if self._pool is not None:
            self._exchange(self._pool)
        elif self._choices <= 0:
            self._begin()
        if self._choices > 0:
            made = self._plain.advance(min(steps, self._choices), capacity=1)
            self._choices -= made.choices
            slices.append(made.without_rows(found=0, symmetric={}))
            if len(made) or made.status is Status.DONE:
                self._choices = 0
                self._end(self._turn, made.solution(0) if len(made) else None)
        self._done = self._last < inf and not any(number < self._last for number in self._open)
        status = Status.DONE if self._done else Status.BUDGET
        if self._done:
            self.stop()
            if self._solution is not None:
                status = Status.FULL
                slices.append(self._checked(self._solution, keep))
        return Slice.joined(slices, status)

    def stop(self) -> None:
        """Let the threads end after the slice that they are in; their outcomes are lost."""
        if self._pool is not None:
            self._pool.close()

    def _begin(self) -> None:
        # Rectangles are filled by their sizes; a packer would need all their cells.
        is_floor = isinstance(self.subject.model, FloorModel)
        board = None if is_floor else PackingBoard.of(self.subject)
        if board is None:
            self._choices = ENDLESS
            return
        self._board, self._methods, self.left = board, methods(board), board.cells
        self.threads = self._workers or processors()
        self._pool = thread_pool(self, self.threads)
        weakref.finalize(self, self._pool.close)

    def _exchange(self, pool: Pool[Attempt, Outcome]) -> None:
        """Submit attempts, and take in outcomes."""
        while self._last == inf and len(self._open) < AHEAD * self.threads:
            if self._next == self._due:
                if self._choices > 0:
                    break  # the turn before is not over
                self._turn, self._choices = self._next - 0.5, PLAIN_SHARE * max(self._pace, 1)
                self._due += EVERY
            self._open.add(self._next)
            pool.submit(self._next, self._attempt(self._next))
            self._next += 1
        for number, outcome in pool.finished(0 if self._choices > 0 else WAIT):
            self._open.remove(number)
            self.dives += 1
            if outcome.left < self.left:
                self.best, self.left = outcome.options, outcome.left
            if outcome.solved:
                self._end(number, outcome.options)

    def _end(self, number: float, solution: tuple[int, ...] | None) -> None:
        """End the search by an attempt or a turn, unless one before it does."""
        if number < self._last:
            self._last, self._solution = number, solution

    def _attempt(self, number: int) -> Attempt:
        """The attempt with this number."""
        again, one = divmod(number, len(self._methods))
        method = self._methods[one]
        # Lengths of 1, 2, 1, 4, 1, 2, 1, 8 and so on are nearly as good as the best fixed one,
        # whatever it is (Luby, Sinclair and Zuckerman, 1993).
        times = (again + 1) & -(again + 1)
        return Attempt(number, method, STEPS * times * method.length, self._seed)

    def _checked(self, solution: tuple[int, ...], keep: bool) -> Slice:
        """The slice of a solution; one of the packers is checked before it is handed out."""
        wrong = self._pool and self.subject.problem.violation(solution)
        if wrong is not None:
            raise ProblemError(f"a packer gave an invalid solution: {wrong}")
        return Slice.of(Status.FULL, [solution] if keep else [], found=1)

    def where(self) -> Where:
        """Where the plain search is."""
        where = self._plain.where()._replace(workers=self.threads)
        return where._replace(progress=1.0) if self._done else where

    # -- in the threads -------------------------------------------------------------------------

    def begin(self) -> Callable[[Attempt], Iterator[Outcome]]:
        """Make the packer of a thread; return what does attempts while they are needed."""
        packer = Packer(self._board)

        def do(attempt: Attempt) -> Iterator[Outcome]:
            def going() -> bool:
                closed = self._pool is not None and self._pool.closed
                return attempt.number < self._last and not closed

            outcome = packer.pack(attempt, going)
            if outcome is not None:
                yield outcome

        return do


class Finding(Solving):
    """A search that ends with its first solution; `first` runs it.

    subject     as for `solve`
    counted     as for `solve`
    time_limit  seconds. Default: None, no limit
    workers     how many threads search beside the calling one, once the puzzle proves hard.
                Default: None, one for each free processor
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
        self._portfolio: Portfolio | None = None
        super().__init__(subject, counted=counted, limit=1, time_limit=time_limit)

    def _chosen_strategy(self) -> Strategy:
        return for_one_solution(self.subject)

    def _make(self) -> Begun:
        begun = begin_listing(self.subject, self.strategy)
        self._portfolio = Portfolio(self.subject, begun, seed=self._seed, workers=self._workers)
        return begun._replace(search=self._portfolio)

    def _let_go(self) -> None:
        if self._portfolio is not None:
            self._portfolio.stop()
        super()._let_go()

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
        portfolio = self._portfolio
        if portfolio is None or not portfolio.has_begun:
            return ""
        return (
            f"{len(portfolio.best)} pieces placed at best, {portfolio.left} cells open; "
            f"{portfolio.dives} restarts"
        )

    def _result(self) -> Result:
        result = super()._result()
        if result.status == "limit" and not result.solutions and result.stopped_by == "time":
            result = replace(result, status="unknown")
        if self._portfolio is None or not self._portfolio.has_begun:
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
    workers     how many threads search beside the calling one, once the puzzle proves hard.
                Default: None, one for each free processor
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
