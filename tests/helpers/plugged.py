"""What other packages and a user's file add to the registries, while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from exactcover import backends
from exactcover.backends.heuristics import base as heuristics
from exactcover.problem.filters import registry as filters


@contextmanager
def forgetting() -> Iterator[None]:
    """Forget the filters and heuristics that are registered meanwhile."""
    before = [dict(registry.own) for registry in (filters, heuristics)]
    try:
        yield
    finally:
        for registry, own in zip((filters, heuristics), before, strict=True):
            registry.own.clear()
            registry.own.update(own)


@contextmanager
def plugged_in(registry: ModuleType) -> Iterator[list[EntryPoint]]:
    """A list of entry points that a registry takes for those installed; it begins empty."""
    entries: list[EntryPoint] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "entry_points", lambda group: entries)
        _look_again(registry)
        yield entries
    _look_again(registry)


@contextmanager
def built_in(**places: str) -> Iterator[None]:
    """More built-in backends, by their names and places."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "BUILT_IN", {**backends.BUILT_IN, **places})
        _look_again(backends)
        yield
    _look_again(backends)


def _look_again(registry: ModuleType) -> None:
    """Let a registry forget what it has found."""
    registry.plug_ins.cache_clear()
    if registry is backends:
        backends.backends.cache_clear()
        backends.get_backend.cache_clear()
