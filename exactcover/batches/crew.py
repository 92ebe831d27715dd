"""Processes that answer one task after the other, each watched by a thread.

Reading a puzzle and making its model is plain Python, which holds the interpreter lock, so small
puzzles need processes, not threads. A process answers one task at a time. So if it is killed, it is
known which task it had: that one fails, and a new process takes its place. A pool of
`concurrent.futures` fails all of its tasks then.

The processes end with the process that started them, however that ends.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from exactcover.errors import ExactCoverError
from exactcover.runs.processes import without_interrupts

Task = TypeVar("Task")
Answer = TypeVar("Answer")

TICK = 0.1
"""Seconds between two calls of `pulse` while nothing is answered."""

READY = "ready"
"""What a process says once it can take tasks."""

TAKEN = "taken"
"""The message of a process that has a task. If it dies before, the task is not the cause."""

Work = Callable[[], Callable[[Any], Iterable[tuple[Any, bool]]]]
"""Called once in a new process; returns the function that answers a task. It gives each answer with
whether it is the last one to this task."""


@dataclass(frozen=True)
class Reply(Generic[Answer]):
    """An answer to the task of this number; `last`: no more come."""

    number: int
    answer: Answer
    last: bool


@dataclass(frozen=True)
class Worker:
    """A process, and the connection to it."""

    process: BaseProcess
    connection: Connection


class Crew(Generic[Task, Answer]):
    """An iterator over the replies of several processes, in the order in which they come.

    tasks   taken one by one, by any thread, and only when a process is free for it
    work    makes the function that answers; both must be at the top of a module
    failed  the answer to a task whose process has died, with the reason
    known   the answer to a task that needs no process; None: it needs one
    workers how many processes; they start when there are tasks for them
    ahead   so many tasks may be taken whose replies were not released; see `release`
    pulse   called about every tenth of a second

    An error of `tasks`, or of a process that cannot start, is raised after the last reply.
    """

    def __init__(
        self,
        tasks: Iterator[Task],
        work: Work,
        failed: Callable[[Task, str], Answer],
        known: Callable[[Task], Answer | None],
        *,
        workers: int,
        ahead: int,
        pulse: Callable[[], object],
    ) -> None:
        self._tasks, self._work, self._failed = tasks, work, failed
        self._known, self._pulse = known, pulse
        self._taking = threading.Lock()
        self._number = 0
        self._room = threading.Semaphore(ahead)
        self._replies: SimpleQueue[Reply[Answer] | None] = SimpleQueue()
        self._error: BaseException | None = None
        self._closed = False
        self._at_work: dict[int, Worker] = {}
        self._changing = threading.Lock()
        self._left = workers
        for number in range(workers):
            threading.Thread(
                target=self._watch, args=(number,), name=f"worker {number}", daemon=True
            ).start()

    def __iter__(self) -> Crew[Task, Answer]:
        return self

    def __next__(self) -> Reply[Answer]:
        while self._left and not self._closed:
            try:
                reply = self._replies.get(timeout=TICK)
            except Empty:
                self._pulse()
                continue
            if reply is not None:
                return reply
            self._left -= 1
        if self._error is not None and not self._closed:
            self._closed = True
            raise self._error
        raise StopIteration

    def release(self) -> None:
        """A task is done with, and another may be taken."""
        self._room.release()

    def close(self) -> None:
        """End the processes at once; their tasks are lost."""
        with self._changing:
            self._closed = True
            for worker in self._at_work.values():
                worker.process.kill()
        for _ in range(self._left):
            self._room.release()

    # -- in the threads ---------------------------------------------------------------------------

    def _watch(self, place: int) -> None:
        """Hand tasks to one process after the other."""
        try:
            for number, task in self._taken():
                self._answer(place, number, task)
        except BaseException as error:  # the thread that iterates raises it again
            self._error = self._error or error
        finally:
            if worker := self._at_work.get(place):
                worker.connection.close()  # it ends when it asks for the next task
            self._replies.put(None)

    def _taken(self) -> Iterator[tuple[int, Task]]:
        while True:
            self._room.acquire()
            with self._taking:
                if self._closed or self._error:
                    return
                try:
                    task = next(self._tasks)
                except StopIteration:
                    self._room.release()
                    return
                except BaseException as error:
                    self._error = error
                    self._room.release()
                    return
                self._number += 1
                number = self._number
            yield number, task

    def _answer(self, place: int, number: int, task: Task) -> None:
        if (known := self._known(task)) is not None:
            self._replies.put(Reply(number, known, last=True))
            return
        try:
            raw = pickle.dumps(task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            failed = self._failed(task, f"it cannot be given to another process: {error}")
            self._replies.put(Reply(number, failed, last=True))
            return
        worker = self._taker(place, raw)
        try:
            last = False
            while not last:
                answer, last = worker.connection.recv()
                self._replies.put(Reply(number, answer, last))
        except (EOFError, OSError):
            with self._changing:
                del self._at_work[place]
            if self._closed:
                return
            failed = self._failed(task, f"its worker {_end_of(worker)}")
            self._replies.put(Reply(number, failed, last=True))

    def _taker(self, place: int, raw: bytes) -> Worker:
        """A process that has taken the task. One that died before it did is replaced."""
        worker = self._at_work.get(place)
        if worker is None or not _takes(worker, raw):
            worker = self._start(place)
            _takes(worker, raw)
        return worker

    def _start(self, place: int) -> Worker:
        """A new process, ready for tasks."""
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(
            target=_serve, args=(theirs, self._work), name=f"worker {place}", daemon=True
        )
        with self._changing:
            if self._closed:
                raise ExactCoverError("closed")
            with without_interrupts():
                process.start()
            worker = self._at_work[place] = Worker(process, ours)
        theirs.close()
        try:
            said = ours.recv()
        except (EOFError, OSError):
            reason = _end_of(worker)
            raise ExactCoverError(
                f"a worker {reason} before it could take a puzzle: a program that starts workers "
                "needs the line `if __name__ == '__main__':` above what it does"
            ) from None
        if said != READY:
            raise ExactCoverError(said)
        return worker


def _takes(worker: Worker, raw: bytes) -> bool:
    """Give it a task; whether it still lived to take it."""
    try:
        worker.connection.send_bytes(raw)
        return bool(worker.connection.recv() == TAKEN)
    except (EOFError, OSError):
        return False


def _end_of(worker: Worker) -> str:
    """How a process has ended, in words."""
    worker.connection.close()
    worker.process.join(1.0)
    code = worker.process.exitcode
    if code is None:
        worker.process.kill()
        return "no longer answered"
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:  # a signal that Python does not name
            name = f"signal {-code}"
        hint = ", perhaps because memory ran out" if name == "SIGKILL" else ""
        return f"was ended by {name}{hint}"
    return f"ended with status {code}"


# -- in the processes -----------------------------------------------------------------------------


def _serve(tasks: Connection, work: Work) -> None:
    """Answer tasks until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        answers = work()
    except ExactCoverError as error:
        tasks.send(str(error))
        return
    tasks.send(READY)
    while True:
        try:
            raw = tasks.recv_bytes()
        except EOFError:
            return
        tasks.send(TAKEN)
        for answer in answers(pickle.loads(raw)):
            tasks.send(answer)


def _end_with_parent() -> None:
    """End this process when the one that started it ends, even if that was killed."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
