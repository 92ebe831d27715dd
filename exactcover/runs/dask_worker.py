"""A work in a Dask worker. Only `cluster` and the workers import this: it imports Dask."""

from __future__ import annotations

import pickle
from threading import Lock, local
from typing import Any

from distributed import WorkerPlugin, get_worker

from exactcover.errors import ExactCoverError
from exactcover.runs.cluster import own_version
from exactcover.runs.executors import Doing
from exactcover.runs.processes import portable


class PreparedWork(WorkerPlugin):
    """A work, prepared once in each thread of a Dask worker; a worker that is restarted has it too.

    name     of this plug-in, one for each work
    version  of the package that pickled the work
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
            with self._loading:
                doing = self._here.doing = self._begin()
        [answer] = filter(None, doing(task))
        return answer

    def _begin(self) -> Doing[Any, Any]:
        if self._version != own_version():
            raise ExactCoverError(
                f"a worker has version {own_version()} of exactcover, and the work comes from "
                f"version {self._version}: install the same version everywhere"
            )
        begun: Doing[Any, Any] = pickle.loads(self._work).begin()
        return begun


def do(name: str, task: Any) -> Any:
    """Do a task, in a thread of a Dask worker that has this plug-in."""
    try:
        prepared = get_worker().plugins[name]
        assert isinstance(prepared, PreparedWork)
        return prepared.do(task)
    except Exception as error:  # who waits for the answer raises it
        raise portable(error) from None
