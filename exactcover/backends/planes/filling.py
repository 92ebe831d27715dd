"""Compiled code that fills in the tables of `planes`: which options conflict, and what they remove.

`first` makes these tables for every small problem, so they take a pass or two over the options. An
item with many options gathers what they occupy once, and each of its options takes over the whole.
That is a union of words, so it is vector code. An item with few options goes through them in pairs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.backends.planes.tables import LANES
from exactcover.compiled import jit

Index = npt.NDArray[np.uint32]
Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

U0, U1 = np.uint64(0), np.uint64(1)

WORDS_A_PAIR = 8
"""A pair of options takes as long as a union of so many words, for each of their items."""


@jit
def _conflict(
    one: int, other: int, conflict: Words, starts: Long, words: Long, bits: Words, gone: Words
) -> None:
    """Note that one row cannot be chosen beside another."""
    conflict[one, other >> 6] |= U1 << np.uint64(other & 63)
    for at in range(starts[other], starts[other + 1]):
        gone[one, words[at]] |= bits[at]


@jit
def fill_tables(
    row_starts: Int,
    items: Int,
    colours: Int,
    number: Long,
    rank: Long,
    groups: Long,
    row_at: Index,
    starts: Long,
    words: Long,
    bits: Words,
    root: Words,
    conflict: Words,
    gone: Words,
) -> int:
    """Fill in the tables of the kernel, all 0 before; return how many places the rows have.

    row_starts, items, colours   the rows: their items, as they are numbered in the problem
    number  int64 [items]    the number of each item that counts, or -1: primary ones come first
    rank    int64 [primary]  the place of each primary item in the planes
    groups  int64 [groups + 1]    where the planes of each group begin

    The others are described with `Planes`.
    """
    rows, primary, opens = row_starts.size - 1, rank.size, groups[groups.size - 1]
    columns = np.zeros(number.max() + 2 if number.size else 1, np.int64)
    for at in range(items.size):
        columns[number[items[at]] + 1] += 1
    for item in range(columns.size - 1):
        columns[item + 1] += columns[item]
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

    width, far = gone.shape[1], conflict.shape[1]
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
    return filled
