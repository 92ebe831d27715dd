"""Compiled code that makes the tables of `planes`: which options conflict, and what they remove.

`first` makes these tables for every small problem, so all of them are made in one call. An item
with many options gathers what they occupy once, and each of its options takes over the whole. That
is a union of words, so it is vector code. An item with few options goes through them in pairs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.planes.search import LANES
from exactcover.base.compiled import jit

Int = npt.NDArray[np.int32]

U0, U1 = np.uint64(0), np.uint64(1)

WORDS_A_PAIR = 8
"""A pair of options takes as long as a union of this many words, for each of their items."""


@jit
def _conflict(
    one: int, other: int, conflict: Bits, starts: Long, words: Long, bits: Bits, gone: Bits
) -> None:
    """Note that one row cannot be chosen beside another."""
    conflict[one, other >> 6] |= U1 << np.uint64(other & 63)
    for at in range(starts[other], starts[other + 1]):
        gone[one, words[at]] |= bits[at]


@jit
def _most_rows(starts: Long, places: int) -> int:
    """How many rows have room in these places, the shortest first."""
    times = np.zeros(places + 1, np.int64)
    for row in range(starts.size - 1):
        length = starts[row + 1] - starts[row]
        if length <= places:
            times[length] += 1
    most = 0
    for length in range(1, places + 1):
        fitting = min(times[length], places // length)
        most += fitting
        places -= fitting * length
    return most


@jit
def make_tables(
    row_starts: Int, items: Int, colours: Int, room: Int, many: int
) -> tuple[Long, Index, Bits, Long, Long, Bits, Bits, Bits, int]:
    """The tables of rows: `groups`, `row_at`, `gone`, `starts`, `words`, `bits` and `conflict` of
    the kernel, the bits of a level with nothing chosen, and the rows of the longest solution.

    row_starts, items, colours   the rows: their items as numbered in the problem, of `many`
    room    int32 [primary]   how many more options each primary item can take: 0 or 1
    """
    rows = row_starts.size - 1
    # The items to cover come first, then the secondary ones.
    number = np.full(many, -1, np.int64)
    primary = 0
    for item in range(room.size):
        if room[item] > 0:
            number[item] = primary
            primary += 1
    for item in range(room.size, many):
        number[item] = primary + item - room.size
    columns = np.zeros(primary + many - room.size + 1, np.int64)
    for at in range(items.size):
        columns[number[items[at]] + 1] += 1
    deepest = 0
    for item in range(columns.size - 1):
        deepest = max(deepest, columns[item + 1])
        columns[item + 1] += columns[item]
    entries = columns[primary]

    # The items with the most options have the first places in the planes.
    before = np.zeros(deepest + 2, np.int64)
    for item in range(primary):
        before[deepest - (columns[item + 1] - columns[item]) + 1] += 1
    for length in range(deepest + 1):
        before[length + 1] += before[length]
    groups = np.zeros((primary + 64 * LANES - 1) // (64 * LANES) + 1, np.int64)
    rank = np.empty(primary, np.int64)
    for item in range(primary):
        length = columns[item + 1] - columns[item]
        place = before[deepest - length]
        before[deepest - length] += 1
        rank[item] = place
        if place % (64 * LANES) == 0:
            groups[place // (64 * LANES) + 1] = length * LANES
    for group in range(groups.size - 1):
        groups[group + 1] += groups[group]
    opens = groups[groups.size - 1]
    # Sixteen words at a time are vector code; the remaining words are not.
    width = (opens + (groups.size - 1) * LANES + 15) // 16 * 16
    far = (max((rows + 63) // 64, 1) + 15) // 16 * 16

    row_at = np.zeros((opens, 64), np.uint32)
    starts, words = np.zeros(rows + 1, np.int64), np.zeros(entries, np.int64)
    bits, root = np.zeros(entries, np.uint64), np.zeros(width, np.uint64)
    conflict, gone = np.zeros((rows, far), np.uint64), np.zeros((rows, width), np.uint64)
    upcoming = columns.copy()
    column, shade = np.empty(items.size, np.int64), np.empty(items.size, np.int64)
    filled = 0
    for row in range(rows):
        for at in range(row_starts[row], row_starts[row + 1]):
            item = number[items[at]]
            place = upcoming[item]
            upcoming[item] += 1
            column[place], shade[place] = row, colours[at]
            if item < primary:
                lane, bit = rank[item] >> 6, rank[item] & 63
                word = groups[lane // LANES] + (place - columns[item]) * LANES + lane % LANES
                row_at[word, bit] = row
                words[filled], bits[filled] = word, U1 << np.uint64(bit)
                root[word] |= bits[filled]
                # Choosing the row covers the item.
                gone[row, opens + lane] |= bits[filled]
                filled += 1
        starts[row + 1] = filled
    for item in range(primary):
        root[opens + (rank[item] >> 6)] |= U1 << np.uint64(rank[item] & 63)

    removed, others = np.zeros(width, np.uint64), np.zeros(far, np.uint64)
    longest = (items.size + rows) // max(rows, 1)
    for item in range(columns.size - 1):
        begin, end = columns[item], columns[item + 1]
        coloured = False
        for one in range(begin, end):
            coloured |= shade[one] != 0
        if coloured or (end - begin) * longest * WORDS_A_PAIR < width + far:
            for one in range(begin, end):
                for other in range(begin, end):
                    if shade[one] == 0 or shade[one] != shade[other]:
                        row = column[one]
                        _conflict(row, column[other], conflict, starts, words, bits, gone)
            continue
        removed[:], others[:] = U0, U0
        for one in range(begin, end):
            row = column[one]
            others[row >> 6] |= U1 << np.uint64(row & 63)
            for at in range(starts[row], starts[row + 1]):
                removed[words[at]] |= bits[at]
        for one in range(begin, end):
            row = column[one]
            for word in range(width):
                gone[row, word] |= removed[word]
            for word in range(far):
                conflict[row, word] |= others[word]
    return groups, row_at, gone, starts, words, bits, conflict, root, _most_rows(starts, primary)
