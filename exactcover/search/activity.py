"""What some searches can say of their work besides the figures that all have.

A search that is made of other searches passes on what these say.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from exactcover.backends.base import Search
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


@runtime_checkable
class Expecting(Protocol):
    """A search that may expect a number of states."""

    @property
    def outlook(self) -> Outlook | None:
        """What it expects; None: it expects nothing."""


@runtime_checkable
class Estimated(Protocol):
    """A search whose estimate of what is done may go back, unlike its progress."""

    @property
    def done(self) -> float:
        """The share of the work that is done, as it is estimated now."""


@runtime_checkable
class Working(Protocol):
    """A search by several workers, threads or processes."""

    @property
    def workers(self) -> int:
        """How many there are."""


@runtime_checkable
class Keeping(Protocol):
    """A search that may keep states."""

    @property
    def kept(self) -> Kept | None:
        """The states kept; None: it keeps none."""


@runtime_checkable
class Placing(Protocol):
    """A search that can say which options it has placed."""

    def chosen(self) -> tuple[int, ...]:
        """The options placed, in the order of choice."""


@runtime_checkable
class Chosen(Protocol):
    """A search whose strategy may be chosen by a comparison of candidates."""

    @property
    def why(self) -> str:
        """Why it was chosen; empty if nothing was compared."""


@runtime_checkable
class Noticing(Protocol):
    """A search that may have something to say to whoever waits."""

    @property
    def notices(self) -> tuple[str, ...]:
        """What it has said so far, one line each."""


def notices_of(search: object) -> tuple[str, ...]:
    """What whoever waits for a search should know, one line each."""
    return search.notices if isinstance(search, Noticing) else ()


def why_of(search: object) -> str:
    """Why the strategy of a search was chosen, if candidates were compared; else empty."""
    return search.why if isinstance(search, Chosen) else ""


def workers_of(search: object) -> int:
    """How many workers a search has; 1 if it says nothing of them."""
    return search.workers if isinstance(search, Working) else 1


def placed_of(search: object) -> tuple[int, ...]:
    """The options that a search has placed now; empty if it cannot say."""
    return search.chosen() if isinstance(search, Placing) else ()


def kept_of(search: object) -> Kept | None:
    """The states that a search keeps, if it keeps any."""
    return search.kept if isinstance(search, Keeping) else None


def outlook_of(search: object) -> Outlook | None:
    """What a search by states expects, if it expects anything."""
    return search.outlook if isinstance(search, Expecting) else None


def done_of(search: Search | None) -> float:
    """The share of a search that is done, as it is estimated now; 0 for one that is not made."""
    if search is None:
        return 0.0
    outlook = outlook_of(search)
    if outlook is not None:
        return outlook.done
    return search.done if isinstance(search, Estimated) else search.progress()
