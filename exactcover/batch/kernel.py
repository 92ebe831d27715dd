"""The search loop of `solve_each`: one problem below many sets of given options, in one call.

What takes the time in a small problem is not its tree but getting ready for it. Here the tables
are made once for all sets, and a set is begun by copying a few kilobytes. The search looks for
items with a single option first, and goes on from one to the next without choosing: a Sudoku for
people is solved by that alone.

- The options that may still be chosen are bits; choosing one takes out its row of `conflict`.
- Of each primary item one word tells how many options it has left, in the upper half, and the sum
  of their numbers, in the lower. Taking an option out is one subtraction, and where one option is
  left its number can be read off. A covered item has `COVERED` added, so it is never few.
- Each level of the search has bits and words of its own, copied from the one above, so that going
  back undoes nothing. Forced choices make no level.

Secondary items and colours say only which options conflict: they are in `conflict`, nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from exactcover.compiled import jit

Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

# Why `solve_sets` came back.
BUDGET, FULL, DONE = range(3)

# What it does next.
BEGIN, ENTER, RETREAT = range(3)

# The registers: what must survive between two calls, beside the arrays.
SET, PHASE, LEVEL, TAKEN, FOUND, HELD, FILLED, CHOICES, REGISTERS = range(9)

# The fields of a stack frame: the item branched on, the next place in its column, options before.
ITEM, PLACE, BEFORE, FRAME = range(4)

U0, U1 = np.uint64(0), np.uint64(1)

ONE, TWO = 1 << 32, 2 << 32
"""One option, two options, in the word of an item."""

COVERED = 1 << 60


def lowest(word: np.uint64) -> int:
    """The number of the lowest bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _cttz(_context: Any, word: Any) -> Any:
    """The machine's own instruction for it."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(word), code


@overload(lowest, inline="always")
def _lowest(word: Any) -> Any:
    if word != types.uint64:
        return None

    def code(word: Any) -> Any:
        return _cttz(word)  # type: ignore[call-arg]

    return code


@jit
def find_conflicts(
    column_starts: Long, rows: Index, colours: Index, counted_once: int, conflict: Words
) -> None:
    """Fill in which rows cannot be chosen together, themselves included: uint64 [rows, words].

    The columns before `counted_once` are of primary items; behind it a colour may agree.
    """
    for row in range(conflict.shape[0]):
        conflict[row, row >> 6] |= U1 << np.uint64(row & 63)
    for item in range(column_starts.size - 1):
        for one in range(column_starts[item], column_starts[item + 1]):
            for other in range(column_starts[item], column_starts[item + 1]):
                colour = colours[one]
                if item < counted_once or colour == 0 or colour != colours[other]:
                    row = rows[other]
                    conflict[rows[one], row >> 6] |= U1 << np.uint64(row & 63)


@jit
def _choose(
    row: int,
    level: int,
    tail: int,
    row_starts: Index,
    row_items: Index,
    conflict: Words,
    live: Words,
    left: Long,
    single: Index,
) -> int:
    """Choose a row: the end of the list of items with a single option, or -1 at a dead end."""
    for at in range(row_starts[row], row_starts[row + 1]):
        left[level, row_items[at]] += COVERED
    alive = True
    for word in range(live.shape[1]):
        gone = live[level, word] & conflict[row, word]
        live[level, word] ^= gone
        while gone != U0:
            bit = (~gone + U1) & gone
            gone ^= bit
            number = (word << 6) + lowest(bit)
            other = np.uint64(number)  # indices that cannot be negative need no test
            taken = ONE + number
            for at in range(row_starts[other], row_starts[other + U1]):
                item = row_items[at]
                now = left[level, item] - taken
                left[level, item] = now
                if now < TWO:
                    if now < ONE:
                        alive = False
                    else:
                        single[tail] = item
                        tail += 1
        if not alive:
            return -1
    return tail


@jit
def _follow(
    tail: int,
    level: int,
    taken: int,
    row_starts: Index,
    row_items: Index,
    conflict: Words,
    live: Words,
    left: Long,
    single: Index,
    chosen: Index,
) -> int:
    """Choose what is forced, one after the other: how many rows are taken, or -1 at a dead end."""
    head = 0
    while 0 <= head < tail:
        word = left[level, single[head]]
        head += 1
        if word < TWO:
            row = word & (ONE - 1)
            chosen[taken] = row
            taken += 1
            tail = _choose(row, level, tail, row_starts, row_items, conflict, live, left, single)
    return taken if tail >= 0 else -1


@jit
def solve_sets(
    steps: int,
    limit: int,
    row_starts: Index,
    row_items: Index,
    column_starts: Long,
    column_rows: Index,
    conflict: Words,
    given_starts: Long,
    given: npt.NDArray[np.int64],
    live: Words,
    left: Long,
    single: Index,
    chosen: Index,
    stack: Long,
    registers: Long,
    found: Long,
    out_starts: Long,
    out_rows: Index,
) -> int:
    """Search on for about `steps` choices; everything it must remember is in the arrays.

    row_starts, row_items        the primary items of each row
    column_starts, column_rows   the rows of each primary item
    given_starts, given          the rows given by each set; -1: none that can be chosen
    live    uint64 [levels + 1, words]    live[0], left[0]: the problem with nothing chosen
    left    int64 [levels + 1, primary]
    single  [primary] the items with one option left that wait to be looked at
    chosen  the rows taken, in the order of choice
    found   int64 [sets]                  solutions of each set, up to the limit

    Of each set the first solution goes to `out_rows`, ascending; the search goes on only while
    there is room for one more. Level 0 is the problem itself, a set begins at level 1.
    """
    at, phase, level = registers[SET], registers[PHASE], registers[LEVEL]
    taken, here = registers[TAKEN], registers[FOUND]
    held, filled, choices = registers[HELD], registers[FILLED], registers[CHOICES]
    sets, words, primary = given_starts.size - 1, live.shape[1], left.shape[1]
    rows = row_starts.size - 1
    status = DONE
    while at < sets:
        if steps <= 0:
            status = BUDGET
            break
        if phase == BEGIN:
            if out_rows.size - filled < chosen.size:
                status = FULL
                break
            level, taken, here, tail = 1, 0, 0, 0
            for word in range(words):
                live[1, word] = live[0, word]
            for item in range(primary):
                left[1, item] = left[0, item]
            for number in range(given_starts[at], given_starts[at + 1]):
                row = given[number]
                if row < 0 or (live[1, row >> 6] >> np.uint64(row & 63)) & U1 == U0:
                    tail = -1
                    break
                chosen[taken] = row
                taken += 1
                tail = _choose(row, 1, tail, row_starts, row_items, conflict, live, left, single)
                if tail < 0:
                    break
            steps -= taken + 1
        elif phase == ENTER:
            # An item with the fewest options: the sums below the counts break ties.
            best = np.int64(COVERED)
            for item in range(primary):
                best = min(best, left[level, item])
            if best < ONE:
                phase = RETREAT
                continue
            if best == COVERED:
                here += 1
                if here == 1:
                    # The bits of level 0 are all ones: take out those chosen, in order, and back.
                    for number in range(taken):
                        row = int(chosen[number])
                        live[0, row >> 6] ^= U1 << np.uint64(row & 63)
                    for word in range(words):
                        ones = ~live[0, word]
                        if word == words - 1 and rows < 64 * words:
                            ones &= (U1 << np.uint64(rows & 63)) - U1
                        live[0, word] ^= ones
                        while ones != U0:
                            bit = (~ones + U1) & ones
                            ones ^= bit
                            out_rows[filled] = (word << 6) + lowest(bit)
                            filled += 1
                    held += 1
                    out_starts[held] = filled
                phase = RETREAT
                if here == limit:
                    level = 1
                continue
            item = 0
            while left[level, item] != best:
                item += 1
            stack[level, ITEM], stack[level, PLACE] = item, column_starts[item]
            stack[level, BEFORE] = taken
            level += 1
            phase = RETREAT
            continue
        else:
            level -= 1
            if level == 0:
                found[at] = here
                if here == 0:
                    held += 1
                    out_starts[held] = filled
                at += 1
                phase = BEGIN
                continue
            item, place = stack[level, ITEM], stack[level, PLACE]
            last = column_starts[item + 1]
            while place < last:
                row = int(column_rows[place])
                if (live[level, row >> 6] >> np.uint64(row & 63)) & U1 != U0:
                    break
                place += 1
            if place == last:
                continue
            stack[level, PLACE] = place + 1
            taken = stack[level, BEFORE]
            for word in range(words):
                live[level + 1, word] = live[level, word]
            for item in range(primary):
                left[level + 1, item] = left[level, item]
            row = int(column_rows[place])
            level += 1
            chosen[taken] = row
            taken += 1
            choices += 1
            steps -= 1
            tail = _choose(row, level, 0, row_starts, row_items, conflict, live, left, single)
        before = taken
        if tail > 0:
            taken = _follow(
                tail, level, taken, row_starts, row_items, conflict, live, left, single, chosen
            )
        steps -= max(taken - before, 0)
        phase = ENTER if tail >= 0 and taken >= 0 else RETREAT

    registers[SET], registers[PHASE], registers[LEVEL] = at, phase, level
    registers[TAKEN], registers[FOUND] = taken, here
    registers[HELD], registers[FILLED], registers[CHOICES] = held, filled, choices
    return status
