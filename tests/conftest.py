"""Settings of all tests: how hypothesis runs.

Hypothesis draws the same few examples every time and sets no deadline, so that a failure is one
for everybody and a busy machine is none. `make test-slow` draws many new ones, by the profile
`many`; a failure that it finds is kept as an explicit example.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from exactcover.cli.ends import watch
from tests.helpers.commands import domino_box
from tests.helpers.plugged import forgetting

# Tests interrupt programs as Ctrl-C does. Below `nohup` a process ignores that, and what it starts
# would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

quick = settings(
    deadline=None,
    derandomize=True,
    max_examples=16,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile("quick", quick)
settings.register_profile("many", quick, derandomize=False, max_examples=120, print_blob=True)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one backend be tried alone; see `tests/backends/conftest.py`."""
    parser.addoption(
        "--backend", metavar="NAME", help="run tests/backends on this backend: a name or a place"
    )


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """258,584,046,368 solutions: more than could be listed in a lifetime."""
    path = tmp_path / "endless.txt"
    path.write_text(domino_box(10, 10))
    return path


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Let each test begin without plug-ins and signals, so that their order does not matter."""
    watch.pressed = 0
    with forgetting():
        yield
