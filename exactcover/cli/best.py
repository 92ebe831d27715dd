"""The best partial packing of a search for one solution: drawn, or in the object for a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from exactcover.cli.outputs import TextSink
from exactcover.cli.wording import Wording

if TYPE_CHECKING:
    from exactcover.counting.counts import Counting
    from exactcover.search.result import Solution
    from exactcover.search.solving import Solving


def best_of(solving: Solving | Counting) -> Solution | None:
    """The best partial packing of a search that has no solution; None: there is none."""
    from exactcover.portfolio import Finding

    if not isinstance(solving, Finding) or solving.result.solutions:
        return None
    return solving.best


def draw_best(solving: Solving, sink: TextSink) -> None:
    """Draw the best partial packing, if there is one."""
    best = best_of(solving)
    if best is None:
        return
    noun = "piece" if len(best.options) == 1 else "pieces"
    sink.add_partial(best, f"# --- BEST PARTIAL PACKING: {len(best.options)} {noun} ---")


def record_of_best(solving: Solving | Counting) -> dict[str, Any]:
    """The key `best` for a script: the pieces or options as in a solution; nothing without one."""
    best = best_of(solving)
    return {} if best is None else {"best": json.loads(Wording().text(best))}
