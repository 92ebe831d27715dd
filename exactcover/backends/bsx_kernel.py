"""The search loop of the `bsx` engine: Algorithm X on a matrix of bits.

The options that may still be chosen, the *live* ones, are the bits of a few words, and so is the
set of options of each item, its *column*. Choosing an option takes the options that conflict with
it out of the live set. The number of options that an item has left is the population count of its
column within the live set. Each level of the search has its own live set, so backtracking undoes
nothing. The cost of a choice is the number of items times the number of words that are not 0.

The invariants, true between any two steps:

- A live option has no item that is covered. So the columns of the covered items have no live bit.
  Counting detects an open item without an option: there are more empty columns than covered items.
- A branch that was taken is out of the live set of its level. The other branches of its level share
  an item with it, so nothing below them changes.

W. Laun, Exact Cover by Dancing Links in Perl: there the matrix of bits is called BSX.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.base.compiled import jit
from exactcover.base.compiled.bits import lowest, population

# Why `search` came back.
BUDGET, FULL, DONE = range(3)

# What it does next.
ENTER, RETREAT = range(2)

# The registers: the state that must survive between two calls, beside the arrays.
LEVEL, PHASE, FITS, FOUND, HELD, REGISTERS = range(6)

# The fields of a stack frame. NODE: the row chosen. WORD: the first word that may have a branch
# left. OPEN: how many items must be covered.
NODE, BRANCH, BRANCHES, ITEM, WORD, OPEN, FRAME = range(7)

U0, U1 = np.uint64(0), np.uint64(1)

DEAD = 1 << 62
"""The score of an item without an option left, and more than any other score."""


class BitMatrix(NamedTuple):
    """The matrix: rows are options, and bits of words; the items to cover are the first ones.

    clamp     the number of options from which on all items count as equal
    primary   how many items must be covered
    n_items   how many items there are
    longest   the most rows of a solution
    columns   uint64 [words * items]  the rows of each item, word by word
    conflict  uint64 [rows, words]    the rows that have an item in common with each row
    width     uint32 [rows]           how many items that must be covered a row has
    """

    clamp: int
    primary: int
    n_items: int
    longest: int
    columns: Bits
    conflict: Bits
    width: Index


class BsxState(NamedTuple):
    """The whole state of a search.

    live       uint64 [levels, words]  the rows that may be chosen
    counts     int64 [primary]         scratch
    stack      int64 [levels, FRAME]
    registers  int64 [REGISTERS]
    """

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
def _fewest(level: int, matrix: BitMatrix, live: Bits, counts: Long) -> tuple[int, int]:
    """The number of empty columns, and the other column with the fewest live options.

    The second result has the count in the upper half of a number and the item in the lower half.
    The loops visit every item, covered ones too, so they have no branches and become vector code.
    Up to a hundred items this is 1.1 to 1.7 times as fast as visiting the open items and leaving
    the loop at an item without options; with 432 items it is slower. Leaving it at a single option
    as well is a draw at best: it makes choices that a dead end further on would avoid.
    """
    primary, columns = matrix.primary, matrix.columns
    for item in range(primary):
        counts[item] = 0
    for word in range(live.shape[1]):
        alive = live[level, word]
        if alive == U0:
            continue
        at = np.uint64(word * matrix.n_items)
        for item in range(primary):
            counts[item] += population(columns[at + np.uint64(item)] & alive)
    empty, best = 0, DEAD
    for item in range(primary):
        score = (min(counts[item], matrix.clamp) << 32) + item
        if counts[item] == 0:
            empty += 1
            score = DEAD
        best = min(best, score)
    return empty, best


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
    primary, n_items, columns = matrix.primary, matrix.n_items, matrix.columns
    conflict, width = matrix.conflict, matrix.width
    live, counts, stack, registers = state.live, state.counts, state.stack, state.registers
    words = live.shape[1]
    level, phase = registers[LEVEL], registers[PHASE]
    fits, found = registers[FITS], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET

    while steps > 0:
        if phase == ENTER:
            phase = RETREAT
            whole = stack[level, OPEN] == 0
            best = 0
            if not whole:
                steps -= (primary * words) >> 8
                empty, best = _fewest(level, matrix, live, counts)
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
            branch = np.int64(0)
            stack[level, ITEM], stack[level, WORD] = item, 0
            stack[level, BRANCHES] = counts[item]
        else:
            if level == 0:
                status = DONE
                break
            level -= 1
            branch = stack[level, BRANCH] + 1
            if branch == stack[level, BRANCHES]:
                continue
            item = stack[level, ITEM]
        stack[level, BRANCH] = branch

        steps -= 1
        fits += 1
        word = stack[level, WORD]
        bits = live[level, word] & columns[word * n_items + item]
        while bits == U0:
            word += 1
            bits = live[level, word] & columns[word * n_items + item]
        stack[level, WORD] = word
        bit = lowest(bits)
        row = 64 * word + bit
        live[level, word] ^= U1 << np.uint64(bit)
        stack[level, NODE] = row
        stack[level + 1, OPEN] = stack[level, OPEN] - width[row]
        if counted is not None:
            counted.tally[counted.left[level]] += 1
            counted.left[level + 1] = max(counted.left[level] - counted.places[row], 0)
        for at in range(words):
            live[level + 1, at] = live[level, at] & ~conflict[row, at]
        level += 1
        phase = ENTER

    registers[LEVEL], registers[PHASE] = level, phase
    registers[FITS], registers[FOUND], registers[HELD] = fits, found, held
    return status
