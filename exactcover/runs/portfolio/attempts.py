"""The attempts of a portfolio: dives by all manners, and slices of the plain search.

The plain search is complete: if it ends without a solution, there is none. The race between manners
learns from every dive, and so does the ease with which each piece fits.

A run with the same seed must give the same solution, however many threads there are and however
fast they are. So nothing depends on a clock:

- attempts are numbered, and end after a number of steps;
- what attempt n does follows from the outcomes of the attempts up to n - `LAG`;
- among solutions, that of the attempt with the lowest number counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from exactcover.backends.base import Search, Status
from exactcover.runs.executors import Pool, Work, thread_pool
from exactcover.runs.portfolio.bench import Bench
from exactcover.runs.portfolio.packer import Dived, Packer
from exactcover.runs.portfolio.tables import Floats

LAG = 16
"""An attempt follows from outcomes this many numbers before it; no more threads than this are busy.
One attempt in `LAG` goes on with the plain search."""

STEPS = 10_000_000
"""The steps of a short dive: a tenth of a second or so."""

GUESSED = 2
"""A compact piece is guessed to be easy. The guess counts as much as this many looks at it."""

PLAIN_SHARE = 8
"""How many times the work of a dive a slice of the plain search may take."""

CURIOSITY = 0.7
"""The weight of the upper-confidence bound beside the mean."""

WAIT = 0.02
"""Seconds to wait for an outcome."""


class Race:
    """The race between manners: the upper-confidence rule of bandits, by counts alone.

    The reward of an attempt is how few cells it left open. A manner that is good or little tried
    comes next.

    given  how many attempts each manner was given
    """

    def __init__(self, many: int) -> None:
        self.given = [0] * many
        self._tried = [0] * many
        self._mean = [0.0] * many

    def give(self) -> int:
        """The manner of the next attempt."""
        numbers, total = range(len(self.given)), sum(self.given)
        tried = [number for number in numbers if self._tried[number]]
        spread = max(1.0, sum(self._mean[number] for number in tried) / max(1, len(tried)))

        def promise(number: int) -> float:
            if not self._tried[number]:
                return -inf
            curious = sqrt(log(1 + total) / self.given[number])
            return CURIOSITY * curious - self._mean[number] / spread

        fresh = [number for number in numbers if not self.given[number]]
        chosen = fresh[0] if fresh and total % 2 == 0 else max(numbers, key=promise)
        self.given[chosen] += 1
        return chosen

    def learn(self, manner: int, left_open: float) -> None:
        """Take in how many cells an attempt with this manner left open."""
        self._tried[manner] += 1
        self._mean[manner] += (left_open - self._mean[manner]) / self._tried[manner]

    def best(self) -> int:
        """The manner with the best mean so far; 0 if none was tried."""
        tried = [number for number, many in enumerate(self._tried) if many]
        return min(tried, key=lambda number: self._mean[number], default=0)


def luby(number: int) -> int:
    """The lengths of restarts that are nearly as good as the best fixed length, whatever it is:
    1, 1, 2, 1, 1, 2, 4 and so on (Luby, Sinclair and Zuckerman, 1993); `number` counts from 1."""
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2


@dataclass(frozen=True, eq=False)
class Attempt:
    """A dive by a manner, or a slice of the plain search (`manner` is -1).

    ease   float64 [slots]: how easily each slot has fitted so far, as a logarithm
    steps  of a dive
    """

    number: int
    manner: int
    ease: Floats
    steps: int


@dataclass(frozen=True, eq=False)
class Done:
    """The outcome of an attempt.

    packed    of a dive; None: it was a slice of the plain search
    solution  the options of a solution, ascending
    final     no later attempt is needed: there is a solution, or the plain search has ended
    """

    attempt: Attempt
    packed: Dived | None = None
    solution: tuple[int, ...] | None = None
    final: bool = False


class Portfolio(Work[Attempt, Done]):
    """The attempts of a run, and the `Work` of its threads. One thread calls `advance`.

    seed     of the run
    plain    the plain search, which dives alternate with
    pace     its choices in a slice
    threads  how many there are

    best   the options of the best partial packing so far, ascending
    left   how many cells it leaves open
    dives  how many dives have ended
    """

    def __init__(self, bench: Bench, seed: int, plain: Search, pace: int, threads: int) -> None:
        self._bench, self._seed, self._plain, self._pace = bench, seed, plain, pace
        self._race = Race(len(bench.manners))
        slots = bench.packing.slots.size + 1
        self._fitted, self._offered = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
        compact = bench.compactness()
        self._guess = np.exp(np.minimum(compact - compact.max(initial=0.0), 0.0)) / 2
        self.best: tuple[int, ...] = ()
        self.left = bench.cells
        self.dives = 0
        self._outcomes: dict[int, Done] = {}  # those that are not settled yet
        self._next = 0  # the attempt that is submitted next
        self._last: int | None = None  # the lowest attempt that is known to be final
        self._stopped = False
        self._pool: Pool[Attempt, Done] = thread_pool(min(threads, LAG))
        self._pool.start(self)

    @property
    def threads(self) -> int:
        """How many threads there are."""
        return self._pool.number

    @property
    def manner(self) -> str:
        """The manner with the best mean so far, in words."""
        return str(self._bench.manners[self._race.best()])

    def stop(self) -> None:
        """End all attempts after the slice that they are in; their outcomes are lost."""
        self._stopped = True
        self._pool.close()

    def advance(self) -> Done | None:
        """Submit the attempts whose outcomes to follow from are there, and take in outcomes; return
        the final one, once all attempts before it are done."""
        while self._last is None and (self._next < LAG or self._next - LAG in self._outcomes):
            if self._next >= LAG:
                self._settle(self._outcomes.pop(self._next - LAG))
            self._pool.submit(self._next, self._attempt(self._next))
            self._next += 1
        for number, done in self._pool.finished(WAIT):
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
            return Attempt(number, -1, self._guess, 0)
        chosen = self._race.give()
        manner = self._bench.manners[chosen]
        ease = (self._fitted + GUESSED * self._guess) / (self._offered + GUESSED)
        if manner.by_shape:
            ease = self._guess
        steps = STEPS * luby(self._race.given[chosen]) * manner.length
        return Attempt(number, chosen, np.log(ease), steps)

    def _settle(self, outcome: Done) -> None:
        """Learn from an outcome; they come in the order of their attempts."""
        if outcome.packed is not None:
            self._race.learn(outcome.attempt.manner, outcome.packed.left)
            self._fitted += outcome.packed.fitted
            self._offered += outcome.packed.offered

    def _see(self, outcome: Done) -> None:
        """Keep the best partial packing, and the lowest final attempt."""
        number = outcome.attempt.number
        if outcome.final and (self._last is None or number < self._last):
            self._last = number
        if outcome.packed is None:
            return
        self.dives += 1
        left = self._bench.cells_open(outcome.packed.options)
        if left < self.left:
            self.best, self.left = outcome.packed.options, left

    # -- in the threads -------------------------------------------------------------------------

    def begin(self) -> Callable[[Attempt], Iterator[Done]]:
        """Make the packer of a thread; return what does attempts."""
        packer = Packer(self._bench)
        return lambda attempt: self._outcome(packer, attempt)

    def _outcome(self, packer: Packer, attempt: Attempt) -> Iterator[Done]:
        """The outcome of an attempt; none if it is not needed any more."""

        def going() -> bool:
            return not self._stopped and (self._last is None or attempt.number <= self._last)

        if attempt.manner < 0:
            done = self._go_on_plainly(attempt, going)
        else:
            manner, seed = self._bench.manners[attempt.manner], (self._seed, attempt.number)
            packed = packer.pack(manner, attempt.ease, seed, attempt.steps, going)
            found = packed.options if packed is not None and packed.solved else None
            done = None if packed is None else Done(attempt, packed, found, packed.solved)
        if done is not None:
            yield done

    def _go_on_plainly(self, attempt: Attempt, going: Callable[[], bool]) -> Done | None:
        """Make a number of choices of the plain search. Its attempts are `LAG` apart, so there is
        one at a time."""
        before = self._plain.report(brief=True).choices
        most = PLAIN_SHARE * max(self._pace, 1)
        while going():
            spent = self._plain.report(brief=True).choices - before
            batch = self._plain.advance(min(1 << 12, max(1, most - spent)), capacity=1)
            if len(batch):
                return Done(attempt, solution=batch.solution(0), final=True)
            if batch.status is Status.DONE:
                return Done(attempt, final=True)
            if spent >= most:
                return Done(attempt)
        return None
