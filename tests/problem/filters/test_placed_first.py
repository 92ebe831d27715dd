"""`redundancy first`: the constrained piece is placed before all others, and nothing is lost."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.backends.base import Status, Task
from exactcover.search.engine import start_cutting
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject


@pytest.mark.parametrize("rest", ["dlx:s", "volume@5; dlx:x", "dlx:x; fila:f@5", "volume@9; dlx:s"])
@pytest.mark.parametrize("piece", ["", "=V", "=T"])
def test_every_state_holds_the_constrained_piece(rest: str, piece: str) -> None:
    puzzle = ec.read("somacube")
    assert isinstance(puzzle, ec.Puzzle)
    model = puzzle.model
    strategy = Strategy.parse(f"redundancy{piece} first; {rest}")
    plan = make_plan(Subject.of(puzzle, "rotations"), strategy)
    images = {int(model.layout.option_shape[option]) for option in plan.first}
    assert len(images) == 1
    search, states, done = start_cutting(plan, strategy, Task(cut=6)), [], False
    while not done:
        batch = search.advance(1 << 20)
        states += [batch.solution(number) for number in range(len(batch))]
        done = batch.status is Status.DONE
    assert states == [(option,) for option in sorted(plan.first)]
    assert ec.count(puzzle, counted="rotations", strategy=strategy) == 480
