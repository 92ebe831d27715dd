"""Clusters of similar solutions, read from the graph of solutions.

With single linkage a cluster is a connected part: one comes from any solution to any other in small
steps. With complete linkage all pairs in a cluster are joined, so its solutions are alike as a
whole; starting from single solutions, the two clusters whose solutions differ least are joined,
as long as there are such. Both need the edges alone, never all distances.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Literal, get_args

from exactcover.base.values.arguments import check_choice, check_whole, shown
from exactcover.errors import ExactCoverError
from exactcover.show.graphs import SOLUTIONS

if TYPE_CHECKING:
    import networkx

Linkage = Literal["single", "complete"]
LINKAGES: tuple[Linkage, ...] = get_args(Linkage)
SINGLE, COMPLETE = LINKAGES


@dataclass(frozen=True)
class Cluster:
    """Similar solutions, by their numbers in the graph.

    solutions       ascending
    representative  the one that is joined with most of the others; of several, the first
    """

    solutions: tuple[int, ...]
    representative: int

    def __len__(self) -> int:
        return len(self.solutions)


def clusters(
    graph: networkx.Graph[Any], *, differ: int | None = None, linkage: Linkage = SINGLE
) -> list[Cluster]:
    """The clusters of similar solutions, the largest first.

        >>> import exactcover as ec
        >>> graph = ec.solution_graph(ec.read("somacube"), counted="reflections")
        >>> [len(cluster) for cluster in ec.clusters(graph)]
        [239, 1]

    graph    what `solution_graph` made
    differ   the most pieces in which two joined solutions differ. Default: None, as in the graph
    linkage  "single": one comes from any solution of a cluster to any other by such steps;
             "complete": each two of a cluster differ so little. Default: "single"
    """
    check_choice("linkage", linkage, LINKAGES, optional=False)
    check_whole("differ", differ, least=1)
    if getattr(graph, "graph", {}).get("of") != SOLUTIONS:
        raise ExactCoverError(f"{shown(graph)} is no graph of solutions; solution_graph makes one")
    if differ is not None and differ > graph.graph.get("differ", differ):
        raise ExactCoverError(
            f"differ={differ}: the graph has the pairs that differ in up to "
            f"{graph.graph['differ']} pieces: make it with differ={differ}"
        )
    kept = graph.copy()
    kept.remove_edges_from(
        [
            (one, other)
            for one, other, changed in graph.edges(data="changed")
            if differ is not None and changed > differ
        ]
    )
    parts = _connected(kept) if linkage == SINGLE else _complete(kept)
    found = [_cluster(kept, part) for part in parts]
    return sorted(found, key=lambda cluster: (-len(cluster), cluster.solutions))


def _cluster(graph: networkx.Graph[Any], part: set[int]) -> Cluster:
    joined = {node: sum(other in part for other in graph[node]) for node in part}
    return Cluster(tuple(sorted(part)), min(part, key=lambda node: (-joined[node], node)))


def _connected(graph: networkx.Graph[Any]) -> list[set[int]]:
    import networkx

    return list(networkx.connected_components(graph))


def _complete(graph: networkx.Graph[Any]) -> list[set[int]]:
    """Clusters of which all pairs are joined; those that differ least are joined first.

    A cluster has the number of its first solution. `apart` holds, for two clusters that may become
    one, the most pieces in which a solution of one and one of the other differ.
    """
    members = {node: {node} for node in graph}
    apart: dict[int, dict[int, int]] = {
        node: {other: edge["changed"] for other, edge in around.items()}
        for node, around in graph.adjacency()
    }
    queue = [
        (far, one, other) for one, around in apart.items() for other, far in around.items()
        if one < other
    ]  # fmt: skip
    heapify(queue)
    while queue:
        far, one, other = heappop(queue)
        if apart.get(one, {}).get(other) != far:
            continue  # one of them has grown since
        members[one] |= members.pop(other)
        theirs, ours = apart.pop(other), apart[one]
        for third in (theirs.keys() | ours.keys()) - {one, other}:
            del apart[third][other if third in theirs else one]
            apart[third].pop(one, None)
            if third in theirs and third in ours:
                farther = max(theirs[third], ours[third])
                apart[one][third] = apart[third][one] = farther
                heappush(queue, (farther, min(one, third), max(one, third)))
            else:
                ours.pop(third, None)
        del ours[other]
    return list(members.values())
