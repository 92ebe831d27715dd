"""Who does tasks: one interface, for threads, processes and clusters.

A search, a run with a ledger and a batch of puzzles submit tasks under keys of their own, and take
the answers as they come. An executor does not know the tasks: a `Work` says how a worker does them.
`processes` and `cluster` have the executors whose workers are elsewhere.
"""

from __future__ import annotations

import pickle
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from exactcover.errors import ExactCoverError
from exactcover.runs.plugins import load_sources, sources_of
from exactcover.search.strategy import Strategy

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")
TaskT_contra = TypeVar("TaskT_contra", contravariant=True)
ItemT = TypeVar("ItemT")

WAIT = 0.04
"""Seconds to wait for answers, before looking whether the work is to stop."""

Doing = Callable[[TaskT], Iterator[AnswerT | None]]
"""Does a task: None after each slice of about a fiftieth of a second, and the answer last."""


class Work(ABC, Generic[TaskT, AnswerT]):
    """How to do the tasks of one kind. It pickles, for workers elsewhere.

    strategy  the one that they search by, whose plug-ins they need. Default: None, there is none
    tries     how many workers a task may end before it is lost
    """

    strategy: Strategy | str | None = None
    tries = 1

    @abstractmethod
    def begin(self) -> Doing[TaskT, AnswerT]:
        """Prepare for tasks, once in each worker; return what does them."""

    def lost(self, task: TaskT, reason: str) -> AnswerT:
        """The answer to a task that no worker can do; raises if there is none."""
        raise ExactCoverError(reason)


class Executor(Protocol[TaskT_contra, AnswerT]):
    """Workers that do the tasks of one work, until its owner closes it."""

    @property
    def number(self) -> int:
        """How many workers there are now, to decide how much to submit."""

    @property
    def ready(self) -> bool:
        """Whether a worker has prepared for the work."""

    def submit(self, key: Any, task: TaskT_contra) -> None:
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
    owner closes it. They do not keep the program from ending.

    beginning  for each thread the means to prepare for the work, and to do its tasks then
    ending     ends what they do; it is called at any time

    number  how many there are
    ready   whether one has prepared for the work
    closed  whether its owner has closed it
    """

    def __init__(
        self,
        beginning: Sequence[Callable[[], Doing[TaskT, AnswerT]]],
        ending: Callable[[], object] = lambda: None,
    ) -> None:
        self.number, self.ready, self.closed = len(beginning), False, False
        self._ending = ending
        self._tasks = SimpleQueue[tuple[Any, TaskT] | None]()
        self._answers = SimpleQueue[tuple[Any, AnswerT] | BaseException]()
        try:
            for number, begin in enumerate(beginning, 1):
                name = f"worker {number}"
                Thread(target=self._serve, args=(begin,), name=name, daemon=True).start()
        except BaseException:  # the system has no more threads
            self.close()
            raise

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task."""
        self._tasks.put((key, task))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in; see `Executor.finished`."""
        done: list[tuple[Any, AnswerT]] = []
        for answer in arrived(self._answers, wait):
            if isinstance(answer, BaseException):
                raise answer
            done.append(answer)
        return done

    def close(self) -> None:
        """End the workers: processes at once, threads after the slice that they are in."""
        self.closed = True
        for _ in range(self.number):
            self._tasks.put(None)
        self._ending()

    def _serve(self, begin: Callable[[], Doing[TaskT, AnswerT]]) -> None:
        try:
            do = begin()
            self.ready = True
            while (following := self._tasks.get()) is not None:
                key, task = following
                for answer in do(task):
                    if self.closed:
                        return
                    if answer is not None:
                        self._answers.put((key, answer))
        except BaseException as error:  # the thread that waits for the answers raises it
            self._answers.put(error)


def thread_pool(work: Work[TaskT, AnswerT], number: int) -> Pool[TaskT, AnswerT]:
    """An executor with threads: compiled engines release the interpreter lock."""
    return Pool([work.begin] * number)


def arrived(queue: SimpleQueue[ItemT], wait: float) -> list[ItemT]:
    """The items of a queue; if it is empty, those that come first within the time."""
    items: list[ItemT] = []
    try:
        items.append(queue.get(timeout=wait) if wait > 0 else queue.get_nowait())
        while True:
            items.append(queue.get_nowait())
    except Empty:
        return items


# -- workers elsewhere ----------------------------------------------------------------------------


def packed(work: Work[Any, Any]) -> bytes:
    """A work for another process, behind the plug-ins that it needs."""
    sources = {} if work.strategy is None else sources_of(Strategy.of(work.strategy))
    return pickle.dumps((sources, pickle.dumps(work, pickle.HIGHEST_PROTOCOL)))


def unpacked(raw: bytes) -> Doing[Any, Any]:
    """Load the plug-ins of a work, and begin it."""
    sources, inner = pickle.loads(raw)
    load_sources(sources)
    begun: Doing[Any, Any] = pickle.loads(inner).begin()
    return begun


def portable(error: Exception) -> Exception:
    """The error of a worker in a form that another process can raise.

    An error that is no user's mistake keeps its traceback as a note.
    """
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:  # an error may have any content, and any way to be made
        copy = None
    if type(copy) is type(error) and str(copy) == str(error):
        carried: Exception = copy
    elif isinstance(error, ExactCoverError):
        carried = ExactCoverError(str(error))
    else:
        carried = RuntimeError(f"{type(error).__name__}: {error}")
    if not isinstance(error, ExactCoverError):
        carried.add_note("in a worker:\n" + "".join(traceback.format_exception(error)).rstrip())
    return carried
