"""How many examples a property test draws: as many as the profile of hypothesis says, or fewer.

The profiles are in `tests/conftest.py`. A test without a decorator draws as many as its profile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])


def few(test: Test) -> Test:
    """For a test whose examples take a tenth of a second and more."""
    return settings(max_examples=max(settings().max_examples // 4, 2))(test)


def some(cases: Iterable[Any], one_in: int, first: int = 0) -> list[Any]:
    """The cases of a parametrized test: the quick suite has one in `one_in`, the others are slow.

    A case of several arguments is a tuple. Tests of one thing begin with different cases, so that
    together they have them all.
    """
    every = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [
        pytest.param(*case, marks=() if number % one_in == first else pytest.mark.slow)
        for number, case in enumerate(every)
    ]
