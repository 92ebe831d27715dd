"""Shared by the tests of verification: engines that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

import exactcover.backends as registry


@pytest.fixture
def liars(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two wrong engines, installed as those of another package are."""

    def clear() -> None:
        registry.backends.cache_clear()
        registry.get_backend.cache_clear()
        registry._plugins.cache_clear()

    found = [
        EntryPoint(name, f"tests.helpers.lying_engines:{name}", registry.ENTRY_POINTS)
        for name in ("forgetful", "repeating")
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: found)
    clear()
    yield
    clear()
