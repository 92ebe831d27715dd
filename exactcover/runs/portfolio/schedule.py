"""The threads that do the jobs of a portfolio; see `jobs` for why a seed repeats a run."""

from __future__ import annotations

from functools import partial
from threading import Condition, Thread
from time import monotonic

from exactcover.runs.portfolio.jobs import LAG, Done, Job, Portfolio

PATIENCE = 0.25
"""Seconds that the threads go on for after somebody has waited for them; then they pause."""


class Schedule:
    """Which jobs are given out, done and settled, and the threads that do them.

    threads  how many; they start when somebody first waits, and hold this object until `stop`
    """

    def __init__(self, portfolio: Portfolio, threads: int) -> None:
        self.threads = min(threads, LAG)
        self._portfolio, self._change = portfolio, Condition()
        self._error: BaseException | None = None
        self._started = self._stopped = False
        self._next = 0  # the job that is given out next
        self._done: dict[int, Done] = {}  # those that are not settled yet
        self._last: int | None = None  # the lowest job known to be final
        self._awaited = monotonic()

    def wait(self, seconds: float) -> Done | None:
        """Wait for the final outcome; None: there is none yet. Raises what a job raised."""
        if not self._started:
            self._started = True
            for worker in range(self.threads):
                name = f"packer {worker}"
                Thread(target=self._run, args=(worker,), name=name, daemon=True).start()
        with self._change:
            self._awaited = monotonic()
            self._change.notify_all()
            is_over = self._change.wait_for(self._is_over, seconds)
            self._awaited = monotonic()
            if self._error is not None:
                raise self._error
            return self._done[self._last] if is_over and self._last is not None else None

    def stop(self) -> None:
        """Let the threads end; what they are doing is lost."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def _is_over(self) -> bool:
        """Whether a job failed, or one is final and those before it are done."""
        if self._error is not None or self._last is None:
            return self._error is not None
        first = max(0, self._next - LAG)  # those before it are settled
        return all(number in self._done for number in range(first, self._last))

    # -- the threads ----------------------------------------------------------------------------

    def _run(self, worker: int) -> None:
        """Do jobs until there are no more."""
        try:
            while (job := self._take()) is not None:
                outcome = self._portfolio.do(worker, job, partial(self._goes_on, job.number))
                if outcome is not None:
                    self._hand_in(job.number, outcome)
        except BaseException as error:  # raised again where somebody waits
            with self._change:
                self._error = error
                self._change.notify_all()

    def _take(self) -> Job | None:
        """The next job, once the outcomes that it follows from are there; None: no more."""
        with self._change:
            while not self._stopped and self._error is None and self._last is None:
                before = self._next - LAG
                if (before < 0 or before in self._done) and self._is_awaited():
                    if before >= 0:
                        self._portfolio.settle(self._done.pop(before))
                    self._next += 1
                    return self._portfolio.job(self._next - 1)
                self._change.wait(PATIENCE)
            return None

    def _hand_in(self, number: int, outcome: Done) -> None:
        with self._change:
            self._done[number] = outcome
            self._portfolio.see(outcome)
            if outcome.final:
                self._last = number if self._last is None else min(self._last, number)
            self._change.notify_all()

    def _goes_on(self, number: int) -> bool:
        """Whether a job is still wanted; it waits while nobody waits for it."""
        while not self._stopped and (self._last is None or number <= self._last):
            if self._is_awaited():
                return True
            with self._change:
                self._change.wait(PATIENCE)
        return False

    def _is_awaited(self) -> bool:
        return monotonic() - self._awaited < PATIENCE
