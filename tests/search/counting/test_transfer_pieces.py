"""Boards cut into pieces of three cells and more: the literature, and the transfer matrix."""

from __future__ import annotations

from itertools import combinations

import pytest

import exactcover as ec
from tests.helpers.examples import COMPILED, some
from tests.helpers.transfer import Cell, Graph, box, connected_sets, partitions, transfer_count
from tests.helpers.transfer_puzzles import (
    L_TROMINO,
    T_TETROMINO,
    by_automaton,
    by_memo,
    puzzle_of,
    shapes_in,
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")


@pytest.mark.parametrize(("side", "many"), [(1, 1), (2, 2), (3, 10), (4, 117), (5, 4006)])
def test_squares_cut_into_as_many_pieces_as_their_side(side: int, many: int) -> None:
    board = box(side, side)
    assert transfer_count(partitions(board, side)) == many
    assert by_memo(partitions(board, side)) == many
    puzzle = puzzle_of("square", board, shapes_in(board, side))
    assert ec.count(puzzle, counted="all") == by_automaton(puzzle) == many


@pytest.mark.slow
@pytest.mark.parametrize(("side", "many"), [(6, 451_206), (7, 158_753_814)])
def test_larger_squares_cut_into_pieces(side: int, many: int) -> None:
    board = box(side, side)
    assert by_automaton(puzzle_of("square", board, shapes_in(board, side))) == many
    if side == 6:
        assert transfer_count(partitions(board, side)) == many


TROMINOES = {
    **{(2, 3 * n): 2**n for n in range(1, 9)},
    **{(3, 2 * n): 2**n for n in range(1, 9)},
    **{(4, 3 * n): many for n, many in enumerate((4, 18, 88, 468, 2672, 16072), 1)},
    **{(5, 3 * n): many for n, many in enumerate((0, 72, 384, 8544, 76800), 1)},
    (6, 6): 162,
    (9, 9): 1_193_600,
}


@pytest.mark.parametrize(("sides", "many"), some(TROMINOES.items(), one_in=3))
def test_l_trominoes(sides: tuple[int, int], many: int) -> None:
    puzzle = puzzle_of("square", box(*sides), [L_TROMINO])
    assert by_automaton(puzzle) == by_automaton(puzzle, "f") == many
    assert transfer_count(puzzle.model.problem) == by_memo(puzzle.model.problem) == many


@pytest.mark.parametrize(
    "sides",
    some(
        [((4, 4),), ((4, 7),), ((5, 8),), ((6, 6),), ((3, 12),), ((7, 8),), ((1, 8),), ((2, 2),)],
        one_in=2,
    ),
)
def test_tetrominoes_of_any_kind(sides: tuple[int, int]) -> None:
    board = box(*sides)
    many = transfer_count(partitions(board, 4))
    puzzle = puzzle_of("square", board, shapes_in(board, 4))
    assert (
        by_automaton(puzzle)
        == by_automaton(puzzle, "xy")
        == ec.count(puzzle, counted="all")
        == many
    )


def tutte_at_3_3(board: Graph) -> int:
    """The Tutte polynomial at (3, 3), from all sets of edges."""
    edges = [tuple(sorted(part)) for part in connected_sets(board, 2)]
    whole = len(board) - 1  # the rank of a graph that hangs together
    total = 0
    for size in range(len(edges) + 1):
        for chosen in combinations(edges, size):
            parent = {cell: cell for cell in board}

            def root(cell: Cell, parent: dict[Cell, Cell] = parent) -> Cell:
                while parent[cell] != cell:
                    cell = parent[cell]
                return cell

            rank = 0
            for one, other in chosen:
                if (a := root(one)) != (b := root(other)):
                    parent[a] = b
                    rank += 1
            total += 2 ** (whole - rank) * 2 ** (size - rank)
    return total


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (2, 4)])
def test_t_tetrominoes(m: int, n: int) -> None:
    """Korn and Pak: in 4m x 4n twice the Tutte polynomial of the grid m x n at (3, 3)."""
    many = 2 * tutte_at_3_3(box(m, n))
    assert by_automaton(puzzle_of("square", box(4 * m, 4 * n), [T_TETROMINO])) == many
