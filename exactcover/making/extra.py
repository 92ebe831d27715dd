"""The packages of the extra `make`."""

from __future__ import annotations

from typing import Any

from exactcover.render.raster import extra


def package(name: str) -> Any:
    """A package of the extra, imported when it is needed."""
    return extra(name, "make", "making parts needs")
