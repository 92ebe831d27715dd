"""The graph of solutions: compared with all pairs, and with the published map of Soma."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import networkx
import pytest

import exactcover as ec
from exactcover.formats import parse
from exactcover.show import graphs
from tests.helpers.examples import some

Cell = tuple[int, ...]
Cells = frozenset[Cell]


def motions(cells: Iterable[Cell], *, mirrors: bool) -> list[dict[Cell, Cell]]:
    """The motions of a box of squares or cubes onto itself, as maps of its cells."""
    known = sorted(cells)
    size = [max(axis) for axis in zip(*known, strict=True)]
    found = []
    for order in permutations(range(len(size))):
        if [size[axis] for axis in order] != size:
            continue
        for flips in product((False, True), repeat=len(size)):
            even = sum(a > b for a, b in combinations(order, 2)) % 2 == sum(flips) % 2
            if even or mirrors:
                found.append({
                    cell: tuple(
                        size[axis] - cell[axis] if flip else cell[axis]
                        for axis, flip in zip(order, flips, strict=True)
                    )
                    for cell in known
                })  # fmt: skip
    return found


def places(solution: ec.Solution) -> set[Cells]:
    return {frozenset(placement.cells) for placement in solution.placements}


def distance(first: ec.Solution, second: ec.Solution, maps: Sequence[dict[Cell, Cell]]) -> int:
    """How many pieces differ, however the second solution is turned."""
    ours, theirs = places(first), places(second)
    shared = max(
        len(ours & {frozenset(move[cell] for cell in piece) for piece in theirs}) for move in maps
    )
    return max(len(ours), len(theirs)) - shared


def edges(
    solutions: Sequence[ec.Solution], maps: Sequence[dict[Cell, Cell]], differ: int
) -> dict[tuple[int, int], int]:
    """The pairs that differ in few pieces, numbered from 1, and in how many."""
    far = {
        (one, other): distance(solutions[one - 1], solutions[other - 1], maps)
        for one, other in combinations(range(1, len(solutions) + 1), 2)
    }
    return {pair: changed for pair, changed in far.items() if changed <= differ}


@cache
def soma(differ: int = 3) -> networkx.Graph[Any]:
    return ec.solution_graph(ec.read("somacube"), differ=differ, counted="reflections")


@cache
def solutions(name: str, counted: str, limit: int | None = None) -> list[ec.Solution]:
    return list(ec.solve(ec.read(name), counted=counted, limit=limit))


def cells_of(one: ec.Solution) -> list[tuple[int, ...]]:
    return [cell for placement in one.placements for cell in placement.cells]


def joined(graph: networkx.Graph[Any]) -> dict[tuple[int, int], int]:
    return {(one, other): changed for one, other, changed in graph.edges(data="changed")}


def test_soma_is_connected_but_for_one_solution() -> None:
    """Conway and Guy's SOMAP joins all of the 240 solutions but one by steps of two or three
    pieces."""
    graph = soma()
    assert len(graph) == 240
    assert sorted(map(len, networkx.connected_components(graph))) == [1, 239]
    assert set(joined(graph).values()) == {2, 3}


def test_soma_by_all_pairs_and_all_motions() -> None:
    chosen = solutions("somacube", "reflections")[:60]
    maps = motions(cells_of(chosen[0]), mirrors=True)
    assert len(maps) == 48
    graph = ec.solution_graph(chosen, differ=4, counted="reflections")
    assert joined(graph) == edges(chosen, maps, 4)


@pytest.mark.parametrize("differ", some([2, 1, 3, 5, 12], one_in=5))
@pytest.mark.parametrize("counted", some(["rotations", "all"], one_in=2))
def test_pentominoes_by_all_pairs(differ: int, counted: str) -> None:
    """A sample of the solutions of 10x6, in which pairs that are alike are kept."""
    every = solutions("pentominoes_10x6", "rotations")
    near = {node for edge in ec.solution_graph(every, differ=3).edges for node in edge}
    chosen = [every[number - 1] for number in Random(1).sample(sorted(near), 60)]
    maps = motions(cells_of(chosen[0]), mirrors=True)
    assert len(maps) == 4
    graph = ec.solution_graph(chosen, differ=differ, counted=counted)
    assert joined(graph) == edges(chosen, maps if counted == "rotations" else maps[:1], differ)


def test_solutions_with_different_numbers_of_pieces() -> None:
    chosen = solutions("v_pentominoes_8x8", "rotations", 60)
    assert len({len(one.placements) for one in chosen}) > 1
    board = [(x, y) for x in range(8) for y in range(8)]
    maps = motions(board, mirrors=True)
    for differ in (2, 4):
        graph = ec.solution_graph(chosen, differ=differ)
        assert joined(graph) == edges(chosen, maps, differ)


def test_solutions_with_nothing_in_common() -> None:
    square = ec.puzzle_of("domino x 2", "2x2")
    for differ, pairs in ((1, []), (2, [(1, 2)]), (3, [(1, 2)])):
        assert [*ec.solution_graph(square, counted="all", differ=differ).edges] == pairs


def test_an_edge_names_the_pieces_that_differ() -> None:
    graph = soma()
    for one, other, edge in graph.edges(data=True):
        pieces = edge["pieces"].split()
        assert len(pieces) == edge["changed"], (one, other)
        assert pieces == sorted(pieces)
    first, second = (graph.nodes[node]["solution"] for node in (1, 2))
    same = {p for p in places(first) if p in places(second)}
    changed = {p.piece for p in first.placements if frozenset(p.cells) not in same}
    assert changed == set(graph.edges[1, 2]["pieces"].split())


def test_turned_copies_are_the_same_solution() -> None:
    every = solutions("pentominoes_20x3", "all")
    assert len(every) == 8
    graph = ec.solution_graph(every, differ=1)
    assert sorted(map(len, networkx.connected_components(graph))) == [4, 4]
    assert set(joined(graph).values()) == {0}
    assert joined(ec.solution_graph(every, differ=1, counted="all")) == {}


def test_a_plain_problem() -> None:
    """The options of Knuth's example with two ways for a and d."""
    problem = ec.Problem.from_options([["a"], ["b"], ["a", "b"], ["c"], ["c", "d"], ["d"]])
    graph = ec.solution_graph(problem, differ=2)
    assert len(graph) == 4
    assert set(joined(graph).values()) <= {1, 2}
    assert graph.nodes[1]["placements"] == "0 1 3 5"


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one = solutions("pentominoes_20x3", "rotations")
    other = solutions("somacube", "reflections")
    assert len(ec.solution_graph(ec.read("mutilated_chessboard"))) == 0
    for wrong, words in (
        (7, "there is no graph of 7"),
        ([1, 2], "the list has 1"),
        ([one[0], other[0]], "not of one puzzle"),
    ):
        with pytest.raises(ec.ExactCoverError, match=words):
            ec.solution_graph(wrong)  # type: ignore[arg-type]
    with pytest.raises(ec.ExactCoverError, match="differ=0"):
        ec.solution_graph(one, differ=0)
    monkeypatch.setattr(graphs, "MOST_PAIRS", 900)
    with pytest.raises(ec.ExactCoverError, match="more than 900 pairs"):
        ec.solution_graph(solutions("pentominoes_10x6", "rotations"), differ=2)


# -- the pieces of a solution ----------------------------------------------------------------------


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
    found = ec.first(parse(HAND_MADE)[0].puzzle)
    assert found is not None
    return found


def test_five_pieces_by_hand() -> None:
    """A and E, B and D meet at corners; so do cells of pieces that share sides."""
    faces = {"AB": 2, "AC": 2, "AD": 1, "BE": 1, "CD": 1, "DE": 1}
    corners = {"AB": 2, "AC": 2, "AD": 0, "AE": 1, "BD": 1, "BE": 0, "CD": 1, "DE": 0}
    for at_corners in (False, True):
        edges = ec.piece_graph(hand_made(), corners=at_corners).edges(data=True)
        assert {a + b: met["faces"] for a, b, met in edges if met["faces"]} == faces
        assert {a + b: met["corners"] for a, b, met in edges if "corners" in met} == (
            corners if at_corners else {}
        )


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
