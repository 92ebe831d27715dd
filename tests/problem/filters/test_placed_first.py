"""The piece or cell that is constrained, and that it can be placed before all others."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.backends.base import Branching
from exactcover.search.automatic import automatic
from exactcover.search.plan import make_plan
from exactcover.search.stages import start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.small_problems import drained


@pytest.mark.parametrize(
    ("rest", "piece"),
    [("dlx:s", ""), ("volume@5; dlx:x", "=V"), ("dlx:x; fila:f@5", "=T"), ("volume@9; dlx:s", "")],
)
def test_every_state_holds_the_constrained_piece(rest: str, piece: str) -> None:
    puzzle = ec.read("somacube")
    assert isinstance(puzzle, ec.Puzzle)
    model = puzzle.model
    strategy = Strategy.parse(f"redundancy{piece} first; {rest}")
    plan = make_plan(Subject.of(puzzle, "rotations"), strategy)
    images = {int(model.layout.option_shape[option]) for option in plan.first}
    assert len(images) == 1
    states = drained(start_search(plan, strategy, Branching(), 6))
    assert states == [(option,) for option in sorted(plan.first)]
    assert ec.count(puzzle, counted="rotations", strategy=strategy) == 480


@pytest.mark.parametrize(
    ("puzzle", "redundancy"),
    [
        ("tetriscube", "redundancy=L"),  # found by S. Westen; the fewest images has G
        ("pentominoes_12x5", "redundancy=X"),  # though it is its own image in the middle
        ("pentominoes_10x6", "redundancy"),  # that is X too
        ("PT12", "redundancy"),  # no piece is clearly better than the usual one
        ("somacube", "redundancy"),  # not searched by image lists
        ("y_pentacubes_5x5x5", "redundancy=cell"),  # no piece occurs once
    ],
)
def test_the_piece_that_is_placed_first(puzzle: str, redundancy: str) -> None:
    given = ec.read(puzzle)
    assert str(automatic(Subject.of(given, "rotations")).filters[0]) == redundancy
    assert "redundancy" not in str(automatic(Subject.of(given, "all")))
