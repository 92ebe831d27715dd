"""What a problem is made from, what it refuses, and what it says of itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import ProblemError
from exactcover.problem import Coloured, Problem
from tests.helpers.small_problems import EVERYTHING, problems

KNUTH = ["ce", "adg", "bcf", "adf", "bg", "deg"]


def knuth() -> Problem:
    return Problem.from_options([list(option) for option in KNUTH])


def options_of(problem: Problem) -> list[list[Any]]:
    """The options with the names of their items."""
    return [
        [problem.items[item] for item in problem.items_of(option)]
        for option in range(problem.n_options)
    ]


# -- from lists -----------------------------------------------------------------------------------


def test_options_keep_their_order_and_their_items() -> None:
    problem = knuth()
    assert options_of(problem) == [list(option) for option in KNUTH]
    assert (problem.n_options, problem.n_items, problem.primary) == (6, 7, 7)
    assert problem.option_name(3) == 3
    assert problem.needs == frozenset()


def test_no_options_and_empty_options() -> None:
    nothing = Problem.from_options([])
    assert (nothing.n_options, nothing.n_items) == (0, 0)
    assert ec.count(nothing) == 1
    assert ec.count(Problem.from_options([[], []])) == 1
    assert ec.count(Problem.from_options([], primary=["a"])) == 0


@pytest.mark.parametrize(
    ("primary", "secondary", "first", "second"),
    [
        (None, None, "cab", ""),
        ("b", None, "b", "ca"),
        (None, "b", "ca", "b"),
        ("acx", "by", "acx", "by"),
        ("", None, "", "cab"),
    ],
)
def test_which_items_are_primary(
    primary: str | None, secondary: str | None, first: str, second: str
) -> None:
    problem = Problem.from_options(
        [["c", "a"], ["b"]],
        primary=None if primary is None else list(primary),
        secondary=None if secondary is None else list(secondary),
    )
    assert list(problem.items[: problem.primary]) == list(first)
    assert list(problem.items[problem.primary :]) == list(second)
    assert ("secondary" in problem.needs) == bool(second)


def test_colours() -> None:
    problem = Problem.from_options(
        [["a", "x:red"], ["b", "x:red"], ["b", "x:blue"], ["b", "x"]], secondary=["x"], colored=True
    )
    assert problem.colour_names == ("red", "blue")
    assert [problem.colours_of(o).tolist() for o in range(4)] == [[0, 1], [0, 1], [0, 2], [0, 0]]
    assert problem.needs == {"secondary", "colours"}
    assert [solution.options for solution in ec.solve(problem)] == [(0, 1)]


def test_multiplicities() -> None:
    problem = Problem.from_options(
        [["a"], ["a", "b"], ["a"]], multiplicity={"a": (1, 2), "b": np.int64(0)}
    )
    assert (problem.low.tolist(), problem.high.tolist()) == ([1, 0], [2, 0])
    assert problem.needs == {"multiplicities"}
    assert sorted(solution.options for solution in ec.solve(problem)) == [(0,), (0, 2), (2,)]


@pytest.mark.parametrize(
    ("options", "how", "words"),
    [
        (["ab", "c"], {}, "option 0: the string 'ab'"),
        ([["a"], 3], {}, "option 1: 3"),
        ([["a", "b", "a"]], {}, "option 0 names item 'a' twice"),
        ([["a"]], {"primary": ["a", "a"]}, "primary item 'a' is named twice"),
        ([["a"]], {"primary": ["a", "b"], "secondary": ["b"]}, "'b' is named both"),
        ([["a", "z"]], {"primary": ["a"], "secondary": ["b"]}, "'z' is used but named neither"),
        ([["a:red"]], {"colored": True}, "colours item 'a', which is primary"),
        ([["a", ":red"]], {"colored": True}, "':red'.*item:colour"),
        ([["a", "x:1", "x:2"]], {"colored": True, "secondary": ["x"]}, "'x' twice"),
        ([["a"]], {"multiplicity": {"b": 2}}, "multiplicity of 'b'"),
        ([["a"]], {"multiplicity": {"a": (1, 2, 3)}}, "multiplicity of 'a'"),
        ([["a"]], {"multiplicity": {"a": (2, 1)}}, r"item 'a'.*2\.\.1"),
        ([["a"]], {"costs": [1.0, 2.0]}, "2 costs for 1 options"),
        ([["a"]], {"costs": ["dear"]}, "every cost must be a number"),
    ],
)
def test_options_that_are_refused(options: Any, how: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        Problem.from_options(options, **how)


# -- from a matrix --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [int, bool, float, np.uint8])
def test_a_matrix(dtype: Any) -> None:
    matrix = np.array([[0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]], dtype=dtype)
    problem = Problem.from_matrix(matrix)
    assert options_of(problem) == [[1, 2], [0], [0, 1, 2], []]
    assert sorted(solution.options for solution in ec.solve(problem)) == [(0, 1), (2,)]


@pytest.mark.parametrize(
    ("matrix", "secondary", "words"),
    [
        ([1, 0], (), "two dimensions, not 1"),
        ([[1, 2]], (), "only 0 and 1"),
        ([["a"]], (), "only 0 and 1"),
        ([[1, 0], [1]], (), "equally long"),
        ([[1, 0]], [2], r"0\.\.1"),
    ],
)
def test_matrices_that_are_refused(matrix: Any, secondary: Any, words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        Problem.from_matrix(matrix, secondary=secondary)


# -- from arrays ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "how", "words"),
    [
        ((2, [0], []), {"primary": 3}, "3 primary items of 2"),
        ((1, [0, 2], [0]), {}, "starts must run from 0"),
        ((2, [0, 2, 1, 2], [0, 1]), {}, "starts must not decrease"),
        ((1, [0.0, 1.0], [0]), {}, "starts must be whole numbers"),
        ((1, [0, 1], [1]), {}, "option 0 names item 1"),
        ((1, [0, 2], [0, 0]), {}, "option 0 names item 0 twice"),
        ((1, [0, 1], [0]), {"colours": []}, "colours has 0 numbers, 1 are needed"),
        ((1, [0, 1], [0]), {"colours": [1]}, "primary"),
        ((1, [0, 1], [0]), {"low": [0.5]}, "low must be whole"),
        ((1, [0, 1], [0]), {"option_names": ["a", "b"]}, "2 names for 1 options"),
    ],
)
def test_arrays_that_are_refused(arguments: Any, how: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        Problem.from_arrays(*arguments, **how)


# -- what it says of itself -----------------------------------------------------------------------


@given(problem=problems(EVERYTHING))
def test_columns_are_the_transposed_rows(problem: Problem) -> None:
    for item in range(problem.n_items):
        assert problem.options_of(item).tolist() == [
            option for option in range(problem.n_options) if item in problem.items_of(option)
        ]
    starts, options = problem.columns
    assert len(starts) == problem.n_items + 1
    assert len(options) == problem.entries.size


@given(problem=problems(EVERYTHING), data=st.data())
def test_violation_is_the_definition(problem: Problem, data: st.DataObject) -> None:
    numbers = st.integers(-1, problem.n_options)
    chosen = data.draw(st.lists(numbers, max_size=problem.n_options + 1))
    assert (problem.violation(chosen) is None) == is_solution(problem, chosen)
    assert (problem.violation(iter(np.array(chosen, int))) is None) == is_solution(problem, chosen)


def is_solution(problem: Problem, chosen: list[int]) -> bool:
    """The definition of a solution, word by word."""
    if len(set(chosen)) < len(chosen) or any(not 0 <= o < problem.n_options for o in chosen):
        return False
    colours_of: dict[int, list[int]] = {item: [] for item in range(problem.n_items)}
    for option in chosen:
        items, colours = problem.items_of(option).tolist(), problem.colours_of(option).tolist()
        if not any(item < problem.primary for item in items):
            return False
        for item, colour in zip(items, colours, strict=True):
            colours_of[item].append(colour)
    times = Counter({item: len(colours) for item, colours in colours_of.items()})
    return all(
        problem.low[item] <= times[item] <= problem.high[item] for item in range(problem.primary)
    ) and all(
        times[item] <= 1 or (0 not in colours_of[item] and len(set(colours_of[item])) == 1)
        for item in range(problem.primary, problem.n_items)
    )


# -- whatever states a problem --------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_array", "lil_matrix"])
def test_sparse_matrices_are_read(form: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rows = [[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    for kind in (bool, np.int8, float):
        dense = Problem.from_matrix(np.array(rows, kind), secondary=[1])
        problem = Problem.from_matrix(getattr(sparse, form)(np.array(rows, kind)), secondary=[1])
        assert options_of(problem) == options_of(dense)
        assert (problem.primary, problem.items) == (dense.primary, dense.items)
        assert ec.count(getattr(sparse, form)(np.array(rows, kind))) == 2


def test_sparse_entries_that_are_stored_oddly() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    zeros = sparse.csr_array((np.array([1, 0, 1]), np.array([1, 0, 2]), np.array([0, 2, 3])))
    assert options_of(Problem.from_matrix(zeros)) == [[1], [2]]
    assert zeros.nnz == 3  # it is left as it was
    twice = sparse.coo_array((np.array([1, 1]), (np.array([0, 0]), np.array([1, 1]))))
    with pytest.raises(ProblemError, match="only 0 and 1"):
        Problem.from_matrix(twice)
    with pytest.raises(ProblemError, match="two dimensions, not 1"):
        Problem.from_matrix(sparse.coo_array(np.array([1, 0])))


def test_rows_and_columns_have_names() -> None:
    matrix = np.eye(3, dtype=bool)
    problem = Problem.from_matrix(matrix, secondary=[0], items="abc", option_names="xyz")
    assert list(problem.items) == ["b", "c", "a"]
    assert [solution.names for solution in ec.solve(problem)] == [("y", "z")]
    with pytest.raises(ProblemError, match="2 names for 3 columns"):
        Problem.from_matrix(matrix, items="ab")


def test_arrays_are_matrices_and_lists_are_options() -> None:
    matrix = np.array([[1, 0], [0, 1], [1, 1]])
    assert {solution.options for solution in ec.solve(matrix)} == {(0, 1), (2,)}
    assert ec.count([[1, 0], [2]]) == 1
    assert ec.count({"one": [1, 0], "two": [2]}) == 1
    problem = knuth()
    assert Problem.of(problem) is problem


def test_colours_are_any_hashables() -> None:
    x = ("x", 1)
    problem = Problem.from_options(
        [["p", Coloured(x, 1)], ["q", Coloured(x, 1)], ["q", Coloured(x, "1")], ["q", x]],
        secondary=[x],
    )
    assert problem.colour_names == (1, "1")
    assert [solution.options for solution in ec.solve(problem)] == [(0, 1)]
    assert ec.count([["p", Coloured("x", None)], ["q", Coloured("x", None)]]) == 0
