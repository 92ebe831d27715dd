"""What other packages and a user's file add to the registries, while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from importlib.metadata import entry_points as found
from typing import Any

import pytest

from exactcover.backends.heuristics.base import HEURISTICS
from exactcover.base.plugins import Registry
from exactcover.problem.filters.registry import FILTERS


@contextmanager
def forgetting() -> Iterator[None]:
    """Forget the filters and heuristics that are registered meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        for registry in (FILTERS, HEURISTICS):
            patch.setattr(registry, "own", dict(registry.own))
        yield


@contextmanager
def plugged_in(registry: Registry[Any], **places: str) -> Iterator[list[Any]]:
    """A list of entry points that a registry takes for those installed.

    It begins with these places, `module:attribute`, by their names.
    """
    entries: list[Any] = [EntryPoint(*one, registry.group) for one in places.items()]
    vars(registry).pop("plug_ins", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "importlib.metadata.entry_points",
            lambda **asked: entries if asked.get("group") == registry.group else found(**asked),
        )
        yield entries
    vars(registry).pop("plug_ins", None)
