"""A floor, the rectangles that fill it, and where they lie.

These values hold sizes, so a floor of 56 x 56 with 12 rectangles is 12 pairs of numbers. Nothing
here makes cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Protocol, Self, TypeVar

from exactcover.errors import PuzzleError


class Kind(Protocol):
    """A rectangle or a brick, with its copies."""

    @property
    def copies(self) -> int:
        """How often it occurs."""

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """The size of each way to lie."""

    def more(self, copies: int) -> Self:
        """The same kind with more copies."""


KindT = TypeVar("KindT", bound=Kind)


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
        sizes = (self.width, self.height)
        object.__setattr__(self, "name", named("rectangle", self.name, sizes, self.copies))

    @property
    def area(self) -> int:
        """The area of one copy."""
        return self.width * self.height

    @property
    def is_square(self) -> bool:
        """Whether a quarter turn changes nothing."""
        return self.width == self.height

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The width and height of each way to lie: the one with the long side across first."""
        if not self.turns or self.is_square:
            return ((self.width, self.height),)
        long, short = max(self.width, self.height), min(self.width, self.height)
        return ((long, short), (short, long))

    def more(self, copies: int) -> Rectangle:
        """The same kind with more copies."""
        return replace(self, copies=self.copies + copies)


@dataclass(frozen=True)
class Floor:
    """A rectangle that rectangles fill exactly: no gap, no overlap, and every copy is used.

    Equal rectangles become one kind with more copies, which keeps the first name.
    """

    width: int
    height: int
    rectangles: tuple[Rectangle, ...]

    def __post_init__(self) -> None:
        check_sizes("floor", (self.width, self.height))
        object.__setattr__(self, "rectangles", merged(self.rectangles))

    @property
    def sides(self) -> tuple[int, int]:
        """The width and the height."""
        return (self.width, self.height)

    @property
    def kinds(self) -> tuple[Rectangle, ...]:
        """The rectangles; a box has bricks instead."""
        return self.rectangles

    @property
    def area(self) -> int:
        """The area to fill."""
        return self.width * self.height

    @property
    def rectangles_area(self) -> int:
        """The area of all copies of all rectangles; no solution exists if it is not `area`."""
        return volume_of(self.rectangles)

    @property
    def pieces(self) -> int:
        """The number of rectangles, each copy counted."""
        return sum(kind.copies for kind in self.rectangles)


@dataclass(frozen=True, order=True)
class Placed:
    """One rectangle in its place: the number of its kind, its lowest corner and its size."""

    kind: int
    x: int
    y: int
    width: int
    height: int

    @property
    def start(self) -> tuple[int, int]:
        """Its lowest corner."""
        return (self.x, self.y)

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height, as it lies."""
        return (self.width, self.height)

    def at(self, start: Sequence[int], size: Sequence[int]) -> Placed:
        """The same kind in another place."""
        (x, y), (width, height) = start, size
        return Placed(self.kind, x, y, width, height)


def volume_of(kinds: Sequence[Kind]) -> int:
    """The area or volume of all copies of all kinds."""
    return sum(prod(kind.sizes[0]) * kind.copies for kind in kinds)


def shown(sizes: Sequence[int]) -> str:
    """Sizes as words have them, as in "32x11"."""
    return "x".join(map(str, sizes))


def check_sizes(what: str, sizes: Sequence[int]) -> None:
    """Raise an error if a size is not positive."""
    if min(sizes) < 1:
        raise PuzzleError(f"{what}: its size is {shown(sizes)}; each side must be at least 1")


def named(what: str, name: str, sizes: Sequence[int], copies: int) -> str:
    """The name of a kind, its size if none is given; raises if its sizes or copies are wrong."""
    name = name or shown(sizes)
    check_sizes(f"{what} {name}", sizes)
    if copies < 1:
        raise PuzzleError(f"{what} {name}: {copies} copies; there must be at least one", piece=name)
    return name


def merged(kinds: Sequence[KindT]) -> tuple[KindT, ...]:
    """The kinds, equal ones as one; the first of them gives the name and the place in the order."""
    if not kinds:
        raise PuzzleError("nothing is to be placed: name at least one piece")
    known: dict[tuple[tuple[int, ...], ...], KindT] = {}
    for kind in kinds:
        same = known.get(kind.sizes)
        known[kind.sizes] = kind if same is None else same.more(kind.copies)
    return tuple(known.values())
