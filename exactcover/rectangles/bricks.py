"""A box, the bricks that fill it, and where they lie: `floor` with a third size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from exactcover.rectangles.floor import check_sizes, merged, named, volume_of


@dataclass(frozen=True)
class Brick:
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

    def __post_init__(self) -> None:
        sizes = (self.width, self.depth, self.height)
        object.__setattr__(self, "name", named("brick", self.name, sizes, self.copies))

    @property
    def volume(self) -> int:
        """The volume of one copy."""
        return self.width * self.depth * self.height

    @property
    def sizes(self) -> tuple[tuple[int, int, int], ...]:
        """The width, depth and height of each way to lie, the widest first."""
        size = (self.width, self.depth, self.height)
        return tuple(sorted(set(permutations(size, 3)), reverse=True)) if self.turns else (size,)

    def more(self, copies: int) -> Brick:
        """The same kind with more copies."""
        return replace(self, copies=self.copies + copies)


@dataclass(frozen=True)
class Box:
    """A box that bricks fill exactly: no gap, no overlap, and every copy is used.

    Equal bricks become one kind with more copies, which keeps the first name.
    """

    width: int
    depth: int
    height: int
    bricks: tuple[Brick, ...]

    def __post_init__(self) -> None:
        check_sizes("box", (self.width, self.depth, self.height))
        object.__setattr__(self, "bricks", merged(self.bricks))

    @property
    def sides(self) -> tuple[int, int, int]:
        """The width, the depth and the height."""
        return (self.width, self.depth, self.height)

    @property
    def kinds(self) -> tuple[Brick, ...]:
        """The bricks; a floor has rectangles instead."""
        return self.bricks

    @property
    def volume(self) -> int:
        """The volume to fill."""
        return self.width * self.depth * self.height

    @property
    def bricks_volume(self) -> int:
        """The volume of all copies of all bricks; no solution exists if it is not `volume`."""
        return volume_of(self.bricks)

    @property
    def pieces(self) -> int:
        """The number of bricks, each copy counted."""
        return sum(kind.copies for kind in self.bricks)


@dataclass(frozen=True, order=True)
class Laid:
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
        return (self.x, self.y, self.z)

    @property
    def size(self) -> tuple[int, int, int]:
        """Its width, depth and height, as it lies."""
        return (self.width, self.depth, self.height)

    def at(self, start: Sequence[int], size: Sequence[int]) -> Laid:
        """The same kind in another place."""
        (x, y, z), (width, depth, height) = start, size
        return Laid(self.kind, x, y, z, width, depth, height)
