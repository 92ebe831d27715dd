"""The other packages of exact covers, each of which may be missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def installed(name: str) -> Any:
    """The module of a package of PyPI; None, with a message, if it is not installed."""
    try:
        return import_module(name.replace("-", "_"))
    except ImportError:
        print(f"{name} is not installed, so it is left out: pip install {name}")
        return None
