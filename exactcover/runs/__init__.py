"""Long runs: searches split into subtrees, workers that share them, ledgers, and batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.batches import Batching, batch
    from exactcover.runs.conditions import Condition
    from exactcover.runs.merging import merge
    from exactcover.runs.resuming import Run
    from exactcover.runs.standing import Standing, standings
    from exactcover.runs.team import Threads
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "runs.merging": "merge",
            "runs.resuming": "Run",
            "runs.standing": "Standing standings",
            "runs.batches": "Batching batch",
            "runs.conditions": "Condition",
            "runs.team": "Threads",
        },
    )

__all__ = [
    "Batching",
    "Condition",
    "Run",
    "Standing",
    "Threads",
    "batch",
    "merge",
    "standings",
]
