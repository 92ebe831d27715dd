"""A search by skyline that can be stopped and resumed: it fills a floor with rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.rectangles.engine import RULES, Pose
from exactcover.backends.rectangles.placing import (
    CURRENT,
    REGISTERS,
    STATE,
    Flags,
    Images,
    Places,
    PlacingSearch,
    corner_rules,
)
from exactcover.backends.rectangles.reach import Words, lengths_of, reachable
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem.rectangles.motions import Motion
from exactcover.problem.rectangles.sizes import Floor

if TYPE_CHECKING:
    from exactcover.backends.rectangles.kernel import Skyline, SkylineTables

LONGEST = 1 << 13
"""The longest side of a floor, in units of the common divisor of all sizes."""


class SkylineSearch(PlacingSearch):
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
        super().__init__(floor, order, motions)
        self._tables = _tables(floor, self._poses, self._images, pruned=rule == "pruned")
        self._state = _empty_floor(self._tables, floor.pieces)
        if not self.done:
            self._state.tally[0, 1] = len(self._poses) - self._state.offered[0]

    def _fill(self, steps: int, out: Places) -> int:
        from exactcover.backends.rectangles.kernel import fill

        written: int = fill(self._tables, self._state, steps, out)
        return written

    def _begun(self, level: int) -> tuple[int, int]:
        sky = self._state
        waiting = int(np.bitwise_count(sky.waiting[level, sky.word_at[level] :]).sum())
        branches = int(sky.offered[level])
        return branches - waiting, branches


def _tables(floor: Floor, own: Sequence[Pose], images: Images, *, pruned: bool) -> SkylineTables:
    """The tables of a floor.

    own     the poses, in the order of the search
    images  of places, under the motions that identify solutions
    """
    from exactcover.backends.rectangles.kernel import SkylineTables

    width, height = images.sides.tolist()
    longest = max(width, height)
    if longest > LONGEST:
        raise CapabilityError(
            f"the floor has a side of {longest} units, and skyline takes at most {LONGEST}: "
            "choose sizes that have a common divisor, or let CP-SAT pack them"
        )
    kind = np.array([kind for kind, _ in own], np.int64)
    wide, high = images.sizes.T.copy()
    copies = np.array([one.copies for one in floor.kinds], np.int64)
    lengths = lengths_of(floor.kinds, floor.unit)
    read = copies.size if pruned else 0  # a plain search reads no lengths
    reach = reachable(copies[:read], lengths[:read], longest)
    spare = np.zeros((floor.pieces + 1, reach.lines.shape[1]), np.uint64)
    forbidden, at_first = corner_rules(images)
    across, up = np.arange(width + 1)[:, None], np.arange(height + 1)[:, None]
    return SkylineTables(
        pruned=int(pruned),
        width=width,
        height=height,
        kind_of=kind.astype(np.uint32),
        way_wide=wide,
        way_high=high,
        copies=copies,
        weight=reach.weight if pruned else np.zeros_like(copies),
        narrowest=lengths[:, 0].min(axis=1),
        area=lengths[:, :, 0].prod(axis=1),
        lengths=lengths,
        ways_of=_bits(kind == np.arange(copies.size)[:, None]),
        narrow=_bits(wide <= across),
        low=_bits(high <= up),
        exactly_wide=_bits(wide == across),
        exactly_high=_bits(high == up),
        forbidden=_bits(forbidden[:, 1:]),
        at_first=_bits(at_first if pruned else np.ones_like(at_first)),
        reach=np.concatenate([reach.lines, spare]),
        upright=int(reach.parts[1]),
        loose=reach.loose,
    )


def _empty_floor(tables: SkylineTables, pieces: int) -> Skyline:
    """The state of a search that has not begun."""
    from exactcover.backends.rectangles import kernel

    def longs(*shape: int) -> npt.NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    def indices(size: int) -> npt.NDArray[np.uint32]:
        return np.zeros(size, np.uint32)

    words, levels = tables.ways_of.shape[1], pieces + 1
    segments = int(kernel.MADE) + pieces
    sky = kernel.Skyline(
        registers=longs(REGISTERS),
        tally=longs(levels, 2),
        left=tables.copies.copy(),
        available=np.bitwise_or.reduce(tables.ways_of),
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
    left, right, ground = kernel.LEFT_END, kernel.RIGHT_END, kernel.GROUND
    sky.registers[STATE], sky.registers[CURRENT] = tables.copies @ tables.weight, ground
    sky.y[[left, right]], sky.wide[ground] = kernel.WALL, tables.width
    sky.after[left], sky.before[ground] = ground, left
    sky.after[ground], sky.before[right] = right, ground
    sky.waiting[0] = tables.narrow[tables.width] & tables.low[tables.height] & tables.at_first
    sky.offered[0] = np.bitwise_count(sky.waiting[0]).sum()
    return sky


def _bits(flags: Flags) -> Words:
    """The last axis as bits of words."""
    size = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-size // 64) * 64), bool)
    padded[..., :size] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)
