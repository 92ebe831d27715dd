"""A search by skyline that can be stopped and resumed: it fills a floor with rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Status
from exactcover.backends.skyline.tables import Plan, planned
from exactcover.backends.skyline.ways import Way
from exactcover.errors import StrategyError
from exactcover.rectangles import Floor, Motion, Placed

if TYPE_CHECKING:
    from exactcover.backends.skyline.kernel import Skyline

RULES = ("pruned", "plain")
"""The rules of a search: with pruning, or those of the article on Calibron 12."""

MOST_HELD = 1 << 20
"""The most numbers in the buffer of solutions between the kernel and the batch."""


@dataclass(frozen=True, eq=False)
class FloorBatch:
    """The solutions that one call of `advance` found.

    status  why it came back
    places  int32 [solutions, rectangles, 3]: the way, x and y of each, in the plan's unit
    plan    the ways and the unit
    """

    status: Status
    places: npt.NDArray[np.int32]
    plan: Plan

    def __len__(self) -> int:
        return len(self.places)

    def solution(self, number: int) -> tuple[Placed, ...]:
        """The rectangles of one solution, sorted."""
        places = self.places[number].tolist()
        return tuple(sorted(_placed(self.plan, way, x, y) for way, x, y in places))

    def solutions(self) -> list[tuple[Placed, ...]]:
        """All solutions."""
        return [self.solution(number) for number in range(len(self))]


class SkylineSearch:
    """A search under way; all that changes while it runs is in its arrays.

    floor    the floor and its rectangles
    order    the order in which rectangles are tried, one of `ORDERS`
    rule     pruned: the narrowest gap is filled, and dead ends are found early; plain: the lowest
             gap is filled, and only the width and the height decide
    motions  the motions that identify solutions, see `symmetries`; of each set of images one
             solution is handed out. None: all solutions are
    """

    def __init__(
        self,
        floor: Floor,
        order: str = "largest",
        rule: str = "pruned",
        motions: Sequence[Motion] = (),
    ) -> None:
        if rule not in RULES:
            raise StrategyError(f"rule {rule!r}: it must be one of {', '.join(RULES)}")
        self.floor = floor
        self.found = 0
        self._motions = [motion for motion in motions if motion != Motion()]
        self._plan: Plan = planned(floor, order, self._motions, pruned=rule == "pruned")
        self._sky = _skyline(self._plan, floor.pieces)
        self._done = floor.area != floor.rectangles_area
        if not self._done:
            self._kernel.begin(self._plan.tables, self._sky)

    @property
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""
        from exactcover.backends.skyline import kernel

        return kernel

    @property
    def done(self) -> bool:
        """Whether the whole tree has been searched."""
        return self._done

    @property
    def fits(self) -> int:
        """Rectangles placed so far, over the whole search."""
        return self._register(self._kernel.FITS)

    @property
    def nofits(self) -> int:
        """Ways that did not fit, or were pruned; all ways of a node count when it is entered."""
        return self._register(self._kernel.NOFITS)

    @property
    def backtracks(self) -> int:
        """Nodes that ended without being a solution, the root among them."""
        return self._register(self._kernel.BACKTRACKS)

    def _register(self, number: int) -> int:
        return int(self._sky.registers[number])

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> FloorBatch:
        """Go on for about `steps` placements, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in `found` but not handed out. Once the search is
        done, every further call returns an empty batch with the status `DONE`.
        """
        if capacity < 1:
            raise ValueError(f"a batch must have room for a solution, not for {capacity}")
        kernel, pieces = self._kernel, self.floor.pieces
        end = self.fits + steps
        kept: list[npt.NDArray[np.int32]] = []
        found, status = 0, Status.BUDGET
        while not self._done and self.fits < end and found < capacity:
            room = min(capacity - found, max(1, MOST_HELD // (3 * pieces)))
            out = np.empty((room, pieces, 3), np.int32)
            why, written = kernel.fill(self._plan.tables, self._sky, end - self.fits, out)
            self._done = why == kernel.DONE
            wanted = self._wanted(out[:written])
            found += len(wanted)
            if keep:
                kept.append(wanted)
        self.found += found
        if self._done:
            status = Status.DONE
        elif found == capacity:
            status = Status.FULL
        places = np.concatenate(kept) if kept else np.empty((0, pieces, 3), np.int32)
        return FloorBatch(status, places, self._plan)

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; sibling branches count equally."""
        if self._done:
            return 1.0
        behind, share = Fraction(0), Fraction(1)  # exact, so that it never decreases
        for branch, branches in self.position():
            share /= branches
            behind += share * branch
        begun, branches = self._begun(self._register(self._kernel.DEPTH))
        return float(behind + share * Fraction(begun, max(1, branches)))

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        levels = [self._begun(level) for level in range(self._register(self._kernel.DEPTH))]
        return [(begun - 1, branches) for begun, branches in levels]

    def _begun(self, level: int) -> tuple[int, int]:
        """The branches of a level that are begun, and all of them."""
        sky = self._sky
        waiting = int(np.bitwise_count(sky.waiting[level, sky.word_at[level] :]).sum())
        branches = int(sky.offered[level])
        return branches - waiting, branches

    def chosen(self) -> tuple[Placed, ...]:
        """The rectangles placed now, in the order of placement."""
        depth = max(0, self._register(self._kernel.DEPTH))
        ways = self._sky.way_at[:depth].tolist()
        xs, ys = self._sky.at_x[:depth].tolist(), self._sky.at_y[:depth].tolist()
        return tuple(_placed(self._plan, *one) for one in zip(ways, xs, ys, strict=True))

    def _wanted(self, places: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The solutions that stand for their images."""
        if not self._motions or not len(places):
            return places
        from exactcover.backends.skyline.canonical_kernel import canonical

        tables, ways = self._plan.tables, self._plan.ways
        number = {way: at for at, way in enumerate(ways)}
        turned = [number.get(Way(way.kind, way.height, way.width), -1) for way in ways]
        least = np.empty(len(places), bool)
        canonical(
            places,
            np.stack([tables.way_wide, tables.way_high], axis=1),
            np.array([tables.width, tables.height], np.int64),
            np.array([(1, 0) if motion.swap else (0, 1) for motion in self._motions], np.int64),
            np.array([(motion.mirror_x, motion.mirror_y) for motion in self._motions]),
            np.array([turned if motion.swap else range(len(ways)) for motion in self._motions]),
            least,
        )
        return places[least]


def _placed(plan: Plan, way: int, x: int, y: int) -> Placed:
    kind, width, height = plan.ways[way]
    return Placed(kind, x * plan.unit, y * plan.unit, width, height)


def _skyline(plan: Plan, pieces: int) -> Skyline:
    """The arrays of a search that has not begun."""
    from exactcover.backends.skyline import kernel

    words, levels = plan.tables.ways_of.shape[1], pieces + 1

    def longs(size: int) -> npt.NDArray[np.int64]:
        return np.zeros(size, np.int64)

    def indices(size: int) -> npt.NDArray[np.uint32]:
        return np.zeros(size, np.uint32)

    segments = int(kernel.MADE) + pieces
    return kernel.Skyline(
        registers=longs(kernel.REGISTERS),
        left=longs(plan.tables.copies.size),
        available=np.zeros(words, np.uint64),
        x=longs(segments),
        wide=longs(segments),
        y=longs(segments),
        before=indices(segments),
        after=indices(segments),
        way_at=indices(levels),
        effect=indices(levels),
        gap_at=indices(levels),
        at_x=longs(levels),
        at_y=longs(levels),
        waiting=np.zeros((levels, words), np.uint64),
        word_at=longs(levels),
        offered=longs(levels),
    )
