"""`--workers`, `--processes` and `--cluster`: who searches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from exactcover.search.planned import Team

workers_options = (
    click.option(
        "--workers",
        metavar="N",
        type=click.IntRange(min=1),
        help="Search with N threads, which share the tree; one if you do not say.",
    ),
    click.option(
        "--processes",
        is_flag=True,
        help="Let the workers be processes, not threads; one for each processor if you do not say "
        "how many.",
    ),
    click.option(
        "--cluster",
        metavar="tcp://HOST:PORT|local",
        help="Search with the workers of a Dask scheduler; 'local' starts one here, with N "
        "workers. It needs the extra `cluster`.",
    ),
)


def team_of(workers: int | None, *, processes: bool, cluster: str | None) -> Team | None:
    """The team that the switches ask for; None: the main thread alone."""
    if cluster is not None:
        from exactcover.runs import Dask

        return Dask(cluster, workers)
    if processes:
        from exactcover.runs import Processes

        return Processes(workers or os.cpu_count() or 1)
    if workers is None or workers == 1:
        return None
    from exactcover.runs import Threads

    return Threads(workers)
