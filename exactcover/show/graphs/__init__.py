"""Graphs of solutions: pieces that touch, solutions that are alike, and how two of them differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.graphs.differing import Change, RigidMove, Transformation, differences
    from exactcover.show.graphs.saving import save_graph
    from exactcover.show.graphs.solutions import Cluster, clusters, piece_graph, solution_graph
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.graphs.solutions": "Cluster clusters piece_graph solution_graph",
            "show.graphs.differing": "Change RigidMove Transformation differences",
            "show.graphs.saving": "save_graph",
        },
    )

PIECES, SOLUTIONS = "pieces", "solutions"
"""The attribute `of` of a graph: the kind of its nodes."""


def is_graph(what: object) -> bool:
    """Whether it is a graph of the pieces of a solution, or of solutions."""
    attributes = getattr(what, "graph", None)
    return isinstance(attributes, Mapping) and attributes.get("of") in (PIECES, SOLUTIONS)


__all__ = [
    "Change",
    "Cluster",
    "RigidMove",
    "Transformation",
    "clusters",
    "differences",
    "piece_graph",
    "save_graph",
    "solution_graph",
]
