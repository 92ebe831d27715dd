"""The head start of bsx in plain Python: its tree is that of the compiled search, choice by choice.

The tests of all engines are run on it too, see `tests/helpers/plain_engines.py`.
"""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Backend, Status, Task, bsx, head_start, started
from exactcover.backends.bsx import backend as compiled
from exactcover.backends.head_start import Allowance, HeadStart
from exactcover.backends.tasks import checked
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.subject import Subject
from tests.helpers.examples import some
from tests.helpers.plain_engines import ChangingBackend, PlainBackend
from tests.helpers.small_problems import (
    drained,
    finished,
    langford,
    latin_squares,
    problems,
    queens,
    solve,
)

PLAIN = PlainBackend()


def whole_tree(
    backend: Backend, problem: Problem, task: Task, layout: Layout | None = None
) -> tuple[list[tuple[int, ...]], int]:
    """The solutions in the order of the search, and how many options were chosen in all."""
    search = started(backend, problem, layout, task)
    return drained(search, 100, 7), search.report().fits


@given(data=st.data())
def test_the_tree_is_that_of_compiled_code(data: st.DataObject) -> None:
    problem = data.draw(problems(compiled.capabilities.features))
    task = Task(heuristic=data.draw(st.sampled_from(compiled.capabilities.heuristics)))
    expected = whole_tree(compiled, problem, task)
    assert whole_tree(PLAIN, problem, task) == expected
    choices = data.draw(st.integers(0, 2 + expected[1]))
    assert whole_tree(ChangingBackend(choices), problem, task) == expected


@pytest.mark.parametrize("name", compiled.capabilities.heuristics)
@pytest.mark.parametrize("problem", [queens(7), langford(7), latin_squares(4)], ids=repr)
def test_the_tree_of_a_classic(problem: Problem, name: str) -> None:
    task = Task(heuristic=name)
    expected = whole_tree(compiled, problem, task)
    assert whole_tree(PLAIN, problem, task) == expected
    assert whole_tree(ChangingBackend(expected[1] // 2), problem, task) == expected


@given(data=st.data())
def test_branches_handed_back_hold_the_rest(data: st.DataObject) -> None:
    problem = data.draw(problems(compiled.capabilities.features))
    search = ChangingBackend(100).start(problem, None, started_task(problem))
    found = []
    batch = search.advance(data.draw(st.integers(1, 5)))
    found += [batch.solution(number) for number in range(len(batch))]
    parts = [] if batch.status is Status.DONE else search.give_back()
    while batch.status is not Status.DONE:
        batch = search.advance(100)
        found += [batch.solution(number) for number in range(len(batch))]
    for part in parts:
        found += solve(compiled, problem, part.task)
    assert sorted(found) == sorted(solve(compiled, problem, Task()))


def started_task(problem: Problem) -> Task:
    """The task of the whole problem, as `started` hands it to an engine."""
    return Task(allowed=problem.choosable)


def test_a_search_can_be_pickled_before_and_after_the_change() -> None:
    search = ChangingBackend(20).start(queens(6), None, started_task(queens(6)))
    found = 0
    status = Status.BUDGET
    while status is not Status.DONE:
        search = pickle.loads(pickle.dumps(search))
        batch = search.advance(7)
        found, status = found + len(batch), batch.status
    assert found == search.report().found == 4


def test_the_allowance_is_shared_by_all_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    allowance = Allowance(head_start.FEWEST + 50)
    monkeypatch.setattr(bsx, "is_loaded", lambda: False)
    monkeypatch.setattr(bsx, "ALLOWANCE", allowance)
    kinds = []
    for _ in range(3):
        search = started(compiled, queens(6), None, Task())
        kinds.append(isinstance(search, HeadStart))
        assert finished(search, 100).found == 4
    assert kinds == [True, False, False]


def test_a_search_that_is_cut_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bsx, "is_loaded", lambda: False)
    assert isinstance(started(compiled, queens(6), None, Task(tally=True)), HeadStart)
    assert not isinstance(started(compiled, queens(6), None, Task(cut=2)), HeadStart)


@pytest.mark.parametrize("chosen", [(), (3,)])
@pytest.mark.parametrize(
    "name", some(["somacube", "tetrominoes_any_8x5", "langford_7", "soma_bed"], one_in=2)
)
def test_the_tally_is_that_of_compiled_code(name: str, chosen: tuple[int, ...]) -> None:
    """At each moment, and beyond the change."""
    subject = Subject.of(ec.read(name), "all")
    problem, layout = subject.problem, subject.layout
    task = checked(compiled, problem, layout, Task(chosen=chosen, tally=True))
    searches = [
        backend.start(problem, layout, task) for backend in (compiled, PLAIN, ChangingBackend(300))
    ]
    every = whole_tree(compiled, problem, task, layout)[1]
    for made in range(1, min(every, 500) + 1):
        for search in searches:
            while search.report().fits < made:
                search.advance(1, keep=False)
        first, *others = [search.report().tally for search in searches]
        assert all(other == first for other in others)
        assert sum(tried.attempts for tried in first.values()) == made


def test_without_a_tally_nothing_is_counted() -> None:
    search = started(PLAIN, queens(6), None, Task())
    search.advance(50)
    assert search.report().fits == 50
    assert not search.report().tally
