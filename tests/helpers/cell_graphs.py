"""The neighbour graph of cells as a graph of networkx, to compare with."""

from __future__ import annotations

from typing import Any

import networkx

from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph


def networkx_graph(region: CellSet) -> networkx.Graph[Any]:
    """The neighbour graph with cells as tuples for nodes."""
    starts, others = neighbour_graph(region)
    names = [tuple(cell) for cell in region.cells.tolist()]
    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(names)
    for cell, name in enumerate(names):
        graph.add_edges_from(
            (name, names[other])
            for other in others[starts[cell] : starts[cell + 1]]
            if other > cell
        )
    return graph
