"""The search by skyline: its tables, its state, and what it reports.

The compiled part places rectangles by number: the pose, and the corner in units of the common
divisor.

A length is reachable if some of the copies left, laid end to end along an axis, have exactly this
length. The lengths are the bits of a line. The table has a line for each state of the copies,
numbered in mixed radix. If all kinds would make too many states, all copies of some count as left.
A line has a part for each axis. If lengths are reachable alike along both axes, which is so where
every rectangle may turn, there is one part for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long
from exactcover.backends.base import (
    Slice,
    Status,
    Tried,
    Where,
    check_capacity,
    searched_share,
)
from exactcover.backends.rectangles import ORDERS
from exactcover.base import LazyModule
from exactcover.base.values import Convention
from exactcover.errors import CapabilityError
from exactcover.problem.rectangles import Floor, FloorMotions, Places, Pose

if TYPE_CHECKING:
    from exactcover.backends.rectangles import kernel
else:
    kernel = LazyModule("exactcover.backends.rectangles.kernel")

DEPTH, STATE, BACKTRACKS, SOLVED, CURRENT, REGISTERS = range(6)
"""The registers of the compiled part: rectangles placed (-1 when all is searched), the state of the
copies left, nodes that ended without a solution, whether the node is a solution, the gap to fill,
and the number of registers."""

LONGEST = 1 << 13
"""The longest side of a floor, in units of the common divisor of all sizes."""

MOST_HELD = 1 << 20
"""The most numbers in the buffer of solutions of the kernel."""

MOST_WORDS = 1 << 19
"""The most words of the table of reachable lengths: 4 MiB."""


class SkylineSearch:
    """A search for the ways to fill a floor; all that changes while it runs is in its arrays.

    order    the order in which pieces are tried, one of `ORDERS`
    rule     pruned: the narrowest gap is filled, and dead ends are found early; plain: the lowest
             gap is filled, and only the width and the height decide
    counted  what counts as one solution. A pruned search leaves out solutions that are images of
             others, as far as their corners show it

    found    solutions found so far
    done     whether the whole tree has been searched
    """

    def __init__(
        self,
        floor: Floor,
        order: str = "largest",
        rule: str = "pruned",
        counted: Convention = "all",
    ) -> None:
        kinds = floor.rectangles
        ordered = sorted(range(len(kinds)), key=lambda number: ORDERS[order](kinds[number]))
        self.poses: list[Pose] = [
            (kind, size) for kind in ordered for size in sorted(kinds[kind].sizes, reverse=True)
        ]
        self._pieces, self._unit = floor.pieces, floor.unit
        self._progress = 0.0
        self._before = np.zeros((floor.pieces, 2), np.int64)  # the tally of earlier slices
        self.found, self.done = 0, floor.area != floor.rectangles_area
        motions = FloorMotions.of(floor, self.poses, counted if rule == "pruned" else "all")
        self._tables = _tables(floor, self.poses, motions, pruned=rule == "pruned")
        self._state = _empty_floor(self._tables, floor.pieces)
        if not self.done:
            self._state.tally[0, 1] = len(self.poses) - self._state.offered[0]

    @property
    def fits(self) -> int:
        """Rectangles placed so far, over the whole search."""
        return int(self._state.tally[:, 0].sum())

    @property
    def backtracks(self) -> int:
        """Nodes that ended without being a solution, the root among them."""
        return int(self._state.registers[BACKTRACKS])

    def advance(self, steps: int, *, capacity: int = 1 << 12) -> tuple[Slice, Places]:
        """Go on for about `steps` placements, or until `capacity` solutions are found.

        The slice has no rows. Solutions are [solutions, pieces, 3]: places as `FloorMotions` reads
        them. Of those that are images of each other, one or more are found.
        """
        check_capacity(capacity)
        room = min(capacity, max(1, MOST_HELD // (3 * self._pieces)))
        out = np.empty((room, self._pieces, 3), np.int32)
        written = 0 if self.done else kernel.fill(self._tables, self._state, steps, out)
        self.done = self.done or bool(self._state.registers[DEPTH] < 0)
        self.found += written
        places = out[:written]
        if self._unit > 1:
            places[:, :, 1:] *= self._unit
        full = Status.FULL if written == room else Status.BUDGET
        tally = self._state.tally[: self._pieces].copy()
        new, self._before = tally - self._before, tally
        fits, nofits = new.sum(axis=0).tolist()
        status = Status.DONE if self.done else full
        by_pieces = {
            self._pieces - level: Tried(fit + others, fit)
            for level, (fit, others) in enumerate(new.tolist())
            if fit + others
        }
        return Slice(status, found=written, fits=fits, nofits=nofits, tally=by_pieces), places

    def where(self) -> Where:
        """Where the search is."""
        depth = max(0, int(self._state.registers[DEPTH]))
        position = [(begun - 1, many) for begun, many in map(self._begun, range(depth))]
        begun, many = self._begun(depth)
        share = 1.0 if self.done else searched_share([*position, (begun, max(1, many))])[0]
        self._progress = max(self._progress, share)  # sums of shares are rounded
        return Where(self._progress, position)

    def _begun(self, level: int) -> tuple[int, int]:
        """The branches of a level that are begun, and all of them."""
        sky = self._state
        waiting = int(np.bitwise_count(sky.waiting[level, sky.word_at[level] :]).sum())
        branches = int(sky.offered[level])
        return branches - waiting, branches


def _tables(
    floor: Floor, poses: Sequence[Pose], motions: FloorMotions, *, pruned: bool
) -> kernel.SkylineTables:
    """The tables of a floor, with the poses in the order of the search."""
    width, height = (side // floor.unit for side in floor.sides)
    longest = max(width, height)
    if longest > LONGEST:
        raise CapabilityError(
            f"the floor has a side of {longest} units, and skyline takes at most {LONGEST}: "
            "choose sizes that have a common divisor, or let CP-SAT pack them"
        )
    kind = np.array([kind for kind, _ in poses], np.uint32)
    wide, high = (motions.sizes // floor.unit).T.copy()
    copies = np.array([one.copies for one in floor.rectangles], np.int64)
    lengths = _lengths(floor)
    ordered, words = np.sort(lengths, axis=2), longest // 64 + 1
    upright = 0 if (ordered[:, 0] == ordered[:, 1]).all() else words
    weight, states = _kinds_of_state(copies if pruned else copies[:0], upright + words)
    reach = np.zeros((states, upright + words), np.uint64)
    kernel.write_lines(reach, states, weight, copies, lengths, upright)
    forbidden, at_first = corner_rules(motions)
    across, up = np.arange(width + 1)[:, None], np.arange(height + 1)[:, None]
    return kernel.SkylineTables(
        pruned=int(pruned),
        width=width,
        height=height,
        kind_of=kind,
        way_wide=wide,
        way_high=high,
        copies=copies,
        weight=np.append(weight, np.zeros(copies.size - weight.size, np.int64)),
        narrowest=lengths[:, 0].min(axis=1),
        area=lengths[:, :, 0].prod(axis=1),
        ways_of=_bits(kind == np.arange(copies.size)[:, None]),
        narrow=_bits(wide <= across),
        low=_bits(high <= up),
        exactly_wide=_bits(wide == across),
        exactly_high=_bits(high == up),
        forbidden=_bits(forbidden[:, 1:]),
        at_first=_bits(at_first),
        reach=reach,
        upright=upright,
    )


def _lengths(floor: Floor) -> Long:
    """The sides of each kind along each axis in units: [kinds, axes, 2], equal if it lies one
    way."""
    own = [np.resize(kind.sizes, (2, 2)).T for kind in floor.rectangles]
    return np.array(own, np.int64) // floor.unit


def _kinds_of_state(copies: Long, line: int) -> tuple[Long, int]:
    """The weight of a copy of each kind in the number of a state, and the number of states.

    A kind with many copies adds few states for each piece, so those come first.

    line  the words of a line
    """
    weight, states = np.zeros(copies.size, np.int64), 1
    for kind in np.argsort(-copies, kind="stable").tolist():
        more = states * (int(copies[kind]) + 1)
        if more * line <= MOST_WORDS:
            weight[kind], states = states, more
    return weight, states


def _empty_floor(tables: kernel.SkylineTables, pieces: int) -> kernel.Skyline:
    """The state of a search that has not begun."""
    words, levels = tables.ways_of.shape[1], pieces + 1
    segments = int(kernel.MADE) + pieces
    long, index = np.zeros((3, segments), np.int64), np.zeros((2, segments), np.uint32)
    (x, wide, y), (before, after) = long, index
    sky = kernel.Skyline(
        registers=np.zeros(REGISTERS, np.int64),
        tally=np.zeros((levels, 2), np.int64),
        left=tables.copies.copy(),
        available=np.bitwise_or.reduce(tables.ways_of),
        x=x,
        wide=wide,
        y=y,
        before=before,
        after=after,
        way_at=np.zeros(levels, np.uint32),
        effect=np.zeros(levels, np.uint32),
        gap_at=np.zeros(levels, np.uint32),
        at_x=np.zeros(levels, np.int64),
        at_y=np.zeros(levels, np.int64),
        waiting=np.zeros((levels, words), np.uint64),
        word_at=np.zeros(levels, np.int64),
        offered=np.zeros(levels, np.int64),
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


def corner_rules(motions: FloorMotions) -> tuple[Flags, Flags]:
    """The poses forbidden at each corner by the pose at the first, and the poses allowed there.

    Of the images of a solution only the one is wanted that has the first pose, in the order of the
    search, at the first corner. A motion takes a pose from there to another pose at some corner.
    With that one there, the image by the motion back has the pose at the first corner, so it must
    not be before the pose that is there. Bit a of the number of a corner is set if it is at the end
    of axis a.

    Returns bool [poses at the first corner, corners, poses] and bool [poses].
    """
    number = np.arange(len(motions.sizes))
    forbidden, at_first = np.zeros((number.size, 4, number.size), bool), np.ones(number.size, bool)
    for mirrored, pose_of in zip(motions.mirrored, motions.pose_of, strict=True):
        if corner := int(mirrored @ (1, 2)):
            forbidden[:, corner, pose_of] |= number < number[:, None]
        else:
            at_first[pose_of[number < pose_of]] = False
    return forbidden, at_first
