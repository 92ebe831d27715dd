"""The rules of a search by skyline, and the order in which it tries the ways to lie.

Nothing here is compiled or needs arrays, since the list of engines reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from exactcover.errors import StrategyError
from exactcover.rectangles import Kind

RULES = ("pruned", "plain")
"""The rules of a search: with pruning, or those of the article on Calibron 12."""

SORTED_BY: dict[str, Callable[[Kind], tuple[int, int]]] = {
    "largest": lambda one: (-prod(one.sizes[0]), -max(one.sizes[0])),
    "widest": lambda one: (-max(one.sizes[0]), -prod(one.sizes[0])),
    "given": lambda one: (0, 0),
    "smallest": lambda one: (prod(one.sizes[0]), max(one.sizes[0])),
}
"""The orders of rectangles and bricks by name, each as a key to sort by. Ties keep the order that
is given."""

ORDERS = tuple(SORTED_BY)


class Way(NamedTuple):
    """A way to lie: the number of the kind, and its size as it lies."""

    kind: int
    size: tuple[int, ...]


def ordered(kinds: Sequence[Kind], order: str) -> list[int]:
    """The numbers of the kinds, in one of the `ORDERS`."""
    if order not in SORTED_BY:
        raise StrategyError(f"order {order!r}: it must be one of {', '.join(ORDERS)}")
    key = SORTED_BY[order]
    return sorted(range(len(kinds)), key=lambda number: key(kinds[number]))


def ways_to_lie(kinds: Sequence[Kind], order: str) -> list[Way]:
    """All ways of all kinds, in the order of the search: the long side across first.

    order  one of `ORDERS`
    """
    return [Way(kind, size) for kind in ordered(kinds, order) for size in kinds[kind].sizes]
