"""How long a search will take, and which strategies there are for a puzzle."""

from __future__ import annotations

from typing import Any

from exactcover.backends import get_backend
from exactcover.errors import ExactCoverError
from exactcover.estimates import Estimating, Interval
from exactcover.puzzle import Puzzle
from exactcover.search.automatic import candidates
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.serving.refusals import Refusal

PLAIN = (
    ("dlx:s", "dancing links: the cell or piece with the fewest options"),
    ("dlx:f", "dancing links: the first cell in order"),
    ("fila:f", "bit patterns of cells, in order"),
    ("bsx", "sets of options as bits"),
    ("memo", "counts by remembering states"),
    ("cpsat", "CP-SAT of OR-Tools"),
)
"""Strategies of one engine that most puzzles can be searched by."""


def strategies(puzzle: Puzzle) -> list[dict[str, str]]:
    """Strategies for a puzzle, the automatic choice first."""
    subject = Subject.of(puzzle, "rotations")
    found: dict[str, str] = {}
    if not subject.reason:
        for candidate in candidates(subject):
            found.setdefault(str(candidate.strategy), candidate.why)
    for text, title in PLAIN:
        if _takes(text, subject):
            found.setdefault(text, title)
    return [{"name": name, "title": title} for name, title in found.items()]


def _takes(text: str, subject: Subject) -> bool:
    """Whether the engine of a strategy can take a puzzle."""
    try:
        strategy = Strategy.parse(text)
        backend = get_backend(strategy.stages[0].backend)
    except ExactCoverError:
        return False
    return not backend.capabilities.missing(subject.problem)


def allowed(text: str) -> Strategy:
    """The strategy that a client names; raises `Refusal` if it names a folder, or takes memory."""
    strategy = Strategy.parse(text)
    for stage in strategy.stages:
        settings = get_backend(stage.backend).capabilities.settings
        for name, _ in stage.settings:
            if not settings[name].public:
                raise Refusal(
                    400,
                    f"strategy: {stage.backend} has the setting {name!r} on the command line only: "
                    "the server bounds the memory of its searches, and gives them no folder",
                )
    return strategy


def estimated(puzzle: Puzzle, seconds: float, strategy: str | None) -> dict[str, Any]:
    """The size of a search, with bounds."""
    chosen = None if strategy is None else allowed(strategy)
    found = Estimating(puzzle, strategy=chosen, time_limit=seconds).run()
    return {
        "nodes": _interval(found.nodes),
        "solutions": _interval(found.solutions),
        "seconds": _interval(found.seconds),
        "profile": [
            {"left": left, "nodes": _interval(nodes)}
            for left, nodes in found.nodes_by_remaining.items()
        ],
        "strategy": found.strategy,
        "counted": found.counted,
        "confidence": found.confidence,
        "status": found.status,
        "why": found.reason,
    }


def _interval(value: Interval) -> dict[str, float | None]:
    """An interval; without an upper bound the value is unknown, and both are null."""
    if value.high == float("inf"):
        return {"value": None, "low": value.low, "high": None}
    return {"value": value.value, "low": value.low, "high": value.high}
