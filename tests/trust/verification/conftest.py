"""Shared by the tests of verification: engines that are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exactcover.backends import BACKENDS
from tests.helpers.plugged import plugged_in


@pytest.fixture
def liars() -> Iterator[None]:
    """Two wrong engines, installed as those of another package are."""
    lying = "tests.helpers.lying_engines"
    with plugged_in(BACKENDS, forgetful=f"{lying}:forgetful", repeating=f"{lying}:repeating"):
        yield
