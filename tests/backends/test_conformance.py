"""What every backend must do, asked of each of them.

To run it on a backend of your own: pytest tests/backends/test_conformance.py --backend NAME, where
NAME is that of an entry point, or a place `module:attribute`.
"""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends import Backend, Branching, Status, get_backend
from exactcover.errors import ProblemError
from exactcover.problem import Problem
from tests.helpers import naive
from tests.helpers.small_problems import (
    Option,
    branching,
    count,
    dominating_queens,
    finished,
    langford,
    latin_squares,
    problems,
    problems_with_places,
    queens,
    solve,
)
from tests.helpers.summed import started

# -- random problems against the plain reference --------------------------------------------------


@given(data=st.data())
def test_finds_each_solution_once_stopped_or_not(
    backend: Backend, heuristic: str, data: st.DataObject
) -> None:
    problem = data.draw(problems(backend.capabilities.features))
    task = Branching.by(heuristic)
    found = solve(backend, problem, task)
    assert sorted(found) == sorted(naive.solutions(problem))
    assert all(problem.violation(solution) is None for solution in found)
    assert count(backend, problem, heuristic) == len(found)
    steps, capacity = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    assert solve(backend, problem, task, steps=steps, capacity=capacity) == found


@given(data=st.data())
def test_finds_each_of_many_solutions_once(backend: Backend, data: st.DataObject) -> None:
    """Below several branches a search goes back over colours and counts that it has changed."""
    problem = data.draw(problems_with_places(backend.capabilities.features))
    found = solve(backend, problem)
    assert sorted(found) == sorted(naive.solutions(problem))


@given(data=st.data())
def test_progress_runs_from_0_to_1_and_no_figure_falls(
    backend: Backend, data: st.DataObject
) -> None:
    problem = data.draw(problems(backend.capabilities.features))
    keep = data.draw(st.booleans())
    search = started(backend, problem, None, Branching())
    reports = [search.report()]
    while search.advance(1, keep=keep).status is not Status.DONE:
        reports.append(search.report())
        assert all(0 <= branch < branches for branch, branches in reports[-1].position)
    reports.append(search.report())
    assert reports[-1].progress == 1
    assert all(0 <= one.progress <= 1 for one in reports)
    assert min(reports[0].fits, reports[0].nofits, reports[0].found) >= 0
    for before, after in pairwise(reports):
        assert before.progress <= after.progress + 1e-9
        assert before.fits <= after.fits
        assert before.nofits <= after.nofits
        assert before.found <= after.found


@given(data=st.data())
def test_tasks_share_out_the_solutions(
    backend: Backend, heuristic: str, data: st.DataObject
) -> None:
    """Each task chooses one option of a random list and forbids those before it, twice over."""
    problem = data.draw(problems(backend.capabilities.features))
    wanted = sorted(naive.solutions(problem))
    numbers = st.permutations(range(problem.n_options))
    tasks = _split(Branching.by(heuristic), data.draw(numbers)[:3], problem)
    if data.draw(st.booleans()):
        order = data.draw(numbers)[:3]
        tasks = [part for task in tasks for part in _split(task, order, problem)]
    found: list[Option] = []
    for task in tasks:
        try:
            found += solve(backend, problem, task)
        except ProblemError:
            assert not any(set(task.root.chosen) <= set(solution) for solution in wanted)
    assert sorted(found) == wanted


def _split(task: Branching, order: list[int], problem: Problem) -> list[Branching]:
    """The task, divided by which option of this list is the first one in a solution."""
    allowed = (
        np.ones(problem.n_options, bool) if task.root.allowed is None else task.root.allowed.copy()
    )
    parts = []
    for option in order:
        if allowed[option]:
            allowed[option] = False
            parts.append(branching((*task.root.chosen, option), allowed.copy(), task.heuristic))
    return [*parts, branching(task.root.chosen, allowed, task.heuristic)]


# -- the edges ------------------------------------------------------------------------------------


def test_nothing_to_cover_is_covered_by_nothing(backend: Backend) -> None:
    assert solve(backend, Problem.from_options([])) == [()]


def test_an_option_that_nothing_asks_for_is_not_chosen(backend: Backend) -> None:
    if "secondary" not in backend.capabilities.features:
        pytest.skip("knows no secondary items")
    assert solve(backend, Problem.from_options([["a"], ["b"]], secondary=["b"])) == [(0,)]


def test_an_item_without_options_has_no_solution(backend: Backend) -> None:
    assert solve(backend, Problem.from_options([["a"]], primary=["a", "b"])) == []


def test_an_item_that_needs_nothing_may_have_no_options(backend: Backend) -> None:
    if "multiplicities" not in backend.capabilities.features:
        pytest.skip("knows no multiplicities")
    for high in (0, 1, 2):
        problem = Problem.from_options([["a"]], primary=["a", "b"], multiplicity={"b": (0, high)})
        assert solve(backend, problem) == [(0,)]


def test_sets_are_found_once_and_not_in_every_order(backend: Backend) -> None:
    if "multiplicities" not in backend.capabilities.features:
        pytest.skip("knows no multiplicities")
    problem = Problem.from_options([["a"]] * 10, multiplicity={"a": (3, 4)})
    found = solve(backend, problem)
    assert len(found) == len(set(found)) == 120 + 210


def test_a_batch_holds_no_more_than_it_may(backend: Backend) -> None:
    search = started(backend, langford(7), None, Branching())
    batch = search.advance(1 << 20, capacity=5)
    assert len(batch) == 5
    assert batch.status is Status.FULL
    assert search.report().found == 5


def test_a_finished_search_stays_finished(backend: Backend) -> None:
    search = started(backend, langford(3), None, Branching())
    assert len(search.advance(1 << 20)) == 2
    again = search.advance(1 << 20)
    assert again.status is Status.DONE
    assert len(again) == 0
    assert search.report().found == 2


@pytest.mark.parametrize("name", ["dlx", "bsx", "planes", "fila"])
@pytest.mark.parametrize("steps", [1, 400])
def test_a_search_can_be_put_away_and_taken_up_again(name: str, steps: int) -> None:
    search = started(get_backend(name), langford(8), None, Branching())
    begun = search.advance(steps)
    copy = pickle.loads(pickle.dumps(search))
    rest, again = search.advance(1 << 20), copy.advance(1 << 20)
    assert len(begun) + len(rest) == 300
    assert np.array_equal(rest.options, again.options)
    assert search.report().fits == copy.report().fits


@pytest.mark.parametrize("name", ["dlx", "bsx"])
def test_memory_does_not_grow_while_it_runs(name: str) -> None:
    search = started(get_backend(name), langford(7), None, Branching())
    size = len(pickle.dumps(search))
    finished(search, 100)
    assert len(pickle.dumps(search)) <= size + 1000


@pytest.mark.parametrize("name", ["dlx", "bsx"])
@pytest.mark.parametrize("levels", [300, pytest.param(5000, marks=pytest.mark.slow)])
def test_deep_searches(name: str, levels: int) -> None:
    """A choice of two for each of many items: as deep as there are items."""
    rows = np.repeat(np.arange(levels), 2)
    problem = Problem.from_arrays(levels, np.arange(rows.size + 1), rows)
    search = started(get_backend(name), problem, None, Branching())
    while not len(batch := search.advance(1 << 16, capacity=2)):
        assert batch.status is Status.BUDGET
    first, second = set(batch.solution(0)), set(batch.solution(1))
    assert len(first) == len(second) == levels
    assert len(first ^ second) == 2
    assert len(search.report().position) == levels
    assert 0 <= search.report().progress < 1e-9


def test_a_task_must_not_contradict_itself(backend: Backend) -> None:
    for chosen in ((0, 1), (0, 0), (7,)):
        with pytest.raises(ProblemError, match="node chooses"):
            started(backend, Problem.from_options([["a"], ["a", "b"]]), None, branching(chosen))


# -- published counts -----------------------------------------------------------------------------


PUBLISHED = {
    "queens": (queens(8), 92),
    "langford": (langford(7), 52),
    "no langford": (langford(5), 0),
    "sudoku": (latin_squares(4, box=2), 288),
    "dominating queens": (dominating_queens(5, 3), 186),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(backend: Backend, heuristic: str, name: str) -> None:
    problem, solutions = PUBLISHED[name]
    if backend.capabilities.missing(problem):
        pytest.skip("cannot do this problem")
    found = solve(backend, problem, Branching.by(heuristic))
    assert len(found) == len(set(found)) == solutions
