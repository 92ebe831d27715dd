"""A search by skyline that can be stopped and resumed: it fills a floor with rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.rectangles.placing import Places, PlacingSearch, images_of
from exactcover.backends.rectangles.tables import SkylineTables, planned
from exactcover.backends.rectangles.ways import RULES, ways_to_lie
from exactcover.errors import StrategyError
from exactcover.rectangles import Floor, Motion, Placed, unit_of

if TYPE_CHECKING:
    from exactcover.backends.rectangles.kernel import Skyline


class SkylineSearch(PlacingSearch[Placed]):
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
        self._ways, self._unit = ways_to_lie(floor.rectangles, order), unit_of(floor)
        self._images = images_of(self._ways, floor, motions)
        self._tables = planned(floor, self._ways, self._images, pruned=rule == "pruned")
        self._pieces = floor.pieces
        self._sky = _skyline(self._tables, floor.pieces)
        self._done = floor.area != floor.rectangles_area
        if not self._done:
            self._kernel.begin(self._tables, self._sky)

    @property
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""
        from exactcover.backends.rectangles import kernel

        return kernel

    @property
    def _state(self) -> Skyline:
        return self._sky

    def _fill(self, steps: int, out: Places) -> tuple[bool, int]:
        why, written = self._kernel.fill(self._tables, self._sky, steps, out)
        return why == self._kernel.DONE, written

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        levels = [self._begun(level) for level in range(self._register(self._kernel.DEPTH))]
        return [(begun - 1, branches) for begun, branches in levels]

    def _open(self) -> tuple[int, int]:
        return self._begun(self._register(self._kernel.DEPTH))

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
        return tuple(self._placed(*one) for one in zip(ways, xs, ys, strict=True))

    def _placed(self, *numbers: int) -> Placed:
        way, x, y = numbers
        kind, (width, height) = self._ways[way]
        return Placed(kind, x * self._unit, y * self._unit, width, height)


def _skyline(tables: SkylineTables, pieces: int) -> Skyline:
    """The arrays of a search that has not begun."""
    from exactcover.backends.rectangles import kernel

    words, levels = tables.ways_of.shape[1], pieces + 1

    def longs(size: int) -> npt.NDArray[np.int64]:
        return np.zeros(size, np.int64)

    def indices(size: int) -> npt.NDArray[np.uint32]:
        return np.zeros(size, np.uint32)

    segments = int(kernel.MADE) + pieces
    return kernel.Skyline(
        registers=longs(kernel.REGISTERS),
        tally=np.zeros((levels, 2), np.int64),
        left=longs(tables.copies.size),
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
