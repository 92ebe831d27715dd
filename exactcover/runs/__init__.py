"""Long runs: searches split into subtrees, and threads that search them side by side;
many puzzles in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.batches import Batching, batch
    from exactcover.runs.conditions import Condition
    from exactcover.runs.team import Threads
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "runs.batches": "Batching batch",
            "runs.conditions": "Condition",
            "runs.team": "Threads",
        },
    )

__all__ = ["Batching", "Condition", "Threads", "batch"]
