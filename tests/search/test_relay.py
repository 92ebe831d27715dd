"""A search whose strategy changes on the way finds the same solutions, each once."""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Status
from exactcover.runs import Threads
from exactcover.search.automatic import takes
from exactcover.search.plan import Plan, make_plan, start_cutting
from exactcover.search.relay import Changeable, Relay
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.drawn_plans import drawn_plan

STAGES = ("dlx:s", "bsx:s", "dlx:s; fila:e@9; fila:f@3")


def solutions(search: Changeable, plan: Plan, changes: dict[int, str]) -> list[tuple[int, ...]]:
    """All solutions, if the strategy changes after these numbers of slices."""
    found, done, slices = [], 0.0, 0
    while True:
        batch = search.advance(50, capacity=7)
        found += [batch.solution(number) for number in range(len(batch))]
        assert search.progress() >= done - 1e-9
        done = search.progress()
        if batch.status is Status.DONE:
            assert done == 1.0
            assert search.found == len(found)
            return found
        if (text := changes.get(slices)) is not None:
            search.change(plan, Strategy.parse(text))
        slices += 1


@pytest.mark.parametrize("first", STAGES)
@pytest.mark.parametrize("second", [*STAGES, "fila:x"])
def test_a_change_of_strategy_keeps_the_solutions(first: str, second: str) -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"), "all")
    strategy = Strategy.parse(first)
    plan = make_plan(subject, strategy)
    expected = solutions(Relay(start_cutting(plan, strategy)), plan, {})
    for changes in ({0: second}, {3: second, 9: first, 40: second}):
        found = solutions(Relay(start_cutting(plan, strategy)), plan, changes)
        assert len(set(found)) == len(found)
        assert set(found) == set(expected)


@given(st.data())
def test_changes_on_any_lattice(data: st.DataObject) -> None:
    lattice = data.draw(st.sampled_from(("square", "cubic", "hexagonal", "triangular", "octet")))
    plan = drawn_plan(data, lattice)
    strategies = st.sampled_from(("dlx:s", "dlx:s; fila:e@3", "fila:f", "fila:x", "bsx:s"))
    first = Strategy.parse(data.draw(strategies))
    changes = data.draw(st.dictionaries(st.integers(0, 6), strategies, max_size=3))
    for text in (str(first), *changes.values()):
        if not takes(Strategy.parse(text), plan.subject):
            reject()
    expected = solutions(Relay(start_cutting(plan, first)), plan, {})
    found = solutions(Relay(start_cutting(plan, first)), plan, changes)
    assert sorted(found) == sorted(expected)


def test_the_tally_adds_up() -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"), "all")
    strategy = Strategy.parse("dlx:s")
    plan = make_plan(subject, strategy)
    from exactcover.backends import Task

    search = Relay(start_cutting(plan, strategy, Task(tally=True)), tally=True)
    solutions(search, plan, {4: "bsx:s", 20: "dlx:s; fila:e@8"})
    assert sum(tried.fits for tried in search.tally().values()) == search.fits
    assert sum(tried.attempts for tried in search.tally().values()) == search.fits + search.nofits


@pytest.mark.parametrize("workers", [2, 3])
def test_a_team_changes_its_strategy(workers: int) -> None:
    subject = Subject.of(ec.read("pentominoes_15x4"), "all")
    strategy = Strategy.parse("dlx:s")
    plan = make_plan(subject, strategy)
    search = Threads(workers).start(plan, strategy)
    assert isinstance(search, Changeable)
    found, slices = set(), 0
    while (batch := search.advance(1 << 14)).status is not Status.DONE or len(batch):
        found |= {batch.solution(number) for number in range(len(batch))}
        slices += 1
        if slices in (3, 60):
            search.change(plan, Strategy.parse("dlx:s; fila:f@9" if slices == 3 else "bsx:s"))
    assert len(found) == search.found == 4 * 368
