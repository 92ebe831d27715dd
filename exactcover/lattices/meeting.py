"""Cells that meet at a corner, found from the outlines of the kinds.

Where dozens of cells meet at a point, a list of the pairs would say no more than the outlines do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from exactcover.lattices.base import Pair
from exactcover.lattices.motions import Point, within


def meeting_pairs(
    outlines: Mapping[str, tuple[Point, ...]], kinds: Iterable[int], *, side: int
) -> Iterator[Pair]:
    """Pairs of cells that share corners, but fewer than a side has: from a cell of each of `kinds`.

    The kinds need only be one of each orbit under the symmetries.
    """
    at: dict[Point, list[tuple[int, Point]]] = defaultdict(list)
    for kind, outline in enumerate(outlines.values()):
        for corner in outline:
            at[within(corner)].append((kind, corner))
    corners = list(outlines.values())
    for kind in kinds:
        start = (*(0 for _ in corners[kind][0]), kind)
        shared: Counter[tuple[int, ...]] = Counter()
        for mine in corners[kind]:
            for other, theirs in at[within(mine)]:
                offset = (int(a - b) for a, b in zip(mine, theirs, strict=True))
                shared[(*offset, other)] += 1
        yield from ((start, cell) for cell, number in sorted(shared.items()) if number < side)
