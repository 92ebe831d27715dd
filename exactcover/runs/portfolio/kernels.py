"""Packing: a dive in a fixed order, and an ending by fewest options. Compiled, in one file.

A **dive** always covers the first open bit next. Options are tried by their keys, the least first,
so the keys are the order of a dive. A dive backtracks where

- no option fits the first open bit,
- a placement cuts off a small pocket of open cells of a size that no pieces make up (a landmine).

An **ending** searches below a position of a dive. It numbers the open bits anew. A node has the
list of the options that still fit, on one long stack. The ending branches on the item with the
fewest of them; ties go to the first bit in the order of packing. The list of a child is filtered
from that of its parent, and the options of each item are counted in the same pass. It backtracks
where an item has no option.

All state is in arrays, so both can be left after any number of steps and resumed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long, Reals
from exactcover.backends.bits import lowest
from exactcover.base.compiled import jit, part
from exactcover.problem import IntArray

U0, U1 = np.uint64(0), np.uint64(1)

SPENT, THRESHOLD, EXHAUSTED, COVERED, SOLVED, NONE, FULL = range(7)
"""Why a kernel returned: its steps are spent; of a dive: few bits are open, all is tried, all is
covered; of an ending: it has a solution, there is none, there is no room."""

ROOM = 1 << 16
"""The most options of an ending."""

STACK = 1 << 22
"""The most options on the stack of an ending."""

WORDS = 16
"""The most words of the bits of an ending."""


class OrderTables(NamedTuple):
    """A problem with an order of its cells, as the kernels read it.

    Bits stand for everything that is covered at most once: first the items that must be covered, in
    the order of packing, then those that may stay open. Items with multiplicities, above all the
    pieces, are counted in slots. Each option has at most one slot.

    must        how many bits must be covered: the bits below it
    options     int64 [options]        their numbers in the problem
    starts      int32 [must + 2]       where the options begin whose first bit is this one; the last
                                       have no bit that must be covered
    slot        int32 [options]        the slot that counts it
    covers      int32 [options]        how many of its bits must be covered
    bit_starts, bits                   CSR over options: its bits
    near_starts, near                  CSR over bits: the bits of the cells beside it
    low, high   int64 [slots]          how many options of a slot there must be, and may be

    A pocket is a few open cells that are cut off from the others.

    sums        bool [cells + 1]       the sizes that pieces can make up; empty: no pocket is
                                       looked at
    bound       the most cells of a pocket that a dive looks at; 0: it looks at none
    """

    must: int
    options: Long
    starts: IntArray
    slot: IntArray
    covers: IntArray
    bit_starts: IntArray
    bits: IntArray
    near_starts: IntArray
    near: IntArray
    low: Long
    high: Long
    sums: Flags
    bound: int

    def bits_of(self, row: int) -> list[int]:
        """The bits of an option."""
        bits: list[int] = self.bits[self.bit_starts[row] : self.bit_starts[row + 1]].tolist()
        return bits

    def beside(self, bit: int) -> list[int]:
        """The bits of the cells beside a cell."""
        bits: list[int] = self.near[self.near_starts[bit] : self.near_starts[bit + 1]].tolist()
        return bits


D_DEPTH, D_OPEN, D_BACK, D_STEPS, D_STAMP = range(5)
"""The numbers of a dive: its depth, open bits, whether it must backtrack, steps made, and the stamp
of the last flood."""


class Dive(NamedTuple):
    """A partial packing, and the state of the dive that makes it.

    taken            uint64 [words]     the bits that are covered, and those past the last bit
    left             int64 [slots]      how many options of each slot may still be placed
    numbers          int64, see `D_DEPTH`
    keys             float64 [options]  those with the least are tried first
    ranked           int32 [options]    the options of each first bit by their keys; -1: unknown
    chosen           int32 [depths]     the options placed
    next_at          int64 [depths]     where in `ranked` the next option is; -1: at the start
    stamps, queue    of the floods that look for pockets
    """

    taken: Bits
    left: Long
    numbers: Long
    keys: Reals
    ranked: IntArray
    chosen: IntArray
    next_at: Long
    stamps: Long
    queue: IntArray

    @classmethod
    def start(cls, tables: OrderTables, keys: Reals) -> Dive:
        """A dive with nothing placed."""
        bits, must = tables.near_starts.size - 1, tables.must
        taken = np.zeros((bits + 63) // 64, np.uint64)
        if bits % 64:
            taken[-1] = ~np.uint64((1 << (bits % 64)) - 1)
        dive = cls(
            taken=taken,
            left=tables.high.copy(),
            numbers=np.zeros(5, np.int64),
            keys=keys,
            ranked=np.full(keys.size, -1, np.int32),
            chosen=np.zeros(must + 2, np.int32),
            next_at=np.full(must + 2, -1, np.int64),
            stamps=np.zeros(bits, np.int64),
            queue=np.zeros(bits + 1, np.int32),
        )
        dive.numbers[D_OPEN] = must
        return dive


E_DEPTH, E_OPTIONS, E_BITS, E_WORDS, E_STEPS, E_LEAST, E_PLACED = range(7)
"""The numbers of an ending: its depth, options, bits that must be covered, words of its bits, steps
made, the least number of bits left open, and how many options are placed there."""


class Ending(NamedTuple):
    """The state of an ending; a worker uses the arrays again for the next.

    numbers             int64, see `E_DEPTH`
    local               int32 [bits]          the new number of each bit; -1: it is covered
    listed              int32 [options]       the row of each option in the tables
    slots               int32 [options]       its slot
    masks               uint64 [options, words]  its bits
    left, need          int64 [slots]         how many options may and must still be placed
    stack               the lists of all nodes, and after each the options that the node branches on
    list_start, branch_start, branch_end, branch_at  int64 [depths]  their bounds, the next branch
    chosen              int64 [depths]        the option tried at each depth; -1: none
    covered             uint64 [depths, words]
    best                int64 [depths]        the options placed where the fewest bits were open
    """

    numbers: Long
    local: IntArray
    listed: IntArray
    slots: IntArray
    masks: Bits
    left: Long
    need: Long
    stack: IntArray
    list_start: Long
    branch_start: Long
    branch_end: Long
    branch_at: Long
    chosen: Long
    covered: Bits
    best: Long
    counts: Long
    slot_counts: Long

    @classmethod
    def room(cls, bits: int, slots: int) -> Ending:
        """The arrays, for a problem with these numbers of bits and slots."""
        words = min(WORDS, (bits + 63) // 64)
        depth = 64 * words + slots + 2
        by_slot = {name: np.zeros(slots, np.int64) for name in ("left", "need", "slot_counts")}
        names = "list_start", "branch_start", "branch_end", "branch_at", "chosen", "best"
        by_depth = {name: np.zeros(depth, np.int64) for name in names}
        return cls(
            numbers=np.zeros(7, np.int64),
            local=np.zeros(bits, np.int32),
            listed=np.zeros(ROOM, np.int32),
            slots=np.zeros(ROOM, np.int32),
            masks=np.zeros((ROOM, words), np.uint64),
            stack=np.zeros(STACK, np.int32),
            covered=np.zeros((depth, words), np.uint64),
            counts=np.zeros(64 * words, np.int64),
            **by_slot,
            **by_depth,
        )

    def placed(self) -> list[int]:
        """The rows placed now."""
        rows: list[int] = self.listed[self.chosen[: self.numbers[E_DEPTH] + 1]].tolist()
        return rows

    def best_placed(self) -> list[int]:
        """The rows that were placed where the fewest bits were open."""
        rows: list[int] = self.listed[self.best[: self.numbers[E_PLACED]]].tolist()
        return rows


# -- what both use ---------------------------------------------------------------------------------


@part
def _is_open(taken: Bits, bit: int) -> bool:
    return bool(taken[bit >> 6] >> np.uint64(bit & 63) & U1 == U0)


@part
def _fits(tables: OrderTables, option: int, taken: Bits) -> bool:
    for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
        if not _is_open(taken, tables.bits[at]):
            return False
    return True


@jit
def place(tables: OrderTables, dive: Dive, option: int, sign: int) -> None:
    """Place an option that fits (`sign` is 1), or take it up (-1)."""
    for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
        bit = tables.bits[at]
        dive.taken[bit >> 6] ^= U1 << np.uint64(bit & 63)
    dive.left[tables.slot[option]] -= sign


# -- dives -----------------------------------------------------------------------------------------


@jit
def _has_mine(tables: OrderTables, dive: Dive, option: int) -> bool:
    """Whether an option just placed cuts off a pocket, of at most `bound` cells, of a size that no
    pieces make up.

    Cells that may stay open make a pocket harmless.
    """
    numbers, stamps, queue, taken = dive.numbers, dive.stamps, dive.queue, dive.taken
    base = numbers[D_STAMP]
    must = tables.must
    for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
        bit = tables.bits[at]
        for beside in range(tables.near_starts[bit], tables.near_starts[bit + 1]):
            seed = tables.near[beside]
            if stamps[seed] > base or not _is_open(taken, seed):
                continue
            numbers[D_STAMP] += 1
            stamp = numbers[D_STAMP]
            queue[0] = seed
            stamps[seed] = stamp
            head, tail, harmless = 0, 1, False
            while head < tail and not harmless:
                cell = queue[head]
                head += 1
                if cell >= must or tail > tables.bound:
                    harmless = True
                    break
                for to in range(tables.near_starts[cell], tables.near_starts[cell + 1]):
                    other = tables.near[to]
                    if not _is_open(taken, other):
                        continue
                    if stamps[other] > base:
                        if stamps[other] != stamp:  # a flood before this one was harmless
                            harmless = True
                            break
                        continue
                    stamps[other] = stamp
                    queue[tail] = other
                    tail += 1
            if not harmless and not tables.sums[tail]:
                return True
    return False


@jit
def _rank(tables: OrderTables, dive: Dive, cell: int) -> None:
    """Write down the options of a first bit by their keys, if that is not done yet."""
    begin, end = tables.starts[cell], tables.starts[cell + 1]
    if begin < end and dive.ranked[begin] < 0:
        order = np.argsort(dive.keys[begin:end])
        for at in range(end - begin):
            dive.ranked[begin + at] = begin + order[at]


@jit
def dive_on(tables: OrderTables, dive: Dive, threshold: int, most: int) -> int:
    """Go on until the number of steps is `most`, or at most `threshold` bits are open."""
    must, numbers, left, taken = tables.must, dive.numbers, dive.left, dive.taken
    while numbers[D_STEPS] < most:
        depth = numbers[D_DEPTH]
        if numbers[D_BACK]:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            numbers[D_DEPTH] = depth
            numbers[D_BACK] = 0
            place(tables, dive, dive.chosen[depth], -1)
            numbers[D_OPEN] += tables.covers[dive.chosen[depth]]
        cell = must
        for word in range(taken.size):
            if ~taken[word] != U0:
                cell = (word << 6) + lowest(~taken[word])
                break
        end = tables.starts[cell + 1]
        if dive.next_at[depth] < 0:
            dive.next_at[depth] = tables.starts[cell]
            _rank(tables, dive, cell)
        at, best = dive.next_at[depth], -1
        numbers[D_STEPS] += 16 - at
        while at < end and best < 0:
            option = dive.ranked[at]
            at += 1
            if left[tables.slot[option]] > 0 and _fits(tables, option, taken):
                best = option
        dive.next_at[depth] = at
        numbers[D_STEPS] += at
        if best < 0:
            numbers[D_BACK] = 1
            continue
        dive.chosen[depth] = best
        place(tables, dive, best, 1)
        numbers[D_OPEN] -= tables.covers[best]
        numbers[D_DEPTH] = depth + 1
        numbers[D_BACK] = 1
        if tables.bound > 0 and _has_mine(tables, dive, best):
            continue
        if numbers[D_OPEN] == 0:
            return COVERED
        if numbers[D_OPEN] <= threshold:
            return THRESHOLD
        numbers[D_BACK] = 0
        dive.next_at[depth + 1] = -1
    return SPENT


# -- endings ---------------------------------------------------------------------------------------


@jit
def open_ending(
    tables: OrderTables,
    dive: Dive,
    ending: Ending,
    keys: Reals,
    taken: Bits,
    all_needed: bool,
) -> int:
    """Number the open bits anew and list the options that fit, those with the least keys first.

    taken       the bits that the ending must leave alone; `dive.taken`, or more
    all_needed  whether each slot must get as many options as it needs

    Returns FULL if there is no room for them.
    """
    must, local, numbers = tables.must, ending.local, ending.numbers
    ending.left[:] = dive.left
    for slot in range(ending.need.size):
        placed = tables.high[slot] - dive.left[slot]
        ending.need[slot] = tables.low[slot] - placed if all_needed else 0
    ending.covered[0] = U0
    numbers[:] = 0
    numbers[E_DEPTH] = -1
    numbers[E_LEAST] = 1 << 40
    many = 0
    for bit in range(local.size):
        local[bit] = -1
        if _is_open(taken, bit):
            local[bit] = many
            many += 1
            numbers[E_BITS] += bit < must
    numbers[E_WORDS] = (many + 63) >> 6
    if many > 64 * ending.masks.shape[1]:
        return FULL
    count = 0
    for bit in range(must + 1):
        if bit < must and local[bit] < 0:
            continue
        for option in range(tables.starts[bit], tables.starts[bit + 1]):
            if dive.left[tables.slot[option]] > 0 and _fits(tables, option, taken):
                if count == ending.listed.size:
                    return FULL
                ending.listed[count] = option
                count += 1
    numbers[E_OPTIONS] = count
    order = np.argsort(keys[ending.listed[:count]])
    ending.listed[:count] = ending.listed[:count][order]
    for row in range(count):
        option = ending.listed[row]
        ending.slots[row] = tables.slot[option]
        ending.masks[row, : numbers[E_WORDS]] = U0
        for at in range(tables.bit_starts[option], tables.bit_starts[option + 1]):
            bit = local[tables.bits[at]]
            ending.masks[row, bit >> 6] |= U1 << np.uint64(bit & 63)
    return SPENT


@jit
def _undo(ending: Ending, depth: int) -> None:
    """Take up the option tried at a depth."""
    row = ending.chosen[depth]
    ending.left[ending.slots[row]] += 1
    ending.need[ending.slots[row]] += 1
    ending.chosen[depth] = -1


@jit
def _choose(ending: Ending, depth: int) -> None:
    """Try the next option at a depth."""
    row = ending.stack[ending.branch_at[depth]]
    ending.branch_at[depth] += 1
    ending.chosen[depth] = row
    ending.left[ending.slots[row]] -= 1
    ending.need[ending.slots[row]] -= 1
    for word in range(ending.numbers[E_WORDS]):
        ending.covered[depth + 1, word] = ending.covered[depth, word] | ending.masks[row, word]


@jit
def _filter(ending: Ending, depth: int, begin: int, from_: int, to: int) -> int:
    """Write the list of a child behind `begin`, from that of its parent, and count its options.

    Returns where the list ends.
    """
    words, masks, slots = ending.numbers[E_WORDS], ending.masks, ending.slots
    option = ending.chosen[depth] if depth >= 0 else -1
    ending.counts[: words << 6] = 0
    ending.slot_counts[:] = 0
    end = begin
    for at in range(from_, to):
        row = ending.stack[at] if depth >= 0 else at
        if row == option or ending.left[slots[row]] <= 0:
            continue
        if option >= 0:
            clash = False
            for word in range(words):
                if masks[row, word] & masks[option, word] != U0:
                    clash = True
                    break
            if clash:
                continue
        ending.stack[end] = row
        end += 1
        ending.slot_counts[slots[row]] += 1
        for word in range(words):
            rest = masks[row, word]
            while rest != U0:
                ending.counts[(word << 6) + lowest(rest)] += 1
                rest &= rest - U1
    return end


@jit
def finish(ending: Ending, most: int) -> int:
    """Go on until a solution is found or `most` steps are made.

    A node at some depth has its list in `stack` from `list_start` to `branch_start`, and then the
    options that it branches on. The root is made by the first call, with a depth of -1.
    """
    numbers, chosen, stack = ending.numbers, ending.chosen, ending.stack
    bits, words = numbers[E_BITS], numbers[E_WORDS]
    while numbers[E_STEPS] < most:
        numbers[E_STEPS] += 16
        depth = numbers[E_DEPTH]
        begin, from_, to = 0, 0, numbers[E_OPTIONS]
        if depth >= 0:
            if chosen[depth] >= 0:
                _undo(ending, depth)
            if ending.branch_at[depth] == ending.branch_end[depth]:
                numbers[E_DEPTH] = depth - 1
                if depth == 0:
                    return NONE
                continue
            _choose(ending, depth)
            begin, from_ = ending.branch_end[depth], ending.list_start[depth]
            to = ending.branch_start[depth]
        numbers[E_STEPS] += 4 * (to - from_)
        if begin + 2 * (to - from_) > stack.size:
            return FULL
        end = _filter(ending, depth, begin, from_, to)
        fewest, is_slot, item, open_bits = 1 << 40, False, -1, 0
        for word in range(words):
            rest = ~ending.covered[depth + 1, word]
            while rest != U0:
                bit = (word << 6) + lowest(rest)
                if bit >= bits:
                    break
                rest &= rest - U1
                open_bits += 1
                if ending.counts[bit] < fewest:
                    fewest, item = ending.counts[bit], bit
        if open_bits < numbers[E_LEAST]:
            numbers[E_LEAST] = open_bits
            numbers[E_PLACED] = depth + 1
            ending.best[: depth + 1] = chosen[: depth + 1]
        for slot in range(ending.need.size):
            if ending.need[slot] > 0:
                if ending.slot_counts[slot] < ending.need[slot]:
                    fewest = 0
                elif ending.slot_counts[slot] < fewest:
                    fewest, is_slot, item = ending.slot_counts[slot], True, slot
        if fewest == 0:
            if depth < 0:
                return NONE
            continue
        if item < 0:
            return SOLVED
        depth += 1
        numbers[E_DEPTH] = depth
        ending.list_start[depth], ending.branch_start[depth] = begin, end
        ending.branch_at[depth] = end
        chosen[depth] = -1
        stop = end
        for at in range(begin, end):
            row = stack[at]
            has = ending.slots[row] == item
            if not is_slot:
                has = ending.masks[row, item >> 6] >> np.uint64(item & 63) & U1 != U0
            if has:
                stack[stop] = row
                stop += 1
        ending.branch_end[depth] = stop
    return SPENT
