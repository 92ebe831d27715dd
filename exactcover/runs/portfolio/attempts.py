"""The attempts of a portfolio: dives by all methods, and slices of the plain search.

The plain search is complete: if it ends without a solution, there is none. The race between methods
learns from every dive, and so does the ease with which each piece fits.

A run with the same seed must give the same solution, however many threads there are and however
fast they are. So nothing depends on a clock:

- attempts are numbered, and end after a number of steps;
- what attempt n does follows from the outcomes of the attempts up to n - `LAG`;
- among solutions, that of the attempt with the lowest number counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf, log, sqrt
from statistics import fmean

import numpy as np

from exactcover.backends.base import Search, Slice, Status
from exactcover.runs.executors import Pool, Work, thread_pool
from exactcover.runs.portfolio.board import PackingBoard
from exactcover.runs.portfolio.packer import Attempt, Method, Outcome, Packer

LAG = 16
"""An attempt follows from outcomes this many numbers before it; no more threads than this are busy.
One attempt in `LAG` goes on with the plain search."""

STEPS = 10_000_000
"""The steps of a short dive: a tenth of a second or so."""

GUESSED = 2
"""A compact piece is guessed to be easy. The guess counts as much as this many looks at it."""

PLAIN_SHARE = 8
"""How many times the work of a dive a slice of the plain search may take."""


HUGE = 50
"""A puzzle of this many pieces has methods of its own: they judge pieces by their shapes, or use
windows."""

CURIOSITY = 0.7
"""The weight of the upper-confidence bound beside the mean."""


def methods(board: PackingBoard) -> tuple[Method, ...]:
    """The methods of a race, those that are good on most puzzles first."""
    found = [
        Method(order, threshold, skill, endings)
        for skill, endings in ((1.0, 0.25), (1.5, 0.1), (0.5, 1.0))
        for threshold in (20.0, 28.0, 14.0, 36.0, 9.0)
        for order in range(board.orders)
    ]
    if board.cells / board.mean_size < HUGE:
        return tuple(found)
    by_shape = [Method(order, 20.0, by_shape=True, length=8) for order in range(board.orders)]
    # From the ends of the longest axis; windows in other orders seldom succeed.
    windows = [
        Method(order, 34.0, skill=32.0, endings=0.5, line=22.0, length=64, by_shape=True)
        for order in range(min(board.orders, 2))
    ]
    return (*by_shape, *windows, *found)


def next_method(given: Mapping[Method, int], left_open: Mapping[Method, list[int]]) -> Method:
    """The method of the next attempt: the upper-confidence rule of bandits, by counts alone.

    The reward of an attempt is how few cells it left open. A method that is good or little tried
    comes next.

    given      how many attempts each method was given
    left_open  how many cells each attempt with a method left open
    """
    total = sum(given.values())
    means = {method: fmean(cells) for method, cells in left_open.items()}
    spread = max(1.0, fmean(means.values())) if means else 1.0

    def promise(method: Method) -> float:
        if method not in means:
            return -inf
        return CURIOSITY * sqrt(log(1 + total) / given[method]) - means[method] / spread

    fresh = [method for method, many in given.items() if not many]
    return fresh[0] if fresh and total % 2 == 0 else max(given, key=promise)


class Portfolio(Work[Attempt, Outcome]):
    """The attempts of a run, and the `Work` of its threads. One thread calls `advance`.

    seed     of the run
    plain    the plain search, which dives alternate with
    pace     its choices in a slice
    threads  how many there are

    best   the options of the best partial packing so far, ascending
    left   how many cells it leaves open
    dives  how many dives have ended
    made   what the plain search has come to in the attempts that have ended
    """

    def __init__(
        self, board: PackingBoard, seed: int, plain: Search, pace: int, threads: int
    ) -> None:
        self._board, self._seed, self._plain, self._pace = board, seed, plain, pace
        self._given = dict.fromkeys(methods(board), 0)  # how many attempts each method was given
        self._left_open: dict[Method, list[int]] = {}
        slots = board.slots.size + 1
        self._fitted, self._offered = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
        compact = board.compactness()
        self._guess = np.exp(np.minimum(compact - compact.max(initial=0.0), 0.0)) / 2
        self.best: tuple[int, ...] = ()
        self.left = board.cells
        self.dives = 0
        self.made: list[Slice] = []
        self._outcomes: dict[int, Outcome] = {}  # those that are not settled yet
        self._next = 0  # the attempt that is submitted next
        self._last: int | None = None  # the lowest attempt that is known to be final
        self.threads = min(threads, LAG)
        self._pool: Pool[Attempt, Outcome] = thread_pool(self, self.threads)

    def stop(self) -> None:
        """End all attempts after the slice that they are in; their outcomes are lost."""
        self._pool.close()

    def advance(self) -> Outcome | None:
        """Submit the attempts whose outcomes to follow from are there, and take in outcomes; return
        the final one, once all attempts before it are done."""
        while self._last is None and (self._next < LAG or self._next - LAG in self._outcomes):
            if self._next >= LAG:
                self._settle(self._outcomes.pop(self._next - LAG))
            self._pool.submit(self._next, self._attempt(self._next))
            self._next += 1
        for number, done in self._pool.finished():
            self._outcomes[number] = done
            self._see(done)
        if self._last is None:
            return None
        unsettled = range(max(0, self._next - LAG), self._last)
        is_over = all(number in self._outcomes for number in unsettled)
        return self._outcomes[self._last] if is_over else None

    def _attempt(self, number: int) -> Attempt:
        """The attempt with this number, made from the outcomes settled so far."""
        if number % LAG == LAG - 1:
            return Attempt(number, None, self._guess, 0, self._seed)
        method = next_method(self._given, self._left_open)
        self._given[method] += 1
        ease = (self._fitted + GUESSED * self._guess) / (self._offered + GUESSED)
        if method.by_shape:
            ease = self._guess
        # Lengths of 1, 2, 1, 4, 1, 2, 1, 8 and so on are nearly as good as the best fixed one,
        # whatever it is (Luby, Sinclair and Zuckerman, 1993).
        times = self._given[method] & -self._given[method]
        steps = STEPS * times * method.length
        return Attempt(number, method, np.log(ease), steps, self._seed)

    def _settle(self, outcome: Outcome) -> None:
        """Learn from an outcome; they come in the order of their attempts."""
        if outcome.attempt.method is not None:
            self._left_open.setdefault(outcome.attempt.method, []).append(outcome.left)
            self._fitted += outcome.fitted
            self._offered += outcome.offered

    def _see(self, outcome: Outcome) -> None:
        """Keep the best partial packing, and the lowest final attempt."""
        number = outcome.attempt.number
        if (outcome.solved or outcome.ended) and (self._last is None or number < self._last):
            self._last = number
        self.made += outcome.made
        if outcome.attempt.method is None:
            return
        self.dives += 1
        if outcome.left < self.left:
            self.best, self.left = outcome.options, outcome.left

    # -- in the threads -------------------------------------------------------------------------

    def begin(self) -> Callable[[Attempt], Iterator[Outcome]]:
        """Make the packer of a thread; return what does attempts."""
        packer = Packer(self._board)
        return lambda attempt: self._outcome(packer, attempt)

    def _outcome(self, packer: Packer, attempt: Attempt) -> Iterator[Outcome]:
        """The outcome of an attempt; none if it is not needed any more."""

        def going() -> bool:
            return not self._pool.closed and (self._last is None or attempt.number <= self._last)

        do = self._go_on_plainly if attempt.method is None else packer.pack
        outcome = do(attempt, going)
        if outcome is not None:
            yield outcome

    def _go_on_plainly(self, attempt: Attempt, going: Callable[[], bool]) -> Outcome | None:
        """Make a number of choices of the plain search. Its attempts are `LAG` apart, so there is
        one at a time."""
        outcome = Outcome(attempt, self._board.cells)
        left = PLAIN_SHARE * max(self._pace, 1)
        while going() and left > 0 and not (outcome.solved or outcome.ended):
            made = self._plain.advance(min(1 << 12, left), capacity=1)
            left -= made.choices
            outcome.made.append(made.without_rows(found=0, symmetric={}))
            outcome.ended = made.status is Status.DONE
            if len(made):
                outcome.options, outcome.left = made.solution(0), 0
        return outcome if going() else None
