"""One solution: found by `planes` where that is ready soonest, else by another engine."""

from __future__ import annotations

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends.planes import search
from exactcover.errors import ExactCoverError, LimitReached
from exactcover.problem import Problem
from exactcover.runs import Finding
from examples.blocks import blocks
from examples.langford import langford
from examples.latin_squares import latin_squares
from examples.queens import queens
from tests.helpers import naive


def random_matrix(seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.random((int(draw.integers(4, 14)), 5)) < 0.35


@pytest.mark.parametrize("small", [search.SMALL, 0])
def test_it_is_a_solution_wherever_there_is_one(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SMALL", small)
    seen = set()
    for seed in range(60):
        problem = Problem.from_matrix(random_matrix(seed), secondary=[seed % 5])
        solution = ec.first(problem)
        wanted = set(naive.solutions(problem))
        assert solution.options in wanted if solution else not wanted, seed
        seen.add(solution is None)
    assert seen == {True, False}


def test_problems_of_all_kinds() -> None:
    for problem in (queens(6), latin_squares(4), langford(7), blocks((3, 3, 3), {(1, 1, 3): 9})):
        solution = ec.first(problem)
        assert solution is not None
        assert problem.violation(solution.options) is None
        assert solution.problem is problem
    assert ec.first(queens(3)) is None
    assert ec.first(queens(6), strategy="dlx:s") is not None
    named = ec.first({"one": ["a"], "two": ["a", "b"]})
    assert named is not None
    assert named.names == ("two",)


def test_too_little_time_is_no_answer() -> None:
    no_solution = langford(13)
    with pytest.raises(LimitReached):
        ec.first(no_solution, time_limit=1e-9)
    with pytest.raises(LimitReached):
        ec.first(no_solution, time_limit=0)
    with pytest.raises(ExactCoverError, match="a number of seconds from 0 up"):
        ec.first(queens(6), time_limit=-1)
    assert ec.first(langford(9), time_limit=600) is None


def test_small_plain_problems_are_searched_by_planes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Finding(queens(6)).run().strategy == "planes:weighed"
    assert "planes" not in Finding(ec.read("somacube")).run().strategy
    monkeypatch.setattr("exactcover.backends.planes.search.SMALL", 0)
    assert Finding(queens(6)).run().strategy == "bsx:s"


def test_a_function_sees_a_short_search_too() -> None:
    """It changes nothing about the solution."""
    seen: list[tuple[float, int, float]] = []

    def see(solving: ec.Solving) -> None:
        seen.append((solving.progress, solving.found, solving.seconds))

    for problem in (queens(8), langford(11), langford(9), queens(3)):
        seen.clear()
        solution = ec.first(problem, progress=see, seed=1)
        plain = ec.first(problem, seed=1)
        assert (solution and solution.options) == (plain and plain.options)
        assert seen == sorted(seen)
        assert seen[-1][:2] == (1.0, int(solution is not None))
        assert seen[-1][2] > 0


def test_what_the_function_raises_ends_the_short_search() -> None:
    def stop(solving: ec.Solving) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ec.first(langford(9), progress=stop)
    with pytest.raises(LimitReached):
        ec.first(langford(13), progress=lambda solving: None, time_limit=0)
