"""The searches by skyline, and their table of reachable lengths.

A length is reachable if some of the copies left, laid end to end along an axis, have exactly this
length. The lengths are the bits of a line. The table has a line for each state of the copies,
numbered in mixed radix. If all kinds would make too many states, some are left out; they are loose.
A line has a part for each axis. If lengths are reachable alike along all axes, which is so where
every piece may turn, there is one part for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Index, Long
from exactcover.backends.rectangles.engine import RULES, Pose
from exactcover.backends.rectangles.placing import (
    CURRENT,
    REGISTERS,
    STATE,
    PlaceImages,
    Places,
    PlacingSearch,
    corner_rules,
)
from exactcover.base.patience import patiently
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem.rectangles.sizes import AxisMotion, Box, Floor, PieceKind

if TYPE_CHECKING:
    from exactcover.backends.rectangles.brick_kernel import BrickTables, Pile
    from exactcover.backends.rectangles.kernel import Skyline, SkylineTables


LONGEST = 1 << 13
"""The longest side of a floor, in units of the common divisor of all sizes."""

LARGEST = 1 << 20
"""The most cells of the ground, and the longest side, in units of the common divisor."""


class SkylineSearch(PlacingSearch):
    """A search for the ways to fill a floor.

    order    the order in which pieces are tried, one of `ORDERS`
    rule     pruned: the narrowest gap is filled, and dead ends are found early; plain: the lowest
             gap is filled, and only the width and the height decide
    motions  the motions that identify solutions: of each set of images one is handed out
    """

    def __init__(
        self,
        floor: Floor,
        order: str = "largest",
        rule: str = "pruned",
        motions: Sequence[AxisMotion] = (),
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


def _tables(
    floor: Floor, own: Sequence[Pose], images: PlaceImages, *, pruned: bool
) -> SkylineTables:
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

    def longs(*shape: int) -> Long:
        return np.zeros(shape, np.int64)

    def indices(size: int) -> Index:
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


def _bits(flags: Flags) -> Bits:
    """The last axis as bits of words."""
    size = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-size // 64) * 64), bool)
    padded[..., :size] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


# -- bricks ----------------------------------------------------------------------------------------


class BrickSearch(PlacingSearch):
    """A search for the ways to fill a box, in the style of `SkylineSearch`."""

    def __init__(
        self, box: Box, order: str = "largest", motions: Sequence[AxisMotion] = ()
    ) -> None:
        super().__init__(box, order, motions)
        self._tables = _brick_tables(box, self._poses, self._images)
        self._state = _empty_box(box, self._tables)

    def _begun(self, level: int) -> tuple[int, int]:
        return int(self._state.next_way[level]), len(self._poses)

    def _fill(self, steps: int, out: Places) -> int:
        from exactcover.backends.rectangles.brick_kernel import stack_bricks

        written: int = stack_bricks(self._tables, self._state, steps, out)
        return written


def _brick_tables(box: Box, own: Sequence[Pose], images: PlaceImages) -> BrickTables:
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


# -- reachable lengths -----------------------------------------------------------------------------


MOST_WORDS = 1 << 19
"""The most words of the table: 4 MiB."""


class Reach(NamedTuple):
    """The reachable lengths of all states.

    lines    [states, words]
    parts    [axes]   where the part of each axis begins in a line, in words
    weight   [kinds]  of a copy in the number of a state; 0 for loose kinds
    loose             the kinds that are not part of the state
    lengths  [kinds, axes, ways]  the sides of a kind along each axis; some may be equal
    """

    lines: Bits
    parts: Long
    weight: Long
    loose: Long
    lengths: Long


def lengths_of(kinds: Sequence[PieceKind], unit: int) -> Long:
    """The sides of each kind along each axis in units: [kinds, axes, ways], some repeated."""
    ways = max(len(kind.sizes) for kind in kinds)
    own = [np.resize(kind.sizes, (ways, len(kind.size))).T for kind in kinds]
    return np.array(own, np.int64) // unit


def reachable(copies: Long, lengths: Long, longest: int) -> Reach:
    """The reachable lengths up to the longest one."""
    axes, limbs = lengths.shape[1], longest // 64 + 1
    ordered = np.sort(lengths, axis=2)
    alike = bool((ordered == ordered[:, :1]).all())
    parts = 1 if alike else axes
    listed, loose = _kinds_of_state(copies, limbs * parts)
    weight = np.zeros(copies.size, np.int64)
    weight[listed] = np.cumprod([1, *(copies[listed] + 1)])[:-1]
    lines = np.zeros((1, parts, limbs), np.uint64)
    lines[:, :, 0] = 1
    for kind in patiently(listed):
        blocks = [lines]
        for _ in range(int(copies[kind])):
            blocks.append(_with_copy(blocks[-1], lengths[kind]))
        lines = np.concatenate(blocks)
    return Reach(
        lines.reshape(len(lines), parts * limbs),
        np.arange(axes) * (0 if alike else limbs),
        weight,
        np.array(loose, np.int64),
        lengths,
    )


def with_loose(reach: Reach, copies: Long) -> Reach:
    """The table as if all loose copies were left in every state: it excludes less, and is right."""
    parts = len(set(reach.parts.tolist()))
    lines = reach.lines.reshape(len(reach.lines), parts, -1)
    for kind in reach.loose.tolist():
        for _ in range(int(copies[kind])):
            lines = _with_copy(lines, reach.lengths[kind])
    return reach._replace(lines=lines.reshape(len(lines), -1))


def _with_copy(lines: Bits, lengths: Long) -> Bits:
    """The lengths with one more copy: [states, parts, words], and [axes, ways] of the copy."""
    longer = lines.copy()
    for part in range(lines.shape[1]):
        for length in {*lengths[part].tolist()}:
            _add_shifted(longer[:, part], lines[:, part], length)
    return longer


def _kinds_of_state(copies: Long, line: int) -> tuple[list[int], list[int]]:
    """The kinds that number the states, and the others.

    A kind with many copies adds few states for each piece, so those come first.

    line  the words of a line
    """
    listed: list[int] = []
    loose: list[int] = []
    states = 1
    for kind in np.argsort(-copies, kind="stable").tolist():
        more = states * (int(copies[kind]) + 1)
        if more * line <= MOST_WORDS:
            listed.append(kind)
            states = more
        else:
            loose.append(kind)
    return listed, loose


def _add_shifted(lines: Bits, by: Bits, length: int) -> None:
    """Add the lengths of each line of `by`, longer by a length; those too long are lost."""
    words, bits = divmod(length, 64)
    room = lines.shape[1] - words
    if room > 0:
        lines[:, words:] |= by[:, :room] << np.uint64(bits)
    if room > 1 and bits:
        lines[:, words + 1 :] |= by[:, : room - 1] >> np.uint64(64 - bits)
