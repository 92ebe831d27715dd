"""CP-SAT beside the common suite: dividing, duplicates, optima with proofs, being stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from fractions import Fraction
from math import isclose
from threading import enumerate as threads
from time import sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching
from exactcover.backends.cpsat import backend, search
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.search.optimum import whole_numbers
from tests.helpers import naive
from tests.helpers.examples import some
from tests.helpers.small_problems import (
    Option,
    finished,
    latin_squares,
    problems,
    queens,
    solve,
)
from tests.helpers.summed import started

EVERYTHING = backend.capabilities.features


def cpsat_threads() -> list[str]:
    return [thread.name for thread in threads() if thread.name == "cpsat"]


# -- all solutions --------------------------------------------------------------------------------


@given(data=st.data())
def test_dividing_neither_loses_nor_repeats(data: st.DataObject) -> None:
    """With next to no effort for a subtree nearly each is divided, down to single options."""
    problem = data.draw(problems(EVERYTHING))
    # Nothing in the model is free beside the options, or one solution would be reported as several.
    under_way = started(backend, problem, None, Branching())
    finished(under_way)
    assert under_way.search.duplicates == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "EFFORT", 0.0)
        found = solve(backend, problem)
    assert len(found) == len(set(found))
    assert sorted(found) == sorted(naive.solutions(problem))


def test_a_subtree_with_many_solutions_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST", 50)
    found = solve(backend, latin_squares(4))
    assert len(found) == len(set(found)) == 576


def test_what_is_reported_twice_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = search.all_of

    def twice(problem: Problem, residue: object) -> tuple[list[Option] | None, int]:
        solutions, steps = honest(problem, residue)  # type: ignore[arg-type]
        return None if solutions is None else [*solutions, *solutions[:3]], steps

    monkeypatch.setattr(search, "all_of", twice)
    under_way = started(backend, queens(6), None, Branching())
    finished(under_way)
    assert (under_way.report().found, under_way.search.duplicates) == (4, 3)


# -- one, the cheapest, none ----------------------------------------------------------------------


@given(data=st.data())
def test_the_cheapest_is_the_cheapest_of_all(data: st.DataObject) -> None:
    problem = data.draw(problems(EVERYTHING))
    cost = st.one_of(
        st.integers(-50, 50),
        st.sampled_from((0.5, -0.1, 0.1, 0.25, 1e-6, 1 / 3)),
        st.floats(-1e3, 1e3),
    )
    costs = data.draw(
        st.lists(cost, min_size=problem.n_options, max_size=problem.n_options).map(np.array)
    )
    costs = np.asarray(costs, float).reshape(problem.n_options)
    found = ec.best(problem, costs=costs, workers=1)
    all_costs = [float(costs[list(s)].sum()) for s in naive.solutions(problem)]
    if not all_costs:
        assert (found.status, found.solution, found.value) == ("impossible", None, None)
        return
    assert found.status == "complete"
    assert found.solution is not None
    assert found.value is not None
    assert found.bound is not None
    assert isclose(found.value, min(all_costs), rel_tol=1e-12, abs_tol=1e-9)
    assert found.bound <= found.value
    assert isclose(found.bound, found.value, rel_tol=1e-12, abs_tol=1e-9)
    assert problem.violation(found.solution.options) is None


def test_costs_are_taken_as_the_decimals_that_they_print_as() -> None:
    assert whole_numbers([0.1, 2.0, -0.25]) == ([10, 200, -25], Fraction(100))
    assert whole_numbers([]) == ([], Fraction(1))
    numbers, scale = whole_numbers([1 / 3, 1e15 + 0.5])
    assert sum(numbers) < 1 << 53
    assert all(n <= c * scale < n + 1 for n, c in zip(numbers, (1 / 3, 1e15 + 0.5), strict=True))


# -- being stopped --------------------------------------------------------------------------------


def test_it_can_be_stopped() -> None:
    puzzle = ec.read("pentominoes_1s_10x9")
    costs = np.arange(puzzle.model.problem.n_options) % 97
    best = ec.best(puzzle, costs=costs, workers=1, stop=lambda: True)
    assert best.status == "interrupted"
    assert cpsat_threads() == []


def test_an_interruption_ends_its_thread_and_comes_through() -> None:
    puzzle = ec.read("pentominoes_1s_10x9")

    def interrupt() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ec.best(puzzle, least="pieces", workers=1, stop=interrupt)
    assert cpsat_threads() == []


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
@pytest.mark.parametrize(
    "code",
    some(
        [
            "list(ec.solve(puzzle, strategy='cpsat'))",
            "ec.best(puzzle, costs=range(puzzle.model.problem.n_options))",
        ],
        one_in=2,
    ),
)
def test_ctrl_c_ends_the_process(code: str) -> None:
    begin = (
        "import exactcover as ec, ortools.sat.python.cp_model; "
        "puzzle = ec.read('pentominoes_1s_10x9'); puzzle.model; print('on', flush=True); "
    )
    with subprocess.Popen(
        [sys.executable, "-c", begin + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        sleep(2)
        process.send_signal(signal.SIGINT)
        try:
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()  # if it goes on
    assert b"KeyboardInterrupt" in told
    assert process.returncode == -signal.SIGINT


def test_without_or_tools_a_message_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slim install has none; `verify` then compares the other engines."""
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(CapabilityError, match="pip install ortools"):
        ec.count([["a"]], strategy="cpsat")
    with pytest.raises(CapabilityError, match="pip install ortools"):
        ec.best([["a"]], costs=[1])
    assert ec.verify([["a"], ["b"]]).equal
