"""Shared by the tests of verification: engines that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

import exactcover.backends as registry
from tests.helpers.plugged import plugged_in


@pytest.fixture
def liars() -> Iterator[None]:
    """Two wrong engines, installed as those of another package are."""
    with plugged_in(registry) as entries:
        for name in ("forgetful", "repeating"):
            place = f"tests.helpers.lying_engines:{name}"
            entries.append(EntryPoint(name, place, registry.ENTRY_POINTS))
        yield
