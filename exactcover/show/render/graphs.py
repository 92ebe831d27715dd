"""Graphs that can be drawn: the attribute `of` names the kind of their nodes."""

from __future__ import annotations

from collections.abc import Mapping

PIECES, SOLUTIONS = "pieces", "solutions"


def is_graph(what: object) -> bool:
    """Whether it is a graph of the pieces of a solution, or of solutions."""
    attributes = getattr(what, "graph", None)
    return isinstance(attributes, Mapping) and attributes.get("of") in (PIECES, SOLUTIONS)
