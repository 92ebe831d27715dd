"""A search that fills a floor or a box, and what our two such searches share.

The compiled searches place pieces by number: the pose, see `engine.Pose`, and the corner in units
of the common divisor. Their registers have the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Flags, Long
from exactcover.backends.base import Report, Status, Tried, check_capacity
from exactcover.backends.rectangles.engine import Pose, poses
from exactcover.problem.rectangles.sizes import AxisMotion, Whole, placed

DEPTH, STATE, BACKTRACKS, SOLVED, CURRENT, REGISTERS = range(6)
"""The registers: pieces placed (-1 when all is searched), the state of the copies left, see
`skyline`, nodes that ended without a solution, whether the node is a solution, the gap to fill, and
the number of registers."""

MOST_HELD = 1 << 20
"""The most numbers in the buffer of solutions between the kernel and the batch."""

Places = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int32 | np.int64]


@dataclass(frozen=True)
class Filled:
    """The solutions that one call of `advance` found.

    status  why it came back
    found   each as its pieces in their places, sorted: `Placed` or `Laid`
    """

    status: Status
    found: Sequence[tuple[Any, ...]]

    def __len__(self) -> int:
        return len(self.found)

    def solution(self, number: int) -> tuple[Any, ...]:
        """The pieces of one solution, sorted."""
        return self.found[number]

    def solutions(self) -> list[tuple[Any, ...]]:
        """All solutions."""
        return [*self.found]


class Filling(ABC):
    """A search under way for the ways to fill a floor or a box. It goes on only in `advance`.

    found  solutions found so far
    """

    found: int = 0

    @abstractmethod
    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Go on for about `steps` choices, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in `found` but not handed out. Once the search is
        done, every further call returns an empty batch with the status `DONE`.
        """

    @abstractmethod
    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, see `Search.report`."""


class PlacingSearch(Filling):
    """A compiled search under way; all that changes while it runs is in its arrays.

    done  whether the whole tree has been searched
    """

    _state: Any
    """The arrays of the compiled part: `registers`, `tally` and others."""

    def __init__(self, whole: Whole, order: str, motions: Sequence[AxisMotion]) -> None:
        self._pieces, self._unit = whole.pieces, whole.unit
        self._poses = poses(whole.kinds, order)
        self._images = images_of(self._poses, whole, motions)
        self.done = whole.volume != whole.pieces_volume

    @abstractmethod
    def _fill(self, steps: int, out: Places) -> int:
        """Go on in the kernel; return how many solutions are in `out`."""

    @abstractmethod
    def _begun(self, level: int) -> tuple[int, int]:
        """The branches of a level that are begun, and all of them."""

    @property
    def fits(self) -> int:
        """Pieces placed so far, over the whole search."""
        return int(self._state.tally[:, 0].sum())

    @property
    def nofits(self) -> int:
        """Ways to lie that did not fit, or were pruned."""
        return int(self._state.tally[:, 1].sum())

    @property
    def backtracks(self) -> int:
        """Nodes that ended without being a solution, the root among them."""
        return int(self._state.registers[BACKTRACKS])

    @property
    def _depth(self) -> int:
        return max(0, int(self._state.registers[DEPTH]))

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, see `Search.report`."""
        report = Report(self.fits, self.nofits, self.found)
        if brief:
            return report
        return replace(
            report, progress=self.progress(), position=self.position(), tally=self.tally()
        )

    def tally(self) -> dict[int, Tried]:
        """The ways to lie that were tried, by the number of pieces left before."""
        tally = self._state.tally[: self._pieces].tolist()
        return {
            self._pieces - level: Tried(fits + nofits, fits)
            for level, (fits, nofits) in enumerate(tally)
            if fits + nofits
        }

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Go on for about `steps` placements, see `Filling.advance`."""
        check_capacity(capacity)
        numbers = 1 + self._images.sides.size
        end = self.fits + steps
        kept: list[tuple[Any, ...]] = []
        found = 0
        while not self.done and self.fits < end and found < capacity:
            room = min(capacity - found, max(1, MOST_HELD // (numbers * self._pieces)))
            out = np.empty((room, self._pieces, numbers), np.int32)
            written = self._fill(end - self.fits, out)
            self.done = bool(self._state.registers[DEPTH] < 0)
            wanted = out[:written][canonical(out[:written], self._images)]
            found += len(wanted)
            if keep:
                kept += map(self._solution, wanted.tolist())
        self.found += found
        full = Status.FULL if found == capacity else Status.BUDGET
        return Filled(Status.DONE if self.done else full, kept)

    def _solution(self, places: list[list[int]]) -> tuple[Any, ...]:
        """A solution from the numbers of its places, sorted."""
        found = []
        for pose, *corner in places:
            kind, size = self._poses[pose]
            found.append(placed(kind, [at * self._unit for at in corner], size))
        return tuple(sorted(found))

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        return [(begun - 1, many) for begun, many in map(self._begun, range(self._depth))]

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; sibling branches count equally."""
        if self.done:
            return 1.0
        behind, share = Fraction(0), Fraction(1)  # exact, so that it never decreases
        for branch, branches in self.position():
            share /= branches
            behind += share * branch
        begun, branches = self._begun(self._depth)
        return float(behind + share * Fraction(begun, max(1, branches)))


# -- symmetries -----------------------------------------------------------------------------------


class PlaceImages(NamedTuple):
    """The images of places under the motions that identify solutions, the identity left out.

    sizes     [poses, axes]
    sides     [axes]
    axes      [motions, axes], mirrored [motions, axes]
    image_of  [motions, poses]
    """

    sizes: Long
    sides: Long
    axes: Long
    mirrored: Flags
    image_of: Long


def images_of(own: Sequence[Pose], whole: Whole, motions: Sequence[AxisMotion]) -> PlaceImages:
    """The images of places under motions."""
    others = [one for one in motions if not one.is_identity]
    number = {pose: at for at, pose in enumerate(own)}
    image_of = [
        [number[kind, tuple(size[axis] for axis in one.axes)] for kind, size in own]
        for one in others
    ]
    return PlaceImages(
        np.array([size for _, size in own], np.int64) // whole.unit,
        np.array(whole.sides, np.int64) // whole.unit,
        np.array([one.axes for one in others], np.int64),
        np.array([one.mirrored for one in others], bool),
        np.array(image_of, np.int64),
    )


def corner_rules(images: PlaceImages) -> tuple[Flags, Flags]:
    """The poses forbidden at each corner by the pose at the first, and the poses allowed there.

    Of the images of a solution only the one is wanted that has the first pose, in the order of the
    search, at the first corner. So a motion that takes another corner to the first must not take a
    pose there that is before. Bit a of the number of a corner is set if it is at the end of axis a.

    Returns bool [poses at the first corner, corners, poses] and bool [poses].
    """
    own, axes = images.sizes.shape
    forbidden = np.zeros((own, 1 << axes, own), bool)
    at_first = np.ones(own, bool)
    for order, mirrored, image in zip(images.axes, images.mirrored, images.image_of, strict=True):
        # The corner that the motion takes to the first.
        corner = sum(1 << int(order[axis]) for axis in range(axes) if mirrored[axis])
        before = image[None, :] < np.arange(own)[:, None]
        if corner:
            forbidden[:, corner] |= before
        else:
            at_first &= ~before.diagonal()
    return forbidden, at_first


def canonical(places: Places, images: PlaceImages) -> Flags:
    """Which solutions are the least of their images; equal ones are least too.

    A solution is compared as the sorted list of the keys of its places: the corner, then the pose.

    places  [solutions, pieces, 1 + axes]: the pose and the corner of each
    """
    least = np.ones(len(places), bool)
    if not len(places) or not len(images.axes):
        return least
    strides = len(images.sizes) * np.cumprod([1, *images.sides[:-1]])
    small = images.sides[-1] * strides[-1] <= np.iinfo(places.dtype).max
    numbers: Numbers = places if small else places.astype(np.int64)
    keys = _keys(numbers, strides, np.arange(len(images.sizes)))
    for order, mirrored, image in zip(images.axes, images.mirrored, images.image_of, strict=True):
        waiting = np.flatnonzero(least)
        factors = np.where(mirrored, -strides, strides)
        ends = np.where(mirrored, images.sides - images.sizes[image], 0) @ strides
        its, mine = _keys(numbers[waiting], factors[np.argsort(order)], ends + image), keys[waiting]
        rows, first = np.arange(waiting.size), (its != mine).argmax(axis=1)
        least[waiting] = its[rows, first] >= mine[rows, first]
    return least


def _keys(places: Numbers, factors: Long, of_pose: Long) -> Numbers:
    """The sorted keys of the places of each solution: the numbers of the corner times the factors,
    plus that of the pose."""
    keys: Numbers = of_pose.astype(places.dtype).take(places[:, :, 0])
    for axis, factor in enumerate(factors.tolist()):
        keys += places[:, :, 1 + axis] * factor
    keys.sort(axis=1)
    return keys
