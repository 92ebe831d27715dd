"""Workers in other processes of this machine, each watched by a thread that hands it its tasks.

A process has one task at a time and says when it has taken it. So if it is killed, it is known
which task it had: a new process does it again, and a task that has ended as many processes as its
`Work` allows is lost. A pool of `concurrent.futures` breaks as a whole when one process is killed.

The processes are spawned: a copy of this process could hold a lock that is never released. They end
with this process, however it ends. They ignore Ctrl-C, which is for this process.
"""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Any, Generic

from exactcover.errors import ExactCoverError
from exactcover.runs.executors import AnswerT, Doing, Pool, TaskT, Work

WORK, TASK, READY, TAKEN = "work", "task", "ready", "taken"
"""The messages: a work or a task for the process, and its word that it has prepared or taken it."""

TRIES = 3
"""Processes that are killed, one after the other, before one is ready."""


def process_pool(number: int) -> Pool[TaskT, AnswerT]:
    """An executor with processes on this machine."""
    processes: list[Apart[TaskT, AnswerT]] = [Apart() for _ in range(number)]

    def end() -> None:
        for one in processes:
            one.close()

    return Pool([one.begin for one in processes], end)


class Apart(Generic[TaskT, AnswerT]):
    """A process does the tasks; one that ends is replaced."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._closed = False
        self._at_work: tuple[BaseProcess, Connection] | None = None

    def begin(self, work: Work[TaskT, AnswerT]) -> Doing[TaskT, AnswerT]:
        """Let the process prepare for a work, and start it if there is none; return what lets it do
        tasks."""
        raw = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        killed = 0
        while True:
            _, pipe = self._at_work or self._start()
            try:
                pipe.send((WORK, raw))
                said = pipe.recv()
            except (EOFError, OSError):
                reason, by_signal = self._buried()
                killed += by_signal
                if not by_signal or killed == TRIES:
                    raise ExactCoverError(
                        f"a worker {reason} before it could begin: a program that starts workers "
                        "needs the line `if __name__ == '__main__':` above what it does"
                    ) from None
                continue
            if isinstance(said, Exception):
                raise said
            return partial(self._do, work)

    def _do(self, work: Work[TaskT, AnswerT], task: TaskT) -> Iterator[AnswerT]:
        """Let the process do a task, and another one again if it ends meanwhile."""
        try:
            raw = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            yield work.lost(task, f"it cannot be given to another process: {error}")
            return
        ended = 0
        while ended < work.tries:
            if self._at_work is None:
                self.begin(work)
            assert self._at_work is not None
            (_, pipe), taken = self._at_work, False
            try:
                pipe.send((TASK, raw))
                taken = pipe.recv() == TAKEN
                answer: AnswerT | Exception = pipe.recv()
            except (EOFError, OSError):
                reason, _ = self._buried()
                ended += taken
                continue
            if isinstance(answer, Exception):
                raise answer
            yield answer
            return
        yield work.lost(task, f"its worker {reason}")

    def close(self) -> None:
        """End the process at once."""
        with self._lock:
            self._closed = True
            if self._at_work is not None:
                self._at_work[0].kill()

    def _start(self) -> tuple[BaseProcess, Connection]:
        """A new process, and the pipe to it."""
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(
            target=_serve, args=(theirs,), name="exactcover", daemon=True
        )
        with self._lock, without_interrupts():
            if self._closed:
                raise ExactCoverError("the workers have been sent away")
            process.start()
            self._at_work = process, ours
        theirs.close()
        return self._at_work

    def _buried(self) -> tuple[str, bool]:
        """Forget a process that has ended; how it did, and whether a signal ended it."""
        with self._lock:
            assert self._at_work is not None
            (process, pipe), self._at_work = self._at_work, None
        pipe.close()
        process.join(1.0)
        code = process.exitcode
        if code is None:
            process.kill()
            return "no longer answered", False
        if code >= 0:
            return f"ended with status {code}", False
        try:
            name = signal.Signals(-code).name
        except ValueError:  # a signal that Python does not name
            name = f"signal {-code}"
        hint = ", perhaps because memory ran out" if name == "SIGKILL" else ""
        return f"was ended by {name}{hint}", True


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread: a process that is started meanwhile does not hear it, ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first process that is spawned brings a helper with it, whose start unblocks Ctrl-C.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the processes -----------------------------------------------------------------------------


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    do: Doing[Any, Any] | None = None
    while True:
        try:
            kind, raw = pipe.recv()
        except EOFError:
            return
        answer: object = READY
        try:
            if kind == WORK:
                do = pickle.loads(raw).begin()
            else:
                pipe.send(TAKEN)
                assert do is not None
                [answer] = filter(None, do(pickle.loads(raw)))
        except Exception as error:  # the thread that waits for the answer raises it
            answer = portable(error)
        pipe.send(answer)


def _end_with_parent() -> None:
    """End this process when the one that started it ends, even if that was killed."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


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
