"""When a search is weighed: once it has run for a while, and seems to go on for longer.

Weighing makes its progress more exact, see `weighing`. It takes a small share of the run, in slices
between those of the search. A run that seems to be over soon is not weighed. If a choice between
two ways depends on how long one takes, that is sized up at once, see `sizing`.
"""

from __future__ import annotations

from typing import Protocol, cast

from exactcover.search.driver import Clock

AFTER = 1.0
"""Seconds of searching before a search is weighed."""

LEFT = 2.0
"""The fewest seconds that it must still take, as far as its progress shows."""

SHARE = 0.015
"""The share of a run that weighing may take."""

LONGEST = 3.0
"""The most seconds that it may take."""

MAKING_READY = 2
"""The first slices apply filters and load compiled code, so they say nothing of the speed."""


class Weighable(Protocol):
    """A search whose progress can be weighted by the sizes of its subtrees."""

    def progress(self) -> float:
        """The searched share of the tree."""

    def weigh(self, seconds: float) -> bool:
        """Weigh the subtrees for a slice; return whether there is more to weigh.

        seconds  what all slices together may take
        """


class Choosing(Protocol):
    """A search that chooses between two ways by their progress."""

    @property
    def worth_weighing(self) -> bool:
        """Whether it would use the weights now."""

    @property
    def chooses(self) -> bool:
        """Whether it is about to choose, and first wants to know how large one way is."""

    def size_up(self) -> None:
        """Find that out, for a moment."""


def weighable_of(search: object) -> Weighable | None:
    """The search, if it can be weighed."""
    return cast("Weighable", search) if hasattr(search, "weigh") else None


def choosing_of(search: object) -> Choosing | None:
    """The search, if it chooses between two ways."""
    return cast("Choosing", search) if hasattr(search, "worth_weighing") else None


class Weigher:
    """Weighs a search that takes long, on the clock of its run."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._slices, self._ready = 0, 0.0
        self._seconds: float | None = None  # None: the weighing has not begun
        self._done = False

    def searched(self) -> None:
        """Note a slice of the search."""
        self._slices += 1
        if self._slices <= MAKING_READY:
            self._ready = self._clock.seconds

    def weighs(self, search: object) -> bool:
        """Weigh the search for a slice; return whether there was anything to weigh."""
        seconds = self._clock.seconds - self._ready
        weighable = weighable_of(search)
        if weighable is None or self._done or self._clock.over:
            return False
        if self._slices <= MAKING_READY:
            return False
        choosing = choosing_of(search)
        if choosing is not None and choosing.chooses:
            with self._clock.running():
                choosing.size_up()
            return True
        if seconds < AFTER or (choosing is not None and not choosing.worth_weighing):
            return False
        if self._seconds is None:
            whole = seconds / max(weighable.progress(), 1e-9)
            if self._clock.limit is not None:
                whole = min(whole, self._clock.limit)
            if whole - seconds < LEFT:
                return False
            self._seconds = min(SHARE * whole, LONGEST)
        with self._clock.running():
            self._done = not weighable.weigh(self._seconds)
        return not self._done
