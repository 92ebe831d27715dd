"""The search loop of `planes` and of `solve_each`: one problem below sets of given options.

A small problem takes most of its time for preparing the search. Here the tables are made once for
all sets, and a set begins with a copy of half a kilobyte: the *bits* of a level. A search of the
engine has a single set.

- The first *plane* has a bit for each primary item that says whether its first option is left. The
  second plane has a bit for its second option, and so on. Behind the planes, a bit for each item
  says whether it is *open*, not covered yet.
- Choosing an option takes its row of `gone` out of these bits, without any lookup.
- A pass through the planes with a carry counts the options of all items at once: a few operations
  on words find the items with none, one, two, or three options.
- If an item has two options left, the options that conflict with both are removed too.

If every open item has two options or more, the search branches on an item with the fewest. The
choice among these decides the size of the tree: it takes the item whose options conflict with the
most other options. Options of the items with the fewest count four times, since losing one of them
forces another. Each level has its own bits, so backtracking undoes nothing. Forced choices make no
level, and the last option of an item is followed on the level of the item itself.

Secondary items and colours only determine which options conflict: they are in `gone`, nowhere else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, Reals
from exactcover.backends.bits import lowest, population
from exactcover.backends.planes.search import LANES
from exactcover.base.compiled import jit, kernel
from exactcover.problem import IntArray

# Why `solve_sets` came back.
BUDGET, FULL, DONE = range(3)

# What it does next.
BEGIN, GO_ON = range(2)

# Which solutions of a set it writes down: none, the first, or all. `FIRST` writes an empty row for
# a set without solutions, and follows the last option of an item on the level of the item. With
# `ALL` and `COUNT` each option has a level of its own, so that the stack shows the way through the
# tree.
COUNT, FIRST, ALL = range(3)

# The registers: the state that must survive between two calls, beside the arrays.
SET, PHASE, LEVEL, TAKEN, FOUND, HELD, FILLED, FITS, REGISTERS = range(9)

# The fields of a stack frame: the item branched on, as lane and bit; the word of the next option
# that may be left to it; rows taken before; how many options it had, and how many were begun.
LANE, BIT, NEXT, BEFORE, BRANCHES, BEGUN, FRAME = range(7)

# The state of a level once all forced choices are made. A negative one leaves nothing to branch on.
OPEN_ITEMS, DEAD, SOLVED = 0, -1, -2

TALLY = 4 * LANES
"""The words that counting to four fills in for a group of lanes."""

U0, U1, STEP = np.uint64(0), np.uint64(1), np.uint64(LANES)
TWICE, THRICE = np.uint64(2 * LANES), np.uint64(3 * LANES)


class Planes(NamedTuple):
    """A problem as the kernel reads it. Items are in lanes of 64, `LANES` of them are a group.

    groups    int64 [groups + 1]   where the planes of each group begin
    row_at    uint32 [opens, 64]   the row that each bit of the planes stands for
    gone      uint64 [rows, bits]  the bits of a level that choosing a row removes
    opens     the word of the bits of a level where those of the open items begin
    starts, words, bits            where the bits of each row are in the planes
    conflict  uint64 [rows, words] the rows that cannot be chosen beside each row, and itself
    """

    groups: Long
    row_at: Index
    gone: Bits
    opens: int
    starts: Long
    words: Long
    bits: Bits
    conflict: Bits


class Levels(NamedTuple):
    """The state of a search; level 0 is the problem with nothing chosen, a set begins at level 1.

    left    uint64 [levels, bits]   planes and open items
    rows    uint64 [levels, words]  the rows not in conflict with those taken when it branched
    paired  uint64 [levels, lanes]  the items of two options that were used
    stack   int64 [levels, FRAME]
    chosen  uint32                  the rows taken, in the order of choice
    """

    left: Bits
    rows: Bits
    paired: Bits
    stack: Long
    chosen: Index


class Scratch(NamedTuple):
    """Room that holds nothing from one step to the next.

    tally    uint64 [groups * TALLY]  the items with at least one, two, three, four options
    fewest   uint64 [lanes]           the items with the fewest options
    near     uint64 [words]           their options
    entries  int64 [entries, 2]       each of these items beside each of its options
    weight   int64 [rows]
    score    float64 [64 * lanes]     all 1 between two uses
    """

    tally: Bits
    fewest: Bits
    near: Bits
    entries: Long
    weight: Long
    score: Reals


# -- the tables ------------------------------------------------------------------------------------


@jit
def exclude(
    columns: Long, rows: Long, shades: IntArray, starts: Long, words: Long, bits: Bits,
    conflict: Bits, gone: Bits,
) -> None:  # fmt: skip
    """Note for each row which rows it excludes, in `conflict`, and what those take along, in
    `gone`.

    columns  int64 [items + 1]: where the rows of each item begin, in `rows` and `shades`
    shades   the colour that each row gives the item: rows with the same one, not 0, fit together
    """
    others, removed = np.zeros(conflict.shape[1], np.uint64), np.zeros(gone.shape[1], np.uint64)
    for item in range(columns.size - 1):
        begin, end = columns[item], columns[item + 1]
        for first in range(begin, end):
            before = begin
            while shades[before] != shades[first]:
                before += 1
            if before < first:  # the rows of this colour are done
                continue
            others[:], removed[:] = U0, U0
            for at in range(begin, end):
                if shades[at] == 0 or shades[at] != shades[first]:
                    row = rows[at]
                    others[row >> 6] |= U1 << np.uint64(row & 63)
                    for entry in range(starts[row], starts[row + 1]):
                        removed[words[entry]] |= bits[entry]
            for at in range(first, end):
                if shades[at] == shades[first]:
                    for word in range(others.size):
                        conflict[rows[at], word] |= others[word]
                    for word in range(removed.size):
                        gone[rows[at], word] |= removed[word]


# -- the search ------------------------------------------------------------------------------------


@kernel
def _choose(row: int, level: int, gone: Bits, left: Bits) -> None:
    """Remove a row's `gone` from the bits of a level."""
    for word in range(left.shape[1]):
        left[level, word] &= ~gone[row, word]


@kernel
def _reach_two(level: int, group: int, groups: Long, left: Bits, tally: Bits) -> None:
    """Fill in the items of a group with at least one, and with at least two options left.

    Both lanes are in one pass, which the compiler turns into vector code.
    """
    one, one_beside, two, two_beside = U0, U0, U0, U0
    for place in range(np.uint64(groups[group]), np.uint64(groups[group + 1]), STEP):
        word, beside = left[level, place], left[level, place + U1]
        two |= one & word
        two_beside |= one_beside & beside
        one |= word
        one_beside |= beside
    at = np.uint64(group * TALLY)
    tally[at], tally[at + U1] = one, one_beside
    tally[at + STEP], tally[at + STEP + U1] = two, two_beside


@kernel
def _reach_four(level: int, group: int, groups: Long, left: Bits, tally: Bits) -> None:
    """The same for three and four options, from the counts of one and two."""
    one, one_beside, two, two_beside = U0, U0, U0, U0
    three, three_beside, four, four_beside = U0, U0, U0, U0
    for place in range(np.uint64(groups[group]), np.uint64(groups[group + 1]), STEP):
        word, beside = left[level, place], left[level, place + U1]
        four |= three & word
        four_beside |= three_beside & beside
        three |= two & word
        three_beside |= two_beside & beside
        two |= one & word
        two_beside |= one_beside & beside
        one |= word
        one_beside |= beside
    at = np.uint64(group * TALLY)
    tally[at + TWICE], tally[at + TWICE + U1] = three, three_beside
    tally[at + THRICE], tally[at + THRICE + U1] = four, four_beside


@kernel
def _count_to_two(level: int, planes: Planes, left: Bits, tally: Bits) -> int:
    """Count the options of the items to two; return whether none is open, or one has no option.

    The state is OPEN_ITEMS if there is neither, else SOLVED or DEAD.
    """
    groups = planes.groups
    empty, some = U0, U0
    for group in range(groups.size - 1):
        _reach_two(level, group, groups, left, tally)
        for lane in range(LANES):
            unmet = left[level, np.uint64(planes.opens + group * LANES + lane)]
            empty |= unmet & ~tally[np.uint64(group * TALLY + lane)]
            some |= unmet
    if empty != U0:
        return DEAD
    return SOLVED if some == U0 else OPEN_ITEMS


@kernel
def _take_singles(
    level: int, taken: int, planes: Planes, levels: Levels, tally: Bits
) -> tuple[int, int]:
    """Choose the options of all items that had a single one; return the state then, and the rows
    taken."""
    groups, left = planes.groups, levels.left
    for group in range(groups.size - 1):
        for lane in range(LANES):
            word = np.uint64(planes.opens + group * LANES + lane)
            items = left[level, word] & ~tally[np.uint64(group * TALLY + LANES + lane)]
            begin, end = np.uint64(groups[group] + lane), np.uint64(groups[group + 1])
            while items != U0:
                bit = np.uint64(lowest(items))
                place, there = U0, U0
                for here in range(begin, end, STEP):  # no early exit, so this is vector code
                    one = (left[level, here] >> bit) & U1
                    place += np.uint64(here) * one
                    there |= one
                if there == U0:  # a choice for an item before it has taken its option
                    return DEAD, taken
                row = int(planes.row_at[place, bit])
                levels.chosen[taken] = row
                taken += 1
                _choose(row, level, planes.gone, left)
                items &= left[level, word]  # others that it covers, and itself, are done
    return OPEN_ITEMS, taken


@kernel
def _use_pairs(level: int, planes: Planes, left: Bits, paired: Bits, tally: Bits) -> bool:
    """Remove options that conflict with both options of an item; return whether any were
    removed."""
    groups, gone = planes.groups, planes.gone
    used = False
    for group in range(groups.size - 1):
        for lane in range(LANES):
            item = group * LANES + lane
            at = np.uint64(group * TALLY + lane)
            items = left[level, planes.opens + item] & tally[at + STEP] & ~tally[at + TWICE]
            items &= ~paired[level, item]
            paired[level, item] |= items
            begin, end = np.uint64(groups[group] + lane), np.uint64(groups[group + 1])
            while items != U0:
                bit = np.uint64(lowest(items))
                items &= items - U1
                many, both, last = U0, U0, U0
                for place in range(begin, end, STEP):
                    there = (left[level, place] >> bit) & U1
                    many += there
                    both += there * place
                    if there != U0:
                        last = np.uint64(place)
                if many <= U1:  # by a pair before it
                    continue
                one = int(planes.row_at[both - last, bit])
                two = int(planes.row_at[last, bit])
                # Their own bits are among those that both remove.
                lost = planes.starts[one] - planes.starts[one + 1]
                lost += planes.starts[two] - planes.starts[two + 1]
                for word in range(planes.opens):
                    lost += population(left[level, word] & gone[one, word] & gone[two, word])
                if lost == 0:
                    continue
                used = True
                for word in range(planes.opens):
                    left[level, word] &= ~(gone[one, word] & gone[two, word])
                for row in (one, two):
                    for entry in range(planes.starts[row], planes.starts[row + 1]):
                        left[level, planes.words[entry]] |= planes.bits[entry]
    return used


@kernel
def _follow(
    level: int, taken: int, planes: Planes, levels: Levels, scratch: Scratch
) -> tuple[int, int]:
    """Make all forced choices; return the state of the level then, and the rows taken."""
    groups, tally, left = planes.groups, scratch.tally, levels.left
    while True:
        state = _count_to_two(level, planes, left, tally)
        if state != OPEN_ITEMS:
            return state, taken
        before = taken
        state, taken = _take_singles(level, taken, planes, levels, tally)
        if state == DEAD:
            return DEAD, taken
        if taken == before:
            for group in range(groups.size - 1):
                _reach_four(level, group, groups, left, tally)
            if not _use_pairs(level, planes, left, levels.paired, tally):
                return OPEN_ITEMS, taken


@kernel
def _find_fewest(level: int, planes: Planes, left: Bits, tally: Bits, fewest: Bits) -> int:
    """Fill in the items with the fewest options; return how many. Options are counted to four."""
    groups = planes.groups
    items = 0
    for enough in range(1, 3):
        for lane in range(fewest.size):
            at = lane // LANES * TALLY + enough * LANES + lane % LANES
            fewest[lane] = left[level, planes.opens + lane] & tally[at] & ~tally[at + LANES]
            items += population(fewest[lane])
        if items > 0:
            return items
    least = np.int64(1 << 62)
    for lane in range(fewest.size):
        unmet = left[level, planes.opens + lane]
        begin = np.uint64(groups[lane // LANES] + lane % LANES)
        end = np.uint64(groups[lane // LANES + 1])
        fewest[lane] = U0
        while unmet != U0:
            bit = np.uint64(lowest(unmet))
            unmet &= unmet - U1
            count = U0
            for place in range(begin, end, STEP):
                count += (left[level, place] >> bit) & U1
            if np.int64(count) < least:
                least, items = np.int64(count), 0
                for earlier in range(lane + 1):
                    fewest[earlier] = U0
            if np.int64(count) == least:
                fewest[lane] |= U1 << bit
                items += 1
    return items


@kernel
def _weight(row: int, level: int, conflict: Bits, rows: Bits, near: Bits) -> int:
    """How many options a row conflicts with; those in `near` count four times."""
    weight = 0
    for word in range(near.size):
        others = conflict[row, word]
        weight += population(others & rows[level, word]) + 3 * population(others & near[word])
    return weight


@kernel
def _pick(level: int, planes: Planes, levels: Levels, scratch: Scratch) -> tuple[int, int]:
    """The item to branch on, as 64 * lane + bit, and how many options it has."""
    fewest, near, entries = scratch.fewest, scratch.near, scratch.entries
    weight, score = scratch.weight, scratch.score
    groups, row_at, left = planes.groups, planes.row_at, levels.left
    _find_fewest(level, planes, left, scratch.tally, fewest)
    for word in range(near.size):
        near[word] = U0
    many = 0
    for lane in range(fewest.size):
        if fewest[lane] == U0:
            continue
        begin = np.uint64(groups[lane // LANES] + lane % LANES)
        for place in range(begin, np.uint64(groups[lane // LANES + 1]), STEP):
            items = left[level, place] & fewest[lane]
            while items != U0:
                bit = np.uint64(lowest(items))
                items &= items - U1
                row = row_at[place, bit]
                near[row >> 6] |= U1 << np.uint64(row & 63)
                entries[many, 0], entries[many, 1] = 64 * lane + np.int64(bit), np.int64(row)
                many += 1
    for word in range(near.size):
        options = near[word]
        while options != U0:
            number = (word << 6) + lowest(options)
            options &= options - U1
            weight[number] = _weight(number, level, planes.conflict, levels.rows, near)
    for entry in range(many):
        score[entries[entry, 0]] *= weight[entries[entry, 1]]
    best, pick = -1.0, 0
    for entry in range(many):
        item = entries[entry, 0]
        if score[item] > best:
            best, pick = score[item], item
    options_left = 0
    for entry in range(many):
        score[entries[entry, 0]] = 1.0
        options_left += entries[entry, 0] == pick
    return pick, options_left


@kernel
def _write(rows: int, chosen: Index, near: Bits, filled: int, out_rows: Index) -> int:
    """Write the rows chosen, ascending, after those filled in before; return the new end."""
    for word in range(near.size):
        near[word] = U0
    for number in range(rows):
        row = int(chosen[number])
        near[row >> 6] |= U1 << np.uint64(row & 63)
    for word in range(near.size):
        ones = near[word]
        while ones != U0:
            out_rows[filled] = (word << 6) + lowest(ones)
            ones &= ones - U1
            filled += 1
    return filled


@kernel
def solve_sets(
    steps: int, limit: int, kept: int, planes: Planes, given_starts: Long, given: Long,
    levels: Levels, scratch: Scratch, registers: Long, found: Long, out_starts: Long,
    out_rows: Index,
) -> int:  # fmt: skip
    """Go on for about `steps` choices; the arrays hold the whole state.

    limit   a set is left when it has this many solutions
    kept    which solutions go to `out_rows`, each ascending: COUNT, FIRST or ALL
    given_starts, given   the rows given by each set; -1: none that can be chosen
    found   int64 [sets]  solutions of each set, up to the limit

    It stops if the next solution to be written might not fit.
    """
    at, phase, level = registers[SET], registers[PHASE], registers[LEVEL]
    taken, here = registers[TAKEN], registers[FOUND]
    held, filled, fits = registers[HELD], registers[FILLED], registers[FITS]
    groups, gone, conflict = planes.groups, planes.gone, planes.conflict
    left, rows, paired = levels.left, levels.rows, levels.paired
    stack, chosen = levels.stack, levels.chosen
    status = DONE
    while at < given_starts.size - 1:
        if steps <= 0:
            status = BUDGET
            break
        if phase == BEGIN:
            here = 0
        full = out_rows.size - filled < chosen.size or held == out_starts.size - 1
        if full and (kept == ALL or (kept == FIRST and here == 0)):
            status = FULL
            break
        state = OPEN_ITEMS
        if phase == BEGIN:
            phase, level, above, before, taken = GO_ON, 1, 0, 0, 0
            for word in range(left.shape[1]):
                left[1, word] = left[0, word]
            for lane in range(paired.shape[1]):
                paired[1, lane] = U0
            for number in range(given_starts[at], given_starts[at + 1]):
                row = int(given[number])
                entry = planes.starts[row]
                if row < 0 or left[1, planes.words[entry]] & planes.bits[entry] == U0:
                    state = DEAD
                    break
                chosen[taken] = row
                taken += 1
                _choose(row, 1, gone, left)
            fits -= taken
        else:
            level -= 1
            if level == 0:
                found[at] = here
                if here == 0 and kept == FIRST:
                    held += 1
                    out_starts[held] = filled
                at += 1
                phase = BEGIN
                continue
            lane, bit = stack[level, LANE], np.uint64(stack[level, BIT])
            place, end = stack[level, NEXT], groups[lane // LANES + 1]
            if place >= end:  # all options of its item were chosen, each on the level below
                continue
            above, before = level, stack[level, BEFORE]
            stack[level, BEGUN] += 1
            taken = before
            while (left[level, place] >> bit) & U1 == U0:
                place += LANES
            row = int(planes.row_at[place, bit])
            place += LANES
            while place < end and (left[level, place] >> bit) & U1 == U0:
                place += LANES
            if place < end or kept != FIRST:
                stack[level, NEXT] = place
                level += 1
                for word in range(left.shape[1]):
                    left[level, word] = left[level - 1, word]
                for item in range(paired.shape[1]):
                    paired[level, item] = paired[level - 1, item]
            _choose(row, level, gone, left)
            chosen[taken] = row
            taken += 1
        if state != DEAD:
            state, taken = _follow(level, taken, planes, levels, scratch)
        if state == OPEN_ITEMS:
            # The rows taken since the level above branched, or this one did.
            for word in range(rows.shape[1]):
                rows[level, word] = rows[above, word]
            for number in range(before, taken):
                row = int(chosen[number])
                for word in range(rows.shape[1]):
                    rows[level, word] &= ~conflict[row, word]
            item, branches = _pick(level, planes, levels, scratch)
            stack[level, LANE], stack[level, BIT] = item >> 6, item & 63
            stack[level, BRANCHES], stack[level, BEGUN] = branches, 0
            stack[level, NEXT] = groups[(item >> 6) // LANES] + (item >> 6) % LANES
            stack[level, BEFORE] = taken
            level += 1
        elif state == SOLVED:
            here += 1
            if kept == ALL or (kept == FIRST and here == 1):
                filled = _write(taken, chosen, scratch.near, filled, out_rows)
                held += 1
                out_starts[held] = filled
            if here == limit:
                level = 1
        fits += taken - before
        steps -= max(taken - before, 1)

    registers[SET], registers[PHASE], registers[LEVEL] = at, phase, level
    registers[TAKEN], registers[FOUND] = taken, here
    registers[HELD], registers[FILLED], registers[FITS] = held, filled, fits
    return status
