"""Ledgers of long runs: what is finished survives whatever stops the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.ledger.merging import merge
    from exactcover.ledger.resuming import Run
    from exactcover.ledger.standing import Standing, standings
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "ledger.merging": "merge",
            "ledger.resuming": "Run",
            "ledger.standing": "Standing standings",
        },
    )

__all__ = ["Run", "Standing", "merge", "standings"]
