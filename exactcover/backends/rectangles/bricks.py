"""A search of bricks in a box that can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.rectangles.placing import (
    Images,
    Places,
    PlacingSearch,
    corner_rules,
    images_of,
)
from exactcover.backends.rectangles.reach import reachable, with_loose
from exactcover.backends.rectangles.ways import Way, ways_to_lie
from exactcover.errors import CapabilityError
from exactcover.rectangles import Box, Laid, Motion, unit_of

if TYPE_CHECKING:
    from exactcover.backends.rectangles.brick_kernel import BrickTables, Pile

LARGEST = 1 << 20
"""The most cells of the ground, and the longest side, in units of the common divisor."""


class BrickSearch(PlacingSearch[Laid]):
    """A search under way, in the style of `SkylineSearch`.

    box      the box and its bricks
    order    the order in which bricks are tried, one of `ORDERS`
    motions  the motions that identify solutions, see `symmetries`; of each set of images one
             solution is handed out
    """

    def __init__(self, box: Box, order: str = "largest", motions: Sequence[Motion] = ()) -> None:
        self.box = box
        self.found = 0
        self._ways, self._unit = ways_to_lie(box.bricks, order), unit_of(box)
        self._images = images_of(self._ways, box, motions)
        self._pieces = box.pieces
        self._done = box.volume != box.bricks_volume
        self._tables = _tables(box, self._ways, self._images)
        self._pile = _pile(box, self._tables)

    @property
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""
        from exactcover.backends.rectangles import brick_kernel

        return brick_kernel

    @property
    def _state(self) -> Pile:
        return self._pile

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which way of how many is being tried at each level."""
        ways = len(self._ways)
        depth = max(0, self._register(self._kernel.DEPTH))
        return [(int(following) - 1, ways) for following in self._pile.next_way[:depth]]

    def _open(self) -> tuple[int, int]:
        level = self._register(self._kernel.DEPTH)
        return int(self._pile.next_way[level]), len(self._ways)

    def _fill(self, steps: int, out: Places) -> tuple[bool, int]:
        why, written = self._kernel.stack_bricks(self._tables, self._pile, steps, out)
        return why == self._kernel.DONE, written

    def _placed(self, *numbers: int) -> Laid:
        kind, (width, depth, height) = self._ways[numbers[0]]
        x, y, z = (at * self._unit for at in numbers[1:])
        return Laid(kind, x, y, z, width, depth, height)


def _tables(box: Box, ways: Sequence[Way], images: Images) -> BrickTables:
    from exactcover.backends.rectangles.brick_kernel import BrickTables

    sides, sizes = images.sides, images.sizes
    if max(int(sides[0] * sides[1]), int(sides.max())) > LARGEST:
        shown = "x".join(map(str, sides.tolist()))
        raise CapabilityError(
            f"the box of {shown} units is too large: its ground may have {LARGEST} cells"
        )
    kind = np.array([way.kind for way in ways], np.int64)
    copies = np.array([one.copies for one in box.bricks], np.int64)
    most = max(len(one.sizes) for one in box.bricks)
    lengths = np.empty((copies.size, 3, most), np.int64)
    for number in range(copies.size):
        own = sizes[kind == number]
        lengths[number] = np.resize(own, (most, 3)).T
    reach = with_loose(reachable(copies, lengths, int(sides.max())), copies)
    forbidden, at_first = corner_rules(images)
    return BrickTables(
        sides, kind, sizes, reach.lines, reach.parts, reach.weight, forbidden, at_first
    )


def _pile(box: Box, tables: BrickTables) -> Pile:
    """The arrays of a search that has not begun."""
    from exactcover.backends.rectangles import brick_kernel

    copies = np.array([one.copies for one in box.bricks], np.int64)

    def longs(size: int) -> npt.NDArray[np.int64]:
        return np.zeros(size, np.int64)

    registers = longs(brick_kernel.REGISTERS)
    registers[brick_kernel.STATE] = int(copies @ tables.weight)
    levels = box.pieces + 1
    return brick_kernel.Pile(
        registers,
        np.zeros((levels, 2), np.int64),
        longs(int(tables.sides[0] * tables.sides[1])),
        copies,
        longs(levels),
        longs(levels),
        longs(levels),
    )
