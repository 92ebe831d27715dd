"""Counting without listing: symmetry and structure give the number of solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.backends.automaton.diagram import (
        Diagram as Diagram,
        as_json as as_json,
        graphviz as graphviz,
        zdd as zdd,
    )
    from exactcover.search.counting.counts import Counting as Counting, count as count
    from exactcover.search.counting.sampling import diagram as diagram, sample as sample
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "backends.automaton.diagram": "Diagram as_json graphviz zdd",
            "search.counting.counts": "Counting count",
            "search.counting.sampling": "diagram sample",
        },
    )
