"""What searches of a floor and of a box share: batches, counters, the canonical test."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Status, Tried
from exactcover.backends.rectangles.ways import Way
from exactcover.rectangles import Motion, Whole, unit_of

PlaceT = TypeVar("PlaceT")

MOST_HELD = 1 << 20
"""The most numbers in the buffer of solutions between the kernel and the batch."""

Places = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PlacesBatch(Generic[PlaceT]):
    """The solutions that one call of `advance` found.

    status  why it came back
    places  int32 [solutions, pieces, 1 + axes]: the way and the corner of each, as they were placed
    placed  makes a place of these numbers
    """

    status: Status
    places: Places
    placed: Callable[..., PlaceT]

    def __len__(self) -> int:
        return len(self.places)

    def solution(self, number: int) -> tuple[PlaceT, ...]:
        """The pieces of one solution, sorted."""
        placed: list[PlaceT] = [self.placed(*one) for one in self.places[number].tolist()]
        return tuple(sorted(placed))  # type: ignore[type-var]

    def solutions(self) -> list[tuple[PlaceT, ...]]:
        """All solutions."""
        return [self.solution(number) for number in range(len(self))]


class Images(NamedTuple):
    """The images of places under the motions that identify solutions; see `canonical`.

    sizes     [ways, axes]
    sides     [axes]
    axes      [motions, axes], mirrored [motions, axes]
    image_of  [motions, ways]
    """

    sizes: Long
    sides: Long
    axes: Long
    mirrored: Flags
    image_of: Long

    def none(self) -> Images:
        """The same without a motion."""
        none = {name: getattr(self, name)[:0] for name in ("axes", "mirrored", "image_of")}
        return self._replace(**none)


def images_of(ways: Sequence[Way], whole: Whole, motions: Sequence[Motion]) -> Images:
    """The images of places under motions, the identity left out."""
    others = [one for one in motions if not one.is_identity]
    number, unit = {way: at for at, way in enumerate(ways)}, unit_of(whole)
    image_of = [
        [number.get(Way(kind, tuple(size[axis] for axis in one.axes)), -1) for kind, size in ways]
        for one in others
    ]
    return Images(
        np.array([size for _, size in ways], np.int64) // unit,
        np.array(whole.sides, np.int64) // unit,
        np.array([one.axes for one in others], np.int64),
        np.array([one.mirrored for one in others], bool),
        np.array(image_of, np.int64),
    )


def corner_rules(images: Images) -> tuple[Flags, Flags]:
    """The ways forbidden at each corner by the way at the first, and the ways allowed there.

    Of the images of a solution only the one is wanted that has the first way, in the order of the
    search, at the first corner. So a motion that takes another corner to the first must not take a
    way there that is before. Bit a of the number of a corner is set if it is at the end of axis a.

    Returns bool [ways at the first corner, corners, ways] and bool [ways].
    """
    ways, axes = images.sizes.shape
    forbidden = np.zeros((ways, 1 << axes, ways), bool)
    at_first = np.ones(ways, bool)
    for order, mirrored, image in zip(images.axes, images.mirrored, images.image_of, strict=True):
        # The corner that the motion takes to the first.
        corner = sum(1 << int(order[axis]) for axis in range(axes) if mirrored[axis])
        before = image[None, :] < np.arange(ways)[:, None]
        if corner:
            forbidden[:, corner] |= before
        else:
            at_first &= ~before.diagonal()
    return forbidden, at_first


class State(Protocol):
    """What the states of both compiled searches have."""

    @property
    def registers(self) -> Long:
        """Single numbers, as the kernel names them."""

    @property
    def tally(self) -> Long:
        """The ways that fit at each level, and those that do not: [levels, 2]."""


class PlacingSearch(ABC, Generic[PlaceT]):
    """A search under way; all that changes while it runs is in its arrays.

    found  solutions found so far
    """

    _pieces: int
    _images: Images
    _done: bool
    found: int

    @abstractmethod
    def _fill(self, steps: int, out: Places) -> tuple[bool, int]:
        """Call the kernel; return whether all is searched, and how many solutions are in `out`."""

    @abstractmethod
    def _placed(self, *numbers: int) -> PlaceT:
        """The place with these numbers: the way and the corner."""

    @abstractmethod
    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""

    @abstractmethod
    def _open(self) -> tuple[int, int]:
        """The branches of the current node that are done, and all of them."""

    @property
    @abstractmethod
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""

    @property
    @abstractmethod
    def _state(self) -> State:
        """The arrays of the compiled part."""

    def _register(self, number: int) -> int:
        return int(self._state.registers[number])

    @property
    def fits(self) -> int:
        """Pieces placed so far, over the whole search."""
        return int(self._state.tally[:, 0].sum())

    @property
    def nofits(self) -> int:
        """Ways to lie that did not fit, or were pruned. Skyline counts all ways of a node when it
        is entered."""
        return int(self._state.tally[:, 1].sum())

    @property
    def backtracks(self) -> int:
        """Nodes that ended without being a solution, the root among them."""
        return self._register(self._kernel.BACKTRACKS)

    def tally(self) -> dict[int, Tried]:
        """The ways to lie that were tried, by the number of pieces left before."""
        tally = self._state.tally[: self._pieces].tolist()
        return {
            self._pieces - level: Tried(fits + nofits, fits)
            for level, (fits, nofits) in enumerate(tally)
            if fits + nofits
        }

    @property
    def done(self) -> bool:
        """Whether the whole tree has been searched."""
        return self._done

    def advance(
        self, steps: int, *, capacity: int = 1 << 12, keep: bool = True
    ) -> PlacesBatch[PlaceT]:
        """Go on for about `steps` placements, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in `found` but not handed out. Once the search is
        done, every further call returns an empty batch with the status `DONE`.
        """
        if capacity < 1:
            raise ValueError(f"a batch must have room for a solution, not for {capacity}")
        numbers = 1 + self._images.sides.size
        end = self.fits + steps
        kept: list[Places] = []
        found, status = 0, Status.BUDGET
        while not self._done and self.fits < end and found < capacity:
            room = min(capacity - found, max(1, MOST_HELD // (numbers * self._pieces)))
            out = np.empty((room, self._pieces, numbers), np.int32)
            self._done, written = self._fill(end - self.fits, out)
            wanted = self._wanted(out[:written])
            found += len(wanted)
            if keep:
                kept.append(wanted)
        self.found += found
        if self._done:
            status = Status.DONE
        elif found == capacity:
            status = Status.FULL
        places = np.concatenate(kept) if kept else np.empty((0, self._pieces, numbers), np.int32)
        return PlacesBatch(status, places, self._placed)

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; sibling branches count equally."""
        if self._done:
            return 1.0
        behind, share = Fraction(0), Fraction(1)  # exact, so that it never decreases
        for branch, branches in self.position():
            share /= branches
            behind += share * branch
        begun, branches = self._open()
        return float(behind + share * Fraction(begun, max(1, branches)))

    def _wanted(self, places: Places) -> Places:
        """The solutions that stand for their images."""
        if not len(self._images.axes) or not len(places):
            return places
        from exactcover.backends.rectangles.canonical_kernel import canonical

        least = np.empty(len(places), bool)
        canonical(places, *self._images, least)
        return places[least]
