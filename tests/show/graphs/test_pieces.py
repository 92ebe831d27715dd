"""The graph of the pieces that touch."""

from __future__ import annotations

from itertools import combinations

import pytest

import exactcover as ec

HAND_MADE = """
lattice = "square"
region = "3x3"
[[piece]]
name = "A"
stationary = true
cells = [[0, 2], [1, 2], [1, 1]]
[[piece]]
name = "B"
stationary = true
cells = [[2, 2], [2, 1]]
[[piece]]
name = "C"
stationary = true
cells = [[0, 1], [0, 0]]
[[piece]]
name = "D"
stationary = true
cells = [[1, 0]]
[[piece]]
name = "E"
cells = [[2, 0]]
"""


def hand_made() -> ec.Solution:
    """Five pieces in 3x3: A A B / C A B / C D E."""
    found = ec.first(ec.Puzzle.from_toml(HAND_MADE))
    assert found is not None
    return found


def test_five_pieces_by_hand() -> None:
    graph = ec.piece_graph(hand_made())
    assert {frozenset(edge): graph.edges[edge]["faces"] for edge in graph.edges} == {
        frozenset("AB"): 2,
        frozenset("AC"): 2,
        frozenset("AD"): 1,
        frozenset("BE"): 1,
        frozenset("CD"): 1,
        frozenset("DE"): 1,
    }


def test_corners_by_hand() -> None:
    """A and E, B and D meet at corners; so do cells of pieces that share sides."""
    graph = ec.piece_graph(hand_made(), corners=True)
    corners = {frozenset(edge): graph.edges[edge]["corners"] for edge in graph.edges}
    assert corners == {
        frozenset("AB"): 2,
        frozenset("AC"): 2,
        frozenset("AD"): 0,
        frozenset("AE"): 1,
        frozenset("BD"): 1,
        frozenset("BE"): 0,
        frozenset("CD"): 1,
        frozenset("DE"): 0,
    }
    assert graph.edges["A", "E"]["faces"] == 0


@pytest.mark.parametrize("name", ["pentominoes_10x6", "somacube", "tetratesseracts_3x2x2x2"])
def test_shared_sides_in_a_box(name: str) -> None:
    """Cells of a box share a side if one coordinate differs by one."""
    solution = ec.first(ec.read(name))
    assert solution is not None
    graph = ec.piece_graph(solution)
    cells = dict(graph.nodes(data="cells"))
    for one, other in combinations(graph, 2):
        shared = sum(
            sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1
            for a in cells[one]
            for b in cells[other]
        )
        assert graph.get_edge_data(one, other, {"faces": 0})["faces"] == shared


def test_copies_are_numbered() -> None:
    solution = ec.first(ec.read("dominoes_4x4"))
    assert solution is not None
    graph = ec.piece_graph(solution)
    assert list(graph) == [f"I{number}" for number in range(1, 9)]
    assert set(dict(graph.nodes(data="piece")).values()) == {"I"}


def test_pieces_that_touch_differ_in_colour() -> None:
    solution = ec.first(ec.read("pentominoes_10x6"))
    assert solution is not None
    graph = ec.piece_graph(solution)
    colour = dict(graph.nodes(data="colour"))
    assert all(colour[one] != colour[other] for one, other in graph.edges)
    assert all(f"fill='{one}'" in ec.picture(solution).svg for one in colour.values())


def test_a_plain_problem_has_no_pieces() -> None:
    plain = ec.first([["a"], ["b"]])
    assert plain is not None
    with pytest.raises(ec.ExactCoverError, match="plain problem"):
        ec.piece_graph(plain)
