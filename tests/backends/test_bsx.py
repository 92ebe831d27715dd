"""The tree and the figures of the bsx engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status
from exactcover.backends.bsx import BsxRoot, backend
from exactcover.backends.dlx import backend as dlx
from exactcover.problem import Problem
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import Subtree
from exactcover.puzzle import Puzzle
from tests.helpers.small_problems import branching, finished
from tests.helpers.summed import started


def filtered(puzzle: Puzzle) -> tuple[Problem, Branching]:
    """The problem, and a task without the options that cut off a space that cannot be filled."""
    model = puzzle.model
    everything = np.ones(model.problem.n_options, bool)
    everything = volume(Subtree(model.problem, model, (), everything))
    return model.problem, branching(allowed=everything)


def run(engine: object, problem: Problem, task: Branching) -> tuple[int, int]:
    """Search to the end: solutions and choices."""
    search = started(engine, problem, None, task)  # type: ignore[attr-defined]
    finished(search)
    assert search.report().nofits == 0
    return search.report().found, search.report().fits


# -- published figures, the matrices of the article first -----------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "rows", "items", "solutions"),
    [
        ("somacube", 688, 34, 11520),
        ("pentominoes_20x3", 728, 72, 8),
        pytest.param("pentominoes_15x4", 1450, 72, 1472, marks=pytest.mark.slow),
        pytest.param("pentominoes_8x8_hole", 1432, 72, 520, marks=pytest.mark.slow),
    ],
)
def test_the_matrices_of_the_article(puzzle: str, rows: int, items: int, solutions: int) -> None:
    problem, task = filtered(ec.read(puzzle))
    root = BsxRoot(problem, None, task)
    assert (root.option_of.size, root.matrix.n_items) == (rows, items)
    found, fits = run(backend, problem, task)
    assert found == solutions
    assert (found, fits) == run(dlx, problem, task)


# -- the tree -------------------------------------------------------------------------------------


@st.composite
def wide_problems(draw: st.DrawFn) -> Problem:
    """Up to 400 options, so several words, around a solution that makes the search worth it."""
    numbers = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    primary, second = draw(st.integers(6, 24)), draw(st.integers(0, 6))
    rows: list[list[int]] = []
    order, at = numbers.permutation(primary), 0
    while at < primary:
        size = int(numbers.integers(2, 6))
        rows.append(order[at : at + size].tolist())
        at += size
    for _ in range(draw(st.integers(0, 400))):
        size = int(numbers.integers(3, 7))
        row = numbers.permutation(primary + second)[:size].tolist()
        rows.append([*row, 0] if min(row) >= primary else row)
    rows = [rows[place] for place in numbers.permutation(len(rows))]
    return Problem.from_arrays(
        primary + second,
        np.cumsum([0, *map(len, rows)]),
        np.array([item for row in rows for item in row], np.int32),
        primary=primary,
    )


@given(wide_problems(), st.sampled_from(["s", "f"]))
def test_problems_of_many_words_are_searched_like_dlx_does(
    problem: Problem, heuristic: str
) -> None:
    task = Branching.by(heuristic)
    assert run(backend, problem, task) == run(dlx, problem, task)
    theirs = started(dlx, problem, None, task).advance(2000)
    ours = started(backend, problem, None, task).advance(2000)
    if theirs.status is ours.status is Status.DONE:
        assert sorted(map(ours.solution, range(len(ours)))) == sorted(
            map(theirs.solution, range(len(theirs)))
        )
