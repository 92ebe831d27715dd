"""Colourings and perfect matchings of a graph: of networkx, or of anything with nodes and edges."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any, Protocol

from exactcover.problem import Problem


class Graph(Protocol):
    """The interface of a graph, as in networkx: its nodes, and its edges as tuples."""

    @property
    def nodes(self) -> Iterable[Any]: ...

    @property
    def edges(self) -> Any: ...


def graph_colourings(graph: Graph, colours: int | Collection[Hashable]) -> Problem:
    """The ways to colour the nodes so that adjacent ones differ; options `(node, colour)`.

    Each node is a primary item. Each edge in each colour is a secondary one, which at most one of
    its ends may cover.
    """
    palette = range(colours) if isinstance(colours, int) else colours
    edges_at: dict[Any, list[tuple[str, Any, Any]]] = {node: [] for node in graph.nodes}
    for one, other in _pairs(graph):
        for end in {one, other}:
            edges_at[end].append(("edge", one, other))
    looped = {one for one, other in _pairs(graph) if one == other}
    return Problem.from_options(
        {
            (node, colour): [("node", node), *((edge, colour) for edge in dict.fromkeys(edges))]
            for node, edges in edges_at.items()
            for colour in (palette if node not in looped else ())
        },
        primary=[("node", node) for node in graph.nodes],
    )


def perfect_matchings(graph: Graph) -> Problem:
    """The sets of edges that have each node just once; options are named by the edge.

    The `weight` of an edge is its cost, for searches of the cheapest matching.
    """
    ends = {tuple(edge): edge[:2] for edge in graph.edges if edge[0] != edge[1]}
    weighted = hasattr(graph.edges, "data")
    weights = [graph.edges[edge].get("weight", 0) if weighted else 0 for edge in ends]
    return Problem.from_options(
        ends, primary=list(graph.nodes), costs=weights if any(weights) else None
    )


def _pairs(graph: Graph) -> Iterable[tuple[Any, Any]]:
    """The ends of the edges; a multigraph has a key behind them."""
    return ((edge[0], edge[1]) for edge in graph.edges)
