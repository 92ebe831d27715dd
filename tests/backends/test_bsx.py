"""What is particular to the bsx engine: its words and stages, its tree, its size, its figures."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache
from itertools import product

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends import Status, Task, bsx, bsx_kernel, started
from exactcover.backends.bsx import BitMatrix, BsxSearch, backend
from exactcover.backends.dlx import backend as dlx
from exactcover.backends.template import backend as template
from exactcover.errors import CapabilityError
from exactcover.geometry.enumeration import Sort, shapes
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.problem.filters.totals import volume
from exactcover.problem.filters.tree import FilterState
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED
from tests.helpers.small_problems import langford, latin_squares, problems, queens, solve

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
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
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


@pytest.mark.skipif(not COMPILED, reason="too long in plain Python")
@pytest.mark.parametrize(
    ("problem", "solutions"),
    [(queens(10), 724), (langford(11), 35584), (latin_squares(5), 161280)],
    ids=["queens 10", "Langford 11", "latin squares 5"],
)
def test_classics(problem: Problem, solutions: int) -> None:
    assert run(backend, problem, Task())[0] == solutions


# -- the tree -------------------------------------------------------------------------------------


@given(problems(frozenset({"secondary"})))
def test_its_tree_is_that_of_algorithm_x(problem: Problem) -> None:
    for heuristic in ("s", "f"):
        task = Task(heuristic=heuristic)
        assert run(backend, problem, task) == run(template, problem, task)


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


def test_ties_go_to_the_lowest_number() -> None:
    for heuristic in ("s", "f"):
        search = started(backend, latin_squares(3), None, Task(heuristic=heuristic))
        search.advance(1, capacity=1)
        assert search.report().position == [(0, 3)]


def test_f_takes_the_first_item_where_s_takes_the_smallest() -> None:
    problem = Problem.from_options([["a"]] * 3 + [["b"]] * 2)
    assert run(backend, problem, Task(heuristic="s")) == (6, 2 + 2 * 3)
    assert run(backend, problem, Task(heuristic="f")) == (6, 3 + 3 * 2)


# -- words and stages -----------------------------------------------------------------------------


def wide() -> Problem:
    """900 options: 15 words, packed into fewer as soon as a few queens stand."""
    return queens(30)


def test_a_dense_problem_has_the_solutions_of_other_engines() -> None:
    """Of 320 triples of 15 items a choice leaves half: 5 words, then 3, 2 and 1."""
    numbers = np.random.default_rng(24)
    triples = [tuple(np.sort(numbers.permutation(15)[:3]).tolist()) for _ in range(320)]
    problem = Problem.from_options(sorted({*triples}), primary=range(15))
    found = sorted(solve(backend, problem))
    assert len(found) > 1000
    assert found == sorted(solve(dlx, problem))


def test_the_first_solutions_of_a_wide_problem_are_solutions() -> None:
    problem = wide()
    search = started(backend, problem, None, Task())
    batch = search.advance(1 << 20, capacity=50)
    found = {batch.solution(number) for number in range(len(batch))}
    assert len(found) == 50
    assert all(problem.violation(one) is None for one in found)


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


# -- stopping -------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 17, 400])
def test_a_search_can_be_put_away_and_taken_up_again(steps: int) -> None:
    search = started(backend, langford(8), None, Task())
    begun = search.advance(steps)
    copy = pickle.loads(pickle.dumps(search))
    rest, again = search.advance(1 << 20), copy.advance(1 << 20)
    assert len(begun) + len(rest) == 300
    assert np.array_equal(rest.options, again.options)
    assert search.report().fits == copy.report().fits


def test_a_step_budget_bounds_the_work() -> None:
    search = started(backend, queens(8), None, Task())
    calls = 1
    while search.advance(50).status is not Status.DONE:
        calls += 1
    assert calls >= search.report().fits // 50


def test_memory_does_not_grow_while_it_runs() -> None:
    search = BsxSearch(langford(7), None, Task())
    size = len(pickle.dumps(search))
    while search.advance(100).status is not Status.DONE:
        pass
    assert len(pickle.dumps(search)) <= size + 1000


def test_settings_that_it_has_not_are_refused() -> None:
    with pytest.raises(CapabilityError, match="storage"):
        started(backend, queens(4), None, Task(settings={"storage": "links"}))


def test_colours_and_multiplicities_are_not_promised() -> None:
    assert backend.capabilities.features == {"secondary"}
    assert not backend.capabilities.triggers


# -- the compiled functions -----------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="types are inferred only when it is compiled")
def test_the_search_returns_a_number() -> None:
    solve(backend, queens(4))
    for compiled in bsx_kernel.search.overloads.values():  # type: ignore[attr-defined]
        assert compiled.signature.return_type == numba.int64


SOLVE = """
import numba  # so that nothing is searched in plain Python
from exactcover.backends import Task, get_backend, started
from exactcover.problem import Problem
search = started(get_backend("bsx"), Problem.from_options([["a"], ["b"]]), None, Task())
assert search.advance(100).solution(0) == (0, 1)
from exactcover.backends.bsx_kernel import search
if hasattr(search, "stats"):
    print(sum(search.stats.cache_hits.values()), sum(search.stats.cache_misses.values()))
else:
    print("not compiled")
"""


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    _python(SOLVE)
    assert _python(SOLVE) in ("1 0", "not compiled")
