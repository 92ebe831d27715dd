"""Workers in other processes of this machine, each watched by a thread that hands it its tasks.

A process has one task at a time. So if it is killed, it is known which task it had: a new process
does it again, and a task that has ended as many processes as its `Work` allows is lost. A pool of
`concurrent.futures` breaks as a whole when one process is killed.

The processes are spawned: a copy of this process could hold a lock that is never released. They end
with this process, however it ends. They ignore Ctrl-C, which is for this process.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Generic

from exactcover.errors import ExactCoverError
from exactcover.runs.executors import AnswerT, Doing, Pool, TaskT, Work, packed, portable, unpacked


def process_pool(work: Work[TaskT, AnswerT], number: int) -> Pool[TaskT, AnswerT]:
    """A pool of processes on this machine."""
    raw = packed(work)
    processes = [Apart(work, raw) for _ in range(number)]

    def end() -> None:
        for one in processes:
            one.close()

    return Pool([one.begin for one in processes], end)


class Apart(Generic[TaskT, AnswerT]):
    """A process does the tasks of a work; one that ends is replaced."""

    def __init__(self, work: Work[TaskT, AnswerT], raw: bytes) -> None:
        self._work, self._raw = work, raw
        self._lock = Lock()
        self._closed = False
        self._process: BaseProcess | None = None

    def begin(self) -> Doing[TaskT, AnswerT]:
        """Start the process; return what lets it do tasks."""
        try:
            self._start()
        except (EOFError, OSError):
            if "by signal" not in (reason := self._end()):  # else its first task begins another
                raise ExactCoverError(
                    f"a worker {reason} before it could begin: a program that starts workers "
                    "needs the line `if __name__ == '__main__':` above what it does"
                ) from None
        return self._do

    def _do(self, task: TaskT) -> Iterator[AnswerT]:
        """Let the process do a task, and another one again if it ends meanwhile."""
        try:
            raw = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            yield self._work.lost(task, f"it cannot be given to another process: {error}")
            return
        for _ in range(self._work.tries):
            try:
                if self._process is None or not self._process.is_alive():
                    self._start()
                self._pipe.send_bytes(raw)
                answer: AnswerT | Exception = self._pipe.recv()
            except (EOFError, OSError):
                reason = self._end()
                continue
            if isinstance(answer, Exception):
                raise answer
            yield answer
            return
        yield self._work.lost(task, f"its worker {reason}")

    def close(self) -> None:
        """End the process at once."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _start(self) -> None:
        """Start a process, with a pipe to it, and let it prepare for the work.

        The work goes through the pipe, too: as an argument of a process that is killed while it
        starts, so large a one would be written for ever.
        """
        spawning = get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        process = spawning.Process(target=_serve, args=(theirs,), name="exactcover", daemon=True)
        with self._lock, without_interrupts():
            if self._closed:
                raise ExactCoverError("the workers have been sent away")
            process.start()
            self._process = process
        theirs.close()
        self._pipe.send_bytes(self._raw)
        if isinstance(said := self._pipe.recv(), Exception):
            raise said

    def _end(self) -> str:
        """Forget a process that has ended; how it did."""
        with self._lock:
            process, self._process = self._process, None
        assert process is not None
        self._pipe.close()
        process.join(1.0)
        code = process.exitcode
        if code is None:
            process.kill()
            return "no longer answered"
        if code >= 0:
            return f"ended with status {code}"
        hint = ", perhaps because memory ran out" if -code == 9 else ""
        return f"was ended by signal {-code}{hint}"


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
    """Begin the work and say so; then answer one task after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        do = unpacked(pipe.recv_bytes())
    except Exception as error:  # the thread that watches this process raises it
        pipe.send(portable(error))
        return
    pipe.send(None)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            [answer] = filter(None, do(task))
        except Exception as error:
            answer = portable(error)
        pipe.send(answer)


def _end_with_parent() -> None:
    """End this process when the one that started it ends, even if that was killed."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
