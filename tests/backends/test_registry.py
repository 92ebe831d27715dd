"""Backends by name: the built-in ones, plug-ins, and plug-ins that are broken."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import exactcover.backends as registry
from exactcover.backends import backends, get_backend
from exactcover.backends.tasks import require
from exactcover.backends.template import backend as template
from exactcover.errors import CapabilityError, UnknownName
from exactcover.problem import Problem
from tests.helpers.plugged import plugged_in


@pytest.fixture
def plugins() -> Iterator[list[EntryPoint]]:
    with plugged_in(registry) as entries:
        yield entries


def _entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.ENTRY_POINTS)


def test_every_built_in_backend_has_its_name() -> None:
    assert list(backends())[: len(registry.BUILT_IN)] == list(registry.BUILT_IN)
    assert all(backend.name == name for name, backend in backends().items())
    assert all(backend.summary for backend in backends().values())


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    with pytest.raises(UnknownName, match="did you mean dlx"):
        get_backend("dxl")


def test_a_plug_in_is_found(plugins: list[EntryPoint]) -> None:
    plugins.append(_entry("template", "exactcover.backends.template:backend"))
    assert get_backend("template") is template
    assert list(backends())[-1] == "template"


@pytest.mark.parametrize(
    "value",
    [
        "no_such_module:backend",
        "exactcover.backends.template:missing",
        "exactcover.backends.base:DEFAULT",
        "exactcover.backends.dlx:backend",
    ],
)
def test_a_broken_plug_in_warns_and_the_rest_works(plugins: list[EntryPoint], value: str) -> None:
    plugins.append(_entry("broken", value))
    plugins.append(_entry("template", "exactcover.backends.template:backend"))
    with pytest.warns(UserWarning, match="'broken' left out"):
        assert list(backends()) == [*registry.BUILT_IN, "template"]


def test_a_class_in_place_of_a_backend_is_told(plugins: list[EntryPoint]) -> None:
    plugins.append(_entry("template", "exactcover.backends.template:TemplateBackend"))
    with pytest.warns(UserWarning, match="TemplateBackend is a class; name an instance"):
        assert "template" not in backends()


@pytest.mark.slow
def test_the_common_tests_refuse_a_class() -> None:
    place = "exactcover.backends.template:TemplateBackend"
    tests = Path(__file__).with_name("test_conformance.py")
    words = [sys.executable, "-m", "pytest", "-q", "--collect-only", tests, "--backend", place]
    run = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tests.parents[2])
    assert run.returncode
    assert "TemplateBackend is a class; name an instance" in run.stderr + run.stdout


def test_what_is_missing_is_named_and_who_has_it() -> None:
    problem = Problem.from_options(
        [["a", "x:red"]], secondary=["x"], colored=True, multiplicity={"a": (0, 2)}
    )
    with pytest.raises(CapabilityError, match=r"colours and multiplicities.*can: dlx"):
        require(template, problem)
    require(get_backend("dlx"), problem)


SOLVE = """
import sys
import numba  # so that bsx searches nothing in plain Python
from exactcover.backends import Task, get_backend, started
from exactcover.problem import Problem
from exactcover.search.each import solve_each
problem = Problem.from_options([["a"], ["b"]])
for name in ("dlx", "bsx", "planes", "fila"):
    search = started(get_backend(name), problem, None, Task())
    assert search.advance(100).solution(0) == (0, 1)
assert solve_each(problem, [[], [0]]).found.tolist() == [1, 1]
from exactcover.backends.bsx_kernel import search
from exactcover.backends.dlx_kernel import dance
from exactcover.backends.fila.kernel import fill
from exactcover.backends.planes.filling import make_tables
from exactcover.backends.planes.kernel import solve_sets
for one in (dance, search, make_tables, solve_sets, fill):
    if hasattr(one, "stats"):
        print(sum(one.stats.cache_hits.values()), sum(one.stats.cache_misses.values()))
"""


def test_a_second_process_compiles_nothing() -> None:
    """A batch of small problems runs the code of `planes`."""
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SOLVE], capture_output=True, text=True, check=True
        )
    assert run.stdout.split("\n") in (["1 0"] * 5 + [""], [""])
