"""The jobs of a portfolio: dives by all manners, and slices of the plain search.

The plain search is complete: if it ends without a solution, there is none. The race between manners
learns from every dive, and so does the ease with which each piece fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from exactcover.backends.base import Search, Status
from exactcover.portfolio.bench import Bench
from exactcover.portfolio.packer import Packed, Packer
from exactcover.portfolio.racing import Race, luby
from exactcover.portfolio.schedule import LAG
from exactcover.portfolio.tables import Floats

STEPS = 10_000_000
"""The steps of a short dive: a tenth of a second or so."""

GUESSED = 2
"""A compact piece is guessed to be easy. The guess counts as much as this many looks at it."""

PLAIN = LAG - 1
"""One in `LAG` jobs goes on with the plain search: the one with this remainder."""

PLAIN_SHARE = 8
"""How many times the work of a dive a slice of the plain search may take."""

Going = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Job:
    """What a job is to do: a dive by a manner, or a slice of the plain search (`manner` is -1).

    ease   float64 [slots]: how easily each slot has fitted so far, as a logarithm
    steps  of a dive
    """

    number: int
    manner: int
    ease: Floats
    steps: int


@dataclass(frozen=True, eq=False)
class Done:
    """The outcome of a job.

    packed     what a dive has come to; None: it was a slice of the plain search
    solution   the options of a solution, ascending
    exhausted  the plain search has ended
    """

    job: Job
    packed: Packed | None = None
    solution: tuple[int, ...] | None = None
    exhausted: bool = False

    @property
    def final(self) -> bool:
        return self.solution is not None or self.exhausted


class Portfolio:
    """The work of a run; see `schedule.Work`.

    seed   of the run
    plain  the plain search, which dives take turns with
    pace   its choices in a slice

    best   the options of the best partial packing so far
    left   how many cells it leaves open
    dives  how many dives have ended
    """

    def __init__(self, bench: Bench, seed: int, plain: Search, pace: int) -> None:
        self._bench, self._seed, self._plain, self._pace = bench, seed, plain, pace
        self._race = Race(len(bench.manners))
        slots = bench.packing.slots.size + 1
        self._fitted, self._offered = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
        compact = bench.compactness()
        self._guess = np.exp(np.minimum(compact - compact.max(initial=0.0), 0.0)) / 2
        self._packers: dict[int, Packer] = {}
        self._in_plain = Lock()
        self.best: tuple[int, ...] = ()
        self.left = bench.cells
        self.dives = 0

    @property
    def manner(self) -> str:
        """The manner that got furthest so far, in words."""
        return str(self._bench.manners[self._race.best()])

    def job(self, number: int) -> Job:
        """The job with this number, made from the outcomes settled so far."""
        manner = -1 if number % LAG == PLAIN else self._race.give()
        if manner < 0:
            return Job(number, manner, self._guess, 0)
        asked = self._bench.manners[manner]
        ease = (self._fitted + GUESSED * self._guess) / (self._offered + GUESSED)
        if asked.by_shape:
            ease = self._guess
        steps = STEPS * luby(self._race.turns(manner)) * asked.length
        return Job(number, manner, np.log(ease), steps)

    def settle(self, outcome: Done) -> None:
        """Learn from an outcome."""
        if outcome.packed is not None:
            self._race.learn(outcome.job.manner, outcome.packed.left)
            self._fitted += outcome.packed.fitted
            self._offered += outcome.packed.offered

    def seen(self, outcome: Done) -> None:
        """Keep the best partial packing."""
        if outcome.packed is None:
            return
        self.dives += 1
        left = self._bench.cells_open(outcome.packed.options)
        if left < self.left:
            self.best, self.left = outcome.packed.options, left

    def do(self, worker: int, job: Job, going: Going) -> Done | None:
        """Do a job; None: `going` said no."""
        if job.manner < 0:
            return self._go_on_plainly(job, going)
        if worker not in self._packers:
            self._packers[worker] = Packer(self._bench)
        manner = self._bench.manners[job.manner]
        packed = self._packers[worker].pack(
            manner, job.ease, (self._seed, job.number), job.steps, going
        )
        if packed is None:
            return None
        return Done(job, packed, packed.options if packed.solved else None)

    def _go_on_plainly(self, job: Job, going: Going) -> Done | None:
        """Make a number of choices of the plain search."""
        with self._in_plain:
            before = self._plain.fits + self._plain.nofits
            most = PLAIN_SHARE * max(self._pace, 1)
            while going():
                spent = self._plain.fits + self._plain.nofits - before
                batch = self._plain.advance(min(1 << 12, max(1, most - spent)), capacity=1)
                if len(batch):
                    return Done(job, solution=batch.solution(0))
                if batch.status is Status.DONE:
                    return Done(job, exhausted=True)
                if spent >= most:
                    return Done(job)
        return None
