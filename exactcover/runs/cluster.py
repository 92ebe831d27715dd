"""Workers on other machines, by Dask: it starts them, and passes over those that are lost.

The scheduler keeps nothing of a search. An answer that is fetched is here once; one that is lost
with its worker before that is computed again. So answers that are written down by the keys of
their tasks count once. It imports Dask, which takes a second, so it is imported where needed.
"""

from __future__ import annotations

import logging
from queue import SimpleQueue
from threading import Lock, local
from time import monotonic
from typing import Any, Generic
from uuid import uuid4

from distributed import Client, KilledWorker, WorkerPlugin, get_worker

from exactcover.base import __version__
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import (
    WAIT,
    AnswerT,
    Doing,
    TaskT,
    Work,
    arrived,
    packed,
    portable,
    unpacked,
)
from exactcover.runs.processes import without_interrupts

WAIT_FOR_SCHEDULER = 10.0
WAIT_FOR_WORKERS = 30.0
"""Seconds until a scheduler must answer, and until it must have a worker."""

NEWS = 1.0
"""Seconds after which the scheduler is asked again how many workers it has."""


class DaskCluster(Generic[TaskT, AnswerT]):
    """The workers of a Dask scheduler: an executor. `address` is that of `teams.Dask`."""

    ready = True  # it waits for the first worker when it is made

    def __init__(self, work: Work[TaskT, AnswerT], address: str) -> None:
        self.address, self._work = address, work
        # What matters is raised as an error; Dask's log has tracebacks of lost connections. It sets
        # the level of the second logger itself.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        connect: Any = Client
        try:
            with without_interrupts():
                self._client = connect(address, timeout=WAIT_FOR_SCHEDULER, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise ExactCoverError(
                f"no Dask scheduler answers at {address}: start one with `dask scheduler`, "
                f"which prints its address ({type(error).__name__}: {error})"
            ) from None
        self._open: dict[Any, tuple[Any, TaskT]] = {}  # futures and tasks
        self._arrived = SimpleQueue[Any]()
        self._number, self._asked = 0, 0.0
        self._plugin = f"exactcover-{uuid4().hex}"
        try:
            self._client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS)
            self._client.register_plugin(PreparedWork(self._plugin, __version__, packed(work)))
        except BaseException as error:
            self._client.close()
            if not isinstance(error, TimeoutError):
                raise
            raise ExactCoverError(
                f"the Dask scheduler at {address} has no workers: start some with "
                f"`dask worker {address} --nthreads 1`"
            ) from None

    @property
    def number(self) -> int:
        """How many threads the workers have together, as of late."""
        if monotonic() - self._asked > NEWS:
            self._number = max(1, sum(self._client.nthreads().values()))
            self._asked = monotonic()
        return self._number

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task."""
        future = self._client.submit(do, self._plugin, task, pure=False)
        self._open[key] = future, task
        future.add_done_callback(lambda _: self._arrived.put(key))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in; see `Executor.finished`."""
        done: dict[Any, Any] = {}
        lost: list[tuple[Any, AnswerT]] = []
        for key in arrived(self._arrived, wait):
            future, task = self._open.pop(key)
            if future.status == "finished":
                done[key] = future
            elif future.status != "error":  # it was lost with its workers
                self._check_connection()
                self.submit(key, task)
            elif isinstance(error := future.exception(), KilledWorker):  # by Dask, several times
                lost.append((key, self._work.lost(task, "perhaps memory ran out")))
            else:
                raise error
        self._check_connection()
        answers: list[AnswerT] = self._client.gather([*done.values()]) if done else []
        return [*zip(done, answers, strict=True), *lost]

    def close(self) -> None:
        """Leave the cluster, whose workers finish the tasks that they have begun."""
        if self._client.status == "running":
            self._client.cancel([future for future, _ in self._open.values()])
            self._client.unregister_worker_plugin(self._plugin)
        self._client.close()

    def _check_connection(self) -> None:
        if self._client.status != "running":
            raise ExactCoverError(f"the connection to the scheduler at {self.address} is lost")


# -- in the workers -------------------------------------------------------------------------------


class PreparedWork(WorkerPlugin):
    """A work, prepared once in each thread of a Dask worker; a worker that is restarted has it too.

    name     of this plug-in, one for each work
    version  of the package that packed the work
    """

    def __init__(self, name: str, version: str, work: bytes) -> None:
        self.name, self._version, self._work = name, version, work

    def setup(self, worker: object) -> None:
        """Begin, in a worker. Threads prepare their engines at their first task."""
        self._here, self._loading = local(), Lock()

    def do(self, task: Any) -> Any:
        """Do a task."""
        doing: Doing[Any, Any] | None = getattr(self._here, "doing", None)
        if doing is None:
            if self._version != __version__:
                raise ExactCoverError(
                    f"a worker has version {__version__} of exactcover, and the work comes from "
                    f"version {self._version}: install the same version everywhere"
                )
            with self._loading:
                doing = self._here.doing = unpacked(self._work)
        [answer] = filter(None, doing(task))
        return answer


def do(name: str, task: Any) -> Any:
    """Do a task, in a thread of a Dask worker that has this plug-in."""
    try:
        prepared: Any = get_worker().plugins[name]
        return prepared.do(task)
    except Exception as error:  # who waits for the answer raises it
        raise portable(error) from None
