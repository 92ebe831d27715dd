"""Searches by several workers: split into subtrees, for threads, processes and clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.teams import Dask as Dask, Processes as Processes, Threads as Threads
else:
    __all__, __getattr__, __dir__ = on_demand(__name__, {"runs.teams": "Dask Processes Threads"})
