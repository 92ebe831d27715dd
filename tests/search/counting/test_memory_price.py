"""Memory has a price: what a count by states expects, and what it takes only when asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

import exactcover as ec
from exactcover.backends import memo
from exactcover.backends.automaton import count as count_by_states
from exactcover.backends.automaton import memory
from exactcover.backends.base import Status, Task

NARROW = Task(heuristic="narrow")


@pytest.mark.parametrize(
    "name", ["pentominoes_12x5", "pentominoes_10x6", "dominoes_8x8", "calendar_any"]
)
def test_the_expected_states_come_near_the_counted(name: str) -> None:
    """Within a factor of 30 all along, and exact at the end."""
    model = ec.read(name).model
    counting = count_by_states(model.problem, model.layout, NARROW)
    expected = []
    while counting.advance(1 << 12, keep=False).status is not Status.DONE:
        if counting.report().outlook.whole:
            expected.append(counting.report().outlook.whole)
    end = counting.report().outlook
    assert end.done == pytest.approx(1.0)
    assert end.work >= counting.states
    assert all(end.whole / 30 < one < 30 * end.whole for one in expected)


@pytest.mark.parametrize(
    ("name", "freely"), [("pentominoes_10x6", 1 << 16), ("dominoes_8x8", 1 << 15)]
)
def test_states_ask_before_they_take_much_memory(
    name: str, freely: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "FREELY", freely)
    model = ec.read(name).model
    free = count_by_states(model.problem, model.layout, NARROW)
    free.run()
    asked: list[int] = []
    task = replace(NARROW, ask=lambda: not asked.append(allowed.memory.taken))
    allowed = count_by_states(model.problem, model.layout, task)
    assert allowed.run() == free.count
    assert len(asked) == 1
    assert asked[0] <= freely < allowed.memory.most
    task = replace(NARROW, ask=lambda: False)
    refused = count_by_states(model.problem, model.layout, task)
    with pytest.raises(ec.TooLarge):
        refused.run()
    assert refused.memory.most <= freely


def answer(allowed: bool, asked: list[bool]) -> bool:
    asked.append(allowed)
    return allowed


def test_remembered_states_ask_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that may not grow forgets states, and the count is the same."""
    monkeypatch.setattr(memo, "FREELY", 1 << 10)
    dominoes = ec.read("dominoes_8x8").model.problem
    for allowed in (True, False):
        asked: list[bool] = []
        task = Task(heuristic="f", ask=partial(answer, allowed, asked))
        search = memo.backend.start(dominoes, None, task)
        while search.advance(1 << 20, keep=False).status is not Status.DONE:
            pass
        assert search.report().found == 12_988_816
        assert asked[:1] == [allowed]
