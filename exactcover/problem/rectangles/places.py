"""The places of the rectangles of a floor, or the bricks of a box, as the options of its problem.

A piece lies in a way: as it is, or turned. In each way it may lie at some of the whole places along
each axis. So the number of a place follows from its kind, way and corner, and nothing has to be
listed.

In a solution without a gap, whatever lies to the left of a piece is a row of pieces, so its
x is a sum of widths; what lies to the right of it is one as well. These are the normal places (Herz
1972; Christofides and Whitlock 1977). All others can be left out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from exactcover.problem.rectangles.sizes import One, Size, Whole, placed


@dataclass(frozen=True)
class Way:
    """A way in which a kind of piece lies, and the places that it may lie at.

    starts  of its lowest corner, ascending, along each axis
    first   the number of its first place
    """

    kind: int
    size: Size
    starts: tuple[Sequence[int], ...]
    first: int

    @property
    def count(self) -> int:
        """How many places there are."""
        return prod(map(len, self.starts))


@dataclass(frozen=True)
class FloorPlaces:
    """All places on a floor or in a box: way after way, then by the corner, x first.

    whole  the floor or the box
    """

    whole: Whole
    ways: tuple[Way, ...]

    @classmethod
    def of(cls, whole: Whole, sizes: Sequence[Sequence[Size]], *, normal: bool) -> FloorPlaces:
        """Every place, or those that are sums of sizes from both sides: no solution has others.

        sizes  the size of each way of each kind, in the order of their numbers
        """
        starts = [
            _sums(whole, sizes, axis) if normal else range(side + 1)
            for axis, side in enumerate(whole.sides)
        ]
        ways: list[Way] = []
        first = 0
        for kind, ways_of_kind in enumerate(sizes):
            for size in ways_of_kind:
                axes = zip(starts, whole.sides, size, strict=True)
                ways.append(Way(kind, size, tuple(_between(*axis) for axis in axes), first))
                first += ways[-1].count
        return cls(whole, tuple(ways))

    @property
    def count(self) -> int:
        """How many places there are."""
        return self.ways[-1].first + self.ways[-1].count if self.ways else 0

    @property
    def entries(self) -> int:
        """How many cells all places have together."""
        return sum(way.count * prod(way.size) for way in self.ways)

    @cached_property
    def _firsts(self) -> list[int]:
        return [way.first for way in self.ways]

    @cached_property
    def _by_size(self) -> dict[tuple[int, Size], Way]:
        return {(way.kind, way.size): way for way in self.ways}

    def way(self, kind: int, size: Size) -> Way | None:
        """The way in which a kind has this size; None: it never has."""
        return self._by_size.get((kind, size))

    def number(self, one: One) -> int:
        """The number of the place where a piece lies."""
        way, number = self._by_size[one.kind, one.size], 0
        for starts, start in zip(way.starts, one.start, strict=True):
            at = bisect_left(starts, start)
            if starts[at] != start:
                raise IndexError(f"{one} is at no place of the floor")
            number = number * len(starts) + at
        return way.first + number

    def numbers(self, solution: Iterable[One]) -> tuple[int, ...]:
        """The numbers of the places of a solution, ascending."""
        return tuple(sorted(map(self.number, solution)))

    def placed(self, number: int) -> One:
        """The piece at the place with a number."""
        way = self.ways[bisect_right(self._firsts, number) - 1]
        number -= way.first
        start = []
        for starts in reversed(way.starts):
            number, at = divmod(number, len(starts))
            start.append(starts[at])
        return placed(way.kind, start[::-1], way.size)


def _between(places: Sequence[int], size: int, length: int) -> Sequence[int]:
    """The places at which something so long begins, and ends, within the size."""
    known = set(places)
    found = [at for at in places if at + length <= size and size - at - length in known]
    return range(len(found)) if found == list(range(len(found))) else tuple(found)


def _sums(whole: Whole, sizes: Sequence[Sequence[Size]], axis: int) -> list[int]:
    """The sums of lengths of pieces along an axis, as far as the side goes, ascending."""
    most = whole.sides[axis]
    sums, within = 1, (1 << (most + 1)) - 1
    for kind, ways in zip(whole.kinds, sizes, strict=True):
        for _ in range(kind.copies):
            more = sums
            for size in ways:
                more |= sums << size[axis]
            if more & within == sums:
                break
            sums = more & within
    return [at for at in range(most + 1) if sums >> at & 1]
