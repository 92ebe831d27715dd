"""What is no solution of a puzzle is told apart from what is one, without a matrix."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.puzzle import Placement
from exactcover.trust.verification import PlacementCheck, verify
from tests.helpers import naive
from tests.helpers.random_puzzles import puzzles

NAMES = (
    "pentominoes_20x3",
    "somacube",
    "tetrasticks_5x5_without_H",
    "hexiamonds_9x4",
    "tetrahexes_flower_1",
    "triprisms_hexagon",
    "pyramid_20",
    "triples_2x2x2",
    "polytwigs_hexagon_1",
    "calendar_6_october",
    "calendar_any",
    "pentominoes_8x8_hole",
)


@pytest.mark.parametrize("name", NAMES)
def test_solutions_have_no_fault(name: str) -> None:
    puzzle = ec.read(name)
    check = PlacementCheck(puzzle)
    found = list(islice(ec.solve(puzzle, counted="all"), 50))
    assert found
    assert [check.fault(one.placements) for one in found] == [None] * len(found)


@given(puzzle=puzzles())
def test_every_solution_of_a_random_puzzle_has_none(puzzle: ec.Puzzle) -> None:
    try:
        model = puzzle.model
    except ec.ExactCoverError:
        assume(False)
    assume(model.problem.n_options <= 18)
    check = PlacementCheck(puzzle)
    for options in naive.solutions(model.problem):
        assert check.fault(model.placements(options)) is None


@given(puzzle=puzzles(), data=st.data())
def test_what_is_no_solution_of_a_random_puzzle_has_one(
    puzzle: ec.Puzzle, data: st.DataObject
) -> None:
    """Any set of images that the problem refuses the check refuses too, and the other way round."""
    try:
        model = puzzle.model
    except ec.ExactCoverError:
        assume(False)
    problem = model.problem
    assume(0 < problem.n_options)
    shapes = model.layout.option_shape
    chosen = data.draw(st.sets(st.integers(0, problem.n_options - 1), max_size=6).map(sorted))
    counts = np.bincount(shapes[[o for o in chosen if shapes[o] >= 0]], minlength=len(model.groups))
    room = [g.high is None or n <= g.high for g, n in zip(model.groups, counts, strict=True)]
    assume(all(room))  # else there is no name for each piece
    fault = PlacementCheck(puzzle).fault(model.placements(chosen))
    if problem.violation(chosen) is None and not model.reason:
        assert fault is None
    elif fault is None:
        # A hole is no placement: the same pieces with other holes may be the solution.
        pieces = [option for option in chosen if shapes[option] >= 0]
        assert any(
            set(pieces) == {option for option in one if shapes[option] >= 0}
            for one in ec.solve(puzzle, counted="all")
            for one in [one.options]
        )


def test_numbers_holes_and_stationary_pieces_are_looked_at() -> None:
    square = ec.get_lattice("square")
    cells = [(x, 0) for x in range(4)]
    domino = ec.Piece("D", [(0, 0), (1, 0)], 1, 1)
    puzzle = ec.Puzzle(square, ec.Region([], optional=cells, empty=(0, 1)), (domino,))
    left, right = Placement("D", ((0, 0), (1, 0))), Placement("D", ((2, 0), (3, 0)))
    check = PlacementCheck(puzzle)
    assert check.fault([left]) == "2 cells are empty, not 0..1"
    assert check.fault([left, right]) == "piece D occurs 2 times, not 1"

    held = ec.Piece("S", [(0, 0), (1, 0)], stationary=True)
    puzzle = ec.Puzzle(square, ec.Region(cells), (held, domino))
    check = PlacementCheck(puzzle)
    still = Placement("S", ((0, 0), (1, 0)))
    assert check.fault([still, right]) is None
    assert "has been moved" in (check.fault([replace(right, piece="S"), left]) or "")


def test_pieces_of_sticks_must_not_cross() -> None:
    puzzle = ec.read("tetrasticks_5x5_without_H")
    assert not puzzle.crossing
    free = replace(puzzle, crossing=True)
    strict, lax = PlacementCheck(puzzle), PlacementCheck(free)
    crossed = next(
        one.placements
        for one in ec.solve(free, counted="all")
        if strict.fault(one.placements) is not None
    )
    assert "cross" in (strict.fault(crossed) or "")
    assert lax.fault(crossed) is None


def test_a_wrong_model_is_found_though_all_engines_agree() -> None:
    """The images are exchanged behind the problem: its solutions are right, their cells are not."""
    puzzle = ec.read("dominoes_4x4")
    starts, cells = puzzle.model.option_cells
    wrong = replace(puzzle.model, option_cells=(starts, cells[::-1].copy()))
    vars(wrong)["symmetries"] = puzzle.model.symmetries
    vars(puzzle)["model"] = wrong
    verdict = verify(puzzle, engines=("dlx", "bsx"))
    assert verdict.compared == "sets"
    assert not verdict.equal or cells[::-1].tolist() == cells.tolist()
    assert verdict.fault
