"""Many sets of given options at once: what is found is what the plain reference finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import ProblemError
from exactcover.problem import Problem
from exactcover.search.each import solve_each
from examples.latin_squares import latin_squares
from examples.queens import queens
from examples.sudoku import givens, sudoku, text
from tests.helpers import naive
from tests.helpers.small_problems import EVERYTHING, problems, problems_with_places

EULER_96 = (
    "003020600900305001001806400008102900700000008006708200002609500800203009005010300",
    "483921657967345821251876493548132976729564138136798245372689514814253769695417382",
)
"""The puzzle that Wikipedia and Project Euler show, and its solution."""

NO_WAY = "5168497323.76.5...8.97...65135.6.9.7472591..696837..5.253186.746842.75..791.5.6.8"
"""The puzzle of P. Norvig's essay that looks fair and has no solution."""


@pytest.mark.parametrize("limit", [1, 2, None])
@given(problem=problems(EVERYTHING) | problems_with_places(EVERYTHING), data=st.data())
def test_random_problems(limit: int | None, problem: Problem, data: st.DataObject) -> None:
    options = st.integers(0, max(problem.n_options - 1, 0))
    drawn = st.lists(st.lists(options, max_size=3), max_size=8 if problem.n_options else 0)
    sets = [[], *data.draw(drawn)]
    solutions = list(naive.solutions(problem))
    answers = solve_each(problem, sets, limit=limit)
    for number, given_options in enumerate(sets):
        below = [one for one in solutions if set(given_options) <= set(one)]
        wanted = len(below) if limit is None else min(len(below), limit)
        assert answers.found[number] == wanted, given_options
        first = answers.solution(number)
        assert first in below if below else first is None, given_options


def test_more_items_than_are_counted_at_once() -> None:
    """Two hundred pairs of items, each covered by one option or by two."""
    options = [row for k in range(200) for row in ([2 * k, 2 * k + 1], [2 * k], [2 * k + 1])]
    given = [3 * k for k in range(200)]
    sets = [given, given[3:], [*given[:-4], 3 * 199 + 1], [0, 1]]
    answers = solve_each(Problem.from_options(options), sets, limit=None)
    assert answers.found.tolist() == [1, 8, 8, 0]


def test_more_options_than_a_word_has() -> None:
    """Two items that each take one of a hundred places, but not the same."""
    places = [f"place {k}" for k in range(100)]
    problem = Problem.from_options(
        [[one, place] for one in ("a", "b") for place in places], primary=["a", "b"]
    )
    answers = solve_each(problem, [[], [99], [199], [5, 105]], limit=None)
    assert answers.found.tolist() == [9900, 99, 99, 0]


def test_a_sudoku_and_one_that_cannot_be() -> None:
    puzzle, solution = EULER_96
    answers = solve_each(sudoku(), givens([puzzle, NO_WAY, puzzle]), limit=2)
    assert answers.found.tolist() == [1, 0, 1]
    first, nothing, again = answers
    assert first is not None
    assert text(first) == solution
    assert nothing is None
    assert first == again


@pytest.mark.parametrize("steps", [1, 7])
def test_kernel_calls_of_few_steps_find_the_same(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = latin_squares(4)
    sets = [[], [0], [0, 1], [5, 20], [63]]
    whole = solve_each(problem, sets, limit=100)
    monkeypatch.setattr("exactcover.search.each.STEPS", steps)
    monkeypatch.setattr("exactcover.search.each.BUFFER", 0)
    answers = solve_each(problem, sets, limit=100)
    assert answers == whole
    assert answers.found.tolist() == [100, 100, 0, 48, 100]


def test_solutions_that_fill_the_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.search.each.BUFFER", 0)
    problem = latin_squares(3)
    answers = solve_each(problem, [[option] for option in range(27)], limit=None)
    assert answers.found.tolist() == [4] * 27
    assert all(problem.violation(first or ()) is None for first in answers)


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        ([[0], [16]], "set 1 gives option 16; options are 0..15"),
        ([["a"]], "is no option number"),
        ([[True]], "True is no option number"),
        (5, "must be a list of sets"),
        (np.zeros((2, 2)), "is no option number"),
        (np.array([[-1]]), "set 0 gives option -1"),
    ],
)
def test_what_is_no_set_of_options(givens: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        solve_each(queens(4), givens)
