"""Packages of other people that write files, for each purpose and ending of a file."""

from __future__ import annotations

from typing import Any, Literal

from exactcover.base.plugins import extra

Purpose = Literal["picture", "make", "plot"]
"""The extras of the program that its files need."""

WORDS: dict[Purpose, str] = {
    "picture": "PNG and GIF need",
    "make": "making parts needs",
    "plot": "plots need",
}

_STL = ("shapely", "manifold3d")
_LINES = ("shapely",)

PACKAGES: dict[Purpose, dict[str, tuple[str, ...]]] = {
    "picture": {".png": ("resvg_py",), ".gif": ("resvg_py", "PIL.Image")},
    "make": {
        ".stl": _STL,
        ".3mf": _STL,
        ".svg": _LINES,
        ".dxf": _LINES,
    },
    "plot": dict.fromkeys((".svg", ".png", ".pdf"), ("matplotlib",)),
}


def package(name: str, purpose: Purpose = "make") -> Any:
    """A package of an extra, imported when it is needed."""
    return extra(name, purpose, WORDS[purpose])


def check_packages(purpose: Purpose, ending: str) -> None:
    """Raise `ExactCoverError` if a file with this ending needs a package that is not there."""
    for name in PACKAGES[purpose].get(ending, ()):
        package(name, purpose)
