"""A floor and the rectangles that fill it, a box and its bricks, where they lie, and symmetries.

These values hold sizes, so a floor of 56 x 56 with 12 rectangles is 12 pairs of numbers. Nothing
here makes cells. Rectangles and bricks share all code but the names of their sides.

A symmetry puts the axes in another order, and then mirrors some of them: the sides stay the same,
and every piece may lie as it turns it. A rectangle or a brick looks the same in a mirror, but what
they fill together may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from math import gcd, prod
from typing import Any, ClassVar, NamedTuple

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice
from exactcover.errors import PuzzleError

Size = tuple[int, ...]


class PieceKind:
    """A kind of piece: a rectangle or a brick, with its copies."""

    axes: ClassVar[tuple[str, ...]]
    copies: int
    turns: bool
    name: str

    def __post_init__(self) -> None:
        noun = type(self).__name__.lower()
        name = self.name or _shown(self.size)
        object.__setattr__(self, "name", name)
        _check_size(f"{noun} {name}", self.size)
        if self.copies < 1:
            raise PuzzleError(
                f"{noun} {name}: {self.copies} copies; there must be at least one", piece=name
            )

    @property
    def size(self) -> Size:
        """The size as it is given: width, depth if it has one, and height."""
        return tuple(getattr(self, axis) for axis in self.axes)

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The size of each way to lie: the one with the long side across first."""
        if not self.turns:
            return (self.size,)
        return tuple(sorted(set(permutations(self.size)), reverse=True))

    @property
    def volume(self) -> int:
        """The area or volume of one copy."""
        return prod(self.size)


@dataclass(frozen=True)
class Rectangle(PieceKind):
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

    axes = ("width", "height")

    @property
    def area(self) -> int:
        """The area of one copy."""
        return self.volume

    @property
    def is_square(self) -> bool:
        """Whether a quarter turn changes nothing."""
        return self.width == self.height


@dataclass(frozen=True)
class Brick(PieceKind):
    """A kind of brick.

    copies  how often it occurs, exactly
    turns   whether it may lie turned, on any of its faces
    name    by default its size, as in "4x2x1"
    """

    width: int
    depth: int
    height: int
    copies: int = 1
    turns: bool = True
    name: str = ""

    axes = ("width", "depth", "height")


class Whole:
    """The common part of floors and boxes."""

    pieces_are: ClassVar[str]
    axes: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        _check_size(type(self).__name__.lower(), self.sides)
        object.__setattr__(self, self.pieces_are, _merged(self.kinds))

    @property
    def sides(self) -> Size:
        """The length of each side: width, depth if it has one, and height."""
        return tuple(getattr(self, axis) for axis in self.axes)

    @property
    def kinds(self) -> tuple[PieceKind, ...]:
        """The rectangles or the bricks."""
        kinds: tuple[PieceKind, ...] = getattr(self, self.pieces_are)
        return kinds

    @property
    def volume(self) -> int:
        """The area or volume to fill."""
        return prod(self.sides)

    @property
    def pieces_volume(self) -> int:
        """The area or volume of all copies of all pieces; no solution exists if it is not
        `volume`."""
        return sum(kind.volume * kind.copies for kind in self.kinds)

    @property
    def pieces(self) -> int:
        """The number of pieces, each copy counted."""
        return sum(kind.copies for kind in self.kinds)

    @property
    def unit(self) -> int:
        """The greatest common divisor of all its sides and those of the pieces."""
        return gcd(*self.sides, *(side for kind in self.kinds for side in kind.size))


@dataclass(frozen=True)
class Floor(Whole):
    """A rectangle that rectangles fill exactly: no gap, no overlap, and every copy is used.

    Equal rectangles become one kind with more copies, which keeps the first name.
    """

    width: int
    height: int
    rectangles: tuple[Rectangle, ...]

    pieces_are = "rectangles"
    axes = Rectangle.axes

    @property
    def area(self) -> int:
        """The area to fill."""
        return self.volume

    @property
    def rectangles_area(self) -> int:
        """The area of all copies of all rectangles."""
        return self.pieces_volume


@dataclass(frozen=True)
class Box(Whole):
    """A box that bricks fill exactly: no gap, no overlap, and every copy is used.

    Equal bricks become one kind with more copies, which keeps the first name.
    """

    width: int
    depth: int
    height: int
    bricks: tuple[Brick, ...]

    pieces_are = "bricks"
    axes = Brick.axes


class Placed(NamedTuple):
    """One rectangle in its place: the number of its kind, its lowest corner and its size."""

    kind: int
    x: int
    y: int
    width: int
    height: int

    @property
    def start(self) -> tuple[int, int]:
        """Its lowest corner."""
        return self[1:3]

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height, as it lies."""
        return self[3:]


class Laid(NamedTuple):
    """One brick in its place: the number of its kind, its lowest corner and its size."""

    kind: int
    x: int
    y: int
    z: int
    width: int
    depth: int
    height: int

    @property
    def start(self) -> tuple[int, int, int]:
        """Its lowest corner."""
        return self[1:4]

    @property
    def size(self) -> tuple[int, int, int]:
        """Its width, depth and height, as it lies."""
        return self[4:]


One = Placed | Laid
"""A piece in its place."""


def placed(kind: int, start: Sequence[int], size: Sequence[int]) -> One:
    """A rectangle or a brick in its place."""
    made: type[One] = Placed if len(size) == 2 else Laid
    return made(kind, *start, *size)


def _shown(size: Size) -> str:
    return "x".join(map(str, size))


def _check_size(what: str, size: Size) -> None:
    """Raise an error if a side is not positive."""
    if min(size) < 1:
        raise PuzzleError(f"{what}: its size is {_shown(size)}; each side must be at least 1")


def _merged(kinds: Sequence[PieceKind]) -> tuple[PieceKind, ...]:
    """The kinds, equal ones as one; the first of them gives the name and the place in the order."""
    if not kinds:
        raise PuzzleError("nothing is to be placed: name at least one piece")
    known: dict[tuple[Size, ...], Any] = {}
    for kind in kinds:
        same = known.setdefault(kind.sizes, kind)
        if same is not kind:
            known[kind.sizes] = replace(same, copies=same.copies + kind.copies)
    return tuple(known.values())


# -- symmetries ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AxisMotion:
    """A motion of a floor or a box onto itself.

    axes      axis a of the image is axis `axes[a]`,
    mirrored  mirrored or not
    """

    axes: tuple[int, ...]
    mirrored: tuple[bool, ...]

    @property
    def is_identity(self) -> bool:
        """Whether it leaves everything where it is."""
        return not any(self.mirrored) and not self.swaps

    @property
    def swaps(self) -> bool:
        """Whether it puts the axes in another order."""
        return self.axes != tuple(range(len(self.axes)))

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn, so no mirror."""
        exchanged = sum(one > other for one, other in combinations(self.axes, 2))
        return (exchanged + sum(self.mirrored)) % 2 == 0

    def solution(self, whole: Whole, solution: Iterable[One]) -> tuple[One, ...]:
        """Where the motion takes all pieces of a solution, sorted."""
        return tuple(sorted(self.place(whole, one) for one in solution))

    def place(self, whole: Whole, one: One) -> One:
        """Where the motion takes a piece."""
        start = [one.start[axis] for axis in self.axes]
        size = [one.size[axis] for axis in self.axes]
        for axis, side in enumerate(whole.sides):
            if self.mirrored[axis]:
                start[axis] = side - start[axis] - size[axis]
        return placed(one.kind, start, size)


def symmetries(whole: Whole, counted: Convention = "reflections") -> tuple[AxisMotion, ...]:
    """The motions that identify solutions, the identity first.

    counted  "reflections": turns and mirrors; "rotations": turns alone; "all": only the identity
    """
    check_choice("counted", counted, CONVENTIONS, optional=False)
    dimension = len(whole.sides)
    motions = [
        AxisMotion(axes, mirrored)
        for axes in permutations(range(dimension))
        if _may_swap(whole, axes)
        for mirrored in product((False, True), repeat=dimension)
    ]
    if counted == "all":
        return tuple(motions[:1])
    return tuple(one for one in motions if counted == "reflections" or one.is_turn)


def _may_swap(whole: Whole, axes: tuple[int, ...]) -> bool:
    """Whether the sides stay the same, and every kind may lie as it does with other axes."""
    if tuple(whole.sides[axis] for axis in axes) != whole.sides:
        return False
    return all(
        {tuple(way[axis] for axis in axes) for way in kind.sizes} == set(kind.sizes)
        for kind in whole.kinds
    )
