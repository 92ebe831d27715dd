"""The places of the rectangles of a floor, numbered as the options of its problem.

A rectangle lies in a way: as it is, or turned. In each way it may lie at some of the whole places
across and up. So the number of a place follows from its kind, way, x and y, and nothing has to be
listed.

In a solution without a gap, whatever lies to the left of a rectangle is a row of rectangles, so its
x is a sum of widths; what lies to the right of it is one as well. These are the normal places (Herz
1972; Christofides and Whitlock 1977). All others can be left out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from exactcover.rectangles.floor import Floor, Placed


@dataclass(frozen=True)
class Way:
    """A way in which a kind of rectangle lies, and the places that it may lie at.

    xs, ys  of its lowest corner, ascending
    first   the number of its first place
    """

    kind: int
    width: int
    height: int
    xs: Sequence[int]
    ys: Sequence[int]
    first: int

    @property
    def count(self) -> int:
        """How many places there are."""
        return len(self.xs) * len(self.ys)


@dataclass(frozen=True)
class Places:
    """All places on a floor: way after way, column after column."""

    floor: Floor
    ways: tuple[Way, ...]

    @classmethod
    def every(cls, floor: Floor, sizes: Sequence[Sequence[tuple[int, int]]]) -> Places:
        """Every place.

        sizes  the width and height of each way of each kind, in the order of their numbers
        """
        return cls._of(floor, sizes, range(floor.width + 1), range(floor.height + 1))

    @classmethod
    def normal(cls, floor: Floor, sizes: Sequence[Sequence[tuple[int, int]]]) -> Places:
        """The places that are sums of sizes from both sides: no solution has others."""
        return cls._of(floor, sizes, _sums(floor, sizes, 0), _sums(floor, sizes, 1))

    @classmethod
    def _of(
        cls,
        floor: Floor,
        sizes: Sequence[Sequence[tuple[int, int]]],
        xs: Sequence[int],
        ys: Sequence[int],
    ) -> Places:
        ways: list[Way] = []
        first = 0
        for kind, ways_of_kind in enumerate(sizes):
            for width, height in ways_of_kind:
                way = Way(
                    kind,
                    width,
                    height,
                    _between(xs, floor.width, width),
                    _between(ys, floor.height, height),
                    first,
                )
                ways.append(way)
                first += way.count
        return cls(floor, tuple(ways))

    @property
    def count(self) -> int:
        """How many places there are."""
        return self.ways[-1].first + self.ways[-1].count if self.ways else 0

    @property
    def entries(self) -> int:
        """How many cells all places have together."""
        return sum(way.count * way.width * way.height for way in self.ways)

    @cached_property
    def _firsts(self) -> list[int]:
        return [way.first for way in self.ways]

    @cached_property
    def _by_size(self) -> dict[tuple[int, int, int], Way]:
        return {(way.kind, way.width, way.height): way for way in self.ways}

    def way(self, kind: int, width: int, height: int) -> Way | None:
        """The way in which a kind has this size; None: it never has."""
        return self._by_size.get((kind, width, height))

    def number(self, one: Placed) -> int:
        """The number of the place where a rectangle lies."""
        way = self._by_size[one.kind, one.width, one.height]
        across, up = bisect_left(way.xs, one.x), bisect_left(way.ys, one.y)
        if (way.xs[across], way.ys[up]) != (one.x, one.y):
            raise IndexError(f"{one} is at no place of the floor")
        return way.first + across * len(way.ys) + up

    def numbers(self, solution: Iterable[Placed]) -> tuple[int, ...]:
        """The numbers of the places of a solution, ascending."""
        return tuple(sorted(map(self.number, solution)))

    def placed(self, number: int) -> Placed:
        """The rectangle at the place with a number."""
        way = self.ways[bisect_right(self._firsts, number) - 1]
        across, up = divmod(number - way.first, len(way.ys))
        return Placed(way.kind, way.xs[across], way.ys[up], way.width, way.height)


def _between(places: Sequence[int], size: int, length: int) -> Sequence[int]:
    """The places at which something so long begins, and ends, within the size."""
    known = set(places)
    found = [at for at in places if at + length <= size and size - at - length in known]
    return range(len(found)) if found == list(range(len(found))) else tuple(found)


def _sums(floor: Floor, sizes: Sequence[Sequence[tuple[int, int]]], axis: int) -> list[int]:
    """The sums of lengths of rectangles along an axis, as far as the floor goes, ascending."""
    most = (floor.width, floor.height)[axis]
    sums, within = 1, (1 << (most + 1)) - 1
    for kind, ways in zip(floor.rectangles, sizes, strict=True):
        for _ in range(kind.copies):
            more = sums
            for size in ways:
                more |= sums << size[axis]
            if more & within == sums:
                break
            sums = more & within
    return [at for at in range(most + 1) if sums >> at & 1]
