"""Counting without listing: symmetry and structure give the number of solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.backends.automaton.diagram import Diagram, as_json, graphviz, zdd
    from exactcover.search.counting.counts import Counting, count
    from exactcover.search.counting.sampling import diagram, sample
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "backends.automaton.diagram": "Diagram as_json graphviz zdd",
            "search.counting.counts": "Counting count",
            "search.counting.sampling": "diagram sample",
        },
    )

__all__ = ["Counting", "Diagram", "as_json", "count", "diagram", "graphviz", "sample", "zdd"]
