"""The calls of other packages: the same in both, where they are installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exactcover.compat import algorithm_x, exact_cover, exact_cover_py, xcover
from exactcover.errors import ExactCoverError

PIECES = np.array(
    [
        [1, 0, 0, 1, 0],
        [1, 1, 1, 0, 0],
        [0, 1, 1, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 1, 0, 0, 1],
        [0, 0, 1, 0, 0],
    ]
)
COVERS = {(0, 2, 3), (0, 4, 5)}


def matrices() -> list[Any]:
    draw = np.random.default_rng(5)
    return [PIECES, *(draw.random((rows, 6)) < 0.35 for rows in (8, 12, 14, 16, 16))]


def theirs(name: str) -> Any:
    return pytest.importorskip(name)


def sets(solutions: Any) -> set[tuple[int, ...]]:
    return {tuple(sorted(map(int, solution))) for solution in solutions}


def test_the_form_of_exact_cover() -> None:
    one = exact_cover.get_exact_cover(PIECES)
    assert (one.dtype, one.ndim) == (np.int32, 1)
    assert tuple(one) in COVERS
    assert exact_cover.get_solution_count(PIECES.tolist()) == 2
    assert exact_cover.get_all_solutions(PIECES) == COVERS
    assert len(exact_cover.get_all_solutions(PIECES, max_count=1)) == 1


def test_no_solution_for_exact_cover() -> None:
    assert exact_cover.get_solution_count(PIECES[:2]) == 0
    for call in (exact_cover.get_exact_cover, exact_cover.get_all_solutions):
        with pytest.raises(exact_cover.NoSolution, match="no exact cover"):
            call(PIECES[:2])
    assert issubclass(exact_cover.NoSolution, ExactCoverError)


@pytest.mark.parametrize("matrix", matrices())
def test_like_exact_cover(matrix: Any) -> None:
    package = theirs("exact_cover")
    assert exact_cover.get_solution_count(matrix) == package.get_solution_count(matrix)
    try:
        wanted = package.get_all_solutions(matrix)
    except package.error.NoSolution:
        with pytest.raises(exact_cover.NoSolution):
            exact_cover.get_exact_cover(matrix)
        return
    assert exact_cover.get_all_solutions(matrix) == sets(wanted)
    one = package.get_exact_cover(matrix)
    ours = exact_cover.get_exact_cover(matrix)
    assert (ours.dtype, type(ours)) == (one.dtype, type(one))
    assert tuple(ours.tolist()) in sets(wanted)
    some = package.get_all_solutions(matrix, max_count=2)
    assert len(exact_cover.get_all_solutions(matrix, max_count=2)) == len(some)


def test_the_form_of_xcover() -> None:
    found = xcover.covers_bool(PIECES)
    assert iter(found) is found
    solutions = list(found)
    assert all(isinstance(row, int) for solution in solutions for row in solution)
    assert sets(solutions) == COVERS
    assert sets(xcover.covers_bool(3 * PIECES)) == COVERS


@pytest.mark.parametrize("matrix", matrices())
def test_like_xcover_with_matrices(matrix: Any) -> None:
    package = theirs("xcover")
    assert sets(xcover.covers_bool(matrix)) == sets(package.covers_bool(matrix))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]], {}),
        ([["a", "x"], ["b", "x"], ["a"], ["b"], ["x"]], {"secondary": ["x"]}),
        ([["a", "x"], ["b", "x"], ["a"], ["b"], ["x"]], {"primary": ["a", "b"]}),
        (
            [
                ["p", "q", "x", "y:A"],
                ["p", "r", "x:A", "y"],
                ["p", "x:B"],
                ["q", "x:A"],
                ["r", "y:B"],
            ],
            {"primary": ["p", "q", "r"], "secondary": ["x", "y"], "colored": True},
        ),
        (
            [["p", "x:A"], ["p", "x:B"], ["q", "x:A"], ["q", "y:A", "x:B"], ["q", "y"]],
            {"primary": ["p", "q"], "secondary": ["x", "y"], "colored": True},
        ),
    ],
)
def test_like_xcover_with_options(options: Any, named: dict[str, Any]) -> None:
    wanted = sets(theirs("xcover").covers(options, **named))
    assert wanted
    assert sets(xcover.covers(options, **named)) == wanted


def test_the_form_of_exact_cover_py() -> None:
    found = exact_cover_py.exact_covers(PIECES)
    assert next(found) in [list(cover) for cover in COVERS]


@pytest.mark.parametrize("matrix", matrices())
def test_like_exact_cover_py(matrix: Any) -> None:
    package = theirs("exact_cover_py")
    wanted = sets(package.exact_covers(matrix.astype(int)))
    assert sets(exact_cover_py.exact_covers(matrix)) == wanted


def filled(solver: Any, matrix: Any) -> Any:
    for number, row in enumerate(matrix):
        solver.appendRow(np.flatnonzero(row).tolist(), f"row {number}")
    return solver


def test_the_form_of_algorithm_x() -> None:
    solver = filled(algorithm_x.AlgorithmX(5), PIECES)
    assert sorted(solver.solve()) == [[f"row {row}" for row in cover] for cover in sorted(COVERS)]
    assert sorted(solver.solve()) == sorted(solver.solve())
    solver.appendRow([0, 1, 2, 3, 4, 4])
    assert [6] in list(solver.solve())
    assert solver.rows == 7
    assert list(algorithm_x.AlgorithmX(0).solve()) == [[]]
    assert list(algorithm_x.AlgorithmX(1).solve()) == []
    tag: list[int] = []
    solver = algorithm_x.AlgorithmX(1)
    solver.appendRow([0], tag)
    assert next(solver.solve())[0] is tag
    for wrong in ([1], [-1]):
        with pytest.raises(ExactCoverError, match=r"columns are 0\.\.0"):
            solver.appendRow(wrong)
    with pytest.raises(ExactCoverError, match="-1 columns"):
        algorithm_x.AlgorithmX(-1)


def test_a_limit_of_algorithm_x_bounds_its_work() -> None:
    """Three choices for each of four columns: 1 + 3 + 9 + 27 branchings for 81 covers."""
    solver = algorithm_x.AlgorithmX(4)
    for number in range(12):
        solver.appendRow([number // 3])
    found = [len(list(solver.solve(limit))) for limit in range(42)]
    assert found[:9] == [0, 0, 0, 0, 3, 6, 9, 9, 12]
    assert found == sorted(found)
    assert (found[39], found[40]) == (78, 81) == (found[39], len(list(solver.solve())))


@pytest.mark.parametrize("matrix", matrices())
def test_like_algorithm_x(matrix: Any) -> None:
    theirs_, ours = theirs("algorithm_x").AlgorithmX, algorithm_x.AlgorithmX
    columns = matrix.shape[1]
    wanted = sorted(map(sorted, filled(theirs_(columns), matrix).solve()))
    assert sorted(map(sorted, filled(ours(columns), matrix).solve())) == wanted
    bound = filled(ours(columns), matrix).solve(10**6)
    assert sorted(map(sorted, bound)) == wanted
