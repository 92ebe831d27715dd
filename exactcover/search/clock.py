"""Work in slices: their size, the clock and its limit, and turns of several threads.

Searches read no clock. Whoever runs one calls `advance` with a budget of steps that takes about a
fiftieth of a second of the processor, so limits, Ctrl-C and progress displays wait no longer than
that on a machine that is not busy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from time import perf_counter, thread_time
from typing import Self

from exactcover.base import compiled
from exactcover.base.patience import within
from exactcover.errors import AlreadyRunning, BrokenSearch, ExactCoverError, TimeUp

SLICE = 0.02
"""Seconds that one slice should take: short for a person, long for a machine."""

FIRST_STEPS = 1 << 8
MOST_STEPS = 1 << 22

BATCH = 1 << 12
"""The most solutions of one slice."""

LOADED = 8
"""A slice counts as the processor time of its thread, or as an eighth of its duration if that is
more: other threads may do the work."""


class Pace:
    """The number of steps that take about `SLICE` seconds, learned from earlier slices.

    Seconds of the processor count: a machine that is busy with other work makes a slice no longer,
    and slices that learn from the time alone become so short that their fixed cost counts.
    """

    def __init__(self, steps: int = FIRST_STEPS) -> None:
        self.steps = steps
        self._began = 0.0, 0.0  # of the processor, and the time

    def begin(self) -> int:
        """The steps of a slice that begins now."""
        self._began = thread_time(), perf_counter()
        return self.steps

    def learn(self, *, spent: bool = True) -> None:
        """Learn from the slice. `spent`: it used all its steps, so a larger one would take
        longer."""
        processor, began = self._began
        seconds = max(thread_time() - processor, (perf_counter() - began) / LOADED)
        if seconds > 2 * SLICE:
            self.steps = max(self.steps // 2, 1)
        elif spent and seconds < SLICE / 2:
            self.steps = min(self.steps * 2, MOST_STEPS)


class Clock:
    """The seconds that some work has taken, and the limit on them; None: no limit.

    seconds    all of them
    compiling  those in which this process compiled kernels
    """

    def __init__(self, limit: float | None = None) -> None:
        self.seconds = self.compiling = 0.0
        self.limit = limit
        self.late = False
        self._began: float | None = None

    @property
    def now(self) -> float:
        """The seconds so far, including those of the work in progress."""
        return self.seconds + (0.0 if self._began is None else perf_counter() - self._began)

    @property
    def working(self) -> float:
        """The seconds without those of compilation, so that they can be compared."""
        return self.seconds - self.compiling

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
    def timing(self) -> Iterator[None]:
        """Time this work."""
        began, compiled_before = perf_counter(), compiled.seconds
        self._began = began
        try:
            yield
        finally:
            self.seconds += perf_counter() - began
            # Another thread may compile longer than this work took.
            self.compiling = min(self.compiling + compiled.seconds - compiled_before, self.seconds)
            self._began = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time this work. The limit breaks it off; the clock is then `late`."""
        try:
            with self.timing(), within(self.limit, self.seconds):
                yield
        except TimeUp:
            self.late = True


class Shared:
    """A search that several threads may share; `with` closes it.

    Compiled kernels release the interpreter lock, so two threads that advance one search at the
    same time would search the same nodes twice and hand out solutions twice. So each step is a
    turn, and turns exclude each other. Two things never wait for a turn:

    * `stop` only sets a flag, so a signal handler may call it in the middle of a step.
    * A look at a search between two turns shows its current state. A look during a turn shows the
      last snapshot, see `session`.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._turn_of = 0  # the thread that has a turn; 0: none has
        self._stopped = False
        self._closed = False
        self._broken: ExactCoverError | None = None  # by what it was broken off

    def stop(self) -> None:
        """End the search after the step that it is in; any thread or signal handler may call it."""
        self._stopped = True

    def close(self) -> None:
        """End the search and free its memory; its result can still be read.

        It waits for a step that another thread is in. A signal handler that interrupts a step
        cannot wait for it; there, `close` does the same as `stop`.
        """
        self.stop()
        if self._turn_of == get_ident():
            return
        with self._lock:
            if not self._closed:
                self._let_go()
                self._closed = True

    @contextmanager
    def _unbroken(self) -> Iterator[None]:
        """Go on, or raise again what broke off an earlier step; its solutions are lost."""
        if self._broken is not None:
            raise self._broken
        try:
            yield
        except BaseException as error:
            self._broken = error if isinstance(error, ExactCoverError) else BrokenSearch(error)
            raise

    def _let_go(self) -> None:
        """Free the memory; the search cannot go on after this."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _turn(self, *, wait: bool = True) -> Iterator[None]:
        """A turn: other threads wait until it is over. Without `wait` it must be the only one."""
        if self._turn_of == get_ident() or (not wait and self._lock.locked()):
            raise AlreadyRunning
        with self._lock:  # entered in C: Ctrl-C cannot come between taking and holding it
            self._turn_of = get_ident()
            try:
                yield
            finally:
                self._turn_of = 0
