"""Workers in other processes of this machine, each with a pipe of its own.

A pipe for each worker says which bundle a worker did when it was killed: that one is done again by
another, and a bundle that ends its worker three times is an error. A pool with one queue breaks as
a whole when a worker is killed, and cannot say why.

The processes are spawned: a copy of this process could hold a lock that is never released. They end
when their pipe ends, so none is left behind when this process is killed. They do not hear Ctrl-C,
which is for this process.

This process makes some choices of each job first, which fills the cache of compiled code. So do the
workers, which load it from there, and are given bundles once they are ready.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread

from exactcover.errors import ExactCoverError
from exactcover.runs.assignment import Assignment, portable
from exactcover.runs.jobs import Bundle, Job, Outcome, Worker

Order = tuple[int, int, Bundle, float]
"""A bundle on its way: the number of its job, its own number, the bundle, and the patience."""

Answer = tuple[int, int, Outcome | Exception | None]
"""What a worker sends back: the numbers, and the outcome or an error. None: it is ready."""

READY = (0, 0, None)

AHEAD = 2
"""The bundles that a worker has: the one that it does, and the next."""

TRIES = 3
"""A bundle that ends its worker this many times is an error; so are workers that do not begin."""


class ProcessPool:
    """Processes on this machine."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._members: list[_Member] = []
        self._waiting: deque[Order] = deque()
        self._job = 0
        self._assignment: tuple[int, Assignment] | None = None
        self._deaths: Counter[int] = Counter()  # of workers, by the bundle that they did
        self._stillborn = 0  # workers that ended before they were ready, one after the other

    def start(self, job: Job) -> None:
        """Let the processes prepare a job; the first call starts them."""
        self._job += 1
        Worker(job).warm_up()
        self._assignment = self._job, Assignment.of(job)
        self._waiting.clear()
        self._deaths.clear()
        for member in self._members:
            member.tell(self._assignment)
        while len(self._members) < self.number:
            self._members.append(self._new_member())

    @property
    def ready(self) -> bool:
        """Whether a process has prepared the job."""
        return any(member.ready for member in self._members)

    def submit(self, number: int, bundle: Bundle, patience: float) -> None:
        """Let a process do a bundle."""
        self._waiting.append((self._job, number, bundle, patience))
        self._deal()

    def finished(self, wait: float) -> list[tuple[int, Outcome]]:
        """The outcomes that have come in; see `Executor.finished`."""
        members = {member.connection: member for member in self._members}
        done: list[tuple[int, Outcome]] = []
        for connection in wait_for([*members], wait):
            assert isinstance(connection, Connection)
            done += self._outcomes(members[connection])
        self._deal()
        return done

    def close(self) -> None:
        """End the processes at once."""
        for member in self._members:
            member.end()
        self._members = []
        self._waiting.clear()

    def _outcomes(self, member: _Member) -> Iterator[tuple[int, Outcome]]:
        """The outcomes of this job that a worker has sent."""
        for job, number, outcome in self._answers(member):
            if outcome is None:
                member.ready, self._stillborn = True, 0
                continue
            member.open.popleft()
            if job != self._job:
                continue
            if isinstance(outcome, Exception):
                raise outcome
            yield number, outcome

    def _answers(self, member: _Member) -> Iterator[Answer]:
        """All that a worker has sent. One that has ended is replaced."""
        while True:
            try:
                if not member.connection.poll():
                    return
                answer: Answer = member.connection.recv()
            except (EOFError, OSError):
                self._replace(member)
                return
            yield answer

    def _replace(self, member: _Member) -> None:
        """Start a worker in place of one that has ended, and let its bundles be done again."""
        member.end()
        self._stillborn += not member.ready
        if self._stillborn >= TRIES:
            raise ExactCoverError(
                "processes that were to search end before they begin: a script that starts "
                'workers must do so under `if __name__ == "__main__":`'
            )
        mine = [order for order in member.open if order[0] == self._job]
        if member.ready and mine:
            number = mine[0][1]
            self._deaths[number] += 1
            if self._deaths[number] >= TRIES:
                raise ExactCoverError(
                    f"a part of the search has ended {TRIES} worker processes, one after the "
                    f"other, the last with status {member.process.exitcode}: perhaps memory runs "
                    "out; use fewer workers"
                )
        self._waiting.extendleft(reversed(mine))
        self._members[self._members.index(member)] = self._new_member()

    def _new_member(self) -> _Member:
        context = get_context("spawn")
        connection, other = context.Pipe()
        process = context.Process(target=_work, args=(other,), name="exactcover", daemon=True)
        with without_interrupts():
            process.start()
        other.close()
        member = _Member(process, connection)
        member.tell(self._assignment)
        return member

    def _deal(self) -> None:
        """Give waiting bundles to the workers that have the fewest."""
        members = [member for member in self._members if member.ready]
        for held in range(AHEAD):
            for member in members:
                if self._waiting and len(member.open) <= held:
                    order = self._waiting.popleft()
                    member.open.append(order)
                    member.tell(order)


class _Member:
    """A worker process, as this process sees it.

    open   the bundles that it was given and that are not done, the one that it does first
    ready  whether it has prepared its first job
    """

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process, self.connection = process, connection
        self.open: deque[Order] = deque()
        self.ready = False
        self._mail = SimpleQueue[bytes | None]()
        Thread(target=_post, args=(connection, self._mail), daemon=True).start()

    def tell(self, what: object) -> None:
        """Send something. A thread does it: a process that is starting does not read yet."""
        self._mail.put(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()
        self._mail.put(None)


def _post(connection: Connection, mail: SimpleQueue[bytes | None]) -> None:
    """Send what is put into the mail, then close the connection.

    That the process has ended is seen where its answers are read.
    """
    with connection:
        while (what := mail.get()) is not None:
            with suppress(OSError):
                connection.send_bytes(what)


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


# -- in the worker --------------------------------------------------------------------------------


def _work(connection: Connection) -> None:
    """Do what comes in, one after the other, until the process is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = SimpleQueue[tuple[int, Assignment] | Order]()
    Thread(target=_listen, args=(connection, orders), daemon=True).start()
    worker: Worker | Exception | None = None
    while True:
        order = orders.get()
        answer: Answer
        if len(order) == 2:
            begins = worker is None
            worker = _prepared(order[1])
            if begins:
                connection.send(READY)
            continue
        job, number, bundle, patience = order
        if isinstance(worker, Worker):
            answer = job, number, _outcome(worker, bundle, patience)
        else:
            answer = job, number, worker
        connection.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _listen(connection: Connection, orders: SimpleQueue[tuple[int, Assignment] | Order]) -> None:
    """Take orders while the worker is busy; once nobody can give any, end the process."""
    try:
        while True:
            orders.put(connection.recv())
    except (EOFError, OSError):
        os._exit(1)


def _prepared(assignment: Assignment) -> Worker | Exception:
    try:
        worker = assignment.worker()
        worker.warm_up()
        return worker
    except Exception as error:  # it is the answer to every bundle
        return portable(error)


def _outcome(worker: Worker, bundle: Bundle, patience: float) -> Outcome | Exception:
    try:
        return worker.do(bundle, patience)
    except Exception as error:  # the process that waits for the outcome raises it
        return portable(error)
