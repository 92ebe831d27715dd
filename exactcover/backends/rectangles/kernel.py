"""The search by skyline, compiled.

The skyline is the upper edge of what is filled: segments from left to right, each with a height.
The segment to fill is a gap: both of its neighbours are higher. A rectangle is placed at its left
end. It must fit between the neighbours, and below the top of the floor. So it overlaps nothing, and
nothing else needs a test. Neighbours of equal height merge into one segment.

Plain searches fill the lowest gap, the leftmost of those. This is the algorithm of the article on
Calibron 12, which copies its heap at every step. Here the segments are a doubly linked list, and
each of the six ways to place a rectangle is undone by itself.

Pruned searches fill the narrowest gap, since few rectangles fit there, and go back where

- the width of a gap is not reachable (see `skyline`): all rectangles in it lie between its ends;
- the height that is left above a segment is not reachable;
- the rectangles narrow enough for a gap have not enough area to fill it;
- a corner of the floor would have a way that is before that of the first corner, so that the
  solution would be the image of another one.

All state is in arrays, so a search can be left after any number of steps and resumed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.bits import lowest, population
from exactcover.backends.rectangles.skyline import BACKTRACKS, CURRENT, DEPTH, SOLVED, STATE
from exactcover.base.compiled import jit, part

U0, U1 = np.uint64(0), np.uint64(1)
LOW6 = np.uint64(63)

LEFT_END, RIGHT_END, GROUND, MADE = (np.uint32(number) for number in range(4))
"""The first segments: two walls, and the ground. Rectangle number d makes segment MADE + d."""

SPLIT, WIDENED, RAISED, JOINED_BEFORE, JOINED_AFTER, JOINED_BOTH = range(6)
"""The change of the skyline by a rectangle: it made a segment, or widened its neighbour, and left
the rest of the gap; or it filled the gap, which is raised, or joined to one or both neighbours."""

WALL = 1 << 40
"""The height of the walls."""


class SkylineTables(NamedTuple):
    """The tables of a search; nothing in them changes.

    A set of ways to lie is a row of words with a bit for each way. The ways that fit into a gap are
    the intersection of three sets: those with a copy left, those narrow enough, and those low
    enough. So no way that does not fit is tried.

    pruned        1: dead ends are found early; 0: only the width and the height decide
    width, height of the floor, in units of the common divisor
    kind_of, way_wide, way_high  [ways]     the kind and the size of each way
    copies        [kinds]
    weight        [kinds]                   of a copy in the number of a state
    narrowest, area  [kinds]                the least width, and the area of a copy
    ways_of       [kinds, words]            the ways of each kind
    narrow, low   [length + 1, words]       the ways at most this wide, or this high
    exactly_wide, exactly_high              the ways exactly this wide, or this high
    forbidden     [ways, corners, words]    see `corner_rules`, without the first corner
    at_first      [words]                   the ways allowed at the first corner
    reach         [states, words]           the reachable lengths by state of the copies, see
                                            `skyline`
    upright       where the lengths upright begin in a line, in words
    """

    pruned: int
    width: int
    height: int
    kind_of: Index
    way_wide: Long
    way_high: Long
    copies: Long
    weight: Long
    narrowest: Long
    area: Long
    ways_of: Bits
    narrow: Bits
    low: Bits
    exactly_wide: Bits
    exactly_high: Bits
    forbidden: Bits
    at_first: Bits
    reach: Bits
    upright: int


class Skyline(NamedTuple):
    """The state of a search.

    registers                     see `skyline`
    tally      [levels, 2]        the ways that fit at each level, and those that do not
    left       [kinds]            the copies left
    available  [words]            the ways of these
    x, wide, y, before, after  [segments]  where a segment is, and its neighbours
    way_at, effect, gap_at     [levels]    what is placed, what it did to the skyline, in which gap
    at_x, at_y                 [levels]    where it is placed
    waiting    [levels, words]    the ways to try at each level
    word_at    [levels]           the word of these that is tried
    offered    [levels]           how many ways there were to try
    """

    registers: Long
    tally: Long
    left: Long
    available: Bits
    x: Long
    wide: Long
    y: Long
    before: Index
    after: Index
    way_at: Index
    effect: Index
    gap_at: Index
    at_x: Long
    at_y: Long
    waiting: Bits
    word_at: Long
    offered: Long


@part
def _has(word: np.uint64, length: int) -> bool:
    """Whether a length is one of those in a word; the word is the one for it."""
    return bool((word >> (np.uint64(length) & LOW6)) & U1)


@jit
def _lengthen(
    reach: Bits, line: int, begin: int, end: int, lengths: Long, kind: int, axis: int
) -> None:
    """Add a copy to a part of a line: downwards, so that each word is read before it changes."""
    for word in range(end - 1, begin - 1, -1):
        more = reach[line, word]
        for side in range(lengths.shape[2]):
            length = lengths[kind, axis, side]
            place = word - (length >> 6)
            bits = np.uint64(length) & LOW6
            if place >= begin:
                more |= reach[line, place] << bits
            if bits != U0 and place > begin:
                more |= reach[line, place - 1] >> (LOW6 - bits + U1)
        reach[line, word] = more


@jit
def _add_copy(reach: Bits, line: int, upright: int, lengths: Long, kind: int) -> None:
    """Add a copy to both parts of a line."""
    if upright:
        _lengthen(reach, line, 0, upright, lengths, kind, 0)
    _lengthen(reach, line, upright, reach.shape[1], lengths, kind, 1)


@jit
def write_lines(
    reach: Bits, states: int, weight: Long, copies: Long, lengths: Long, upright: int
) -> None:
    """Write the line of each state, from that of a state with a copy less.

    weight  [kinds]: of a copy in the number of a state; 0: all copies are in every line
    """
    reach[0, 0] = reach[0, upright] = U1
    for kind in range(weight.size):
        for _ in range(copies[kind] if weight[kind] == 0 else 0):
            _add_copy(reach, 0, upright, lengths, kind)
    for state in range(1, states):
        for kind in range(weight.size):
            if weight[kind] and state // weight[kind] % (copies[kind] + 1):
                reach[state] = reach[state - weight[kind]]
                _add_copy(reach, state, upright, lengths, kind)
                break


@jit
def fill(tables: SkylineTables, sky: Skyline, steps: int, out: npt.NDArray[np.int32]) -> int:
    """Go on for some placements, or until `out` is full.

    Returns how many solutions are in `out`: [solutions, rectangles, 3], the way, x and y of each,
    in the order in which they are placed.

    It is one function, since every array handed to another one is counted as a reference, which
    takes longer than placing a rectangle.
    """
    registers, tally, left, available = sky.registers, sky.tally, sky.left, sky.available
    x, wide, y, before, after = sky.x, sky.wide, sky.y, sky.before, sky.after
    way_at, effect, gap_at, at_x, at_y = sky.way_at, sky.effect, sky.gap_at, sky.at_x, sky.at_y
    waiting, word_at, offered = sky.waiting, sky.word_at, sky.offered
    kind_of, way_wide, way_high = tables.kind_of, tables.way_wide, tables.way_high
    weight, narrowest, area = tables.weight, tables.narrowest, tables.area
    ways_of, narrow, low = tables.ways_of, tables.narrow, tables.low
    reach, upright = tables.reach, tables.upright
    exactly_wide, exactly_high = tables.exactly_wide, tables.exactly_high
    forbidden = tables.forbidden
    pruned, floor_width, floor_height = tables.pruned, tables.width, tables.height
    words = available.size
    depth, gap, state = registers[DEPTH], np.uint32(registers[CURRENT]), registers[STATE]
    backtracks, solved = registers[BACKTRACKS], registers[SOLVED]
    placed, written, line = 0, 0, 0
    if depth < 0:
        return written
    at = word_at[depth]
    word = waiting[depth, at]
    while True:
        if word == U0:
            if at + 1 < words:
                at += 1
                word = waiting[depth, at]
                continue
            backtracks += 1 - solved
            solved = 0
            depth -= 1
            if depth < 0:
                break

            # Take back the rectangle of this depth.
            gap, done, way = gap_at[depth], effect[depth], way_at[depth]
            width = way_wide[way]
            before_it, behind = before[gap], after[gap]
            if done <= WIDENED:
                if done == SPLIT:
                    before_it = before[before_it]
                    before[gap], after[before_it] = before_it, gap
                else:
                    wide[before_it] -= width
                x[gap] -= width
                wide[gap] += width
            elif done == RAISED:
                y[gap] -= way_high[way]
            elif done == JOINED_BEFORE:
                wide[before_it] -= width
                after[before_it], before[behind] = gap, gap
            elif done == JOINED_AFTER:
                x[behind] += width
                wide[behind] -= width
                after[before_it], before[behind] = gap, gap
            else:
                wide[before_it] -= width + wide[behind]
                after[before_it], before[after[behind]] = gap, behind
            kind = kind_of[way]
            left[kind] += 1
            state += weight[kind]
            for other in range(words):
                available[other] |= ways_of[kind, other]
            at = word_at[depth]
            word = waiting[depth, at]
            continue

        if placed >= steps:
            waiting[depth, at], word_at[depth] = word, at
            break
        way = np.uint32((at << 6) + lowest(word))
        word &= word - U1
        kind, width, height = kind_of[way], way_wide[way], way_high[way]
        start, floor_y, room = x[gap], y[gap], wide[gap]
        top = floor_y + height
        left[kind] -= 1
        if pruned:
            # What is left of the gap, and what is above the rectangle, must be reachable.
            line = state - weight[kind]
            rest, above = room - width, floor_height - top
            if not _has(reach[line, rest >> 6], rest) or not _has(
                reach[line, upright + (above >> 6)], above
            ):
                left[kind] += 1
                tally[depth, 1] += 1
                continue

        # Place it.
        placed += 1
        tally[depth, 0] += 1
        waiting[depth, at], word_at[depth] = word, at
        state -= weight[kind]
        if left[kind] == 0:
            for other in range(words):
                available[other] &= ~ways_of[kind, other]
        way_at[depth], gap_at[depth], at_x[depth], at_y[depth] = way, gap, start, floor_y
        before_it, behind = before[gap], after[gap]
        if width < room:
            if y[before_it] == top:
                effect[depth] = WIDENED
                wide[before_it] += width
            else:
                effect[depth] = SPLIT
                new = np.uint32(depth + 3)
                x[new], wide[new], y[new] = start, width, top
                before[new], after[new] = before_it, gap
                after[before_it], before[gap] = new, new
            x[gap] = start + width
            wide[gap] = room - width
            full = False
        else:
            full = True
            if y[before_it] == top and y[behind] == top:
                effect[depth] = JOINED_BOTH
                wide[before_it] += width + wide[behind]
                after[before_it], before[after[behind]] = after[behind], before_it
            elif y[before_it] == top:
                effect[depth] = JOINED_BEFORE
                wide[before_it] += width
                after[before_it], before[behind] = behind, before_it
            elif y[behind] == top:
                effect[depth] = JOINED_AFTER
                x[behind] -= width
                wide[behind] += width
                after[before_it], before[behind] = behind, before_it
            else:
                effect[depth] = RAISED
                y[gap] = top
        depth += 1
        segment = after[LEFT_END]
        if y[segment] == floor_height and after[segment] == RIGHT_END:
            for level in range(depth):
                out[written, level, 0] = way_at[level]
                out[written, level, 1] = at_x[level]
                out[written, level, 2] = at_y[level]
            written += 1
            solved, offered[depth] = 1, 0
            at, word = words - 1, U0
            if written == len(out):
                waiting[depth, at], word_at[depth] = word, at
                break
            continue

        # Choose the gap to fill next.
        if pruned:
            gap, least = RIGHT_END, WALL
            height_before = WALL
            while segment != RIGHT_END:
                height, behind = y[segment], after[segment]
                above = floor_height - height
                if not _has(reach[line, upright + (above >> 6)], above):
                    gap = RIGHT_END
                    break
                side = min(height_before, y[behind])
                if side > height:
                    width = wide[segment]
                    lacking = width * (min(side, floor_height) - height)
                    for other in range(left.size):
                        if narrowest[other] <= width:
                            lacking -= left[other] * area[other]
                    if lacking > 0 or not _has(reach[line, width >> 6], width):
                        gap = RIGHT_END
                        break
                    if width < least:
                        gap, least = segment, width
                height_before = height
                segment = behind
            if gap == RIGHT_END:
                at, word = words - 1, U0
                continue
        elif full:
            gap = segment
            segment = after[segment]
            while segment != RIGHT_END:
                if y[segment] < y[gap]:
                    gap = segment
                segment = after[segment]

        # Collect the ways that fit there.
        start, floor_y, width = x[gap], y[gap], wide[gap]
        room = floor_height - floor_y
        at_left, at_right = start == 0, start + width == floor_width
        many, fewer = 0, 0
        for other in range(words):
            fitting = available[other] & narrow[width, other] & low[room, other]
            fewer += population(available[other]) - population(fitting)
            if pruned and (at_left or at_right):
                bad = U0
                if at_right and floor_y == 0:
                    bad |= exactly_wide[width, other] & forbidden[way_at[0], 0, other]
                if at_left:
                    bad |= exactly_high[room, other] & forbidden[way_at[0], 1, other]
                if at_right:
                    bad |= (
                        exactly_wide[width, other]
                        & exactly_high[room, other]
                        & forbidden[way_at[0], 2, other]
                    )
                fitting &= ~bad
            waiting[depth, other] = fitting
            many += population(fitting)
        offered[depth] = many
        tally[depth, 1] += fewer
        at, word = 0, waiting[depth, 0]
    registers[DEPTH], registers[CURRENT], registers[STATE] = depth, gap, state
    registers[BACKTRACKS], registers[SOLVED] = backtracks, solved
    return written
