"""When candidates race in the course of a search: once it seems to take long, and later again.

A race takes a small share of the time that the search seems to take, in slices between those of the
search. It never takes more than a share of what was searched already, since that time is uncertain.
A search that seems to be over soon is not tuned. The environment variable `EXACTCOVER_RACE=never`
keeps every search to its first choice: then equal runs make equal choices.
"""

from __future__ import annotations

import os
from typing import Protocol, cast

from exactcover.search.driver import Clock
from exactcover.search.weigher import MAKING_READY

VARIABLE = "EXACTCOVER_RACE"

AFTER = 1.5
"""Seconds of searching before the first race: by then it is weighed, so its progress is about
right."""

LATER = 30.0
"""The same for a strategy that has won an earlier race."""

LEFT = 1.5
"""The fewest seconds that the search must still take, as far as its progress shows."""

SHARE = 0.08
"""The share of the time of the whole search that all its races may take."""

LONGEST = 20.0
"""The most seconds of a race."""

WORTH = 0.8
"""The fewest seconds of a race: in less it would measure too few subtrees to choose by."""

AT_ONCE = 0.15
"""A race takes at most this share of the seconds searched so far."""

AGAIN = 5
"""There is another race once the search has taken this many times as long as at the last one."""


class Raceable(Protocol):
    """A search that can measure other strategies, and change to one of them."""

    @property
    def can_race(self) -> bool:
        """Whether its strategy may change now."""

    def progress(self) -> float:
        """The searched share of the tree."""

    def race(self, seconds: float) -> bool:
        """Measure other strategies for a slice; return whether there is more to measure.

        At the end of the race, the search goes on by the best one.

        seconds  what the race may take
        """


def raceable_of(search: object) -> Raceable | None:
    """The search, if its strategy can be changed."""
    return cast("Raceable", search) if hasattr(search, "race") else None


class Racer:
    """Lets candidates race in a search that takes long, on the clock of its run."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._never = os.environ.get(VARIABLE) == "never"
        self._slices, self._ready = 0, 0.0
        self._next = AFTER  # the seconds of searching at which the next race begins
        self._limit: float | None = None  # of the race under way
        self._raced = self._races = 0.0  # the seconds of this race, and of those before

    def searched(self) -> None:
        """Note a slice of the search."""
        self._slices += 1
        if self._slices <= MAKING_READY:
            self._ready = self._clock.seconds

    def wait(self) -> None:
        """Begin the first race later: the strategy has won one before."""
        self._next = LATER

    @property
    def under_way(self) -> bool:
        """Whether there is a race that is not over."""
        return self._limit is not None

    def races(self, search: object) -> bool:
        """Let the candidates race for a slice, if it is time to; return whether it was."""
        raceable = raceable_of(search)
        if self._never or raceable is None or self._clock.over or self._slices <= MAKING_READY:
            return False
        if not raceable.can_race:
            return False
        searched = self._clock.seconds - self._ready - self._raced - self._races
        if self._limit is None and searched < self._next:
            return False
        whole = searched / max(raceable.progress(), 1e-9)
        if self._clock.limit is not None:
            whole = min(whole, self._clock.limit)
        limit = min(SHARE * whole - self._races, LONGEST)
        if self._limit is None:
            self._next = AGAIN * searched
            if whole - searched < LEFT or limit < WORTH:
                self._next = 2 * searched  # its progress may have been too hopeful
                return False
            self._limit = limit
        self._limit = min(self._limit, limit)  # it may seem to take less than at first
        if self._raced > AT_ONCE * searched:
            return False
        before, more = self._clock.seconds, True  # a time limit may end the slice
        with self._clock.running():
            more = raceable.race(self._limit)
        self._raced += self._clock.seconds - before
        if not more:
            self._races, self._raced, self._limit = self._races + self._raced, 0.0, None
        return True
