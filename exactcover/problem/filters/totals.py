"""Which totals some pieces can make: the bits of one whole number, where bit v stands for v.

Placing one more piece that adds a to the total shifts the number by a.
"""

from __future__ import annotations

from collections.abc import Collection


def with_copies(totals: int, amounts: Collection[int], low: int, high: int, most: int) -> int:
    """The totals up to `most` once at least `low` and at most `high` copies of a piece are added.

    amounts  the amounts that one copy may add; copies may differ
    """
    within = (1 << (most + 1)) - 1
    if len(amounts) == 1:
        [amount] = amounts
        return _of_one_amount(totals, amount, low, high, most) & within
    for copy in range(high):
        more = 0
        for amount in amounts:
            more |= totals << amount
        larger = (more if copy < low else totals | more) & within
        if larger == totals:
            break
        totals = larger
    return totals


def _of_one_amount(totals: int, amount: int, low: int, high: int, most: int) -> int:
    """The same if every copy adds the same amount; copies are added 1, 2, 4, ... at a time."""
    if low * amount > most:
        return 0
    totals <<= low * amount
    spare, step = min(high, most // amount if amount else low) - low, 1
    while spare > 0:
        step = min(step, spare)
        totals |= totals << (step * amount)
        spare -= step
        step *= 2
    return totals
