"""What a Dask worker has of a job. Only `cluster` and the workers import this: it imports Dask."""

from __future__ import annotations

from threading import Lock, local

from distributed import WorkerPlugin, get_worker

from exactcover.runs.assignment import Assignment, own_version, portable
from exactcover.runs.jobs import Bundle, Outcome, Worker


class Prepared(WorkerPlugin):
    """A job, prepared once in each thread of a Dask worker; a worker that is restarted has it too.

    name  of this plug-in, one for each job
    """

    def __init__(self, name: str, assignment: Assignment) -> None:
        self.name, self._assignment = name, assignment

    def setup(self, worker: object) -> None:
        """Begin, in a worker. Threads prepare their engines at their first bundle."""
        self._here, self._loading = local(), Lock()

    def do(self, bundle: Bundle, patience: float) -> Outcome:
        """Do a bundle."""
        worker: Worker | None = getattr(self._here, "worker", None)
        if worker is None:
            with self._loading:
                worker = self._here.worker = self._assignment.worker()
        return worker.do(bundle, patience)


def do(name: str, bundle: Bundle, patience: float) -> Outcome:
    """Do a bundle, in a thread of a Dask worker that has this plug-in."""
    try:
        prepared = get_worker().plugins[name]
        assert isinstance(prepared, Prepared)
        return prepared.do(bundle, patience)
    except Exception as error:  # who waits for the outcome raises it
        raise portable(error) from None


def version_here() -> str:
    """The version of exactcover of a worker."""
    return own_version()
