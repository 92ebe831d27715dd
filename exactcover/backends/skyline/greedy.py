"""A packing that is found at once, and need not be the best: an upper bound for least sizes.

Rectangles are taken in a few orders. Each is laid where its top is lowest, and then where it is
farthest to the left, in the better of its ways to lie. What lies below it stays empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactcover.backends.skyline.ways import ordered
from exactcover.rectangles import Placed, Rectangle

ORDERS = ("largest", "widest")
"""The orders that are tried."""


def stacked(width: int, kinds: Sequence[Rectangle]) -> tuple[int, tuple[Placed, ...]]:
    """The height of a packing into a strip as wide as each rectangle, and the packing, sorted."""
    packings = [tuple(sorted(_laid(width, kinds, ordered(kinds, order)))) for order in ORDERS]
    return min((max(one.y + one.height for one in placed), placed) for placed in packings)


def _laid(width: int, kinds: Sequence[Rectangle], order: Sequence[int]) -> Iterator[Placed]:
    """Each copy in its place, one after the other."""
    edge = [(0, width, 0)]  # segments from left to right: where each begins and ends, its height
    for kind in order:
        for _ in range(kinds[kind].copies):
            top, x, (wide, high) = min(
                (_rest(edge, begin, wide) + high, begin, (wide, high))
                for wide, high in kinds[kind].sizes
                for begin, _, _ in edge
                if begin + wide <= width
            )
            yield Placed(kind, x, top - high, wide, high)
            left = [(begin, min(end, x), at) for begin, end, at in edge if begin < x]
            right = [(max(begin, x + wide), end, at) for begin, end, at in edge if end > x + wide]
            edge = [*left, (x, x + wide, top), *right]


def _rest(edge: Sequence[tuple[int, int, int]], begin: int, wide: int) -> int:
    """The height at which a rectangle comes to rest."""
    return max(at for start, end, at in edge if start < begin + wide and end > begin)
