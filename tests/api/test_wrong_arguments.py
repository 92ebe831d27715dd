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
    *((ec.solve, "time_limit", value) for value in ("5", [1], True, 1j)),
    *((ec.solve, "strategy", value) for value in (3, ["dlx"], True)),
    *((ec.solve, "counted", value) for value in (3, ["all"])),
    *((ec.count, "memory", value) for value in ("5", 1.5, True)),
    *((ec.count, "strategy", value) for value in (3, b"dlx")),
    *((ec.first, "time_limit", value) for value in ("5", ())),
    *((ec.sample, "many", value) for value in ("2", 1.5, None, -1)),
    *((ec.sample, "seed", value) for value in ("2", 1.5)),
    *((ec.sample, "chosen", value) for value in (3, "ab", [1.5])),
    *((ec.usage, "memory", value) for value in ("2", 1.5, 0)),
    *((ec.best, "workers", value) for value in ("a", 1.5, True, [2])),
    *((ec.best, "seed", value) for value in ("5", None, 1.5)),
    *((ec.best, "least", value) for value in (5, ["cells"])),
    *((ec.best, "stop", value) for value in (5, "now")),
    *((ec.best, "costs", value) for value in ("cheap", 5, [None])),
    *((ec.estimate, "precision", value) for value in ("x", 0)),
    *((ec.estimate, "confidence", value) for value in ([1], 1.5)),
    *((ec.estimate, "seed", value) for value in (None, "5")),
    *((ec.verify, "engines", value) for value in ("dlx", 5, [5])),
    *((ec.verify, "listed", value) for value in ("5", -1, None)),
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


@pytest.mark.parametrize("limit", ["1", True, [1], 1.5])
def test_solve_each(limit: Any) -> None:
    with pytest.raises(ExactCoverError, match="limit"):
        ec.solve_each(KNUTH, [[0]], limit=limit)


@pytest.mark.parametrize("where", [None, 5, ["a"], b"x"])
def test_read(where: Any) -> None:
    with pytest.raises(ExactCoverError, match="where="):
        ec.read(where)


@pytest.mark.parametrize("name", [None, 5, ["square"]])
def test_get_lattice(name: Any) -> None:
    with pytest.raises(ExactCoverError, match=r"name=.*the name of a lattice"):
        ec.get_lattice(name)


@pytest.mark.parametrize("text", [None, 5, ["dlx"]])
def test_a_strategy_from_what_is_no_text(text: Any) -> None:
    with pytest.raises(ExactCoverError, match="text="):
        ec.Strategy.parse(text)


# -- drawing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [None, 5, "a", [1]])
def test_draw_takes_a_solution(what: Any) -> None:
    with pytest.raises(ExactCoverError, match="draw takes a solution") as caught:
        ec.draw(what)
    assert ("gives None where there is no solution" in str(caught.value)) == (what is None)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"color": 1}, "color=1: it must be True or False, 'auto', 'always', 'never'"),
        ({"colour": "yes"}, "colour='yes'"),
        ({"color": True, "colour": False}, "they are one argument"),
    ],
)
def test_how_to_draw(how: dict[str, Any], words: str) -> None:
    with pytest.raises(ExactCoverError, match=words):
        ec.draw(solution(), **how)


# -- puzzles --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((SQUARE, CELLS, (ec.Piece("D", CELLS),)), r"region=\[\(0, 0\), \(1, 0\)\].*Region\("),
        ((5, ec.Region(CELLS), (ec.Piece("D", CELLS),)), "lattice=5: it must be a lattice"),
        ((SQUARE, ec.Region(CELLS), ec.Piece("D", CELLS)), "pieces=.*it must be a list of Piece"),
        ((SQUARE, ec.Region(CELLS), (CELLS,)), "pieces=.*it must be a list of Piece"),
        ((SQUARE, ec.Region(CELLS), "pentominoes"), "pieces='pentominoes'"),
    ],
)
def test_puzzle(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(ExactCoverError, match=words):
        ec.Puzzle(*arguments)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"empty": 3}, "empty=3"),
        ({"empty": (1, 2, 3)}, "a pair"),
        ({"empty": ("a", "b")}, "empty='a'"),
        ({"costs": [1, 2]}, r"costs=\(1, 2\)"),
    ],
)
def test_region(how: dict[str, Any], words: str) -> None:
    with pytest.raises(ExactCoverError, match=words):
        ec.Puzzle(SQUARE, ec.Region(CELLS, **how), (ec.Piece("D", CELLS),))


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ({"name": 3}, "name"),
        ({"low": "1"}, "low"),
        ({"high": 1.5}, "high"),
        ({"stationary": "yes"}, "stationary"),
        ({"cost": "dear"}, "cost"),
    ],
)
def test_piece(how: dict[str, Any], name: str) -> None:
    given: dict[str, Any] = {"name": "D", "cells": CELLS} | how
    with pytest.raises(ExactCoverError, match=f"{name}={how[name]!r}"):
        ec.Piece(**given)


# -- a matrix where options are wanted ------------------------------------------------------------

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
