"""Searches by several workers: split into subtrees, and shared by threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.team import Threads
else:
    __getattr__, __dir__ = on_demand(__name__, {"runs.team": "Threads"})

__all__ = ["Threads"]
