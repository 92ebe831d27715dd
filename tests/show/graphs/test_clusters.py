"""Clusters of similar solutions."""

from __future__ import annotations

from itertools import combinations

import networkx
import pytest

import exactcover as ec


def soma(differ: int) -> networkx.Graph[int]:
    return ec.solution_graph(ec.read("somacube"), differ=differ, counted="reflections")


@pytest.mark.parametrize("differ", [2, 3])
def test_single_linkage_is_what_can_be_reached(differ: int) -> None:
    graph = soma(differ)
    found = [set(cluster.solutions) for cluster in ec.clusters(graph)]
    assert sorted(found, key=min) == sorted(networkx.connected_components(graph), key=min)
    assert [len(part) for part in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("differ", [2, 3])
def test_complete_linkage_joins_what_differs_little_and_stops_when_nothing_is_left(
    differ: int,
) -> None:
    graph = soma(differ)
    found = ec.clusters(graph, linkage="complete")
    assert sorted(n for cluster in found for n in cluster.solutions) == list(graph)
    for cluster in found:
        assert all(graph.has_edge(*pair) for pair in combinations(cluster.solutions, 2))
    for one, other in combinations(found, 2):
        assert not all(graph.has_edge(a, b) for a in one.solutions for b in other.solutions)
    assert max(map(len, found)) > 2


def test_complete_linkage_joins_the_nearest_first() -> None:
    """A path with steps of 2, 1 and 2 pieces, its ends far apart: the middle is joined first."""
    graph = networkx.Graph(of="solutions", differ=3)
    graph.add_weighted_edges_from([(1, 2, 2), (2, 3, 1), (3, 4, 2), (1, 3, 3)], weight="changed")
    parts = [cluster.solutions for cluster in ec.clusters(graph, linkage="complete")]
    assert parts == [(1, 2, 3), (4,)]


def test_complete_linkage_goes_by_the_farthest_pair() -> None:
    """1 and 2 are joined first; then 3 is 3 pieces away from 2, and nearer to 4."""
    graph = networkx.Graph(of="solutions", differ=3)
    graph.add_weighted_edges_from([(1, 2, 1), (1, 3, 1), (2, 3, 3), (3, 4, 2)], weight="changed")
    parts = [cluster.solutions for cluster in ec.clusters(graph, linkage="complete")]
    assert parts == [(1, 2), (3, 4)]


def test_fewer_pieces_than_the_graph_has() -> None:
    small = [cluster.solutions for cluster in ec.clusters(soma(2))]
    assert [cluster.solutions for cluster in ec.clusters(soma(3), differ=2)] == small
    with pytest.raises(ec.ExactCoverError, match="differ=4"):
        ec.clusters(soma(3), differ=4)


def test_the_representative_has_most_neighbours() -> None:
    graph = soma(3)
    large, alone = ec.clusters(graph)
    assert len(graph[large.representative]) == max(len(graph[node]) for node in large.solutions)
    assert alone.solutions == (alone.representative,)


def test_a_graph_of_something_else_is_refused() -> None:
    with pytest.raises(ec.ExactCoverError, match="no graph of solutions"):
        ec.clusters(networkx.path_graph(3))
    with pytest.raises(ec.UnknownName, match="linkage"):
        ec.clusters(soma(2), linkage="middle")
