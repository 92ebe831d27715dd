"""Every backend, and every heuristic of each, as parameters of the tests."""

from __future__ import annotations

import pytest

from exactcover.backends import Backend, backends
from exactcover.backends.template import backend as template

LISTING = [
    *(backend for backend in backends().values() if backend.capabilities.lists_solutions),
    template,
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every backend, and for every heuristic where it takes one."""
    if "heuristic" in metafunc.fixturenames:
        metafunc.parametrize(
            ("backend", "heuristic"),
            [
                pytest.param(backend, heuristic, id=f"{backend.name}-{heuristic}")
                for backend in LISTING
                for heuristic in backend.capabilities.heuristics
            ],
        )
    elif "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", LISTING, ids=_name)


def _name(backend: Backend) -> str:
    return backend.name
