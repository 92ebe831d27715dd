"""Manners: the ways in which packers pack, and the race that decides between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, sqrt

HUGE = 50
"""A puzzle of this many pieces has manners of its own: they judge pieces by their shapes, or use
windows."""


@dataclass(frozen=True)
class Manner:
    """How a packer packs.

    order      the number of its macro order
    threshold  an ending takes over where this many pieces of mean size fill the open cells
    skill      how much earlier difficult pieces come than easy ones; 0: not at all
    endings    the share of an attempt's steps that one ending may take
    line       windows fill the board before an ending up to a line; this many pieces of mean size
               fill what is behind it. 0: there are no windows
    length     the steps of an attempt, as a multiple of those of others
    by_shape   the less compact pieces are difficult, not those that seldom fitted before
    """

    order: int
    threshold: float
    skill: float = 1.0
    endings: float = 0.25
    line: float = 0.0
    length: int = 1
    by_shape: bool = False

    def __str__(self) -> str:
        if self.line:
            return f"order {self.order}, windows up to the last {self.line:g} pieces"
        shape = " by shape" if self.by_shape else ""
        return (
            f"order {self.order}, fewest options from {self.threshold:g} pieces on, "
            f"skill {self.skill:g}{shape}"
        )


def manners(orders: int, pieces: float) -> tuple[Manner, ...]:
    """The manners of a race, those that are good on most puzzles first.

    pieces  how many pieces of mean size fill the board
    """
    found = [
        Manner(order, threshold, skill, endings)
        for skill, endings in ((1.0, 0.25), (1.5, 0.1), (0.5, 1.0))
        for threshold in (20.0, 28.0, 14.0, 36.0, 9.0)
        for order in range(orders)
    ]
    if pieces < HUGE:
        return tuple(found)
    by_shape = [Manner(order, 20.0, by_shape=True, length=8) for order in range(orders)]
    # From the ends of the longest axis; windows in other orders seldom succeed.
    windows = [
        Manner(order, 34.0, skill=32.0, endings=0.5, line=22.0, length=64, by_shape=True)
        for order in range(min(orders, 2))
    ]
    return (*by_shape, *windows, *found)


# -- the race --------------------------------------------------------------------------------------

CURIOSITY = 0.7
"""The weight of the upper-confidence bound beside the mean."""


class Race:
    """The race between manners: the upper-confidence rule of bandits, by counts alone.

    The reward of an attempt is how few cells it left open. A manner that is good or little tried
    comes next.

    given  how many attempts each manner was given
    """

    def __init__(self, manners: Sequence[Manner]) -> None:
        self.given = dict.fromkeys(manners, 0)
        self._tried = dict.fromkeys(manners, 0)
        self._mean = dict.fromkeys(manners, 0.0)

    def give(self) -> Manner:
        """The manner of the next attempt."""
        total = sum(self.given.values())
        tried = [manner for manner, many in self._tried.items() if many]
        spread = max(1.0, sum(self._mean[manner] for manner in tried) / max(1, len(tried)))

        def promise(manner: Manner) -> float:
            if not self._tried[manner]:
                return -inf
            curious = sqrt(log(1 + total) / self.given[manner])
            return CURIOSITY * curious - self._mean[manner] / spread

        fresh = [manner for manner, many in self.given.items() if not many]
        chosen = fresh[0] if fresh and total % 2 == 0 else max(self.given, key=promise)
        self.given[chosen] += 1
        return chosen

    def learn(self, manner: Manner, left_open: float) -> None:
        """Take in how many cells an attempt with this manner left open."""
        self._tried[manner] += 1
        self._mean[manner] += (left_open - self._mean[manner]) / self._tried[manner]

    def best(self) -> Manner:
        """The manner with the best mean so far; the first if none was tried."""
        tried = [manner for manner, many in self._tried.items() if many]
        return min(tried or self._mean, key=lambda manner: self._mean[manner])
