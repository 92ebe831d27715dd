"""Backends by name: the built-in ones, plug-ins, broken ones, and what reaches a plug-in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

import exactcover as ec
import exactcover.backends as registry
from exactcover.backends import backends, get_backend
from exactcover.backends.tasks import require
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from tests.helpers import loopback as installed
from tests.helpers.plugged import plugged_in
from tests.helpers.template_engine import backend as template


@pytest.fixture
def plugins() -> Iterator[list[EntryPoint]]:
    with plugged_in(registry.BACKENDS) as entries:
        yield entries


def _entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.BACKENDS.group)


def test_a_plug_in_is_found(plugins: list[EntryPoint]) -> None:
    plugins.append(_entry("template", "tests.helpers.template_engine:backend"))
    assert get_backend("template") is template
    assert list(backends())[-1] == "template"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:backend", ""),
        ("tests.helpers.template_engine:missing", ""),
        ("tests.helpers.template_engine:TemplateSearch", ".* is no backend but a type"),
        ("exactcover.backends.base:DEFAULT", ""),
        ("exactcover.backends.dlx:backend", ""),
    ],
)
def test_a_broken_plug_in_warns_and_the_rest_works(
    plugins: list[EntryPoint], value: str, why: str
) -> None:
    plugins.append(_entry("broken", value))
    plugins.append(_entry("template", "tests.helpers.template_engine:backend"))
    with pytest.warns(UserWarning, match=f"'broken' left out{why}"):
        assert list(backends()) == [*registry.BUILT_IN, "template"]


def test_what_is_missing_is_named_and_who_has_it() -> None:
    problem = Problem.from_options(
        [["a", "x:red"]], secondary=["x"], colored=True, multiplicity={"a": (0, 2)}
    )
    with pytest.raises(CapabilityError, match=r"colours and multiplicities.*can: dlx"):
        require(template, problem)
    require(get_backend("dlx"), problem)


SOLVE = """
import sys
from exactcover.backends import Branching, get_backend, started
from exactcover.problem import Problem
from exactcover.search.each import solve_each
problem = Problem.from_options([["a"], ["b"]])
for name in ("dlx", "bsx", "planes", "fila"):
    search = started(get_backend(name), problem, None, Branching())
    assert search.advance(100).solution(0) == (0, 1)
assert solve_each(problem, [[], [0]]).found.tolist() == [1, 1]
from exactcover.backends.bsx_kernel import search
from exactcover.backends.dlx_kernel import dance
from exactcover.backends.fila.kernel import fill
from exactcover.backends.planes.kernel import solve_sets
for one in (dance, search, solve_sets, fill):
    if hasattr(one, "stats"):
        print(sum(one.stats.cache_hits.values()), sum(one.stats.cache_misses.values()))
"""


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    """A batch of small problems runs the code of `planes`."""
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SOLVE], capture_output=True, text=True, check=True
        )
    assert run.stdout.split("\n") in (["1 0"] * 4 + [""], [""])


# -- an engine that gives back what it was given: no other could have answered ---------------------

OPTIONS = [["a"], ["b"], ["a", "b"], ["b", "c"]]


@pytest.fixture
def asked() -> Iterator[installed.Asked]:
    """The engine, installed as one of another package is."""
    with plugged_in(registry.BACKENDS, loopback="tests.helpers.loopback:backend"):
        installed.ASKED.clear()
        yield installed.ASKED


def test_its_answer_is_the_answer(asked: installed.Asked) -> None:
    solving = ec.solve(OPTIONS, strategy="loopback:i")
    assert [solution.options for solution in solving] == [(0, 1)]
    result = solving.result
    assert (result.solutions, result.fits, result.nofits) == (1, 17, 4)
    assert (result.status, result.strategy) == ("complete", "loopback:i")
    [(problem, layout, task)] = asked
    assert problem is solving.problem
    assert layout is None
    assert task.heuristic == "i"


def test_a_puzzle_comes_with_its_layout_and_filters(asked: installed.Asked) -> None:
    puzzle = ec.read("dominoes_4x4")
    assert ec.count(puzzle, strategy="fit; loopback:h", counted="all") == 1
    [(problem, layout, task)] = asked
    assert problem is puzzle.model.problem
    assert layout is puzzle.model.layout
    assert task.heuristic == "h"
    assert task.root.allowed is not None
