"""The driver: runs any search in slices, within a time limit, and stops between two of them.

Searches read no clock. The driver calls `advance` with a budget of steps that takes about a
fiftieth of a second, so limits, Ctrl-C and progress displays wait no longer than that. The first
slice makes the search and applies its filters; the time limit holds for it too.

Every run of a search uses a `Driver`. Solving, counting, comparing engines, Monte Carlo, batches
and polycube's traces make different searches and collect different results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Generic, TypeVar

from exactcover.backends.base import Batch, Search, Status
from exactcover.base.compiled import Stopwatch
from exactcover.base.patience import within
from exactcover.errors import BrokenSearch, ExactCoverError, TimeUp

SLICE = 0.02
"""Seconds that one slice should take: short for a person, long for a machine."""

FIRST_STEPS = 1 << 8
MOST_STEPS = 1 << 22

BATCH = 1 << 12
"""The most solutions of one slice."""

AnySearch = TypeVar("AnySearch", bound=Search)


class Pace:
    """The number of steps that take about `SLICE` seconds, learned from earlier slices."""

    def __init__(self, steps: int = FIRST_STEPS) -> None:
        self.steps = steps

    def learn(self, seconds: float, *, spent: bool = True) -> None:
        """Learn from a slice. `spent`: it used all its steps, so a larger one would take longer."""
        if seconds > 2 * SLICE:
            self.steps = max(self.steps // 2, 1)
        elif spent and seconds < SLICE / 2:
            self.steps = min(self.steps * 2, MOST_STEPS)


class Clock(Stopwatch):
    """The seconds that some work has taken, and the limit on them; None: no limit."""

    def __init__(self, limit: float | None = None) -> None:
        super().__init__()
        self.limit = limit
        self.late = False
        self._began: float | None = None

    @property
    def now(self) -> float:
        """The seconds so far, including those of the work in progress."""
        return self.seconds + (0.0 if self._began is None else perf_counter() - self._began)

    @property
    def left(self) -> float | None:
        """The seconds until the limit; None: there is no limit."""
        return None if self.limit is None else max(0.0, self.limit - self.now)

    @property
    def over(self) -> bool:
        """Whether the time limit has passed."""
        return self.late or (self.limit is not None and self.seconds >= self.limit)

    def shorten(self, seconds: float) -> None:
        """Lower the limit by the seconds of work that it includes and that is not timed here."""
        if self.limit is not None:
            self.limit = max(0.0, self.limit - seconds)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time this work. The limit breaks it off; the clock is then `late`."""
        self._began = perf_counter()
        try:
            with super().running(), within(self.limit, self.seconds):
                yield
        except TimeUp:
            self.late = True
        finally:
            self._began = None


class Driver(Generic[AnySearch]):
    """One search in progress.

    make   makes the search; None: there is nothing to search
    clock  what the slices count on; None: a clock without a limit
    pace   the size of the slices; None: learned from the start

    search  None before it is made, and where there is nothing to search
    done    whether the search has come to its end
    """

    def __init__(
        self,
        make: Callable[[], AnySearch | None],
        clock: Clock | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._make: Callable[[], AnySearch | None] | None = make
        self.clock = clock or Clock()
        self.pace = pace or Pace()
        self.search: AnySearch | None = None
        self.done = False
        self._broken: ExactCoverError | None = None

    @property
    def over(self) -> bool:
        """Whether there is nothing more to do, or no time to do it."""
        return self.done or self.clock.over

    def advance(
        self, *, capacity: int = BATCH, keep: bool = True, most_steps: int = MOST_STEPS
    ) -> Batch:
        """One slice of the search; the first slice makes it. See `Search.advance`.

        Raises `BrokenSearch` if an earlier slice was broken off: its solutions are lost. An error
        of the engine is raised again.
        """
        batch = Batch.of(Status.BUDGET)
        began = perf_counter()
        with self.clock.running():
            if self.search is None and not self.done:
                assert self._make is not None
                self.search = self._make()
                # Who made it often holds this driver. Without a circle it is freed once dropped.
                self._make = None
                self.done = self.search is None
            elif self.search is not None:
                if self._broken is not None:
                    raise self._broken
                steps = min(self.pace.steps, most_steps)
                try:
                    batch = self.search.advance(steps, capacity=capacity, keep=keep)
                except ExactCoverError as error:
                    self._broken = error
                    raise
                except BaseException as error:
                    self._broken = BrokenSearch(error)
                    raise
                self.done = batch.status is Status.DONE
        spent = self.search is not None and batch.status is Status.BUDGET
        self.pace.learn(perf_counter() - began, spent=spent and most_steps >= self.pace.steps)
        return batch

    def let_go(self) -> None:
        """Drop the search to free its memory; it cannot go on after this."""
        self.search, self.done = None, True


def seconds_left(seconds: float, done: float, rest: float) -> float | None:
    """The seconds that the rest of a search takes, if it is as fast as the part that is done.

    seconds  that this part took; None is returned if it is empty, or took no time
    """
    return seconds / done * rest if seconds > 0 and done > 0 else None
