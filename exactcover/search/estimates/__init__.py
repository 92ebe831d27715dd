"""Estimates before a long search: the size of its tree, its solutions and its time.

intervals    intervals of means that hold although the estimates are skewed
estimating   the figures of an estimate, an estimate in progress, and `estimate`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.search.estimates.estimating import (
        Estimate as Estimate,
        Estimating as Estimating,
        estimate as estimate,
    )
    from exactcover.search.estimates.intervals import Interval as Interval
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "search.estimates.estimating": "Estimate Estimating estimate",
            "search.estimates.intervals": "Interval",
        },
    )
