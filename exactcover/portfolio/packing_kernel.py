"""Packing in a fixed order: compiled, in one file with what it calls.

The first open bit is always covered next. Options are tried by their keys, the least first, so the
keys are the order of a dive. A dive goes back where

- no option fits the first open bit,
- the options tried before those on the way down, the discrepancies, are more than allowed,
- a sum cannot be reached any more (parity),
- an image cuts off a small pocket of open cells that nothing left can fill (a landmine).

All state is in arrays, so a dive can be left after any number of steps and resumed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit
from exactcover.compiled.bits import lowest
from exactcover.portfolio.tables import Floats, Longs, Tables, Words
from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]

U0, U1 = np.uint64(0), np.uint64(1)

SPENT, THRESHOLD, EXHAUSTED, COVERED = 0, 1, 2, 3
"""Why a dive came back: its steps are spent, few bits are open, all is tried, all is covered."""

NUMBERS = 8
DEPTH, OPEN, BACK, STEPS, STAMP, DEEPEST, MINES, VISITS = range(NUMBERS)
"""The numbers of a dive: its depth, open bits, whether it must go back, steps made, the stamp of
the last flood, the least number of open bits seen, the pockets that nothing could fill, and the
states reached."""

NOTED = 15
"""In one state of this number and one, it is noted which slots fit."""


@jit(inline="always")
def _fits(tables: Tables, option: int, taken: Words) -> bool:
    for at in range(tables.part_starts[option], tables.part_starts[option + 1]):
        if taken[tables.part_words[at]] & tables.part_masks[at] != U0:
            return False
    return True


@jit
def place(
    tables: Tables,
    option: int,
    sign: int,
    taken: Words,
    left: Longs,
    index: Longs,
    slack: Longs,
    numbers: Longs,
) -> None:
    """Choose an option that fits (`sign` is 1), or undo that (-1)."""
    for at in range(tables.part_starts[option], tables.part_starts[option + 1]):
        taken[tables.part_words[at]] ^= tables.part_masks[at]
    left[tables.slot[option]] -= sign
    for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
        if tables.bits[at] < tables.must[0]:
            numbers[OPEN] -= sign
    for table in range(index.size):
        index[table] += sign * tables.gauge[option, table]
        slack[table] -= sign * tables.takes[option, table]


@jit
def _is_fillable(
    tables: Tables,
    size: int,
    cell: int,
    taken: Words,
    left: Longs,
    sums: Flags,
    smallest: int,
) -> bool:
    """Whether a closed pocket of this size may be filled; `cell` is its first.

    An open image whose first bit is the pocket's lies within it: pieces are connected. So a pocket
    that has room for one piece only needs an image of its size.
    """
    if not sums[size]:
        return False
    if size >= 2 * smallest:
        return True
    for option in range(tables.starts[cell], tables.starts[cell + 1]):
        if (
            left[tables.slot[option]] > 0
            and tables.size[option] == size
            and _fits(tables, option, taken)
        ):
            return True
    return False


@jit
def has_mine(
    tables: Tables,
    option: int,
    taken: Words,
    left: Longs,
    sums: Flags,
    smallest: int,
    bound: int,
    stamps: Longs,
    queue: IntArray,
    numbers: Longs,
) -> bool:
    """Whether an option just placed cuts off a pocket, of at most `bound` cells, with no filling.

    Cells that may stay open make a pocket harmless.
    """
    base = numbers[STAMP]
    must = tables.must[0]
    for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
        bit = tables.bits[at]
        for beside in range(tables.near_starts[bit], tables.near_starts[bit + 1]):
            seed = tables.near[beside]
            if stamps[seed] > base or taken[seed >> 6] >> np.uint64(seed & 63) & U1 != U0:
                continue
            numbers[STAMP] += 1
            stamp = numbers[STAMP]
            queue[0] = seed
            stamps[seed] = stamp
            head, tail, first, harmless = 0, 1, seed, False
            while head < tail:
                cell = queue[head]
                head += 1
                first = min(first, cell)
                if cell >= must or tail > bound:
                    harmless = True
                    break
                for to in range(tables.near_starts[cell], tables.near_starts[cell + 1]):
                    other = tables.near[to]
                    if taken[other >> 6] >> np.uint64(other & 63) & U1 != U0:
                        continue
                    if stamps[other] > base:
                        if stamps[other] != stamp:  # a flood before this one was harmless
                            harmless = True
                            break
                        continue
                    stamps[other] = stamp
                    queue[tail] = other
                    tail += 1
                if harmless:
                    break
            if not harmless and not _is_fillable(tables, tail, first, taken, left, sums, smallest):
                numbers[MINES] += 1
                return True
    return False


@jit
def _rank(tables: Tables, keys: Floats, cell: int, ranked: IntArray) -> None:
    """Write down the options of a first bit by their keys, if that is not done yet."""
    begin, end = tables.starts[cell], tables.starts[cell + 1]
    if begin < end and ranked[begin] < 0:
        order = np.argsort(keys[begin:end])
        for at in range(end - begin):
            ranked[begin + at] = begin + order[at]


@jit
def _note(
    tables: Tables, cell: int, taken: Words, left: Longs, fitted: Longs, offered: Longs
) -> None:
    """Note which of the slots that are left fit the first open bit."""
    seen = np.zeros(left.size, np.int64)
    for option in range(tables.starts[cell], tables.starts[cell + 1]):
        slot = tables.slot[option]
        if seen[slot] == 0 and left[slot] > 0 and _fits(tables, option, taken):
            seen[slot] = 1
    for slot in range(seen.size):
        if left[slot] > 0:
            offered[slot] += 1
            fitted[slot] += seen[slot]


@jit
def dive(
    tables: Tables,
    keys: Floats,
    ranked: IntArray,
    numbers: Longs,
    taken: Words,
    left: Longs,
    index: Longs,
    slack: Longs,
    chosen: IntArray,
    next_at: Longs,
    tried: Longs,
    stamps: Longs,
    queue: IntArray,
    sums: Flags,
    smallest: int,
    bound: int,
    discrepancies: int,
    threshold: int,
    most: int,
    fitted: Longs,
    offered: Longs,
) -> int:
    """Go on until the number of steps is `most`, or at most `threshold` bits are open.

    ranked           int32 [options]  the options of each first bit by their keys; -1: not yet known
    next_at          int64 [depths]   where in `ranked` the next option is; -1: at the beginning
    fitted, offered  int64 [slots]    how often a slot fitted an open bit, and how often it was left
    """
    must = tables.must[0]
    while numbers[STEPS] < most:
        depth = numbers[DEPTH]
        if numbers[BACK]:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            numbers[DEPTH] = depth
            numbers[BACK] = 0
            place(tables, chosen[depth], -1, taken, left, index, slack, numbers)
        cell = must
        for word in range(taken.size):
            if ~taken[word] != U0:
                cell = (word << 6) + lowest(~taken[word])
                break
        end = tables.starts[cell + 1]
        if next_at[depth] < 0:
            next_at[depth] = tables.starts[cell]
            _rank(tables, keys, cell, ranked)
            numbers[VISITS] += 1
            if numbers[VISITS] & NOTED == 0:
                numbers[STEPS] += end - tables.starts[cell]
                _note(tables, cell, taken, left, fitted, offered)
        at, best = next_at[depth], -1
        numbers[STEPS] += 16 - at
        if tried[depth] <= discrepancies:
            while at < end and best < 0:
                option = ranked[at]
                at += 1
                if left[tables.slot[option]] > 0 and _fits(tables, option, taken):
                    best = option
        next_at[depth] = at
        numbers[STEPS] += at
        if best < 0:
            numbers[BACK] = 1
            continue
        tried[depth] += 1
        chosen[depth] = best
        place(tables, best, 1, taken, left, index, slack, numbers)
        numbers[DEPTH] = depth + 1
        numbers[BACK] = 1
        possible = True
        for table in range(index.size):
            if tables.shortfall[index[table]] > slack[table]:
                possible = False
        if not possible:
            continue
        if bound > 0 and has_mine(
            tables, best, taken, left, sums, smallest, bound, stamps, queue, numbers
        ):
            continue
        numbers[DEEPEST] = min(numbers[DEEPEST], numbers[OPEN])
        if numbers[OPEN] == 0:
            return COVERED
        if numbers[OPEN] <= threshold:
            return THRESHOLD
        numbers[BACK] = 0
        next_at[depth + 1] = -1
        tried[depth + 1] = tried[depth] - 1
    return SPENT


@jit
def without_mines(
    tables: Tables,
    alive: Flags,
    taken: Words,
    left: Longs,
    sums: Flags,
    smallest: int,
    bound: int,
    stamps: Longs,
    queue: IntArray,
    numbers: Longs,
) -> None:
    """Mark the options that leave no pocket without filling when they are placed alone."""
    for option in range(alive.size):
        for at in range(tables.part_starts[option], tables.part_starts[option + 1]):
            taken[tables.part_words[at]] |= tables.part_masks[at]
        left[tables.slot[option]] -= 1
        alive[option] = not has_mine(
            tables, option, taken, left, sums, smallest, bound, stamps, queue, numbers
        )
        left[tables.slot[option]] += 1
        for at in range(tables.part_starts[option], tables.part_starts[option + 1]):
            taken[tables.part_words[at]] ^= tables.part_masks[at]
