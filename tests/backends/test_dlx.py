"""What is particular to the dlx engine: its size, its tree, what it imports, what it compiles."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

from exactcover.backends import Status, Task, started
from exactcover.backends.dlx import backend
from exactcover.backends.template import backend as template
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from tests.helpers.small_problems import dominating_queens, latin_squares, problems, queens, solve


def _fits(problem: Problem, heuristic: str) -> int:
    search = started(backend, problem, None, Task(heuristic=heuristic))
    while search.advance(1 << 20).status is not Status.DONE:
        pass
    assert search.report().nofits == 0
    return search.report().fits


def test_the_tree_is_the_same_whatever_the_order_of_the_options() -> None:
    problem = queens(6)
    turned = np.arange(problem.n_options)[::-1]
    other = Problem.from_arrays(
        problem.n_items,
        np.cumsum([0, *(problem.items_of(o).size for o in turned)]),
        np.concatenate([problem.items_of(o) for o in turned]),
        primary=problem.primary,
    )
    for heuristic in ("s", "f"):
        assert _fits(problem, heuristic) == _fits(other, heuristic)


@given(problems(frozenset({"secondary"})))
def test_its_tree_is_that_of_algorithm_x(problem: Problem) -> None:
    """The same rule in plain Python makes the same number of choices."""
    for heuristic in ("s", "f"):
        plain = started(template, problem, None, Task(heuristic=heuristic))
        while plain.advance(1 << 20).status is not Status.DONE:
            pass
        assert _fits(problem, heuristic) == plain.report().fits


def test_forced_choices_come_first() -> None:
    """Item 0 has two options, item 1 one: both heuristics take item 1 and are led straight on."""
    problem = Problem.from_options([["a", "b"], ["a"]], primary=["a", "b"])
    assert _fits(problem, "s") == _fits(problem, "f") == 1


def test_f_takes_the_first_item_where_s_takes_the_smallest() -> None:
    """`a` has three options, `b` two; each solution takes one of each."""
    problem = Problem.from_options([["a"]] * 3 + [["b"]] * 2)
    assert _fits(problem, "s") == 2 + 2 * 3
    assert _fits(problem, "f") == 3 + 3 * 2


def test_ties_go_to_the_lowest_number() -> None:
    """With the number of options equal everywhere, `s` and `f` walk the same tree."""
    search_s, search_f = (
        started(backend, latin_squares(3), None, Task(heuristic=heuristic)) for heuristic in "sf"
    )
    assert search_s.advance(1, capacity=1).status is Status.BUDGET
    assert search_f.advance(1, capacity=1).status is Status.BUDGET
    assert search_s.report().position == search_f.report().position == [(0, 3)]


def test_a_chosen_option_settles_colours() -> None:
    problem = Problem.from_options(
        [["a", "x:red"], ["b", "x:red"], ["b", "x:blue"], ["b", "x"], ["b"]],
        primary=["a", "b"],
        colored=True,
    )
    assert solve(backend, problem, Task((0,))) == [(0, 1), (0, 4)]


@pytest.mark.parametrize("levels", [300, pytest.param(5000, marks=pytest.mark.slow)])
def test_deep_searches(levels: int) -> None:
    """A choice of two for each of many items: as deep as there are items."""
    rows = np.repeat(np.arange(levels), 2)
    problem = Problem.from_arrays(levels, np.arange(rows.size + 1), rows)
    search = started(backend, problem, None, Task())
    while not len(batch := search.advance(1 << 16, capacity=2)):
        assert batch.status is Status.BUDGET
    first, second = set(batch.solution(0)), set(batch.solution(1))
    assert len(first) == len(second) == levels
    assert len(first ^ second) == 2
    assert len(search.report().position) == levels
    assert 0 < search.report().progress < 1e-9 or search.report().progress == 0


def test_many_options() -> None:
    """A hundred thousand options, two of which make a solution."""
    many = 100_000
    problem = Problem.from_arrays(1, np.arange(many + 1), np.zeros(many, np.int32), low=[2])
    search = started(backend, problem, None, Task())
    batch = search.advance(1 << 20, capacity=1000)
    assert len({batch.solution(number) for number in range(1000)}) == 1000
    assert search.report().fits == 1001


def test_a_step_budget_bounds_the_work() -> None:
    search = started(backend, queens(9), None, Task())
    calls = 1
    while search.advance(50).status is not Status.DONE:
        calls += 1
    assert calls >= search.report().fits // 50


def test_memory_does_not_grow_while_it_runs() -> None:
    search = started(backend, dominating_queens(5, 3), None, Task())
    arrays = [value for value in vars(search).values() if isinstance(value, np.ndarray)]
    sizes = [array.size for array in arrays]
    while search.advance(100).status is not Status.DONE:
        pass
    now = [value for value in vars(search).values() if isinstance(value, np.ndarray)]
    assert all(before is after for before, after in zip(arrays, now, strict=True))
    assert [array.size for array in now] == sizes


@pytest.mark.parametrize("steps", [1, 17, 400])
def test_a_search_can_be_put_away_and_taken_up_again(steps: int) -> None:
    search = started(backend, latin_squares(4), None, Task())
    begun = search.advance(steps)
    copy = pickle.loads(pickle.dumps(search))
    rest, again = search.advance(1 << 20), copy.advance(1 << 20)
    assert len(begun) + len(rest) == 576
    assert np.array_equal(rest.options, again.options)
    assert search.report().fits == copy.report().fits


def test_settings_that_it_has_not_are_refused() -> None:
    with pytest.raises(CapabilityError, match="storage"):
        started(backend, queens(4), None, Task(settings={"storage": "links"}))


LOOK = """
import sys
from exactcover.backends import backends
assert "dlx" in backends() and backends()["dlx"].summary
assert "numba" not in sys.modules
"""

SOLVE = """
import os, sys
from exactcover.backends import Task, get_backend, started
from exactcover.problem import Problem
search = started(get_backend("dlx"), Problem.from_options([["a"], ["b"]]), None, Task())
assert search.advance(100).solution(0) == (0, 1)
from exactcover.backends.dlx_kernel import dance
if hasattr(dance, "stats"):
    print(sum(dance.stats.cache_hits.values()), sum(dance.stats.cache_misses.values()))
else:
    print("not compiled")
"""


def _python(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_looking_at_backends_imports_no_compiler() -> None:
    _python(LOOK)


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    _python(SOLVE)
    assert _python(SOLVE) in ("1 0", "not compiled")


@pytest.mark.parametrize("cut", [0, 1])
def test_what_was_tried_beside_a_shared_item_is_not_allowed_below(cut: int) -> None:
    """Two or three of six: each set lies below one state, in one order of choice."""
    problem = Problem.from_options([["a"]] * 6, multiplicity={"a": (2, 3)})
    search = started(backend, problem, None, Task(cut=cut))
    found: list[tuple[int, ...]] = []
    while search.advance(1 << 10, capacity=1).status is not Status.DONE:
        below = search.below()
        assert len(below.chosen) == 2 - cut
        found += solve(backend, problem, Task(below.chosen, below.allowed))
    assert len(found) == len(set(found)) == 15 + 20
