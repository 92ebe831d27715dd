"""A search of bricks in a box that can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.rectangles.engine import Pose
from exactcover.backends.rectangles.placing import (
    REGISTERS,
    STATE,
    Images,
    Places,
    PlacingSearch,
    corner_rules,
)
from exactcover.backends.rectangles.reach import lengths_of, reachable, with_loose
from exactcover.errors import CapabilityError
from exactcover.problem.rectangles.motions import Motion
from exactcover.problem.rectangles.sizes import Box

if TYPE_CHECKING:
    from exactcover.backends.rectangles.brick_kernel import BrickTables, Pile

LARGEST = 1 << 20
"""The most cells of the ground, and the longest side, in units of the common divisor."""


class BrickSearch(PlacingSearch):
    """A search under way, in the style of `SkylineSearch`.

    box      the box and its bricks
    order    the order in which bricks are tried, one of `ORDERS`
    motions  the motions that identify solutions, see `symmetries`; of each set of images one
             solution is handed out
    """

    def __init__(self, box: Box, order: str = "largest", motions: Sequence[Motion] = ()) -> None:
        super().__init__(box, order, motions)
        self._tables = _tables(box, self._poses, self._images)
        self._state = _empty_box(box, self._tables)

    def _begun(self, level: int) -> tuple[int, int]:
        return int(self._state.next_way[level]), len(self._poses)

    def _fill(self, steps: int, out: Places) -> int:
        from exactcover.backends.rectangles.brick_kernel import stack_bricks

        written: int = stack_bricks(self._tables, self._state, steps, out)
        return written


def _tables(box: Box, own: Sequence[Pose], images: Images) -> BrickTables:
    from exactcover.backends.rectangles.brick_kernel import BrickTables

    sides = images.sides
    if max(int(sides[0] * sides[1]), int(sides.max())) > LARGEST:
        shown = "x".join(map(str, sides.tolist()))
        raise CapabilityError(
            f"the box of {shown} units is too large: its ground may have {LARGEST} cells"
        )
    kind = np.array([kind for kind, _ in own], np.int64)
    copies = np.array([one.copies for one in box.bricks], np.int64)
    reach = reachable(copies, lengths_of(box.bricks, box.unit), int(sides.max()))
    reach = with_loose(reach, copies)
    forbidden, at_first = corner_rules(images)
    return BrickTables(
        sides, kind, images.sizes, reach.lines, reach.parts, reach.weight, forbidden, at_first
    )


def _empty_box(box: Box, tables: BrickTables) -> Pile:
    """The state of a search that has not begun."""
    from exactcover.backends.rectangles.brick_kernel import Pile

    copies = np.array([one.copies for one in box.bricks], np.int64)
    levels = np.zeros((3, box.pieces + 1), np.int64)
    pile = Pile(
        registers=np.zeros(REGISTERS, np.int64),
        tally=np.zeros((box.pieces + 1, 2), np.int64),
        heights=np.zeros(int(tables.sides[0] * tables.sides[1]), np.int64),
        left=copies,
        next_way=levels[0],
        way=levels[1],
        cell=levels[2],
    )
    pile.registers[STATE] = int(copies @ tables.weight)
    return pile
