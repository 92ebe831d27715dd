"""The numbered jobs of a run, and the threads that do them.

A run with the same seed must give the same solution, however many threads there are and however
fast they are. So nothing depends on a clock:

- a job ends after a number of steps;
- what job n does follows from the outcomes of the jobs up to n - `LAG`;
- among solutions, that of the job with the lowest number counts: the jobs before it are finished.

The threads pause while nobody waits for them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread
from time import monotonic
from typing import Generic, Protocol, TypeVar

LAG = 16
"""A job follows from outcomes so far back; no more threads than this are busy."""

PATIENCE = 0.25
"""Seconds that the threads go on for after somebody has waited for them."""

Going = Callable[[], bool]


class Outcome(Protocol):
    """What a job has come to."""

    @property
    def final(self) -> bool:
        """Whether it answers the question, so that no later job is needed."""


OutcomeT = TypeVar("OutcomeT", bound=Outcome)
JobT = TypeVar("JobT")


class Work(Protocol[JobT, OutcomeT]):
    """What there is to do. One thread at a time calls `job` and `settle`."""

    def job(self, number: int, /) -> JobT:
        """The job with this number, made from the outcomes settled so far."""

    def settle(self, outcome: OutcomeT, /) -> None:
        """Take in the outcome of a job; they come in the order of their numbers."""

    def seen(self, outcome: OutcomeT, /) -> None:
        """Look at an outcome as soon as it is there, for the progress of the run."""

    def do(self, worker: int, job: JobT, going: Going, /) -> OutcomeT | None:
        """Do a job; None: `going` said no."""


class Schedule(Generic[JobT, OutcomeT]):
    """Threads that do jobs until an outcome is final. They start when somebody first waits.

    threads  how many
    """

    def __init__(self, work: Work[JobT, OutcomeT], threads: int) -> None:
        self.threads = min(threads, LAG)
        self._board: _Board[JobT, OutcomeT] = _Board(work)
        self._started = False
        weakref.finalize(self, self._board.stop)

    def wait(self, seconds: float) -> OutcomeT | None:
        """Wait so long for the final outcome; None: there is none yet. Raises what a job raised."""
        if not self._started:
            self._started = True
            for number in range(self.threads):
                Thread(
                    target=self._board.run, args=(number,), name=f"packer {number}", daemon=True
                ).start()
        return self._board.wait(seconds)

    def stop(self) -> None:
        """Let the threads end; what they are doing is lost."""
        self._board.stop()


class _Board(Generic[JobT, OutcomeT]):
    """Which jobs are given out, done and settled; the threads share it."""

    def __init__(self, work: Work[JobT, OutcomeT]) -> None:
        self._work, self._change = work, Condition()
        self._error: BaseException | None = None
        self._stopped = False
        self._next = 0  # the job that is given out next
        self._done: dict[int, OutcomeT] = {}  # those that are not settled yet
        self._last: int | None = None  # the lowest job known to be final
        self._awaited = monotonic()

    def run(self, worker: int) -> None:
        """Do jobs, in a thread, until there are no more."""
        try:
            while (taken := self._take()) is not None:
                number, job = taken
                outcome = self._work.do(worker, job, partial(self._goes_on, number))
                if outcome is not None:
                    self._hand_in(number, outcome)
        except BaseException as error:  # raised again where somebody waits
            with self._change:
                self._error = error
                self._change.notify_all()

    def wait(self, seconds: float) -> OutcomeT | None:
        with self._change:
            self._awaited = monotonic()
            self._change.notify_all()
            self._change.wait_for(self._is_over, seconds)
            self._awaited = monotonic()
            if self._error is not None:
                raise self._error
            return None if self._last is None or not self._is_over() else self._done[self._last]

    def stop(self) -> None:
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def _is_over(self) -> bool:
        """Whether a job failed, or one is final and those before it are done."""
        if self._error is not None:
            return True
        if self._last is None:
            return False
        first = max(0, self._next - LAG)  # those before it are settled
        return all(number in self._done for number in range(first, self._last))

    def _take(self) -> tuple[int, JobT] | None:
        """The next job, once the outcomes that it follows from are there; None: no more."""
        with self._change:
            while not self._stopped and self._error is None and self._last is None:
                before = self._next - LAG
                if (before < 0 or before in self._done) and self._is_awaited():
                    if before >= 0:
                        self._work.settle(self._done.pop(before))
                    number = self._next
                    self._next += 1
                    return number, self._work.job(number)
                self._change.wait(PATIENCE)
            return None

    def _hand_in(self, number: int, outcome: OutcomeT) -> None:
        with self._change:
            self._done[number] = outcome
            self._work.seen(outcome)
            if outcome.final:
                self._last = number if self._last is None else min(self._last, number)
            self._change.notify_all()

    def _goes_on(self, number: int) -> bool:
        """Whether a job is still wanted; it waits while nobody waits for it."""
        while True:
            if self._stopped or (self._last is not None and number > self._last):
                return False
            if self._is_awaited():
                return True
            with self._change:
                self._change.wait(PATIENCE)

    def _is_awaited(self) -> bool:
        return monotonic() - self._awaited < PATIENCE
