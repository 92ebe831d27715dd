"""A floor and the rectangles that fill it: sizes, places and symmetries, without cells.

A floor of 56 x 56 with 12 rectangles is 12 pairs of numbers. A place of a rectangle is an option of
the problem of cells. A rectangle lies in a way: as it is, or turned. In each way it may lie at some
of the whole places along each axis. So the number of a place follows from its kind, way and corner,
and nothing has to be listed.

In a solution, whatever lies to the left of a rectangle is a row of rectangles, so its x is a sum of
widths; what lies to the right of it is one as well. These are the normal places (Herz 1972;
Christofides and Whitlock 1977). All others can be left out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import gcd, prod
from typing import NamedTuple

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice
from exactcover.errors import PuzzleError

__all__ = ["Floor", "Placed", "Rectangle", "symmetries"]

Size = tuple[int, int]


@dataclass(frozen=True)
class Rectangle:
    """A kind of rectangle.

    copies  how often it occurs, exactly
    turns   whether it may lie turned by a quarter
    name    by default its size, as in "32x11"
    """

    width: int
    height: int
    copies: int = 1
    turns: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        name = self.name or f"{self.width}x{self.height}"
        object.__setattr__(self, "name", name)
        _check_size(f"rectangle {name}", (self.width, self.height))
        if self.copies < 1:
            raise PuzzleError(
                f"rectangle {name}: {self.copies} copies; there must be at least one", piece=name
            )

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The size of each way to lie: the one with the long side across first."""
        size = self.width, self.height
        return tuple(sorted({size, size[::-1]}, reverse=True)) if self.turns else (size,)

    @property
    def area(self) -> int:
        """The area of one copy."""
        return self.width * self.height


@dataclass(frozen=True)
class Floor:
    """A rectangle that rectangles fill exactly: no gap, no overlap, and every copy is used.

    Equal rectangles become one kind with more copies, which keeps the first name.
    """

    width: int
    height: int
    rectangles: tuple[Rectangle, ...]

    def __post_init__(self) -> None:
        _check_size("floor", self.sides)
        if not self.rectangles:
            raise PuzzleError("nothing is to be placed: name at least one piece")
        kinds: dict[tuple[Size, ...], Rectangle] = {}
        for kind in self.rectangles:
            same = kinds.setdefault(kind.sizes, kind)
            if same is not kind:
                kinds[kind.sizes] = replace(same, copies=same.copies + kind.copies)
        object.__setattr__(self, "rectangles", tuple(kinds.values()))

    @property
    def sides(self) -> Size:
        """Its width and height."""
        return self.width, self.height

    @property
    def area(self) -> int:
        """The area to fill."""
        return self.width * self.height

    @property
    def rectangles_area(self) -> int:
        """The area of all copies; no solution exists if it is not `area`."""
        return sum(kind.area * kind.copies for kind in self.rectangles)

    @property
    def pieces(self) -> int:
        """The number of rectangles, each copy counted."""
        return sum(kind.copies for kind in self.rectangles)

    @property
    def unit(self) -> int:
        """The greatest common divisor of all its sides and those of the rectangles."""
        return gcd(*self.sides, *(side for kind in self.rectangles for side in kind.sizes[0]))


class Placed(NamedTuple):
    """One rectangle in its place: the number of its kind, its lowest corner and its size."""

    kind: int
    x: int
    y: int
    width: int
    height: int

    @property
    def start(self) -> Size:
        """Its lowest corner."""
        return self[1:3]

    @property
    def size(self) -> Size:
        """Its width and height, as it lies."""
        return self[3:]


def _check_size(what: str, size: Size) -> None:
    if min(size) < 1:
        raise PuzzleError(f"{what}: its size is {size[0]}x{size[1]}; each side must be at least 1")


# -- symmetries ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AxisMotion:
    """A motion of a floor onto itself: it may exchange the axes, and then mirror some of them.

    Every rectangle may lie as it turns it.
    """

    swaps: bool
    mirrored: tuple[bool, bool]

    @property
    def is_identity(self) -> bool:
        """Whether it leaves everything where it is."""
        return not (self.swaps or any(self.mirrored))

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn, so no mirror."""
        return (self.swaps + sum(self.mirrored)) % 2 == 0

    def solution(self, floor: Floor, solution: Iterable[Placed]) -> tuple[Placed, ...]:
        """Where the motion takes all rectangles of a solution, sorted."""
        return tuple(sorted(self.place(floor, one) for one in solution))

    def place(self, floor: Floor, one: Placed) -> Placed:
        """Where the motion takes a rectangle."""
        step = -1 if self.swaps else 1
        (x, y), (width, height) = one.start[::step], one.size[::step]
        if self.mirrored[0]:
            x = floor.width - x - width
        if self.mirrored[1]:
            y = floor.height - y - height
        return Placed(one.kind, x, y, width, height)


def symmetries(floor: Floor, counted: Convention = "reflections") -> tuple[AxisMotion, ...]:
    """The motions that identify solutions, the identity first.

    counted  "reflections": turns and mirrors; "rotations": turns alone; "all": only the identity
    """
    check_choice("counted", counted, CONVENTIONS, optional=False)
    square = floor.width == floor.height and all(
        {size[::-1] for size in kind.sizes} == set(kind.sizes) for kind in floor.rectangles
    )
    motions = [
        AxisMotion(swaps, (across, up))
        for swaps, across, up in product((False, True), repeat=3)
        if square or not swaps
    ]
    if counted == "all":
        return tuple(motions[:1])
    return tuple(one for one in motions if counted == "reflections" or one.is_turn)


# -- places ---------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way in which a kind lies, and the places that it may lie at.

    starts  of its lowest corner, ascending, along each axis
    first   the number of its first place
    """

    kind: int
    size: Size
    starts: tuple[Sequence[int], ...]
    first: int

    @property
    def places(self) -> int:
        """How many places there are."""
        return prod(map(len, self.starts))


@dataclass(frozen=True)
class FloorPlaces:
    """All places on a floor: way after way, then by the corner, x first."""

    floor: Floor
    ways: tuple[Way, ...]

    @classmethod
    def of(cls, floor: Floor, sizes: Sequence[Sequence[Size]], *, normal: bool) -> FloorPlaces:
        """Every place, or those that are sums of sizes from both sides: no solution has others.

        sizes  the size of each way of each kind, in the order of their numbers
        """
        starts = [
            _sums(floor, sizes, axis) if normal else range(side + 1)
            for axis, side in enumerate(floor.sides)
        ]
        ways: list[Way] = []
        first = 0
        for kind, ways_of_kind in enumerate(sizes):
            for size in ways_of_kind:
                axes = zip(starts, floor.sides, size, strict=True)
                ways.append(Way(kind, size, tuple(_between(*axis) for axis in axes), first))
                first += ways[-1].places
        return cls(floor, tuple(ways))

    @property
    def count(self) -> int:
        """How many places there are."""
        return self.ways[-1].first + self.ways[-1].places if self.ways else 0

    @property
    def entries(self) -> int:
        """How many cells all places have together."""
        return sum(way.places * prod(way.size) for way in self.ways)

    @cached_property
    def by_size(self) -> dict[tuple[int, Size], Way]:
        """The way in which a kind has a size."""
        return {(way.kind, way.size): way for way in self.ways}

    def number(self, one: Placed) -> int:
        """The number of the place where a rectangle lies."""
        way, number = self.by_size[one.kind, one.size], 0
        for starts, start in zip(way.starts, one.start, strict=True):
            at = bisect_left(starts, start)
            if starts[at] != start:
                raise IndexError(f"{one} is at no place of the floor")
            number = number * len(starts) + at
        return way.first + number

    def numbers(self, solution: Iterable[Placed]) -> tuple[int, ...]:
        """The numbers of the places of a solution, ascending."""
        return tuple(sorted(map(self.number, solution)))

    def placed(self, number: int) -> Placed:
        """The rectangle at the place with a number."""
        way = self.ways[bisect_right(self.ways, number, key=lambda way: way.first) - 1]
        x, y = divmod(number - way.first, len(way.starts[1]))
        return Placed(way.kind, way.starts[0][x], way.starts[1][y], *way.size)


def _between(places: Sequence[int], size: int, length: int) -> Sequence[int]:
    """The places at which something so long begins, and ends, within the size."""
    known = set(places)
    found = [at for at in places if at + length <= size and size - at - length in known]
    return range(len(found)) if found == list(range(len(found))) else tuple(found)


def _sums(floor: Floor, sizes: Sequence[Sequence[Size]], axis: int) -> list[int]:
    """The sums of lengths of rectangles along an axis, as far as the side goes, ascending."""
    most = floor.sides[axis]
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
