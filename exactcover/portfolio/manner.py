"""Manners: how a packer packs, as values that a race compares."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

UNLIMITED = 1 << 30


@dataclass(frozen=True)
class Manner:
    """How a packer packs.

    order          the number of its macro order
    threshold      an ending takes over where so many pieces of mean size would fill what is open
    discrepancies  how many better options a dive may pass over on its way down
    skill          how much earlier difficult pieces come than easy ones; 0: not at all
    endings        the share of a job's steps that one ending may take
    bulk           how much earlier large pieces come than small ones; 0: not at all
    line           so many pieces of mean size fill what is behind the line to which windows fill
                   the board before an ending; 0: there are no windows
    length         the steps of a job, as a multiple of those of others
    by_shape       difficult is what is less compact, not what seldom fitted before
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


THRESHOLDS = (20.0, 28.0, 14.0, 36.0, 9.0)
STYLES = ((UNLIMITED, 1.0, 0.25), (8, 1.5, 0.1), (UNLIMITED, 0.5, 1.0))
"""Discrepancies, skill, share of an ending."""


BULK, ORDERS = 0.6, 3
"""Large pieces come first in so many orders. The square root of the cells is weighed: with the
squares of a partridge puzzle, a lot decides between sides that differ by two."""


LINES = (22.0,)
FROM_LINE, LINE_SKILL, LINE_SHARE, LINE_LENGTH = 12.0, 32.0, 0.5, 64
"""How many pieces before the line a dive ends; its skill; the share of an ending; the length."""

LINE_ORDERS = 2
"""Windows fill up to a line from the ends of the longest axis; other orders seldom succeed."""

HUGE = 50
"""A puzzle with so many pieces has manners of its own: they judge pieces by their shapes, or use
windows."""

SHAPE_LENGTH = 8
"""The length of dives that judge pieces by their shapes."""


def manners(orders: int, *, mixed: bool = False, pieces: float = 0.0) -> tuple[Manner, ...]:
    """The manners of a race, those that are good on most puzzles first.

    mixed   whether pieces have very different sizes
    pieces  how many pieces of mean size fill the board
    """
    large = range(min(orders, ORDERS) if mixed else 0)
    first = (Manner(order, 0.0, skill=0.0, endings=0.0, bulk=BULK) for order in large)
    others = [
        Manner(order, threshold, discrepancies, skill, endings)
        for (discrepancies, skill, endings), threshold, order in product(
            STYLES, THRESHOLDS, range(orders)
        )
    ]
    is_huge = pieces >= HUGE
    shapes = [
        Manner(order, THRESHOLDS[0], by_shape=True, length=SHAPE_LENGTH)
        for order in range(orders if is_huge else 0)
    ]
    lines = [
        Manner(
            order,
            line + FROM_LINE,
            skill=LINE_SKILL,
            endings=LINE_SHARE,
            line=line,
            length=LINE_LENGTH,
            by_shape=True,
        )
        for line, order in product(LINES, range(min(orders, LINE_ORDERS) if is_huge else 0))
    ]
    return *first, *shapes, *lines, *others
