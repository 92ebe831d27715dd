"""A job on its way to workers in other processes, and errors on their way back."""

from __future__ import annotations

import pickle
import traceback
from dataclasses import dataclass
from importlib.metadata import version

from exactcover.errors import ExactCoverError
from exactcover.runs.jobs import Job, Worker
from exactcover.runs.own import Own


def own_version() -> str:
    """The version of this package."""
    return version("exactcover")


@dataclass(frozen=True)
class Assignment:
    """A job as bytes, so that it is pickled once for all workers.

    version  of the package that pickled it
    own      what its strategy names that is not built in
    job      the job, pickled
    """

    version: str
    own: Own
    job: bytes

    @classmethod
    def of(cls, job: Job) -> Assignment:
        """The assignment that a job becomes."""
        return cls(own_version(), Own.of(job.strategy), pickle.dumps(job, pickle.HIGHEST_PROTOCOL))

    def worker(self) -> Worker:
        """A worker that does it, in this process."""
        if self.version != own_version():
            raise ExactCoverError(
                f"a worker has version {own_version()} of exactcover, and the job comes from "
                f"version {self.version}: install the same version everywhere"
            )
        self.own.load()
        job: Job = pickle.loads(self.job)
        return Worker(job)


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
