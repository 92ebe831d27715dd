"""Who does tasks: one interface, for threads, processes and clusters.

A search, a run with a ledger and a batch of puzzles submit tasks under keys of their own, and take
the answers as they come. They do not know where the workers are, and an executor does not know the
tasks: a `Work` says how a worker does them. `processes` and `cluster` have the executors whose
workers are elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from typing import Any, Generic, Protocol, TypeVar

from exactcover.errors import ExactCoverError

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")
ItemT = TypeVar("ItemT")

WAIT = 0.04
"""Seconds to wait for answers, before looking whether the work is to stop."""

Doing = Callable[[TaskT], Iterator[AnswerT | None]]
"""Does a task: None after each slice of about a fiftieth of a second, and the answer last."""


class Work(ABC, Generic[TaskT, AnswerT]):
    """How to do the tasks of one kind. It pickles, for workers elsewhere.

    tries  how many workers a task may end before it is lost
    """

    tries = 1

    @abstractmethod
    def begin(self) -> Doing[TaskT, AnswerT]:
        """Prepare for tasks, once in each worker; return what does them."""

    def lost(self, task: TaskT, reason: str) -> AnswerT:
        """The answer to a task that no worker can do; raises if there is none."""
        raise ExactCoverError(reason)


class Executor(Protocol[TaskT, AnswerT]):
    """Workers that do tasks, until its owner closes it."""

    @property
    def number(self) -> int:
        """How many workers there are now, to decide how much to submit."""

    @property
    def ready(self) -> bool:
        """Whether a worker has prepared for the work."""

    def start(self, work: Work[TaskT, AnswerT]) -> None:
        """Let the workers prepare for a work. What is still open of an earlier one is dropped."""

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task. Each has another key; any thread may call it."""

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in, each once, with the keys of their tasks.

        If there is none yet, wait at most that many seconds for the first. An error of a worker is
        raised here.
        """

    def close(self) -> None:
        """End the workers at once. Nothing can be submitted any more."""


class Pool(Generic[TaskT, AnswerT]):
    """Threads that each take the next task when they have done one. They hold the pool, so its
    owner closes it.

    beginning  for each thread the means to prepare for a work, and to do its tasks then
    ending     ends what they do; it is called at any time

    number  how many there are
    ready   whether one has prepared for the present work
    closed  whether its owner has closed it
    """

    def __init__(
        self,
        beginning: Sequence[Callable[[Work[TaskT, AnswerT]], Doing[TaskT, AnswerT]]],
        ending: Callable[[], object] = lambda: None,
    ) -> None:
        self.number, self.ready = len(beginning), False
        self._beginning, self._ending = beginning, ending
        self._changed = Condition()
        self.closed = False
        self._work: Work[TaskT, AnswerT] | None = None
        self._tasks: deque[tuple[Any, TaskT]] = deque()
        self._answers = SimpleQueue[tuple[object, Any, AnswerT | BaseException]]()

    def start(self, work: Work[TaskT, AnswerT]) -> None:
        """Let the workers prepare for a work, and drop all tasks; the first call starts the
        threads."""
        with self._changed:
            begun, self._work, self.ready = self._work is not None, work, False
            self._tasks.clear()
            self._changed.notify_all()
        if not begun:
            for number, begin in enumerate(self._beginning, 1):
                name = f"worker {number}"
                Thread(target=self._serve, args=(begin,), name=name, daemon=True).start()

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task."""
        with self._changed:
            self._tasks.append((key, task))
            self._changed.notify()

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in; see `Executor.finished`."""
        done: list[tuple[Any, AnswerT]] = []
        for work, key, answer in arrived(self._answers, wait):
            if work is not self._work:
                continue
            if isinstance(answer, BaseException):
                raise answer
            done.append((key, answer))
        return done

    def close(self) -> None:
        """End the workers: processes at once, threads after the slice that they are in."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        self._ending()

    def _serve(self, begin: Callable[[Work[TaskT, AnswerT]], Doing[TaskT, AnswerT]]) -> None:
        work: Work[TaskT, AnswerT] | None = None
        while following := self._next(work):
            work, order = following
            key = None if order is None else order[0]
            try:
                if order is None:
                    do = begin(work)
                    with self._changed:
                        self.ready |= work is self._work
                else:
                    for answer in do(order[1]):
                        if self.closed or self._work is not work:
                            break
                        if answer is not None:
                            self._answers.put((work, key, answer))
            except BaseException as error:  # the thread that waits for the answers raises it
                self._answers.put((work, key, error))

    def _next(
        self, work: Work[TaskT, AnswerT] | None
    ) -> tuple[Work[TaskT, AnswerT], tuple[Any, TaskT] | None] | None:
        """The present work, with a task if it is this one; None: the pool is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._work is not work or self._tasks)
            if self.closed or self._work is None:
                return None
            return self._work, self._tasks.popleft() if self._work is work else None


def thread_pool(number: int) -> Pool[TaskT, AnswerT]:
    """An executor with threads: compiled engines release the interpreter lock."""
    return Pool([lambda work: work.begin()] * number)


def arrived(queue: SimpleQueue[ItemT], wait: float) -> list[ItemT]:
    """The items of a queue; if it is empty, those that come first within the time."""
    items: list[ItemT] = []
    try:
        items.append(queue.get(timeout=wait) if wait > 0 else queue.get_nowait())
        while True:
            items.append(queue.get_nowait())
    except Empty:
        return items
