"""`--workers`, `--processes` and `--cluster`: who searches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from exactcover.runs.executors import Executor
    from exactcover.runs.jobs import Outcome, Portion
    from exactcover.search.planned import Team

MOST = 1024
"""The most workers that a command takes."""

PAYS = 2.0
"""Free processors help if a search still seems to take so many seconds."""


def _with_dask(_: click.Context, __: click.Parameter, cluster: str | None) -> str | None:
    """The cluster that is asked for, once it is certain that Dask is there."""
    if cluster is not None:
        from exactcover.runs.cluster import dask

        dask()
    return cluster


where_options = (
    click.option(
        "--processes",
        is_flag=True,
        help="Let the workers be processes, not threads; one for each free processor if you do "
        "not say how many.",
    ),
    click.option(
        "--cluster",
        metavar="tcp://HOST:PORT|local",
        callback=_with_dask,
        help="Search with the workers of a Dask scheduler; 'local' starts one here, with N "
        "workers. It needs the extra `cluster`.",
    ),
)

workers_options = (
    click.option(
        "--workers",
        metavar="N",
        type=click.IntRange(min=1, max=MOST),
        help="Search with N threads, which share the tree. If you do not say: one for each free "
        "processor once the search seems to take some seconds, one with --limit.",
    ),
    *where_options,
)


@contextmanager
def executor_of(
    workers: int | None, *, processes: bool, cluster: str | None
) -> Iterator[Executor[Portion, Outcome]]:
    """The workers of a run with a ledger; at the end they are sent away."""
    from exactcover.runs.executors import InProcess, thread_pool
    from exactcover.runs.team import free_processors

    _check(processes, cluster)
    executor: Executor[Portion, Outcome]
    number = workers or free_processors()
    if cluster is not None:
        from exactcover.runs.cluster import DaskCluster

        executor = DaskCluster(cluster, workers)
    elif processes:
        from exactcover.runs.processes import process_pool

        executor = process_pool(number)
    else:
        executor = InProcess() if number == 1 else thread_pool(number)
    try:
        yield executor
    finally:
        executor.close()


def _check(processes: bool, cluster: str | None) -> None:
    if processes and cluster is not None:
        raise click.UsageError("--cluster says where the workers are: leave out --processes")


def team_of(
    workers: int | None,
    *,
    processes: bool,
    cluster: str | None,
    in_order: bool = False,
    limited: bool = False,
) -> Team | None:
    """The team that the switches ask for; None: the main thread alone.

    limited  the search ends with a number of solutions
    """
    if in_order and (processes or cluster is not None):
        raise click.UsageError("--in-order is for threads: leave out --processes and --cluster")
    _check(processes, cluster)
    if cluster is not None:
        from exactcover.runs import Dask

        return Dask(cluster, workers)
    if processes:
        from exactcover.runs import Processes
        from exactcover.runs.team import free_processors

        return Processes(workers or free_processors())
    if workers == 1 or (workers is None and limited):
        return None
    from exactcover.runs import Threads

    return Threads(workers, pays=PAYS if workers is None else 0.0, in_order=in_order)
