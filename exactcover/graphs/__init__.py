"""Graphs of solutions: pieces that touch, solutions that are alike, and how two of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.graphs.changes import Change
    from exactcover.graphs.differing import Transformation, differences
    from exactcover.graphs.linkage import Cluster, clusters
    from exactcover.graphs.moves import RigidMove
    from exactcover.graphs.pieces import piece_graph
    from exactcover.graphs.saving import save_graph
    from exactcover.graphs.solutions import solution_graph
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "graphs.linkage": "Cluster clusters",
            "graphs.changes": "Change",
            "graphs.differing": "Transformation differences",
            "graphs.moves": "RigidMove",
            "graphs.pieces": "piece_graph",
            "graphs.saving": "save_graph",
            "graphs.solutions": "solution_graph",
        },
    )

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
