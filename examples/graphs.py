"""Colour the nodes of a graph, and match them in pairs.

    python examples/graphs.py

The graphs are those of networkx. A node takes one colour, and an edge has each colour at one end at
most. In a matching each node is covered by one edge, whose weight is its cost.
"""

import networkx as nx

import exactcover as ec


def graph_colourings(graph: nx.Graph, colours: int) -> ec.Problem:
    """The ways to colour the nodes so that adjacent ones differ; options `(node, colour)`."""
    return ec.Problem.from_options(
        {
            (node, colour): [
                ("node", node),
                *((frozenset(edge), colour) for edge in graph.edges(node)),
            ]
            for node in graph
            for colour in range(colours)
        },
        primary=[("node", node) for node in graph],
    )


def perfect_matchings(graph: nx.Graph) -> ec.Problem:
    """The sets of edges that have each node just once; options are named by the edge."""
    weights = [weight for _, _, weight in graph.edges.data("weight", default=0)]
    return ec.Problem.from_options(
        {edge: edge for edge in graph.edges}, primary=list(graph), costs=weights
    )


if __name__ == "__main__":
    petersen = nx.petersen_graph()
    print(ec.count(graph_colourings(petersen, 3)), ec.count(perfect_matchings(petersen)))
    cubes = [nx.hypercube_graph(n) for n in (1, 2, 3, 4)]
    print(*(ec.count(perfect_matchings(cube)) for cube in cubes))  # OEIS A005271
    weighted = nx.complete_graph(8)
    for one, other in weighted.edges:
        weighted.edges[one, other]["weight"] = (one * 7 + other * 13) % 11 + 1
    least = sum(weighted.edges[edge]["weight"] for edge in nx.min_weight_matching(weighted))
    print(f"{ec.best(perfect_matchings(weighted)).value:g}, {least} by networkx")
