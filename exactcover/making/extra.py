"""The packages of the extra `make`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactcover.errors import ExactCoverError


def package(name: str) -> Any:
    """A package of the extra, imported when it is needed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ExactCoverError(
            f"making parts needs the extra `make`: pip install 'exactcover[make]' ({error})"
        ) from None
