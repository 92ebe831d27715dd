"""How many examples a property test draws: as many as the profile of hypothesis says, or fewer.

The profiles are in `tests/conftest.py`. A test without a decorator draws as many as its profile.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether kernels are compiled; in plain Python everything takes a hundred times as long."""


def few(test: Test) -> Test:
    """For a test whose examples take a tenth of a second and more."""
    return settings(max_examples=max(settings().max_examples // 4, 2))(test)
