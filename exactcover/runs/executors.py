"""Who does the bundles of a job: one interface, for this process, threads, processes and clusters.

A search, or a run with a ledger, submits bundles by numbers of its own, and takes the outcomes as
they come. An executor knows no puzzles, and whoever uses one does not know where its workers are.
`processes` and `cluster` have the executors whose workers are elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Protocol, TypeVar

from exactcover.runs.jobs import Bundle, Job, Outcome, Worker

Item = TypeVar("Item")


class Executor(Protocol):
    """Workers that do bundles.

    number  how many workers there are now
    """

    @property
    def number(self) -> int:
        """How many workers there are now, to decide how much to submit."""

    @property
    def ready(self) -> bool:
        """Whether a worker has prepared the job, as far as `finished` has heard."""

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
        """End the workers at once. Nothing can be submitted any more."""


class InProcess:
    """The calling thread does one bundle after the other, while it waits for outcomes."""

    number = 1
    ready = True

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._waiting: deque[tuple[int, Bundle, float]] = deque()
        self._doing: tuple[int, Iterator[Outcome | None]] | None = None

    def start(self, job: Job) -> None:
        """Prepare a job."""
        self.close()
        self._worker = Worker(job)

    def submit(self, number: int, bundle: Bundle, patience: float) -> None:
        """Note a bundle."""
        self._waiting.append((number, bundle, patience))

    def finished(self, wait: float) -> list[tuple[int, Outcome]]:
        """Go on with the first bundle for at most this time; the outcome, once it is done."""
        assert self._worker is not None
        until = monotonic() + wait
        while self._doing is not None or self._waiting:
            if self._doing is None:
                number, bundle, patience = self._waiting.popleft()
                self._doing = number, self._worker.slices(bundle, patience)
            number, slices = self._doing
            if (outcome := next(slices)) is not None:
                self._doing = None
                return [(number, outcome)]
            if monotonic() >= until:
                break
        return []

    def close(self) -> None:
        """Forget what is not done."""
        self._waiting.clear()
        self._doing = None


class ThreadPool:
    """Threads, with a worker each: compiled engines release the interpreter lock."""

    ready = True

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
        for number, outcome in arrived(self._crew.outcomes, wait):
            if isinstance(outcome, BaseException):
                raise outcome
            done.append((number, outcome))
        return done

    def close(self) -> None:
        """End the threads after the slice of a fiftieth of a second that they are in."""
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
        self.outcomes = SimpleQueue[tuple[int, Outcome | BaseException]]()

    def work(self) -> None:
        """Do bundles until the crew is closed."""
        number = -1
        try:
            worker = Worker(self._job)
            while (order := self.bundles.get()) is not None:
                number, bundle, patience = order
                for outcome in worker.slices(bundle, patience):
                    if self.closed.is_set():
                        return
                    if outcome is not None:
                        self.outcomes.put((number, outcome))
        except BaseException as error:  # who waits for the outcomes raises it again
            self.outcomes.put((number, error))


def arrived(queue: SimpleQueue[Item], wait: float) -> list[Item]:
    """What is in a queue; if it is empty, what comes first within the time."""
    items: list[Item] = []
    try:
        items.append(queue.get(timeout=wait) if wait > 0 else queue.get_nowait())
        while True:
            items.append(queue.get_nowait())
    except Empty:
        return items
