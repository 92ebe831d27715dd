"""What some searches can say of their work besides the figures that all have.

A search says it by an attribute with the name that is asked for here. One that is made of other
searches passes on what these say. They are asked in each slice, so nothing is looked at twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from exactcover.backends.kinds import Outlook


class Kept(NamedTuple):
    """The states that a count keeps instead of listing solutions.

    states  counted so far
    level   levels of the board that are done; 0 before the first one
    levels  of all, 0: unknown
    """

    states: int
    level: int
    levels: int


def notices_of(search: object) -> tuple[str, ...]:
    """What whoever waits for a search should know, one line each."""
    notices: tuple[str, ...] = getattr(search, "notices", ())
    return notices


def why_of(search: object) -> str:
    """Why the strategy of a search was chosen, if that was measured; else empty."""
    why: str = getattr(search, "why", "")
    return why


def workers_of(search: object) -> int:
    """How many threads or processes a search has; 1 if it says nothing of them."""
    workers: int = getattr(search, "workers", 1)
    return workers


def placed_of(search: object) -> tuple[int, ...]:
    """The options that a search has placed now, in the order of choice; empty if it cannot say."""
    chosen: Callable[[], tuple[int, ...]] = getattr(search, "chosen", tuple)
    return chosen()


def kept_of(search: object) -> Kept | None:
    """The states that a search keeps, if it keeps any."""
    kept: Kept | None = getattr(search, "kept", None)
    return kept


def outlook_of(search: object) -> Outlook | None:
    """What a search by states expects, if it expects anything."""
    outlook: Outlook | None = getattr(search, "outlook", None)
    return outlook
