"""Every backend, and every heuristic of each, as parameters of the tests.

With `pytest --backend NAME` the tests are run on that backend alone: one that is registered, of
whatever package, or one at a place `module:attribute` that is not registered yet.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from exactcover.backends import Backend, backends, get_backend
from exactcover.backends.template import backend as template
from exactcover.errors import ExactCoverError


def tried(config: pytest.Config) -> list[Backend]:
    """The backends that the tests are run on."""
    name = config.getoption("backend")
    if name is None:
        listing = [one for one in backends().values() if one.capabilities.lists_solutions]
        return [*listing, template]
    module, _, attribute = name.partition(":")
    try:
        return [getattr(import_module(module), attribute) if attribute else get_backend(name)]
    except (ImportError, AttributeError, ExactCoverError) as error:
        raise pytest.UsageError(f"--backend {name}: {error}") from None


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


def _name(backend: Backend) -> str:
    return backend.name
