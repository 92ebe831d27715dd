"""The ways in which rectangles may lie, in the order in which a search tries them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from exactcover.errors import StrategyError
from exactcover.rectangles import Floor, Rectangle

Key = Callable[[Rectangle], tuple[int, int]]

SORTED_BY: dict[str, Key] = {
    "largest": lambda one: (-one.area, -max(one.width, one.height)),
    "widest": lambda one: (-max(one.width, one.height), -one.area),
    "smallest": lambda one: (one.area, max(one.width, one.height)),
    "given": lambda one: (0, 0),
}
"""The orders of rectangles by name, each as a key to sort by. Ties keep the order that is given."""

ORDERS = tuple(SORTED_BY)


class Way(NamedTuple):
    """A way to lie: the number of the kind, and the width and height as it lies."""

    kind: int
    width: int
    height: int


def ways_to_lie(floor: Floor, order: str) -> list[Way]:
    """All ways of all kinds, in the order of the search: the long side across first, then upright.

    order  one of `ORDERS`
    """
    if order not in SORTED_BY:
        raise StrategyError(f"order {order!r}: it must be one of {', '.join(ORDERS)}")
    key = SORTED_BY[order]
    kinds = sorted(range(len(floor.rectangles)), key=lambda kind: key(floor.rectangles[kind]))
    return [Way(kind, *size) for kind in kinds for size in floor.rectangles[kind].sizes]
