"""Tasks that are given one after the other, and their records as soon as they are known.

One worker is this process; several are processes of their own. The tasks may never end: a thread
takes only as many as the workers can do before their records are handed out.
"""

from __future__ import annotations

import threading
import weakref
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice, check_whole
from exactcover.errors import ExactCoverError, TooLarge
from exactcover.runs.executors import Pool, Work
from exactcover.runs.processes import process_pool
from exactcover.search.driver import Shared
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy
from exactcover.search.underway import Underway, checked_time_limit

Record = dict[str, Any]
"""The figures of one puzzle, by the keys that `docs/batches.md` lists."""

AHEAD = 4
"""The most tasks for each worker that are taken before their records are handed out."""

GivenT = TypeVar("GivenT")


def nothing() -> None:
    """Called between slices where nobody watches."""


@dataclass(frozen=True, kw_only=True)
class Asked(Work[GivenT, list[Record]]):
    """The question about each task of a batch: the work of its processes.

    plugins  files of heuristics and filters that each worker loads
    """

    counted: Convention | None = None
    strategy: Strategy | str | None = None
    time_limit: float | None = None
    plugins: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.counted is not None:
            check_choice("counted", self.counted, CONVENTIONS)
        checked_time_limit(self.time_limit)
        if self.strategy is not None:  # a text, as a worker loads plug-ins before it is read
            object.__setattr__(self, "strategy", str(Strategy.of(self.strategy)))

    def begin(self) -> Callable[[GivenT], Iterator[list[Record]]]:
        """Load the plug-ins; return what gives the records of a task."""
        from exactcover.backends.heuristics import load_plugin

        for file in self.plugins:
            load_plugin(file)
        return lambda task: iter(([*self.records(task, nothing)],))

    @abstractmethod
    def records(self, task: GivenT, pulse: Callable[[], object]) -> Iterator[Record]:
        """The records of a task; `pulse` is called between slices."""


def failure_words(error: Exception) -> str:
    """The message of an error, for the record of a puzzle that failed."""
    if isinstance(error, ExactCoverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "memory ran out"
    return f"a fault of the program: {type(error).__name__}: {error}"


def counted_in_slices(search: Underway, pulse: Callable[[], object]) -> Result:
    """The outcome of a search that goes on to its end; where memory ran out, with the reason."""
    try:
        while search.step():
            pulse()
    except TooLarge as error:
        return replace(search.result, status="limit", stopped_by="memory", reason=str(error))
    return search.result


class Answering(Shared, Iterator[Record], Generic[GivenT]):
    """The records of tasks as they are done, an iterator that can be closed: its workers end.

    tasks  may never end; with several workers another thread takes them
    work   does a task
    pulse  called many times a second while it works
    """

    def __init__(
        self,
        tasks: Iterator[GivenT],
        work: Asked[GivenT],
        *,
        workers: int,
        pulse: Callable[[], object],
    ) -> None:
        super().__init__()
        check_whole("workers", workers, least=1, optional=False)
        self._pulse = pulse
        self._pool: Pool[GivenT, list[Record]] | None = None
        self._records: Iterator[Record]
        if workers == 1:
            self._records = (one for task in tasks for one in work.records(task, pulse))
            return
        self._pool = process_pool(workers)
        self._pool.start(work)
        weakref.finalize(self, self._pool.close)
        self._source = _Source(tasks, self._pool, AHEAD * workers)
        self._records = self._side_by_side()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Record:
        return next(self._records)

    def _let_go(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._source.release()  # it sees the end
        self._records = iter(())

    def _side_by_side(self) -> Iterator[Record]:
        assert self._pool is not None
        answered = 0
        while answered != self._source.taken:
            answers = self._pool.finished()
            for _, records in answers:
                answered += 1
                self._source.release()
                yield from records
            if not answers:
                self._pulse()
        if self._source.error is not None:
            raise self._source.error


class _Source(Generic[GivenT]):
    """A thread that submits the tasks as they come, and waits while too many are open.

    taken  how many there were, once there are no more; None before
    error  what the source raised
    """

    def __init__(
        self, tasks: Iterator[GivenT], pool: Pool[GivenT, list[Record]], ahead: int
    ) -> None:
        self._tasks, self._pool = tasks, pool
        self._room = threading.Semaphore(ahead)
        self.taken: int | None = None
        self.error: BaseException | None = None
        threading.Thread(target=self._submit, name="puzzles", daemon=True).start()

    def release(self) -> None:
        """The records of one are handed out: another may be taken."""
        self._room.release()

    def _submit(self) -> None:
        taken = 0
        try:
            while self._room.acquire() and not self._pool.closed:
                task = next(self._tasks, None)
                if task is None:
                    break
                taken += 1
                self._pool.submit(taken, task)
        except BaseException as error:  # the thread that iterates raises it
            self.error = error
        self.taken = taken
