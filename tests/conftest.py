"""What every test shares: how hypothesis runs.

Hypothesis draws the same examples every time and sets no deadline, so that a failure is one for
everybody and a busy machine is none. To look for new examples: pytest --hypothesis-profile=explore
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# How long a test takes on a busy machine must not change what it searches, and tests leave the
# user's files alone. Tests of races and of the file of winners set these themselves.
os.environ["EXACTCOVER_RACE"] = "never"
os.environ["EXACTCOVER_WINNERS"] = "none"

pytest.register_assert_rewrite("tests.helpers")

settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one backend be tried alone; see `tests/backends/conftest.py`."""
    parser.addoption(
        "--backend", metavar="NAME", help="run tests/backends on this backend: a name or a place"
    )
