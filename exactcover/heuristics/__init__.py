"""How a search chooses what to branch on next: heuristics as values, each with a name."""

from __future__ import annotations

from exactcover.heuristics.base import Heuristic, divided
from exactcover.heuristics.own import State
from exactcover.heuristics.registry import (
    get_heuristic,
    heuristic,
    heuristics,
    load_plugin,
    own_of,
)

__all__ = [
    "Heuristic",
    "State",
    "divided",
    "get_heuristic",
    "heuristic",
    "heuristics",
    "load_plugin",
    "own_of",
]
