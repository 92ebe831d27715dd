"""The search loop of the `bsx` engine: Algorithm X on a matrix of bits.

The options that may still be chosen, the *live* ones, are the bits of a few words, and so is the
set of options of each item, its *column*. Choosing an option takes the columns of its items out of
the live set. The number of options that an item has left is the population count of its column
within the live set. Each level of the search has its own live set, so backtracking undoes nothing.

The cost of a choice is the number of items times the number of words that are not 0. Deep in the
tree nearly all bits of these words are 0. So the matrix is packed on the way down: a *stage* holds
only the rows of the live options, side by side. Rows are written bit by bit, while words are
counted many at a time. So a stage is made only if the branches at hand save more time than it
costs. That is rare with a thousand options; with four thousand it saves a third of the time. A
stage has at most half the words of the one above, so all stages together take no more room than the
matrix itself.

The invariants, true between any two steps:

- A live option has no item that is covered. So the columns of the covered items have no live bit.
  Counting detects an open item without an option: there are more empty columns than covered items.
- Stage `s` is used by the levels from the one that made it down to those that made stage `s + 1`;
  rows keep their order from stage to stage, so branches are taken in the order of the rows.
- A branch that was taken is out of the live set of its level. The other branches of its level share
  an item with it, so nothing below them changes.

W. Laun, Exact Cover by Dancing Links in Perl: there the matrix of bits is called BSX.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.bits import lowest, population
from exactcover.base.compiled import jit

# Why `search` came back.
BUDGET, FULL, DONE = range(3)

# What it does next.
ENTER, RETREAT = range(2)

# The registers: the state that must survive between two calls, beside the arrays.
LEVEL, PHASE, FITS, FOUND, HELD, REGISTERS = range(6)

# The fields of a stack frame. NODE: the row chosen. WORD: the first word that may have a branch
# left.
NODE, BRANCH, BRANCHES, ITEM, WORD, OPEN, STAGE, WORDS, FRAME = range(9)

U0, U1 = np.uint64(0), np.uint64(1)
ROW_COST = 16
"""The measured cost of packing a row; the unit is counting the population of one word."""

DEAD = 1 << 62
"""The score of an item without an option left, and more than any other score."""


class BitMatrix(NamedTuple):
    """The matrix: rows are options, and bits of words; the items to cover are the first ones.

    clamp          the number of options from which on all items count as equal
    primary        how many items must be covered
    n_items        how many items there are
    longest        the most rows of a solution
    starts, items  [rows + 1], [entries]  the items of each row
    width          [rows]                 how many of its items must be covered
    conflict       [rows, words]          the rows that have an item in common with each row
    row_at, column_at  [stages]  where the rows, and the words of the columns, of a stage begin
    """

    clamp: int
    primary: int
    n_items: int
    longest: int
    starts: Index
    items: Index
    width: Index
    conflict: Bits
    row_at: Long
    column_at: Long


class BsxState(NamedTuple):
    """The whole state of a search.

    row_of     [stages * rows]  the row of each bit of a stage
    columns    [...]            the columns of a stage: its words one after the other, each with a
                                word for every item
    live       [levels, words]
    counts     [items]          scratch
    stack      [levels, FRAME]
    registers  [REGISTERS]
    """

    row_of: Index
    columns: Bits
    live: Bits
    counts: Long
    stack: Long
    registers: Long


class BsxCounted(NamedTuple):
    """The data that depend on the number of pieces left.

    places  [rows]        1 where choosing the row's option places a piece, else 0
    left    [levels]      the pieces left at each level
    cut                   a state with this many pieces left is handed out
    tally   [pieces + 1]  options chosen
    """

    places: Long
    left: Long
    cut: int
    tally: Long


@jit
def _fewest(
    clamp: int, primary: int, n_items: int, level: int, words: int, begin: int, columns: Bits,
    live: Bits, counts: Long,
) -> tuple[int, int, int]:  # fmt: skip
    """The number of empty columns, the other column with the fewest live options, words with any.

    The second result has the count in the upper half of a number and the item in the lower half.
    The loops visit every item, covered ones too, so they have no branches and become vector code.
    Up to a hundred items this is 1.1 to 1.7 times as fast as visiting the open items and leaving
    the loop at an item without options; with 432 items it is slower. Leaving it at a single option
    as well is a draw at best: it makes choices that a dead end further on would avoid.
    """
    empty, best, busy = 0, DEAD, 0
    for word in range(words):
        alive = live[level, word]
        at = np.uint64(begin + word * n_items)
        if alive == U0:
            continue
        if busy == 0:
            for item in range(primary):
                counts[item] = population(columns[at + np.uint64(item)] & alive)
        else:
            for item in range(primary):
                counts[item] += population(columns[at + np.uint64(item)] & alive)
        busy += 1
    if busy == 0:
        for item in range(primary):
            counts[item] = 0
    for item in range(primary):
        score = (min(counts[item], clamp) << 32) + item
        if counts[item] == 0:
            empty += 1
            score = DEAD
        best = min(best, score)
    return empty, best, busy


@jit
def pack(
    level: int, words: int, packed: int, n_items: int, from_row: int, to_row: int, begin: int,
    starts: Index, items: Index, row_of: Index, columns: Bits, live: Bits,
) -> None:  # fmt: skip
    """Make a stage of the live options of a level: its number of words; all their bits are live."""
    for at in range(begin, begin + packed * n_items):
        columns[at] = U0
    place = 0
    for word in range(words):
        left = live[level, word]
        live[level, word] = U0
        while left != U0:
            row = row_of[from_row + 64 * word + lowest(left)]
            left &= left - U1
            row_of[to_row + place] = row
            bit = U1 << np.uint64(place & 63)
            at = begin + (place >> 6) * n_items
            for entry in range(starts[row], starts[row + 1]):
                columns[at + np.int64(items[entry])] |= bit
            place += 1
    for at in range(place):
        live[level, at >> 6] |= U1 << np.uint64(at & 63)


@jit
def search(
    steps: int, keep: bool, capacity: int, matrix: BitMatrix, state: BsxState,
    counted: BsxCounted | None, out_starts: Long, out_rows: Index,
) -> int:  # fmt: skip
    """Go on for about `steps` choices; the arrays of `state` hold the whole state.

    counted  the data that depend on the number of pieces left; None: there are none

    Solutions go to `out_rows`, one row for each choice in the order of choosing; the search goes
    on only while there is room for the longest one. A step is a choice, or as much other work.
    """
    clamp, primary, n_items = matrix.clamp, matrix.primary, matrix.n_items
    starts, items, width, conflict = matrix.starts, matrix.items, matrix.width, matrix.conflict
    row_at, column_at = matrix.row_at, matrix.column_at
    row_of, columns, live, counts = state.row_of, state.columns, state.live, state.counts
    stack, registers = state.stack, state.registers
    level, phase = registers[LEVEL], registers[PHASE]
    fits, found = registers[FITS], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET

    while steps > 0:
        if phase == ENTER:
            phase = RETREAT
            whole = stack[level, OPEN] == 0
            stage, words = stack[level, STAGE], stack[level, WORDS]
            empty, best, busy = 0, 0, 0
            if not whole:
                steps -= (primary * words) >> 8
                empty, best, busy = _fewest(
                    clamp, primary, n_items, level, words, column_at[stage], columns, live, counts
                )
                if empty > primary - stack[level, OPEN]:
                    continue
                if counted is not None:
                    whole = counted.left[level] <= counted.cut
            if whole:
                found += 1
                if keep:
                    for above in range(level):
                        out_rows[filled] = stack[above, NODE]
                        filled += 1
                    held += 1
                    out_starts[held] = filled
                    if held == capacity or out_rows.size - filled < matrix.longest:
                        status = FULL
                        break
                continue

            item = best & 0xFFFFFFFF
            branches = counts[item]
            if words > 1:
                alive = 0
                for word in range(words):
                    alive += population(live[level, word])
                packed = (alive + 63) >> 6
                spared = (busy - packed) * primary * branches
                if 2 * packed <= words and spared >= ROW_COST * alive:
                    steps -= (alive + packed * n_items) >> 6
                    pack(
                        level, words, packed, n_items, row_at[stage], row_at[stage + 1],
                        column_at[stage + 1], starts, items, row_of, columns, live,
                    )  # fmt: skip
                    stage, words = stage + 1, packed
                    stack[level, STAGE], stack[level, WORDS] = stage, words
            branch = np.int64(0)
            stack[level, ITEM], stack[level, WORD] = item, 0
            stack[level, BRANCHES] = branches
        else:
            if level == 0:
                status = DONE
                break
            level -= 1
            branch, branches = stack[level, BRANCH] + 1, stack[level, BRANCHES]
            if branch == branches:
                continue
            item = stack[level, ITEM]
            stage, words = stack[level, STAGE], stack[level, WORDS]
        stack[level, BRANCH] = branch

        steps -= 1
        fits += 1
        begin = column_at[stage]
        word = stack[level, WORD]
        bits = live[level, word] & columns[begin + word * n_items + item]
        while bits == U0:
            word += 1
            bits = live[level, word] & columns[begin + word * n_items + item]
        stack[level, WORD] = word
        bit = lowest(bits)
        row = np.int64(row_of[row_at[stage] + 64 * word + bit])
        live[level, word] ^= U1 << np.uint64(bit)
        stack[level, NODE] = row
        stack[level + 1, OPEN] = stack[level, OPEN] - width[row]
        stack[level + 1, STAGE], stack[level + 1, WORDS] = stage, words
        if counted is not None:
            counted.tally[counted.left[level]] += 1
            counted.left[level + 1] = max(counted.left[level] - counted.places[row], 0)
        for word in range(words):
            alive_bits = live[level, word]
            if alive_bits != U0:
                if stage == 0:
                    alive_bits &= ~conflict[row, word]
                else:
                    at = begin + word * n_items
                    blocked = U0
                    for entry in range(starts[row], starts[row + 1]):
                        blocked |= columns[at + np.int64(items[entry])]
                    alive_bits &= ~blocked
            live[level + 1, word] = alive_bits
        level += 1
        phase = ENTER

    registers[LEVEL], registers[PHASE] = level, phase
    registers[FITS], registers[FOUND], registers[HELD] = fits, found, held
    return status
