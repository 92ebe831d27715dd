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
