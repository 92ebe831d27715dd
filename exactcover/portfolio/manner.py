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
    """

    order: int
    threshold: float
    discrepancies: int = UNLIMITED
    skill: float = 1.0
    endings: float = 0.25

    def __str__(self) -> str:
        limit = "" if self.discrepancies == UNLIMITED else f", discrepancies {self.discrepancies}"
        return (
            f"order {self.order}, fewest options from {self.threshold:g} pieces on, "
            f"skill {self.skill:g}{limit}"
        )


THRESHOLDS = (20.0, 28.0, 14.0, 36.0, 9.0)
STYLES = ((UNLIMITED, 1.0, 0.25), (8, 1.5, 0.1), (UNLIMITED, 0.5, 1.0))
"""Discrepancies, skill, share of an ending."""


def manners(orders: int) -> tuple[Manner, ...]:
    """The manners of a race, those that are good on most puzzles first."""
    return tuple(
        Manner(order, threshold, discrepancies, skill, endings)
        for (discrepancies, skill, endings), threshold, order in product(
            STYLES, THRESHOLDS, range(orders)
        )
    )
