"""Workers on other machines, by Dask: it starts them, and passes over those that are lost.

The scheduler keeps nothing of a search. An answer that is fetched is here once; one that is lost
with its worker before that is computed again. So answers that are written down by the keys of
their tasks count once. It imports Dask, which takes a second, so it is imported where needed.
"""

from __future__ import annotations

import logging
from functools import partial
from threading import Lock, local
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, KilledWorker, WorkerPlugin, get_worker

from exactcover.base import __version__
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import (
    WAIT,
    AnswerT,
    Doing,
    Pool,
    TaskT,
    Work,
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


class DaskCluster(Pool[TaskT, AnswerT]):
    """The workers of a Dask scheduler. `address` is that of `teams.Dask`."""

    def __init__(self, work: Work[TaskT, AnswerT], address: str) -> None:
        super().__init__(())  # no threads of this process
        self.address, self._work = address, work
        self.ready = True  # it waits for the first worker here
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
        self._futures: set[Any] = set()
        self._asked = 0.0
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

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task."""
        future = self._client.submit(do, self._plugin, task, pure=False)
        self._futures.add(future)
        future.add_done_callback(partial(self._take, key, task))

    def _take(self, key: Any, task: TaskT, future: Any) -> None:
        """Take an answer, in a thread of Dask; submit a task again that was lost with its
        workers."""
        self._futures.discard(future)
        try:
            if future.status == "finished":
                self._answers.put((key, future.result()))
            elif future.status != "error":
                if not self.closed:
                    self._check_connection()
                    self.submit(key, task)
            elif isinstance(error := future.exception(), KilledWorker):  # by Dask, several times
                self._answers.put((key, self._work.lost(task, "perhaps memory ran out")))
            else:
                raise error
        except BaseException as error:  # the thread that waits for the answers raises it
            self._answers.put(error)

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in; the number of workers is as of late."""
        self._check_connection()
        if monotonic() - self._asked > NEWS:
            self.number = max(1, sum(self._client.nthreads().values()))
            self._asked = monotonic()
        return super().finished(wait)

    def close(self) -> None:
        """Leave the cluster, whose workers finish the tasks that they have begun."""
        self.closed = True
        if self._client.status == "running":
            self._client.cancel([*self._futures])
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
