"""Applications: the local page, pages to play, parts to make, burrs to take apart.

They use the public names of the package alone, and nothing imports them; their commands are entry
points of the group `exactcover.commands`, as those of another package would be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactcover.studio.playing import play as play

__all__ = ["play"]

PLACES = {"play": "playing"}
"""The module of each public name, which is loaded when it is first used."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
