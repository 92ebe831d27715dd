"""`--workers`, `--processes` and `--cluster`: who searches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from exactcover.app.cli.options import flag, integer, option

if TYPE_CHECKING:
    from exactcover.runs import Dask, Processes
    from exactcover.runs.executors import Executor
    from exactcover.runs.jobs import BundleOutcome, Portion
    from exactcover.search.planned import Team

MOST = 1024
"""The most workers that a command takes."""

PAYS = 2.0
"""Without `--workers` free processors help once a search seems to take this many more seconds."""


def _with_dask(_: click.Context, __: click.Parameter, cluster: str | None) -> str | None:
    """The given cluster; raises an error if Dask is not installed."""
    if cluster is not None:
        from exactcover.runs.cluster import dask

        dask()
    return cluster


@dataclass(frozen=True)
class Workers:
    """`--workers`, `--processes` and `--cluster`."""

    workers: int | None = integer(
        "--workers", most=MOST, common=True,
        help="Search with N threads, which share the tree. Default: one for each free processor, "
        "in `solve` and `count` once the search seems to take some seconds; one with --limit.",
    )  # fmt: skip
    processes: bool = flag(
        "--processes", common=True,
        help="Let the workers be processes, not threads; one for each free processor if you do "
        "not say how many.",
    )  # fmt: skip
    cluster: str | None = option(
        "--cluster", metavar="tcp://HOST:PORT|local", callback=_with_dask, common=True,
        help="Search with the workers of a Dask scheduler; 'local' starts one here, with N "
        "workers. It needs the extra `cluster`.",
    )  # fmt: skip

    def check_workers(self) -> None:
        """Raise unless the options name one kind of workers."""
        if self.cluster is not None and self.processes:
            raise click.UsageError("--cluster and --processes are two ways: give one of them")

    @contextmanager
    def executor(self) -> Iterator[Executor[Portion, BundleOutcome]]:
        """The workers of a run with a ledger; at the end they are sent away."""
        from exactcover.runs import Threads

        executor = (self._elsewhere() or Threads(self.workers)).executor()
        try:
            yield executor
        finally:
            executor.close()

    def team(self, *, in_order: bool = False, limited: bool = False) -> Team | None:
        """The team of a search; None: the main thread alone.

        limited  the search ends with a number of solutions; which ones several workers find first
                 varies from run to run, so then they are opt-in
        """
        if in_order and (self.processes or self.cluster is not None):
            raise click.UsageError("--in-order is for threads: leave out --processes and --cluster")
        if (team := self._elsewhere()) is not None:
            return team
        if self.workers == 1 or (self.workers is None and limited):
            return None
        from exactcover.runs import Threads

        pays = PAYS if self.workers is None else 0.0
        return Threads(self.workers, pays=pays, in_order=in_order)

    def _elsewhere(self) -> Processes | Dask | None:
        """The workers that are not threads of this process."""
        self.check_workers()
        if self.cluster is not None:
            from exactcover.runs import Dask

            return Dask(self.cluster, self.workers)
        if self.processes:
            from exactcover.runs import Processes
            from exactcover.runs.executors import free_processors

            return Processes(self.workers or free_processors())
        return None
