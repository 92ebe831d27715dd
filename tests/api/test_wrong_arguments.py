"""An argument of the wrong kind is a message that names it and says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import ExactCoverError, ProblemError
from exactcover.lattices import get_lattice

KNUTH = [list(option) for option in ("ce", "adg", "bcf", "adf", "bg", "deg")]
CELLS = [(0, 0), (1, 0)]
SQUARE = get_lattice("square")


def puzzle() -> ec.Puzzle:
    return ec.Puzzle(SQUARE, ec.Region(CELLS), (ec.Piece("D", CELLS),))


def solution() -> ec.Solution:
    found = ec.first(puzzle())
    assert found is not None
    return found


WRONG: list[tuple[Callable[..., Any], str, object]] = [
    *((ec.solve, "limit", value) for value in ("3", 2.5, True, [1])),
    *((ec.solve, "strategy", value) for value in (3, ["dlx"], True)),
    *((ec.count, "memory", value) for value in ("5", 1.5, True)),
    *((ec.first, "time_limit", value) for value in ("5", ())),
    *((ec.sample, "seed", value) for value in ("2", 1.5)),
    *((ec.usage, "memory", value) for value in ("2", 1.5, 0)),
    *((ec.best, "seed", value) for value in ("5", None, 1.5)),
    *((ec.best, "stop", value) for value in (5, "now")),
    *((ec.estimate, "precision", value) for value in ("x", 0)),
    *((ec.estimate, "seed", value) for value in (None, "5")),
]


@pytest.mark.parametrize(("function", "name", "value"), WRONG)
def test_a_keyword_of_the_wrong_kind(
    function: Callable[..., Any], name: str, value: object
) -> None:
    if function is ec.best and name not in ("least", "most"):
        function = lambda subject, **given: ec.best(subject, least="pieces", **given)  # noqa: E731
    with pytest.raises(ExactCoverError) as caught:
        function(puzzle(), **{name: value})
    said = str(caught.value)
    assert name in said
    first = next(iter(value), value) if isinstance(value, list) else value
    assert repr(value) in said or repr(first) in said
    assert "must be" in said or "must lie" in said


API: Any = ec
"""The package without its types, which forbid what is given here."""

PIECE, REGION = ec.Piece("D", CELLS), ec.Region(CELLS)

REFUSED: list[tuple[Callable[[], object], str]] = [
    *((lambda it=it: API.solve_each(KNUTH, [[0]], limit=it), "limit") for it in ("1", True, 1.5)),
    *((lambda it=it: API.read(it), "where=") for it in (None, 5, ["a"], b"x")),
    *((lambda it=it: API.Strategy.parse(it), "text=") for it in (None, 5, ["dlx"])),
    (lambda: API.draw(None), "draw takes a solution.*gives None where there is no solution"),
    (lambda: API.draw(solution(), color=True, colour=False), "they are one argument"),
    (lambda: API.Puzzle(SQUARE, CELLS, (PIECE,)), r"region=\[\(0, 0\), \(1, 0\)\].*Region\("),
    (lambda: API.Puzzle(SQUARE, REGION, PIECE), "pieces=.*it must be a list of Piece"),
    (lambda: API.Puzzle(SQUARE, REGION, "pentominoes"), "pieces='pentominoes'"),
    (lambda: on_region(empty=("a", "b")), "empty='a'"),
    (lambda: on_region(costs=[1, 2]), r"costs=\(1, 2\)"),
    (lambda: API.Piece("D", CELLS, low="1"), "low='1'"),
    (lambda: API.Piece("D", CELLS, stationary="yes"), "stationary='yes'"),
]


def on_region(**given: Any) -> ec.Puzzle:
    return ec.Puzzle(SQUARE, ec.Region(CELLS, **given), (PIECE,))


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ExactCoverError, match=words):
        make()


MATRIX = [[1, 0, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0, 1]]


@pytest.mark.parametrize("solve", [ec.solve, ec.count, ec.first])
@pytest.mark.parametrize(
    "matrix", [MATRIX, tuple(map(tuple, MATRIX)), [[1, 0, 1], [0, 1, 0]], [[0, 1], [1, 0]]]
)
def test_rows_of_a_matrix_are_no_options(solve: Callable[..., Any], matrix: Any) -> None:
    with pytest.raises(ProblemError, match=r"Problem\.from_matrix\(rows\)"):
        solve(matrix)
    ec.Problem.from_matrix(matrix)
    ec.count(np.array(matrix))
