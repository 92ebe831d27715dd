"""Puzzles whose number of solutions is known."""

from __future__ import annotations

from itertools import product

import pytest

import exactcover as ec
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region


def box(width: int, height: int) -> list[tuple[int, int]]:
    return [*product(range(width), range(height))]


DOMINO = Piece("D", [(0, 0), (1, 0)], 0, None)


@pytest.mark.parametrize(("side", "matchings"), [(1, 1), (2, 7), (3, 131), (4, 10012)])
def test_dominoes_on_cells_that_may_all_stay_empty(side: int, matchings: int) -> None:
    """The matchings of a square grid, A028420."""
    puzzle = Puzzle(get_lattice("square"), Region([], box(side, side)), (DOMINO,))
    assert ec.count(puzzle, counted="all") == matchings


def test_straight_sticks_that_may_not_cross() -> None:
    """The edges of a plus, as two straight pieces: they cross; as two corners they do not."""
    lattice = get_lattice("sticks-square")
    east, north, west, south = lattice.junctions[0]
    region = Region([east, north, west, south])

    def count(*pieces: Piece, crossing: bool) -> int:
        return ec.count(Puzzle(lattice, region, pieces, crossing=crossing), counted="all")

    straight = Piece("I", [east, west], 2, 2)
    corner = Piece("V", [east, north], 2, 2)
    assert count(straight, crossing=True) == 1
    assert count(straight, crossing=False) == 0
    assert count(corner, crossing=False) == count(corner, crossing=True) == 2


def test_names_are_given_out_as_the_pieces_allow() -> None:
    """Of ten dominoes, 2 are A, at most 3 B, at least 1 C, and D takes what is left."""
    pieces = (
        Piece("A", [(0, 0), (1, 0)], 2, 2),
        Piece("B", [(0, 0), (0, 1)], 0, 3),
        Piece("C", [(4, 4), (4, 5)], 1, None),
        Piece("D", [(7, 1), (8, 1)], 1, 1),
    )
    solution = ec.first(Puzzle(get_lattice("square"), Region(box(4, 5)), pieces))
    assert solution is not None
    names = [placement.piece for placement in solution.placements]
    assert names.count("A") == 2
    assert names.count("B") <= 3
    assert names.count("C") >= 1
    assert names.count("D") == 1
    assert len(names) == 10


def test_a_puzzle_of_stationary_pieces_alone_is_solved() -> None:
    domino = Piece("A", [(0, 0), (1, 0)], stationary=True)
    square = get_lattice("square")
    [solution] = ec.solve(Puzzle(square, Region(box(2, 1)), (domino,)), counted="all")
    assert solution.options == ()
    assert [placement.piece for placement in solution.placements] == ["A"]
    assert ec.count(Puzzle(square, Region(box(3, 1)), (domino,)), counted="all") == 0
    assert ec.count(Puzzle(square, Region(box(2, 1), [(5, 5)]), (domino,)), counted="all") == 1
