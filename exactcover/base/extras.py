"""Packages that an extra of the installation brings, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactcover.errors import ExactCoverError


def extra(package: str, name: str, what_needs: str) -> Any:
    """A package of an extra; raises `ExactCoverError`, which says how to install the extra."""
    try:
        return import_module(package)
    except (ImportError, OSError) as error:  # cairosvg finds the library cairo when it is loaded
        raise ExactCoverError(
            f"{what_needs} the extra `{name}`: pip install 'exactcover[{name}]' ({error})"
        ) from None
