"""What makes one solution of another: applied to the first, it gives the second."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import exactcover as ec
from exactcover.show.graphs import Change
from tests.helpers import naive_similarity as naive
from tests.helpers.examples import some

SIMILAR = {
    "pentominoes_20x3": 12,
    "pentominoes_10x6": 3,
    "somacube": 3,
    "dominoes_4x4": 8,
    "v_pentominoes_8x8": 4,
    "tetrasticks_5x5_without_H": 4,
    "hexiamonds_6x6": 3,
    "tetratesseracts_3x2x2x2": 6,
    "pairs_any_2x2x2": 4,
}
"""Puzzles on many lattices, and in how many pieces the pairs differ that are tried."""


def only(found: ec.Transformation) -> Change:
    (change,) = found.changes
    return change


def cells(change: Change, when: str = "before") -> set[tuple[int, ...]]:
    return {cell for placement in getattr(change, when) for cell in placement.cells}


def test_the_two_solutions_of_20x3_differ_by_a_block_turned() -> None:
    """Known since 1960: the block in the middle is turned by half a turn."""
    first, second = ec.solve(ec.read("pentominoes_20x3"))
    found = ec.differences(first, second)
    change = only(found)
    assert change.kind == "turned"
    assert sorted(change.pieces) == ["F", "L", "N", "T", "W", "Y", "Z"]
    assert sorted(placement.piece for placement in found.kept) == ["I", "P", "U", "V", "X"]
    block = cells(change)
    (left, right) = (pick(cell[0] for cell in block) for pick in (min, max))
    assert {(left + right - x, 2 - y) for x, y in block} == block
    assert found.turn == ""
    assert str(found) == "the block of F, L, N, T, W, Y and Z is turned by a half turn"


@pytest.mark.parametrize("name", some(SIMILAR, one_in=4))
@pytest.mark.parametrize("counted", ["rotations", "reflections"])
def test_applied_to_the_first_it_gives_the_second(name: str, counted: str) -> None:
    solutions = list(ec.solve(ec.read(name), counted=counted, limit=200))
    graph = ec.solution_graph(solutions, differ=SIMILAR[name], counted=counted)
    edges = sorted(graph.edges)
    assert edges
    for one, other in Random(2).sample(edges, min(15, len(edges))):
        for first, second in ((one, other), (other, one)):
            pair = solutions[first - 1], solutions[second - 1]
            found = ec.differences(*pair, counted=counted)
            assert found.apply(pair[0]) == pair[1], found
            assert found.changed == graph.edges[one, other]["changed"]


@pytest.mark.parametrize("name", ["pentominoes_10x6", "somacube"])
def test_moves_take_blocks_to_where_they_lie_afterwards(name: str) -> None:
    solutions = list(ec.solve(ec.read(name), limit=300))
    graph = ec.solution_graph(solutions, differ=3)
    moved = 0
    for one, other in sorted(graph.edges)[:60]:
        for change in ec.differences(solutions[one - 1], solutions[other - 1]).changes:
            after = {(p.piece, frozenset(p.cells)) for p in change.after}
            for move, block in change.moves:
                moved += 1
                for number in block:
                    placement = change.before[number]
                    there = move.cells(np.array(placement.cells)).tolist()
                    assert (placement.piece, frozenset(map(tuple, there))) in after
            assert change.moves or change.kind == "repacked"
            assert cells(change) == cells(change, "after")
    assert moved > 5


def test_any_two_solutions() -> None:
    """Also those that have nothing in common."""
    solutions = list(ec.solve(ec.read("pentominoes_10x6"), limit=60))
    maps = naive.motions([c for p in solutions[0].placements for c in p.cells], mirrors=True)
    for one, other in zip(solutions[:30], solutions[30:], strict=True):
        found = ec.differences(one, other)
        assert found.apply(one) == other
        assert found.changed == naive.distance(one, other, maps)


def test_a_solution_and_its_copies() -> None:
    every = list(ec.solve(ec.read("pentominoes_20x3"), counted="all"))
    first = every[0]
    assert str(ec.differences(first, first)) == "no piece changes"
    turns = [ec.differences(first, other) for other in every[1:]]
    copies = [found for found in turns if not found.changes]
    assert sorted(found.turn for found in copies) == [
        "mirrored",
        "mirrored",
        "turned by a half turn",
    ]
    for found in copies:
        assert found.apply(first) == found.second
        assert len(found.kept) == 12
    stubborn = ec.differences(first, copies[0].second, counted="all")
    assert stubborn.changed > 0
    assert stubborn.apply(first) == copies[0].second


TWO_BLOCKS = """
region = ["6x2", "1x1 at 6,0"]
lattice = "square"
[[piece]]
name = "P"
cells = [[0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
[[piece]]
name = "m"
cells = [[0, 0]]
copies = 2
[[piece]]
name = "O"
cells = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
"""


def with_cells(puzzle: ec.Puzzle, piece: str, *wanted: tuple[int, int]) -> ec.Solution:
    """The solution in which a piece covers these cells."""
    (found,) = [
        solution
        for solution in ec.solve(puzzle, counted="all")
        for placement in solution.placements
        if placement.piece == piece and set(placement.cells) == set(wanted)
    ]
    return found


def test_two_blocks_change_places() -> None:
    """P and a single cell fill 3x2, as O does; the cell at the end keeps the board unsymmetric."""
    puzzle = ec.Puzzle.from_toml(TWO_BLOCKS)
    first = with_cells(puzzle, "P", (0, 1), (1, 0), (1, 1), (2, 0), (2, 1))
    second = with_cells(puzzle, "P", (3, 1), (4, 0), (4, 1), (5, 0), (5, 1))
    found = ec.differences(first, second)
    change = only(found)
    assert change.kind == "swapped"
    assert str(change) == "the block of P and m and O change places"
    assert sorted(sorted(change.before[n].piece for n in block) for _, block in change.moves) == [
        ["O"],
        ["P", "m"],
    ]
    assert found.apply(first) == second


def test_a_piece_that_moves_into_empty_cells() -> None:
    puzzle = ec.Puzzle.of("I tromino", {"optional": ["5x1"]}, "square")
    left, middle, right = (
        with_cells(puzzle, "I", *((x + n, 0) for n in range(3))) for x in range(3)
    )
    change = only(ec.differences(left, middle))
    assert (change.kind, str(change)) == ("moved", "I is moved")
    assert not ec.differences(left, right).changes
    assert only(ec.differences(left, right, counted="all")).kind == "moved"


def test_cells_that_stay_empty_change_too() -> None:
    """Here the number of empty cells is bounded, so that a problem has an option for each."""
    region = {"optional": ["5x3"], "empty": "6..9"}
    puzzle = ec.Puzzle.of(["I tromino any", "V tromino any"], region, "square")
    assert (puzzle.model.layout.option_shape < 0).any()
    solutions = list(ec.solve(puzzle, limit=60))
    graph = ec.solution_graph(solutions, differ=2)
    assert graph.number_of_edges() > 20
    told = set()
    for one, other in sorted(graph.edges)[::7]:
        pair = solutions[one - 1], solutions[other - 1]
        found = ec.differences(*pair)
        assert found.apply(pair[0]) == pair[1]
        assert found.changed == graph.edges[one, other]["changed"]
        told |= set(str(found).splitlines())
    assert {"I is taken away", "V is added"} <= told


def test_a_change_that_another_piece_is_in_the_way_of() -> None:
    puzzle = ec.Puzzle.of(["I tromino", "monomino"], {"optional": ["5x1"]}, "square")
    solutions = list(ec.solve(puzzle, counted="all"))

    def at(x: int, single: int) -> ec.Solution:
        wanted = {("I", x), (next(p.name for p in puzzle.pieces if p.name != "I"), single)}
        (found,) = [
            one
            for one in solutions
            if {(p.piece, min(p.cells)[0]) for p in one.placements} == wanted
        ]
        return found

    found = ec.differences(at(0, 4), at(1, 4), counted="all")
    assert str(found) == "I is moved"
    with pytest.raises(ec.ExactCoverError, match="other pieces lie"):
        found.apply(at(0, 3))


def test_pieces_packed_anew() -> None:
    solutions = list(ec.solve(ec.read("pentominoes_10x6")))
    graph = ec.solution_graph(solutions, differ=3)
    told = [
        str(ec.differences(solutions[one - 1], solutions[other - 1]))
        for one, other in sorted(graph.edges)[:40]
    ]
    repacked = [text for text in told if "in another way" in text]
    assert repacked
    assert any("fill the same 15 cells" in text for text in repacked)


def test_what_does_not_go_together_is_refused() -> None:
    first, second = ec.solve(ec.read("pentominoes_20x3"))
    other = ec.first(ec.read("somacube"))
    plain = ec.first([["a"], ["b"]])
    assert other is not None
    assert plain is not None
    with pytest.raises(ec.ExactCoverError, match="not of one puzzle"):
        ec.differences(first, other)
    with pytest.raises(ec.ExactCoverError, match="plain problem"):
        ec.differences(plain, plain)
    found = ec.differences(first, second)
    with pytest.raises(ec.ExactCoverError, match="another puzzle"):
        found.apply(other)
    with pytest.raises(ec.ExactCoverError, match="does not apply"):
        found.apply(second)
