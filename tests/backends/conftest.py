"""Every backend, and every heuristic of each, as parameters of the tests.

With `pytest tests/backends --backend NAME` that backend alone is tried, by the tests that every
backend must pass: one that is registered, of whatever package, or one that is not registered yet,
at a place `module:attribute` on PYTHONPATH.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from exactcover.backends import Backend, backends, get_backend
from exactcover.errors import ExactCoverError
from tests.helpers.template_engine import backend as template

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


def documented() -> Backend:
    """The backend of the Python block in the section on engines of your own."""
    section = PAGE.read_text().partition("## An engine")[2]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block is not None
    made: dict[str, Any] = {}
    exec(compile(block[1], str(PAGE), "exec"), made)
    backend: Backend = made["BACKEND"]
    return backend


def tried(config: pytest.Config) -> list[Backend]:
    """The backends that the tests are run on."""
    name = config.getoption("backend")
    if name is None:
        listing = [one for one in backends().values() if one.capabilities.lists_solutions]
        return [*listing, template, documented()]
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute) if attribute else get_backend(name)
    except (ImportError, AttributeError, ExactCoverError) as error:
        raise pytest.UsageError(f"--backend {name}: {error}") from None
    if isinstance(found, type):
        raise pytest.UsageError(
            f"--backend {name}: {attribute} is a class; name an instance, such as "
            f"backend = {attribute}() in {module}"
        )
    return [found]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every backend, and for every heuristic where it takes one."""
    if "heuristic" in metafunc.fixturenames:
        metafunc.parametrize(
            ("backend", "heuristic"),
            [
                pytest.param(backend, heuristic, id=f"{backend.name}-{heuristic}")
                for backend in tried(metafunc.config)
                for heuristic in backend.capabilities.heuristics
            ],
        )
    elif "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", tried(metafunc.config), ids=_name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --backend, leave out the tests that are not of that backend."""
    if config.getoption("backend") is None:
        return
    its = [item for item in items if "backend" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in its])
    items[:] = its


def _name(backend: Backend) -> str:
    return backend.name
