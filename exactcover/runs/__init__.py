"""Searches by several workers, long runs, batches, and one solution of a huge puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base import on_demand

if TYPE_CHECKING:
    from exactcover.runs.ledger.resuming import (
        Run as Run,
        Standing as Standing,
        standing as standing,
    )
    from exactcover.runs.portfolio.finding import Finding as Finding
    from exactcover.runs.teams import Dask as Dask, Processes as Processes, Threads as Threads
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "runs.ledger.resuming": "Run Standing standing",
            "runs.portfolio.finding": "Finding",
            "runs.teams": "Dask Processes Threads",
        },
    )
