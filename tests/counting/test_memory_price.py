"""Memory has a price: what a count by states expects, and what it takes only when asked."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.backends import memo
from exactcover.backends.automaton import backend, memory
from exactcover.backends.automaton import count as count_by_states
from exactcover.backends.base import Task
from exactcover.counting.counts import Counting
from exactcover.search import turns
from exactcover.search.solving import Solving

NARROW = Task(heuristic="narrow")


def states_have_the_second_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing has one slice, and then states as many as they like."""
    monkeypatch.setattr(turns, "FIRST_TURN", 0.0)
    monkeypatch.setattr(turns, "WORTH", -1.0)
    monkeypatch.setattr(turns, "TRIAL", 1e9)


@pytest.mark.parametrize(
    "name", ["pentominoes_12x5", "pentominoes_10x6", "dominoes_8x8", "calendar_any"]
)
def test_the_expected_states_come_near_the_counted(name: str) -> None:
    """Within a factor of 30 all along, and exact at the end."""
    model = ec.read(name).model
    counting = count_by_states(model.problem, model.layout, NARROW)
    expected = []
    while not counting.advance(1 << 12):
        if counting.outlook.whole:
            expected.append(counting.outlook.whole)
    end = counting.outlook
    assert end.done == pytest.approx(1.0)
    assert end.work >= counting.states
    assert all(end.whole / 30 < one < 30 * end.whole for one in expected)


def test_states_that_take_little_memory_are_not_asked_about() -> None:
    model = ec.read("pentominoes_12x5").model
    counting = count_by_states(model.problem, model.layout, NARROW)
    asked = []
    counting.ask = lambda: bool(asked.append(1))
    assert counting.run() == 4040
    assert not asked


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
    allowed = count_by_states(model.problem, model.layout, NARROW)
    asked: list[int] = []
    allowed.ask = lambda: not asked.append(allowed.memory.taken)
    assert allowed.run() == free.count
    assert len(asked) == 1
    assert asked[0] <= freely < allowed.memory.most
    refused = count_by_states(model.problem, model.layout, NARROW)
    refused.ask = lambda: False
    with pytest.raises(ec.errors.TooLarge):
        refused.run()
    assert refused.memory.most <= freely


@pytest.mark.parametrize("dear", [0.0, 1e300])
def test_a_count_is_the_same_whether_memory_is_worth_it(
    dear: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    states_have_the_second_turn(monkeypatch)
    monkeypatch.setattr(memory, "FREELY", 1 << 16)
    monkeypatch.setattr(turns, "DEAR", dear)
    for counted, many in (("rotations", 2339), ("all", 9356)):
        counting = Counting(ec.read("pentominoes_10x6"), counted=counted)
        assert counting.run().solutions == many
        if dear:
            assert counting.notices == ()
            assert "automaton" not in counting.result.strategy
            assert "listing is not much slower" in counting.result.applied[0].note
        else:
            assert len(counting.notices) >= 1
            assert all("--memory 1024 forbids it" in one for one in counting.notices)


@pytest.mark.parametrize("lists", [False, True])
def test_a_listing_takes_much_memory_only_while_it_counts(
    lists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    states_have_the_second_turn(monkeypatch)
    monkeypatch.setattr(memory, "FREELY", 1 << 16)
    monkeypatch.setattr(turns, "DEAR", 0.0)
    solving = Solving(ec.read("pentominoes_10x6"), cache=False)
    found = len(list(solving)) if lists else solving.run().solutions
    assert found == 2339
    if lists:
        assert solving.notices == ()
    else:
        assert [one for one in solving.notices if "EXACTCOVER_RACE=never forbids it" in one]


def test_remembered_states_ask_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that may not grow forgets states, and the count is the same."""
    monkeypatch.setattr(memo, "FREELY", 1 << 18)
    dominoes = ec.read("dominoes_8x8").model.problem
    for allowed in (True, False):
        asked: list[bool] = []
        search = memo.backend.start(dominoes, None, Task(heuristic="f"))
        assert isinstance(search, memo.MemoSearch)
        search.ask = lambda answer=allowed, asked=asked: asked.append(answer) or answer
        while not search._done:
            search.advance(1 << 20, keep=False)
        assert search.found == 12_988_816


def test_every_engine_that_asks_is_known_by_its_type() -> None:
    from exactcover.backends.kinds import Asking, ExpectingCount

    model = ec.read("dominoes_4x4").model
    counting = count_by_states(model.problem, model.layout, NARROW)
    assert isinstance(counting, Asking)
    assert isinstance(counting, ExpectingCount)
    assert backend.name == "automaton"
