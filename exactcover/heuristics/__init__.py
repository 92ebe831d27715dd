"""How a search chooses what to branch on next: heuristics as values, each with a name."""

from __future__ import annotations

from exactcover.heuristics.base import Heuristic, divided
from exactcover.heuristics.registry import (
    get_heuristic,
    heuristic,
    heuristics,
    load_plugin,
    user_heuristic,
)
from exactcover.heuristics.user import State

__all__ = [
    "Heuristic",
    "State",
    "divided",
    "get_heuristic",
    "heuristic",
    "heuristics",
    "load_plugin",
    "user_heuristic",
]
