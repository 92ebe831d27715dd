"""Who does the bundles of a job: one interface, for this thread and for several.

A run with a ledger submits bundles by numbers of its own, and takes the outcomes as they come.
"""

from __future__ import annotations

from collections import deque
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Protocol

from exactcover.runs.jobs import Bundle, Job, Outcome, Worker


class Executor(Protocol):
    """Workers that do bundles."""

    @property
    def number(self) -> int:
        """How many workers there are now."""

    def start(self, job: Job) -> None:
        """Let the workers prepare a job. What is still open of an earlier one is dropped."""

    def submit(self, number: int, bundle: Bundle, patience: float) -> None:
        """Let a worker do a bundle, see `Worker.do`."""

    def finished(self, wait: float) -> list[tuple[int, Outcome]]:
        """The outcomes that have come in, each once, with the numbers of their bundles.

        If there is none yet, wait at most that many seconds for the first. An error of a worker is
        raised here.
        """

    def close(self) -> None:
        """End the workers. Nothing can be submitted any more."""


class InProcess:
    """The calling thread does one bundle whenever it asks for outcomes."""

    number = 1

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._waiting: deque[tuple[int, Bundle, float]] = deque()

    def start(self, job: Job) -> None:
        """Prepare a job."""
        self.close()
        self._worker = Worker(job)

    def submit(self, number: int, bundle: Bundle, patience: float) -> None:
        """Note a bundle."""
        self._waiting.append((number, bundle, patience))

    def finished(self, wait: float) -> list[tuple[int, Outcome]]:
        """Do the first bundle, however long it takes."""
        if not self._waiting or self._worker is None:
            return []
        number, bundle, patience = self._waiting.popleft()
        return [(number, self._worker.do(bundle, patience))]

    def close(self) -> None:
        """Forget what is not done."""
        self._waiting.clear()


class ThreadPool:
    """Threads, with a worker each: compiled engines release the interpreter lock."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._crew: _Crew | None = None

    def start(self, job: Job) -> None:
        """Start threads for a job; those of an earlier one end."""
        self.close()
        self._crew = _Crew(job)
        for number in range(1, self.number + 1):
            Thread(target=self._crew.work, name=f"worker {number}", daemon=True).start()

    def submit(self, number: int, bundle: Bundle, patience: float) -> None:
        """Let a thread do a bundle."""
        assert self._crew is not None
        self._crew.bundles.put((number, bundle, patience))

    def finished(self, wait: float) -> list[tuple[int, Outcome]]:
        """The outcomes that have come in; see `Executor.finished`."""
        assert self._crew is not None
        done: list[tuple[int, Outcome]] = []
        for number, outcome in self._crew.arrived(wait):
            if isinstance(outcome, BaseException):
                raise outcome
            done.append((number, outcome))
        return done

    def close(self) -> None:
        """Let the threads end after the bundle that they are at."""
        if self._crew is not None:
            self._crew.closed.set()
            for _ in range(self.number):
                self._crew.bundles.put(None)  # wakes those that wait


class _Crew:
    """What the threads of one job share."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.closed = Event()
        self.bundles = SimpleQueue[tuple[int, Bundle, float] | None]()
        self._outcomes = SimpleQueue[tuple[int, Outcome | BaseException]]()

    def work(self) -> None:
        """Do bundles until the crew is closed."""
        number = -1
        try:
            worker = Worker(self._job)
            while (order := self.bundles.get()) is not None and not self.closed.is_set():
                number, bundle, patience = order
                self._outcomes.put((number, worker.do(bundle, patience)))
        except BaseException as error:  # who waits for the outcomes raises it again
            self._outcomes.put((number, error))

    def arrived(self, wait: float) -> list[tuple[int, Outcome | BaseException]]:
        """What has come in; if nothing has, what comes first within the time."""
        items = []
        try:
            items.append(self._outcomes.get(timeout=wait))
            while True:
                items.append(self._outcomes.get_nowait())
        except Empty:
            return items
