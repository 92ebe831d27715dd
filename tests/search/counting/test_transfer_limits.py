"""Copies, ranges, empty cells and wide windows, by formulas and by the plain transfer matrix."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial

import numpy as np
import pytest

import exactcover as ec
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED, some
from tests.helpers.transfer import by_automaton, transfer_count

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big counts without a compiler")


def line(
    cells: Sequence[int],
    *pieces: Piece,
    optional: Sequence[int] = (),
    empty: tuple[int, int] | None = None,
) -> Puzzle:
    """A board in one dimension."""
    region = Region([(x,) for x in cells], np.array(optional, int).reshape(-1, 1), empty)
    return Puzzle(get_lattice("hypercubic-1"), region, pieces, True)


def rod(name: str, length: int, low: int = 0, high: int | None = None) -> Piece:
    """A piece in one dimension."""
    return Piece(name, [(x,) for x in range(length)], low, high)


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
