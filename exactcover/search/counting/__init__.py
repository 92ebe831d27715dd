"""Counting without listing: symmetry and structure give the number of solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base import on_demand

if TYPE_CHECKING:
    from exactcover.search.counting.counts import Counting as Counting, count as count
    from exactcover.search.counting.sampling import sample as sample, usage as usage
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "search.counting.counts": "Counting count",
            "search.counting.sampling": "sample usage",
        },
    )
