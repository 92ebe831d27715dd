"""Ledgers of long runs: what is finished survives whatever stops the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.ledger.resuming import (
        Run as Run,
        Standing as Standing,
        merge as merge,
        standing as standing,
    )
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__, {"runs.ledger.resuming": "Run Standing merge standing"}
    )
