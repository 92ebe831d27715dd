"""Heuristics, which choose the next branching of a search: values, each with a name."""

from __future__ import annotations

from exactcover.backends.heuristics.base import (
    Heuristic,
    State,
    get_heuristic,
    heuristic,
    heuristics,
    load_plugin,
)

__all__ = ["Heuristic", "State", "get_heuristic", "heuristic", "heuristics", "load_plugin"]
