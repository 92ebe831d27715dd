"""What a puzzle says about costs: what a solution costs, and which solutions are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers import naive
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import priced, small_model

SQUARE = get_lattice("square")


@given(puzzle=priced())
@few
def test_a_solution_costs_what_its_pieces_and_cells_do(puzzle: Puzzle) -> None:
    """Added as decimals here, so that no rounding is shared with what is tested."""
    model = small_model(puzzle)
    price = {piece.name: Decimal(repr(piece.cost)) for piece in puzzle.pieces}
    ground = {cell: Decimal(repr(cost)) for cell, cost in puzzle.region.costs.items()}
    stationary = {piece.name for piece in puzzle.stationary}
    for solution in map(tuple, naive.solutions(model.problem)):
        wanted = sum(
            (
                price[placed.piece]
                + sum((ground.get(c, Decimal(0)) for c in placed.cells), Decimal(0))
                for placed in model.placements(solution)
                if placed.piece not in stationary
            ),
            Decimal(0),
        )
        assert ec.Solution(solution, model.problem, model).cost == pytest.approx(float(wanted))


@pytest.mark.parametrize("counted", ["rotations", "reflections"])
@given(puzzle=priced())
@few
def test_solutions_that_are_one_cost_the_same(puzzle: Puzzle, counted: str) -> None:
    model = small_model(puzzle)
    every = {round(solution.cost, 9) for solution in ec.solve(puzzle, counted="all")}
    unique = {round(solution.cost, 9) for solution in ec.solve(puzzle, counted=counted)}
    assert unique == every
    assert model.problem.n_options == model.symmetries.options.shape[1]


def test_equal_sums_are_equal_numbers() -> None:
    """0.1 + 0.2 + 0.3 is the same from both ends, so that the mirror image is no other solution."""
    cells = [(x, 0) for x in range(4)]
    costs = {(0, 0): 0.1, (1, 0): 0.7, (2, 0): 0.7, (3, 0): 0.1}
    bar = Piece("I", [(0, 0), (1, 0), (2, 0)], cost=0.2)
    puzzle = Puzzle(SQUARE, Region(cells, costs=costs), (bar, Piece("O", [(0, 0)])))
    assert puzzle.model.problem.costs is not None
    assert puzzle.model.problem.costs.tolist() == [1.7, 1.7, 0.1, 0.7, 0.7, 0.1]
    assert (ec.count(puzzle, counted="all"), ec.count(puzzle, counted="rotations")) == (2, 1)
    lopsided = replace(puzzle, region=replace(puzzle.region, costs={(0, 0): 1}))
    assert ec.count(lopsided, counted="rotations") == 2


def test_a_mirror_image_at_another_price_is_another_piece() -> None:
    """The L and the J, which may not be turned over, fill a box; mirrored, each has its price."""
    cells = [(x, y) for x in range(4) for y in range(2)]
    el, jay = [(0, 0), (1, 0), (2, 0), (2, 1)], [(0, 0), (1, 0), (2, 0), (0, 1)]

    def puzzle(one: float, other: float) -> Puzzle:
        pieces = (Piece("L", el, 0, 2, cost=one), Piece("J", jay, 0, 2, cost=other))
        return Puzzle(SQUARE, Region(cells), pieces, reflections=False)

    assert ec.count(puzzle(1, 1), counted="all") == 2
    assert ec.count(puzzle(1, 1), counted="reflections") == 1
    assert ec.count(puzzle(1, 2), counted="reflections") == 2


def puzzle_of(pieces: Sequence[Piece], costs: dict[tuple[int, ...], float]) -> Puzzle:
    return Puzzle(SQUARE, Region([(0, 0), (1, 0)], costs=costs), tuple(pieces))


@pytest.mark.parametrize(
    ("pieces", "costs", "message"),
    [
        ([Piece("A", [(0, 0)], cost=2), Piece("B", [(1, 0)], cost=3)], {}, "cannot cost 2 and 3"),
        ([Piece("A", [(0, 0)], 2, 2)], {(2, 0): 1}, r"\(2, 0\), which is not in the region"),
        ([Piece("A", [(0, 0)], 2, 2)], {(0, 0): float("inf")}, "must be a finite number"),
        ([Piece("A", [(0, 0)], 2, 2, cost=1e9)], {(0, 0): 1e-9}, "cannot be added exactly"),
    ],
)  # fmt: skip
def test_what_is_refused(
    pieces: list[Piece], costs: dict[tuple[int, ...], float], message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        puzzle_of(pieces, costs).model  # noqa: B018
