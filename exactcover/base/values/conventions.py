"""Conventions of which solutions of a puzzle are the same, each with a name for all rooms."""

from __future__ import annotations

from typing import Literal, get_args

Convention = Literal["all", "rotations", "reflections"]
"""All solutions count, or those that no rotation, or no mirror either, takes to each other."""

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)

COUNTED_AS: dict[Convention, str] = {
    "all": "all",
    "rotations": "unique up to rotations",
    "reflections": "unique up to rotations and reflections",
}
"""The conventions as a reader of a number reads them."""


def option_of(convention: Convention) -> str:
    """The option of a command that asks for a convention."""
    return "--all" if convention == "all" else f"--counted {convention}"
