"""Workers on other machines, by Dask: it starts them, and passes over those that are lost.

The scheduler keeps nothing of a search. An answer that is fetched is here once; one that is lost
with its worker before that is computed again. So answers that are written down by the keys of
their tasks count once.
"""

from __future__ import annotations

import logging
import pickle
from collections import Counter
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic
from uuid import uuid4

from exactcover.base import __version__
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import WAIT, AnswerT, TaskT, Work, arrived
from exactcover.runs.processes import TRIES, without_interrupts

WAIT_FOR_SCHEDULER = 10.0
WAIT_FOR_WORKERS = 30.0
"""Seconds until a scheduler must answer, and until it must have a worker."""

NEWS = 1.0
"""Seconds after which the scheduler is asked again how many workers it has."""


def own_version() -> str:
    """The version of this package."""
    return __version__


def dask() -> Any:
    """Dask's package; raises `ExactCoverError` if the extra is not installed."""
    from exactcover.base.plugins import extra

    return extra("distributed", "cluster", "a cluster needs")


def no_scheduler(address: str, error: Exception) -> ExactCoverError:
    """The error where nothing answers at an address."""
    return ExactCoverError(
        f"no Dask scheduler answers at {address}: start one with `dask scheduler`, "
        f"which prints its address ({type(error).__name__}: {error})"
    )


class DaskCluster(Generic[TaskT, AnswerT]):
    """The workers of a Dask scheduler: an executor. `address` is that of `teams.Dask`."""

    ready = True  # it waits for the first worker when it is made

    def __init__(self, address: str) -> None:
        self.address = address
        self._distributed = dask()
        # What matters is raised as an error; Dask's log has tracebacks of lost connections. It sets
        # the level of the second logger itself.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._client = self._connected()
        self._plugin = ""
        self._work: Work[TaskT, AnswerT] | None = None
        self._open: dict[Any, tuple[Any, TaskT]] = {}  # futures and tasks
        self._arrived = SimpleQueue[tuple[str, Any]]()
        self._lost: Counter[Any] = Counter()  # how often the workers of a task were lost
        self._number, self._asked = 0, 0.0
        try:
            self._client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS)
        except BaseException as error:
            self.close()
            if not isinstance(error, TimeoutError):
                raise
            raise ExactCoverError(
                f"the Dask scheduler at {self.address} has no workers: start some with "
                f"`dask worker {self.address} --nthreads 1`"
            ) from None

    @property
    def number(self) -> int:
        """How many threads the workers have together, as of late."""
        if monotonic() - self._asked > NEWS:
            self._number = max(1, sum(self._client.nthreads().values()))
            self._asked = monotonic()
        return self._number

    def start(self, work: Work[TaskT, AnswerT]) -> None:
        """Let the workers prepare for a work, and those that join later."""
        from exactcover.runs.dask_worker import PreparedWork

        self._forget()
        self._compare_versions()
        self._work = work
        self._plugin = f"exactcover-{uuid4().hex}"
        raw = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        prepared = PreparedWork(self._plugin, own_version(), raw)
        for left in reversed(range(TRIES)):
            try:
                self._client.register_plugin(prepared)
            except OSError:  # a worker was lost meanwhile
                if not left:
                    raise
            else:
                return

    def submit(self, key: Any, task: TaskT) -> None:
        """Let a worker do a task."""
        from exactcover.runs.dask_worker import do

        future = self._client.submit(
            do, self._plugin, task,
            key=f"{self._plugin}-{key}-{self._lost[key]}", pure=False,
        )  # fmt: skip
        self._open[key] = future, task
        plugin, queue = self._plugin, self._arrived
        future.add_done_callback(lambda _: queue.put((plugin, key)))

    def finished(self, wait: float = WAIT) -> list[tuple[Any, AnswerT]]:
        """The answers that have come in; see `Executor.finished`."""
        done: dict[Any, Any] = {}
        lost: list[tuple[Any, AnswerT]] = []
        for plugin, key in arrived(self._arrived, wait):
            if plugin != self._plugin or key not in self._open:
                continue
            future, task = self._open.pop(key)
            if future.status == "finished":
                done[key] = future
            elif self._is_lost(key, future):
                assert self._work is not None
                lost.append((key, self._work.lost(task, "perhaps memory ran out")))
            else:
                self.submit(key, task)
        self._check_connection()
        answers: list[AnswerT] = self._client.gather([*done.values()]) if done else []
        return [*zip(done, answers, strict=True), *lost]

    def close(self) -> None:
        """Leave the cluster, whose workers finish the tasks that they have begun."""
        if self._client.status == "running":
            self._forget()
        self._client.close()

    # -- the cluster --------------------------------------------------------------------------

    def _connected(self) -> Any:
        """The connection to the scheduler."""
        try:
            with without_interrupts():
                return self._distributed.Client(
                    self.address, timeout=WAIT_FOR_SCHEDULER, set_as_default=False
                )
        except (OSError, ValueError, RuntimeError) as error:
            raise no_scheduler(self.address, error) from None

    def _compare_versions(self) -> None:
        for worker, found in self._client.run(own_version, on_error="return").items():
            if isinstance(found, OSError):
                continue  # it was lost just now
            if isinstance(found, Exception):
                raise ExactCoverError(f"the worker {worker} cannot import exactcover: {found}")
            if found != own_version():
                raise ExactCoverError(
                    f"the worker {worker} has version {found} of exactcover, and this is version "
                    f"{own_version()}: install the same version everywhere"
                )

    def _check_connection(self) -> None:
        if self._client.status != "running":
            raise ExactCoverError(f"the connection to the scheduler at {self.address} is lost")

    def _is_lost(self, key: Any, future: Any) -> bool:
        """Whether a task that was not done has ended too many workers; else it can be done again.

        Raises the error of a worker.
        """
        self._check_connection()
        assert self._work is not None
        self._lost[key] += 1
        if future.status != "error":  # it was lost with its workers
            return False
        error = future.exception()
        if not isinstance(error, self._distributed.KilledWorker):
            raise error
        return self._lost[key] >= self._work.tries

    def _forget(self) -> None:
        """Forget the work, here and in the workers."""
        if self._open:
            self._client.cancel([future for future, _ in self._open.values()])
        self._open.clear()
        self._lost.clear()
        if self._plugin:
            self._client.unregister_worker_plugin(self._plugin)
        self._plugin = ""
