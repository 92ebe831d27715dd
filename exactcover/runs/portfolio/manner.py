"""Manners: how a packer packs, as values that a race compares."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

UNLIMITED = 1 << 30

HUGE = 50
"""A puzzle of this many pieces has manners of its own: they judge pieces by their shapes, or use
windows."""


@dataclass(frozen=True)
class Manner:
    """How a packer packs.

    order          the number of its macro order
    threshold      an ending takes over where this many pieces of mean size fill the open cells
    discrepancies  how many better options a dive may pass over on its way down
    skill          how much earlier difficult pieces come than easy ones; 0: not at all
    endings        the share of a job's steps that one ending may take
    bulk           how much earlier large pieces come than small ones; 0: not at all
    line           windows fill the board before an ending up to a line; this many pieces of mean
                   size fill what is behind it. 0: there are no windows
    length         the steps of a job, as a multiple of those of others
    by_shape       the less compact pieces are difficult, not those that seldom fitted before
    """

    order: int
    threshold: float
    discrepancies: int = UNLIMITED
    skill: float = 1.0
    endings: float = 0.25
    bulk: float = 0.0
    line: float = 0.0
    length: int = 1
    by_shape: bool = False

    def __str__(self) -> str:
        if self.bulk:
            return f"order {self.order}, large pieces first"
        if self.line:
            return f"order {self.order}, windows up to the last {self.line:g} pieces"
        limit = "" if self.discrepancies == UNLIMITED else f", discrepancies {self.discrepancies}"
        shape = " by shape" if self.by_shape else ""
        return (
            f"order {self.order}, fewest options from {self.threshold:g} pieces on, "
            f"skill {self.skill:g}{shape}{limit}"
        )


def manners(orders: int, *, mixed: bool = False, pieces: float = 0.0) -> tuple[Manner, ...]:
    """The manners of a race, those that are good on most puzzles first.

    mixed   whether pieces have very different sizes
    pieces  how many pieces of mean size fill the board
    """
    found = []
    if mixed:  # the square root of the cells is weighed, so large pieces come strictly first
        found += [
            Manner(order, 0.0, skill=0.0, endings=0.0, bulk=0.6) for order in range(min(orders, 3))
        ]
    if pieces >= HUGE:
        found += [Manner(order, 20.0, by_shape=True, length=8) for order in range(orders)]
        # From the ends of the longest axis; windows in other orders seldom succeed.
        found += [
            Manner(order, 34.0, skill=32.0, endings=0.5, line=22.0, length=64, by_shape=True)
            for order in range(min(orders, 2))
        ]
    styles = ((UNLIMITED, 1.0, 0.25), (8, 1.5, 0.1), (UNLIMITED, 0.5, 1.0))
    thresholds = (20.0, 28.0, 14.0, 36.0, 9.0)
    found += [
        Manner(order, threshold, discrepancies, skill, endings)
        for (discrepancies, skill, endings), threshold, order in product(
            styles, thresholds, range(orders)
        )
    ]
    return tuple(found)
