"""A floor and the rectangles that fill it: sizes, places and motions, without cells.

A floor of 56 x 56 with 12 rectangles is 12 pairs of numbers. A place of a rectangle is an option of
the problem of cells. A rectangle lies in a way: as it is, or turned. In each way it may lie at some
of the whole places along each axis. So the number of a place follows from its way and corner, and
nothing has to be listed.

In a solution, whatever lies to the left of a rectangle is a row of rectangles, so its x is a sum of
widths; what lies to the right of it is one as well. These are the normal places (Herz 1972;
Christofides and Whitlock 1977). All others can be left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Convention
from exactcover.problem.checking import IntArray
from exactcover.problem.filters.totals import with_copies

Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.integer]

Size = tuple[int, int]

Pose = tuple[int, Size]
"""The number of a kind of rectangle, and its size as it lies."""


class Rectangle(NamedTuple):
    """A kind of rectangle.

    copies  how often it occurs, exactly
    turns   whether it may lie turned by a quarter
    """

    width: int
    height: int
    copies: int = 1
    turns: bool = True

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The size of each way to lie, the one that is given first."""
        size = self.width, self.height
        return tuple(dict.fromkeys((size, size[::-1]))) if self.turns else (size,)

    @property
    def area(self) -> int:
        """The area of one copy."""
        return self.width * self.height


@dataclass(frozen=True)
class Floor:
    """A rectangle that rectangles fill exactly: no gap, no overlap, and every copy is used.

    rectangles  its kinds, no two equal
    """

    width: int
    height: int
    rectangles: tuple[Rectangle, ...]

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

    @property
    def poses(self) -> list[Pose]:
        """All ways of all kinds to lie."""
        return [(at, size) for at, kind in enumerate(self.rectangles) for size in kind.sizes]


# -- motions ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FloorMotions:
    """Motions of a floor onto itself that every rectangle may follow, the identity first.

    Places are whole numbers [..., 3]: that of a pose, and the lowest corner.

    sides     int64 [2]
    sizes     int64 [poses, 2]
    swaps     bool [motions]         the axes are exchanged,
    mirrored  bool [motions, 2]      then some of them are mirrored
    pose_of   int64 [motions, poses]  which pose each pose gets
    """

    sides: Long
    sizes: Long
    swaps: Flags
    mirrored: Flags
    pose_of: Long

    @classmethod
    def of(cls, floor: Floor, poses: Sequence[Pose], counted: Convention) -> FloorMotions:
        """The motions that identify solutions when they are so counted."""
        number = {pose: at for at, pose in enumerate(poses)}
        turned = [number.get((kind, size[::-1]), -1) for kind, size in poses]
        may_swap = floor.width == floor.height and -1 not in turned
        motions = [
            (swaps, across, up)
            for swaps, across, up in product((False, True), repeat=3)
            if (may_swap or not swaps)
            and (counted == "reflections" or (swaps + across + up) % 2 == 0)
        ]
        if counted == "all":
            motions = motions[:1]
        swaps, mirrored = np.array(motions)[:, 0], np.array(motions)[:, 1:]
        return cls(
            np.array(floor.sides, np.int64),
            np.array([size for _, size in poses], np.int64),
            swaps,
            mirrored,
            np.where(swaps[:, None], turned, np.arange(len(poses))),
        )

    @property
    def turns(self) -> Flags:
        """Which of them are turns, so no mirrors."""
        turns: Flags = (self.swaps + self.mirrored.sum(axis=1)) % 2 == 0
        return turns

    def images(self, places: Places) -> Iterator[Places]:
        """Where each motion takes places."""
        for swaps, mirrored, pose_of in zip(self.swaps, self.mirrored, self.pose_of, strict=True):
            poses = pose_of[places[..., 0]]
            corner = places[..., :0:-1] if swaps else places[..., 1:]
            there = np.where(mirrored, self.sides - corner - self.sizes[poses], corner)
            yield np.concatenate([poses[..., None], there], axis=-1)

    def fixing(self, places: Places) -> Flags:
        """Which motions fix each solution; none, not even the identity, where it is not the least
        of its images.

        A solution is compared as the sorted list of its places: by the corner, then by the pose.

        places  [solutions, pieces, 3]
        Returns bool [motions, solutions].
        """
        strides = np.array([1, len(self.sizes), len(self.sizes) * (self.sides[0] + 1)])
        mine, *images = (np.sort(image @ strides, axis=1) for image in self.images(places))
        fixed, rows = np.ones((len(self.swaps), len(places)), bool), np.arange(len(places))
        for number, image in enumerate(images, 1):
            first = (image != mine).argmax(axis=1)
            fixed[number] = image[rows, first] == mine[rows, first]
            fixed[0] &= image[rows, first] >= mine[rows, first]
        fixed[:, ~fixed[0]] = False
        return fixed


# -- places ---------------------------------------------------------------------------------------


class Placed(NamedTuple):
    """One rectangle in its place: the number of its kind, its lowest corner and its size."""

    kind: int
    x: int
    y: int
    width: int
    height: int


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
    def of(cls, floor: Floor, *, normal: bool) -> FloorPlaces:
        """Every place, or those that are sums of sizes from both sides: no solution has others."""
        starts = [
            _sums(floor, axis) if normal else range(side + 1)
            for axis, side in enumerate(floor.sides)
        ]
        ways: list[Way] = []
        first = 0
        for kind, size in floor.poses:
            axes = zip(starts, floor.sides, size, strict=True)
            ways.append(Way(kind, size, tuple(_between(*axis) for axis in axes), first))
            first += ways[-1].places
        return cls(floor, tuple(ways))

    @property
    def count(self) -> int:
        """How many places there are."""
        return self.ways[-1].first + self.ways[-1].places

    @property
    def entries(self) -> int:
        """How many cells all places have together."""
        return sum(way.places * prod(way.size) for way in self.ways)

    @cached_property
    def every(self) -> Long:
        """All places: int64 [places, 3], the number of the way, and the corner."""
        grids = [np.meshgrid(at, *way.starts, indexing="ij") for at, way in enumerate(self.ways)]
        rows = [np.stack(grid, axis=-1).reshape(-1, 3) for grid in grids]
        return np.concatenate(rows).astype(np.int64)

    def numbers(self, places: Places, poses: Sequence[Pose] | None = None) -> IntArray:
        """The numbers of places, each with the number of its pose and its corner: int32 [...].

        poses  in the order of their numbers. Default: None, that of the ways
        """
        poses = self.floor.poses if poses is None else poses
        ways = {(way.kind, way.size): way for way in self.ways}
        found = np.empty(places.shape[:-1], np.int32)
        for number in np.unique(places[..., 0]).tolist():
            way, here = ways[poses[number]], places[..., 0] == number
            x, y = (
                np.searchsorted(starts, places[here, axis])
                for axis, starts in enumerate(way.starts, 1)
            )
            found[here] = way.first + x * len(way.starts[1]) + y
        return found

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


def _sums(floor: Floor, axis: int) -> list[int]:
    """The sums of lengths of rectangles along an axis, as far as the side goes, ascending."""
    most, sums = floor.sides[axis], 1
    for kind in floor.rectangles:
        sums = with_copies(sums, {size[axis] for size in kind.sizes}, 0, kind.copies, most)
    return [at for at in range(most + 1) if sums >> at & 1]
