"""Copies, ranges, empty cells and wide windows, by formulas and by the plain transfer matrix."""

from __future__ import annotations

from math import comb, factorial

import pytest

import exactcover as ec
from exactcover.backends import Task
from exactcover.backends.automaton import count
from exactcover.errors import TooLarge
from exactcover.problem import Problem
from exactcover.puzzle import Piece
from tests.helpers.examples import COMPILED, some
from tests.helpers.transfer import box, transfer_count
from tests.helpers.transfer_puzzles import (
    I_TETROMINO,
    L_TETROMINO,
    L_TROMINO,
    S_TETROMINO,
    SQUARE,
    T_TETROMINO,
    board,
    by_automaton,
    line,
    rod,
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")


# -- copies and ranges ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copies", [(3, 2, 1), (20, 0, 7), (0, 40, 0), (75, 75, 75), (100, 30, 1), (1, 1, 130)]
)
@pytest.mark.parametrize("order", some(["narrow", "X", "R"], one_in=3))
def test_rods_in_a_line(copies: tuple[int, int, int], order: str) -> None:
    """Any sequence of them will do: a multinomial coefficient, up to hundreds of bits."""
    many = factorial(sum(copies))
    for each in copies:
        many //= factorial(each)
    length = sum(size * each for size, each in enumerate(copies, 1))
    rods = [rod(f"R{size}", size, each, each) for size, each in enumerate(copies, 1)]
    if order == "R" and length > 60:
        order = "f"
    assert by_automaton(line(range(length), *rods), order) == many


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 3), (2, 5), (70, 80), (0, 90), (90, 99)])
def test_rods_of_which_some_are_there(low: int, high: int) -> None:
    """Squares and dominoes; the squares are so many, and two pieces are of one shape."""
    cells = 90
    some, others = rod("A", 1, low // 2, high // 2), rod("B", 1, low - low // 2, high - high // 2)
    many = sum(
        comb(squares + (cells - squares) // 2, squares)
        for squares in range(low, min(high, cells) + 1)
        if (cells - squares) % 2 == 0
    )
    puzzle = line(range(cells), some, rod("D", 2), others)
    assert by_automaton(puzzle) == ec.count(puzzle, counted="all") == many
    assert transfer_count(puzzle.model.problem) == many


@pytest.mark.parametrize("pieces", [(0, 3), (2, 2), (5, 9), (0, None), (1, 50)])
@pytest.mark.parametrize("empty", [None, (0, 4), (6, 10), (0, 0), (3, 3)])
def test_dominoes_that_leave_cells_empty(
    pieces: tuple[int, int | None], empty: tuple[int, int] | None
) -> None:
    """In a line of which every cell may stay empty: k dominoes in C(n - k, k) ways."""
    cells = 18
    low, high = pieces
    least, most = empty or (0, cells)
    many = sum(
        comb(cells - k, k)
        for k in range(low, cells // 2 + 1)
        if (high is None or k <= high) and least <= cells - 2 * k <= most
    )
    puzzle = line([], rod("D", 2, low, high), optional=range(cells), empty=empty)
    assert ec.count(puzzle, counted="all") == transfer_count(puzzle.model.problem) == many
    if not puzzle.model.reason:
        assert by_automaton(puzzle) == by_automaton(puzzle, "X") == many


# -- wide windows ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lengths",
    some([((1, 64),), ((1, 65),), ((1, 66),), ((3, 128, 129),), ((2, 70, 200, 257),)], one_in=3),
)
def test_long_rods(lengths: tuple[int, ...]) -> None:
    """What lies ahead of the first open cell takes as many bits as the longest rod."""
    cells = 600
    ways = [1]
    for length in range(1, cells + 1):
        ways.append(sum(ways[length - size] for size in lengths if size <= length))
    puzzle = line(range(cells), *(rod(f"R{size}", size) for size in lengths))
    assert by_automaton(puzzle) == by_automaton(puzzle, "X") == ways[cells]
    limited = line(range(cells), rod("A", lengths[0], 0, 2), rod("B", lengths[-1], 1))
    assert by_automaton(limited) == transfer_count(limited.model.problem)


@pytest.mark.parametrize("apart", [9, 63, 64, 65, 127, 128, 150])
def test_pieces_in_two_parts(apart: int) -> None:
    """Two cells that are so far apart: four rows, and dominoes only in the first and the last.

    Columns without a cell in the first row need one in the last: so the dominoes lie alike there.
    """
    cells = 4 * apart
    starts = [*range(8), *range(3 * apart, 3 * apart + 8)]
    options = [[x, x + apart] for x in range(cells - apart)]
    options += [[x, x + 1, "domino"] for x in starts]
    problem = Problem.from_options(
        options, primary=[*range(cells), "domino"], multiplicity={"domino": (0, 6)}
    )
    many = sum(comb(9 - k, k) for k in range(4))
    assert count(problem, None, Task(heuristic="f")).run() == many
    assert ec.count(problem) == transfer_count(problem) == many
    pair = Piece("far", [(0,), (apart,)], 0, None)
    alone = line(range(2 * apart), pair)
    assert ec.count(alone, counted="all") == by_automaton(alone) == 1


# -- little memory --------------------------------------------------------------------------------


@pytest.mark.slow
def test_little_memory() -> None:
    """One to three of six kinds of pieces in 6 x 7: refused in little memory, or counted right."""
    shapes = (L_TETROMINO, S_TETROMINO, T_TETROMINO, I_TETROMINO, SQUARE, L_TROMINO)
    puzzle = board(box(6, 7), *(Piece(f"P{n}", shape, 1, 3) for n, shape in enumerate(shapes)))
    many = transfer_count(puzzle.model.problem)
    assert by_automaton(puzzle) == many > 1000
    for memory in (1, 4):
        with pytest.raises(TooLarge, match=f"do not fit {memory} MiB"):
            by_automaton(puzzle, memory=memory)
