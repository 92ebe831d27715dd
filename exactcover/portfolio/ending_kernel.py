"""The last pieces, by the item with the fewest options: compiled, in one file with what it calls.

Below a position of a dive the open items are numbered anew. A node of the search has the list of
the options that still fit, on one long stack. It branches on the item with the fewest of them; ties
go to the first bit in the order of packing. The list of a child is filtered from that of its
parent, and the options of each item are counted in the same pass.
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

SPENT, SOLVED, NONE, FULL = 0, 1, 2, 3
"""Why an ending came back: its steps are spent, it has a solution, there is none, no room."""

DEPTH, OPTIONS, BITS, WORDS, STEPS, LEAST, PLACED = range(7)
"""The numbers of an ending: its depth, options, bits and words, steps made, the least number of
bits left open, and how many options are placed there."""


@jit(inline="always")
def _fits(tables: Tables, option: int, taken: Words) -> bool:
    for at in range(tables.part_starts[option], tables.part_starts[option + 1]):
        if taken[tables.part_words[at]] & tables.part_masks[at] != U0:
            return False
    return True


@jit
def open_ending(
    tables: Tables,
    keys: Floats,
    taken: Words,
    left: Longs,
    numbers: Longs,
    local: IntArray,
    listed: IntArray,
    masks: Words,
    item_starts: IntArray,
    items: IntArray,
    slots: IntArray,
    near: Words,
) -> int:
    """Number the open bits anew and list the options that fit, those with the least keys first.

    Returns FULL if there is no room for them, NONE if an item has none.
    """
    must = tables.must[0]
    many = 0
    for bit in range(local.size):
        local[bit] = -1
        if bit < must and taken[bit >> 6] >> np.uint64(bit & 63) & U1 == U0:
            local[bit] = many
            many += 1
    numbers[BITS] = many
    for bit in range(must, local.size):
        if taken[bit >> 6] >> np.uint64(bit & 63) & U1 == U0:
            local[bit] = many
            many += 1
    numbers[WORDS] = (many + 63) >> 6
    if many > 64 * masks.shape[1]:
        return FULL
    for bit in range(local.size):
        if local[bit] >= 0:
            for word in range(numbers[WORDS]):
                near[local[bit], word] = U0
            for at in range(tables.near_starts[bit], tables.near_starts[bit + 1]):
                other = local[tables.near[at]]
                if other >= 0:
                    near[local[bit], other >> 6] |= U1 << np.uint64(other & 63)
    count = 0
    for bit in range(must + 1):
        if bit < must and local[bit] < 0:
            continue
        for option in range(tables.starts[bit], tables.starts[bit + 1]):
            if left[tables.slot[option]] > 0 and _fits(tables, option, taken):
                if count == listed.size:
                    return FULL
                listed[count] = option
                count += 1
    numbers[OPTIONS] = count
    order = np.argsort(keys[listed[:count]])
    listed[:count] = listed[:count][order]
    at_item = 0
    for row in range(count):
        option = listed[row]
        slots[row] = tables.slot[option]
        for word in range(numbers[WORDS]):
            masks[row, word] = U0
        item_starts[row] = at_item
        for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
            bit = local[tables.bits[at]]
            masks[row, bit >> 6] |= U1 << np.uint64(bit & 63)
            if bit < numbers[BITS]:
                if at_item == items.size:
                    return FULL
                items[at_item] = bit
                at_item += 1
    item_starts[count] = at_item
    return SPENT


@jit
def _has_mine(
    bits: int, words: int, covered: Words, near: Words, sums: Flags, part: Words, queue: IntArray
) -> bool:
    """Whether the open bits fall into parts of which one has a size that no pieces make up.

    A part with a bit that may stay open shows nothing. Nor does a part of one bit, which may be a
    scarce piece; if it is a cell that no piece fills alone, it has no option left.
    """
    for word in range(words):
        part[word] = covered[word]
    for start in range(bits):
        if part[start >> 6] >> np.uint64(start & 63) & U1 != U0:
            continue
        part[start >> 6] |= U1 << np.uint64(start & 63)
        queue[0] = start
        head, tail, harmless = 0, 1, False
        while head < tail:
            bit = queue[head]
            head += 1
            if bit >= bits:
                harmless = True
            for word in range(words):
                new = near[bit, word] & ~part[word]
                part[word] |= new
                while new != U0:
                    queue[tail] = (word << 6) + lowest(new)
                    tail += 1
                    new &= new - U1
        if not harmless and tail > 1 and not sums[tail]:
            return True
    return False


@jit
def finish(
    numbers: Longs,
    masks: Words,
    item_starts: IntArray,
    items: IntArray,
    slots: IntArray,
    left: Longs,
    need: Longs,
    stack: IntArray,
    list_start: Longs,
    branch_start: Longs,
    branch_end: Longs,
    branch_at: Longs,
    covered: Words,
    chosen: Longs,
    best: Longs,
    counts: Longs,
    slot_counts: Longs,
    gauge: Longs,
    takes: Longs,
    index: Longs,
    slack: Longs,
    shortfall: IntArray,
    near: Words,
    sums: Flags,
    part: Words,
    queue: IntArray,
    most: int,
) -> int:
    """Go on until a solution is found or `most` steps are made.

    A node at some depth has its list in `stack` from `list_start` to `branch_start`, and then the
    options that it branches on. The root is made by the first call, with a depth of -1.
    """
    bits, words = numbers[BITS], numbers[WORDS]
    while numbers[STEPS] < most:
        numbers[STEPS] += 16
        depth = numbers[DEPTH]
        option = -1
        if depth >= 0:
            if chosen[depth] >= 0:  # undo the branch before
                row = chosen[depth]
                left[slots[row]] += 1
                need[slots[row]] += 1
                for table in range(index.size):
                    index[table] -= gauge[row, table]
                    slack[table] += takes[row, table]
                chosen[depth] = -1
            if branch_at[depth] == branch_end[depth]:
                numbers[DEPTH] = depth - 1
                if depth == 0:
                    return NONE
                continue
            option = stack[branch_at[depth]]
            branch_at[depth] += 1
            chosen[depth] = option
            left[slots[option]] -= 1
            need[slots[option]] -= 1
            possible = True
            for table in range(index.size):
                index[table] += gauge[option, table]
                slack[table] -= takes[option, table]
                if shortfall[index[table]] > slack[table]:
                    possible = False
            if not possible:
                continue
            for word in range(words):
                covered[depth + 1, word] = covered[depth, word] | masks[option, word]
            begin, from_, to = branch_end[depth], list_start[depth], branch_start[depth]
        else:
            begin, from_, to = 0, 0, numbers[OPTIONS]
        numbers[STEPS] += 4 * (to - from_)
        if begin + 2 * (to - from_) > stack.size:
            return FULL
        for bit in range(bits):
            counts[bit] = 0
        for slot in range(slot_counts.size):
            slot_counts[slot] = 0
        end = begin
        for at in range(from_, to):
            row = stack[at] if depth >= 0 else at
            if row == option or left[slots[row]] <= 0:
                continue
            if option >= 0:
                clash = False
                for word in range(words):
                    if masks[row, word] & masks[option, word] != U0:
                        clash = True
                        break
                if clash:
                    continue
            stack[end] = row
            end += 1
            slot_counts[slots[row]] += 1
            for at_item in range(item_starts[row], item_starts[row + 1]):
                counts[items[at_item]] += 1
        fewest, kind, item, open_bits = 1 << 40, 0, -1, 0
        for word in range(words):
            rest = ~covered[depth + 1, word]
            while rest != U0:
                bit = (word << 6) + lowest(rest)
                if bit >= bits:
                    break
                rest &= rest - U1
                open_bits += 1
                if counts[bit] < fewest:
                    fewest, item = counts[bit], bit
        if open_bits < numbers[LEAST]:
            numbers[LEAST] = open_bits
            numbers[PLACED] = depth + 1
            best[: depth + 1] = chosen[: depth + 1]
        for slot in range(need.size):
            if need[slot] > 0:
                if slot_counts[slot] < need[slot]:
                    fewest = 0
                elif slot_counts[slot] < fewest:
                    fewest, kind, item = slot_counts[slot], 1, slot
        if (
            fewest > 1
            and sums.size
            and _has_mine(bits, words, covered[depth + 1], near, sums, part, queue)
        ):
            fewest = 0
        if fewest == 0:
            if depth < 0:
                return NONE
            continue
        if item < 0:
            return SOLVED
        depth += 1
        numbers[DEPTH] = depth
        list_start[depth], branch_start[depth] = begin, end
        branch_at[depth] = end
        chosen[depth] = -1
        stop = end
        for at in range(begin, end):
            row = stack[at]
            has = kind == 1 and slots[row] == item
            if kind == 0:
                has = masks[row, item >> 6] >> np.uint64(item & 63) & U1 != U0
            if has:
                stack[stop] = row
                stop += 1
        branch_end[depth] = stop
    return SPENT
