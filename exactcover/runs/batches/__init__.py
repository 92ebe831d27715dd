"""Batches: many puzzles in one call, side by side, each with a line of its own.

The workers are processes: of a small puzzle only a hundredth of the time is search, which releases
the interpreter lock. The calling process cuts the stream into texts and reads none of them, so it
keeps some fifty workers busy. Each process has one puzzle at a time, so if it is killed, only that
puzzle fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.batches.batching import batch as batch
else:
    __all__, __getattr__, __dir__ = on_demand(__name__, {"runs.batches.batching": "batch"})
