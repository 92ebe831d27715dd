"""The calls of the package `exact-cover`: a matrix in, row numbers out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray, Problem
from exactcover.runs.portfolio import first
from exactcover.search.counting.counts import count
from exactcover.search.solving import solve

__all__ = [
    "ExactCoverError",
    "NoSolution",
    "get_all_solutions",
    "get_exact_cover",
    "get_solution_count",
]


class NoSolution(ExactCoverError):
    """There is no exact cover."""

    def __init__(self) -> None:
        super().__init__("the rows of the matrix have no exact cover")


def get_exact_cover(matrix: npt.ArrayLike) -> IntArray:
    """The rows of one exact cover, int32 ascending; raises `NoSolution` where there is none."""
    solution = first(problem_of(matrix))
    if solution is None:
        raise NoSolution
    return np.array(solution.options, np.int32)


def get_solution_count(matrix: npt.ArrayLike) -> int:
    """How many exact covers there are."""
    return count(problem_of(matrix))


def get_all_solutions(
    matrix: npt.ArrayLike, max_count: int | None = None
) -> set[tuple[np.int32, ...]]:
    """The exact covers, no more than `max_count`; raises `NoSolution` where there is none."""
    solutions = solve(problem_of(matrix), limit=max_count or None)
    found = {tuple(map(np.int32, solution.options)) for solution in solutions}
    if not found:
        raise NoSolution
    return found


def problem_of(matrix: Any) -> Problem:
    """The problem of a matrix; whatever is not 0 counts as 1."""
    return Problem.from_matrix(matrix if hasattr(matrix, "tocsr") else np.asarray(matrix) != 0)
