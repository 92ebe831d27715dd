"""The packages of the extra `make`."""

from __future__ import annotations

from typing import Any

from exactcover.base.plugins import extra
from exactcover.show.render import raster

SOLIDS = ("shapely", "manifold3d")

PACKAGES = {
    ".stl": SOLIDS,
    ".3mf": (*SOLIDS, "trimesh", "lxml"),
    ".obj": (*SOLIDS, "trimesh"),
    ".glb": (*SOLIDS, "trimesh"),
}
"""The packages of each kind of solids; lines to cut need shapely."""


def check_extra(ending: str) -> None:
    """Raise `ExactCoverError` if a file with this ending needs a package that is not there."""
    for name in PACKAGES.get(ending, ("shapely",)):
        package(name)
    raster.check_extra(ending)


def package(name: str) -> Any:
    """A package of the extra, imported when it is needed."""
    return extra(name, "make", "making parts needs")
