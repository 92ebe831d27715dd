"""Tasks that are given one after the other, and their records as soon as they are known.

One worker is this process; several are processes of their own. The tasks may never end: a thread
takes only as many as the workers can do before their records are handed out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, Any

from exactcover.base.values.arguments import check_whole
from exactcover.errors import ExactCoverError, TooLarge
from exactcover.runs.executors import Pool
from exactcover.runs.processes import process_pool
from exactcover.search.result import Result
from exactcover.search.session import Session

if TYPE_CHECKING:
    from exactcover.runs.batches.batching import Question

Record = dict[str, Any]
"""The figures of one puzzle, by the keys that `docs/checks.md` lists."""

Pulse = Callable[[], object]
"""Called many times a second between slices of work."""

AHEAD = 4
"""The most tasks for each worker that are taken before their records are handed out."""


def nothing() -> None:
    """The pulse where nobody watches."""


def failure_words(error: Exception) -> str:
    """The message of an error, for the record of a puzzle that failed."""
    if isinstance(error, ExactCoverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "memory ran out"
    return f"a fault of the program: {type(error).__name__}: {error}"


def counted_in_slices(search: Session, pulse: Pulse) -> Result:
    """The outcome of a search that goes on to its end; where memory ran out, with the reason."""
    try:
        while search.step():
            pulse()
    except TooLarge as error:
        return replace(search.result, status="limit", stopped_by="memory", reason=str(error))
    return search.result


def answered(tasks: Iterator[Any], work: Question, workers: int, pulse: Pulse) -> Generator[Record]:
    """The records of tasks as they are done; `close` ends the workers.

    tasks  may never end; with several workers another thread takes them
    """
    check_whole("workers", workers, least=1, optional=False)
    if workers > 1:
        return _side_by_side(tasks, work, workers, pulse)
    return (one for task in tasks for one in work.records(task, pulse))


def _side_by_side(
    tasks: Iterator[Any], work: Question, workers: int, pulse: Pulse
) -> Generator[Record]:
    pool: Pool[Any, list[Record]] = process_pool(work, workers)
    room = Semaphore(AHEAD * workers)
    ended: list[tuple[int, BaseException | None]] = []  # how many tasks there were, and an error

    def submit() -> None:
        taken, raised = 0, None
        try:
            while room.acquire() and not pool.closed and (task := next(tasks, None)) is not None:
                taken += 1
                pool.submit(taken, task)
        except BaseException as error:  # the thread that iterates raises it
            raised = error
        ended.append((taken, raised))

    try:
        Thread(target=submit, name="puzzles", daemon=True).start()
        done = 0
        while not ended or done < ended[0][0]:
            answers = pool.finished()
            for _, records in answers:
                done += 1
                room.release()
                yield from records
            if not answers:
                pulse()
        if ended[0][1] is not None:
            raise ended[0][1]
    finally:
        pool.close()
        room.release()  # the thread sees the end
