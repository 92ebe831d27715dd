"""Colourings and perfect matchings of a graph, and jobs on machines.

A graph is one of networkx, or anything with nodes and edges. Every job is a primary item, every
hour of every machine a secondary one. An option runs a job from a start without a break, and costs
what the model says; the cheapest solution is the best schedule.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from exactcover.errors import ProblemError
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


@dataclass(frozen=True)
class Job:
    """A job that takes some hours, starts at `release` or later, and should end by `due`.

    Every hour that it ends after `due` costs `weight`. `machines` names those that can do it; None:
    all of them.
    """

    hours: int
    release: int = 0
    due: int = 0
    weight: float = 1.0
    machines: frozenset[str] | None = None


def schedule(jobs: Mapping[str, Job], machines: Mapping[str, int]) -> Problem:
    """The schedules of jobs on machines, each of which runs for a number of hours from 0.

    Options are named `(job, machine, start)`.
    """
    options: dict[tuple[str, str, int], list[tuple[str, int] | str]] = {}
    costs: list[float] = []
    for name, job in jobs.items():
        if name in machines:
            raise ProblemError(f"{name!r} names both a job and a machine")
        if job.hours < 1:
            raise ProblemError(f"job {name!r} takes {job.hours} hours: at least 1 is needed")
        for machine, open_ in machines.items():
            if job.machines is not None and machine not in job.machines:
                continue
            for start in range(job.release, open_ - job.hours + 1):
                end = start + job.hours
                options[name, machine, start] = [
                    name,
                    *((machine, hour) for hour in range(start, end)),
                ]
                costs.append(job.weight * max(end - job.due, 0))
    return Problem.from_options(options, primary=list(jobs), costs=costs)
