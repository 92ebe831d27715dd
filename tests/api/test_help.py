"""What `help` says of the public names: every argument, and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import exactcover as ec
from exactcover import errors

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(ec, name) for name in ec.__all__ if inspect.isfunction(getattr(ec, name))
}
MADE: dict[str, Callable[..., Any]] = {
    "Problem.from_arrays": ec.Problem.from_arrays,
    "Problem.from_matrix": ec.Problem.from_matrix,
    "Problem.from_options": ec.Problem.from_options,
    "Strategy.parse": ec.Strategy.parse,
}
OTHERS = {"Problem.of": ec.Problem.of}
SHOWN_OTHERWISE = {"heuristic", "load_plugin", "option_filter"}
"""They need a file, or change what is registered."""


def test_every_argument_is_explained(subtests: pytest.Subtests) -> None:
    for name in [*FUNCTIONS, *MADE, *OTHERS]:
        with subtests.test(name):
            function = {**FUNCTIONS, **MADE, **OTHERS}[name]
            text = inspect.getdoc(function) or ""
            for parameter in inspect.signature(function).parameters.values():
                if parameter.name == "self":
                    continue
                # In the column of names: alone or beside another, then what it is.
                found = re.search(
                    rf"^(?:\w+, )*{parameter.name}(?:, \w+)*  +\S", text, re.MULTILINE
                )
                assert found, f"{name}: {parameter.name}"
                if parameter.default not in (parameter.empty,):
                    told = text[found.start() :]
                    entry = re.split(r"\n(?=\S)", told, maxsplit=1)[0]
                    assert "Default" in " ".join(entry.split()), f"{name}: {parameter.name}"


@pytest.mark.parametrize("name", sorted({*FUNCTIONS, *MADE} - SHOWN_OTHERWISE))
def test_the_example_runs(name: str) -> None:
    function = {**FUNCTIONS, **MADE}[name]
    [test] = [one for one in doctest.DocTestFinder(recurse=False).find(function, name) if one]
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_error_is_public() -> None:
    family = {
        name
        for name, one in vars(errors).items()
        if inspect.isclass(one) and issubclass(one, errors.ExactCoverError)
    }
    assert family <= set(ec.__all__)
    for name in family:
        assert getattr(ec, name) is getattr(errors, name)
        assert name in (errors.__doc__ or "")
    assert ec.errors is errors


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ec.solve([["a"], ["a"]]), ["0 solutions (all) so far", "0.00% searched"]),
        (lambda: ran(ec.solve([["a"], ["a"]])), ["complete, 2 solutions (all)"]),
        (lambda: ran(ec.Counting(ec.read("pentominoes_20x3"))), ["complete, 2 sol", "(rotations)"]),
        (lambda: ran(ec.SolvingEach([["a"], ["b"]], [[0], [1]])), ["2 of 2 sets done, 2 with"]),
    ],
)
def test_a_search_says_how_far_it_is(make: Callable[[], Any], words: list[str]) -> None:
    said = repr(make())
    assert all(word in said for word in words), said


def row() -> ec.Puzzle:
    return ec.puzzle_of("domino x 2", "4x1")


NODES, FEW = ec.Interval(1240.4, 1100, 1400), ec.Interval(0.25, 0.125, float("inf"))
PRICED = ec.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4.5])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (row, "<Puzzle: 2 pieces on 4 square cells>"),
        (lambda: row().pieces, "(<Piece I: 2 cells, 2 copies>,)"),
        (lambda: row().region, "<Region: 4 cells>"),
        (lambda: list(ec.solve(row())), "[<Solution of 2 pieces: I 0,0 / I 2,0>]"),
        (lambda: ran(ec.solve(row())).result, "<Result: complete, 1 solution (rotations) in S s>"),
        (
            lambda: ran(ec.solve(ec.puzzle_of("domino", "3x1"))).result,
            "<Result: impossible, 0 solutions (rotations) in S s: the pieces fill 2 cells, "
            "but 3 are to be filled>",
        ),
        (
            lambda: ec.Estimate("all", "dlx:s", 0.95, "precise", {}, NODES, NODES, FEW, FEW),
            "<Estimate: precise, solutions (all) unknown (at least 0.12), "
            "nodes 1,240 (1,100 to 1,400), seconds unknown (at least 0.12) by dlx:s>",
        ),
        (lambda: ec.verify(row()), "<Verdict: complete, equal, compared as sets, 1 solution>"),
        (lambda: ec.best(PRICED), "<Best least cost: complete, 3, bound 3>"),
        (lambda: ec.best(PRICED, most="cost"), "<Best most cost: complete, 4.5, bound 4.5>"),
        (lambda: ec.compare(row(), ["dlx:s"]), "<Comparison of 1: complete, the best is dlx:s>"),
        (lambda: ec.Interval.exactly(26521), "<Interval: 26,521>"),
        (lambda: NODES, "<Interval: 1,240 (1,100 to 1,400)>"),
        (lambda: FEW, "<Interval: unknown (at least 0.12)>"),
    ],
)
def test_results_are_shown_in_a_line(make: Callable[[], Any], said: str) -> None:
    found = re.sub(r"[\d.]+ s\b", "S s", repr(make()))
    assert re.fullmatch(re.escape(said).replace(r"\.\.\.", ".*"), found), found


def ran(search: Any) -> Any:
    search.run()
    return search
