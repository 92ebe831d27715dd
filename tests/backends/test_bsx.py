"""What is particular to the bsx engine: its words and stages, its tree, its size, its figures."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends import Status, Task, bsx, started
from exactcover.backends.bsx import BitMatrix, BsxSearch, backend
from exactcover.backends.dlx import backend as dlx
from exactcover.errors import CapabilityError
from exactcover.geometry.enumeration import Sort, shapes
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import FilterState
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED
from tests.helpers.small_problems import finished, langford, queens, solve

SOMA = {
    "V": "000 100 010",
    "L": "000 100 200 010",
    "T": "000 100 200 110",
    "Z": "000 100 110 210",
    "A": "000 100 010 011",
    "B": "000 100 010 101",
    "P": "000 100 010 001",
}


def soma_cube() -> Puzzle:
    pieces = [Piece(name, _cells(text)) for name, text in SOMA.items()]
    return Puzzle(get_lattice("cubic"), Region(list(product(range(3), repeat=3))), tuple(pieces))


def _cells(text: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, word)) for word in text.split()]


@cache
def pentominoes(width: int, height: int, hole: tuple[int, int] | None = None) -> Puzzle:
    """The twelve pentominoes in a rectangle, perhaps without a 2x2 square at this cell."""
    square = get_lattice("square")
    pieces = [Piece(f"p{n}", cells) for n, cells in enumerate(shapes(square, 5, Sort.FREE))]
    cells = set(product(range(width), range(height)))
    if hole is not None:
        cells -= {(hole[0] + x, hole[1] + y) for x, y in product(range(2), repeat=2)}
    return Puzzle(square, Region(sorted(cells)), tuple(pieces), True)


def filtered(puzzle: Puzzle) -> tuple[Problem, Task]:
    """The problem, and a task without the options that cut off a space that cannot be filled."""
    model = puzzle.model
    everything = np.ones(model.problem.n_options, bool)
    return model.problem, Task(allowed=volume(FilterState(model.board, (), everything)))


def run(engine: object, problem: Problem, task: Task) -> tuple[int, int]:
    """Search to the end: solutions and choices."""
    search = started(engine, problem, None, task)  # type: ignore[attr-defined]
    finished(search)
    assert search.report().nofits == 0
    return search.report().found, search.report().fits


# -- published figures, the matrices of the article first -----------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "rows", "items", "solutions"),
    [
        pytest.param(soma_cube, 688, 34, 11520, id="soma"),
        pytest.param(lambda: pentominoes(20, 3), 728, 72, 8, id="3x20"),
        pytest.param(lambda: pentominoes(15, 4), 1450, 72, 1472, id="4x15", marks=pytest.mark.slow),
        pytest.param(
            lambda: pentominoes(8, 8, (3, 3)), 1432, 72, 520, id="8x8", marks=pytest.mark.slow
        ),
    ],
)
def test_the_matrices_of_the_article(puzzle: object, rows: int, items: int, solutions: int) -> None:
    problem, task = filtered(puzzle())  # type: ignore[operator]
    matrix = BitMatrix.of(problem, task)
    assert (matrix.rows, matrix.n_items) == (rows, items)
    if COMPILED or rows < 700:
        found, fits = run(backend, problem, task)
        assert found == solutions
        if COMPILED:
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
    task = Task(heuristic=heuristic)
    if COMPILED:
        assert run(backend, problem, task) == run(dlx, problem, task)
    theirs = started(dlx, problem, None, task).advance(2000)
    ours = started(backend, problem, None, task).advance(2000)
    if theirs.status is ours.status is Status.DONE:
        assert sorted(map(ours.solution, range(len(ours)))) == sorted(
            map(theirs.solution, range(len(theirs)))
        )


# -- words and stages -----------------------------------------------------------------------------


def wide() -> Problem:
    """900 options: 15 words, packed into fewer as soon as a few queens stand."""
    return queens(30)


def test_without_the_matrix_of_conflicts_all_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = langford(8)
    search = BsxSearch(problem, None, Task())
    monkeypatch.setattr(bsx, "LARGEST_CONFLICT", 0)
    without = BsxSearch(problem, None, Task())
    assert len(pickle.dumps(without)) < len(pickle.dumps(search))
    batch, other = search.advance(1 << 20), without.advance(1 << 20)
    assert len(batch) == 300
    assert np.array_equal(batch.options, other.options)
    assert search.report().fits == without.report().fits


def test_a_matrix_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bsx, "LARGEST_MATRIX", 1000)
    with pytest.raises(CapabilityError, match=r"900 options and 178 items.*can: .*dlx") as error:
        started(backend, wide(), None, Task())
    assert "bsx" not in str(error.value).partition("can:")[2]


def test_secondary_items_of_a_single_option_take_no_column() -> None:
    problem = Problem.from_options([["a", "x"], ["a", "y"], ["b", "y"]], primary=["a", "b"])
    assert BitMatrix.of(problem, Task()).n_items == 3
    assert solve(backend, problem) == [(0, 2)]
