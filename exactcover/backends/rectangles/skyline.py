"""The search by skyline, its symmetries, and its table of reachable lengths.

The compiled part places rectangles by number: the pose, see `engine.poses`, and the corner in units
of the common divisor.

A length is reachable if some of the copies left, laid end to end along an axis, have exactly this
length. The lengths are the bits of a line. The table has a line for each state of the copies,
numbered in mixed radix. If all kinds would make too many states, some are left out; they are loose.
A line has a part for each axis. If lengths are reachable alike along both axes, which is so where
every rectangle may turn, there is one part for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Flags, Index, Long
from exactcover.backends.base import Report, Status, Tried, check_capacity
from exactcover.backends.rectangles.engine import RULES, Filled, poses
from exactcover.base.patience import patiently
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem.rectangles import AxisMotion, Floor, Placed, Rectangle, Size

if TYPE_CHECKING:
    from exactcover.backends.rectangles.kernel import Skyline, SkylineTables

DEPTH, STATE, BACKTRACKS, SOLVED, CURRENT, REGISTERS = range(6)
"""The registers of the compiled part: rectangles placed (-1 when all is searched), the state of the
copies left, nodes that ended without a solution, whether the node is a solution, the gap to fill,
and the number of registers."""

LONGEST = 1 << 13
"""The longest side of a floor, in units of the common divisor of all sizes."""

MOST_HELD = 1 << 20
"""The most numbers in the buffer of solutions between the kernel and the batch."""

MOST_WORDS = 1 << 19
"""The most words of the table of reachable lengths: 4 MiB."""

Places = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int32 | np.int64]


class SkylineSearch:
    """A search for the ways to fill a floor; all that changes while it runs is in its arrays.

    order    the order in which pieces are tried, one of `ORDERS`
    rule     pruned: the narrowest gap is filled, and dead ends are found early; plain: the lowest
             gap is filled, and only the width and the height decide
    motions  the motions that identify solutions: of each set of images one is handed out

    found    solutions found so far
    done     whether the whole tree has been searched
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
        self._pieces, self._unit = floor.pieces, floor.unit
        self._poses = poses(floor.rectangles, order)
        self._images = images_of(self._poses, floor, motions)
        self.found, self.done = 0, floor.area != floor.rectangles_area
        self._tables = _tables(floor, self._poses, self._images, pruned=rule == "pruned")
        self._state = _empty_floor(self._tables, floor.pieces)
        if not self.done:
            self._state.tally[0, 1] = len(self._poses) - self._state.offered[0]

    @property
    def fits(self) -> int:
        """Rectangles placed so far, over the whole search."""
        return int(self._state.tally[:, 0].sum())

    @property
    def nofits(self) -> int:
        """Ways to lie that did not fit, or were pruned."""
        return int(self._state.tally[:, 1].sum())

    @property
    def backtracks(self) -> int:
        """Nodes that ended without being a solution, the root among them."""
        return int(self._state.registers[BACKTRACKS])

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Go on for about `steps` placements, see `Filling.advance`."""
        from exactcover.backends.rectangles.kernel import fill

        check_capacity(capacity)
        end = self.fits + steps
        kept: list[tuple[Placed, ...]] = []
        found = 0
        while not self.done and self.fits < end and found < capacity:
            room = min(capacity - found, max(1, MOST_HELD // (3 * self._pieces)))
            out = np.empty((room, self._pieces, 3), np.int32)
            written = fill(self._tables, self._state, end - self.fits, out)
            self.done = bool(self._state.registers[DEPTH] < 0)
            wanted = out[:written][canonical(out[:written], self._images)]
            found += len(wanted)
            if keep:
                kept += map(self._solution, wanted.tolist())
        self.found += found
        full = Status.FULL if found == capacity else Status.BUDGET
        return Filled(Status.DONE if self.done else full, kept)

    def _solution(self, places: list[list[int]]) -> tuple[Placed, ...]:
        """A solution from the numbers of its places, sorted."""
        found = []
        for pose, x, y in places:
            kind, size = self._poses[pose]
            found.append(Placed(kind, x * self._unit, y * self._unit, *size))
        return tuple(sorted(found))

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

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        return [(begun - 1, many) for begun, many in map(self._begun, range(self._depth()))]

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; sibling branches count equally."""
        if self.done:
            return 1.0
        behind, share = Fraction(0), Fraction(1)  # exact, so that it never decreases
        for branch, branches in self.position():
            share /= branches
            behind += share * branch
        begun, branches = self._begun(self._depth())
        return float(behind + share * Fraction(begun, max(1, branches)))

    def _depth(self) -> int:
        return max(0, int(self._state.registers[DEPTH]))

    def _begun(self, level: int) -> tuple[int, int]:
        """The branches of a level that are begun, and all of them."""
        sky = self._state
        waiting = int(np.bitwise_count(sky.waiting[level, sky.word_at[level] :]).sum())
        branches = int(sky.offered[level])
        return branches - waiting, branches


def _tables(
    floor: Floor, own: Sequence[tuple[int, Size]], images: PlaceImages, *, pruned: bool
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
    copies = np.array([one.copies for one in floor.rectangles], np.int64)
    lengths = lengths_of(floor.rectangles, floor.unit)
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


def images_of(
    own: Sequence[tuple[int, Size]], floor: Floor, motions: Sequence[AxisMotion]
) -> PlaceImages:
    """The images of places under motions."""
    others = [one for one in motions if not one.is_identity]
    number = {pose: at for at, pose in enumerate(own)}
    image_of = [
        [number[kind, size[::-1] if one.swaps else size] for kind, size in own] for one in others
    ]
    return PlaceImages(
        np.array([size for _, size in own], np.int64) // floor.unit,
        np.array(floor.sides, np.int64) // floor.unit,
        np.array([(1, 0) if one.swaps else (0, 1) for one in others], np.int64),
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


# -- reachable lengths -----------------------------------------------------------------------------


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


def lengths_of(kinds: Sequence[Rectangle], unit: int) -> Long:
    """The sides of each kind along each axis in units: [kinds, axes, ways], some repeated."""
    ways = max(len(kind.sizes) for kind in kinds)
    own = [np.resize(kind.sizes, (ways, 2)).T for kind in kinds]
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
