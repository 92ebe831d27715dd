"""The search of fila: solveFila on an explicit stack, for cells in any number of 64-bit words.

The whole state of the search is in flat arrays. It returns when its steps are spent, when the batch
of solutions is full, or when the tree is done, and later goes on where it was. The hot state is in
local variables: the occupied cells, the kinds of pieces left, the current list of images and the
place in it. The stack keeps one frame per level.

The occupied cells and the kinds of pieces left are word sets, see `backends.bits`. `fill` is
compiled once for each width. Its parts are functions that become a part of it when it is compiled.

An argument that is None takes its code away: copies, stages, a tally. The numbers of one
puzzle are in the tables. A kernel with these as literals took from 1 % more to 4 % less time, and
seconds to compile for each puzzle.

The invariants, true between any two steps:

- A frame of the stack holds the state of a node for the search to come back to: the row and the
  place in its lists, 32 bits each, the cells occupied before its image was placed, and the kinds
  yet to be tried, with the current one as the lowest.
- Every cell that must be filled, and every cell whose staying empty is a choice, is a bit of
  `branch`; bits outside it only exclude images from each other.

M. Busche's article on FILA (2018) has the pseudo-code of solveFila; the line numbers in the
comments are those there. It keeps an array S of shapes and swaps the used up ones to its end. Here
a bit mask takes its place, ANDed with the mask of the shapes that have any image in the lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.bits import (
    Words,
    bit,
    differ,
    drop_first,
    first,
    is_empty,
    join,
    less,
    load,
    load_halves,
    marked,
    meet,
    store,
    width,
)
from exactcover.base.compiled import jit, part

# Why `fill` came back.
BUDGET, FULL, DONE = range(3)

# Where it goes on: it comes to the root, or tries the images of a node.
ENTER, TRY = range(2)

# The registers: the state beside the stack.
LEVEL, PHASE, FLOOR, FITS, TRIES, FOUND, HELD, REGISTERS = range(8)

# How a cell is chosen.
FIRST, ESTIMATE, SIZE = range(3)

# The numbers in `top`, the state of the node under way; its word sets follow.
ROW, AT, END, KIND, REMAIN, HEAD = range(6)

# The columns of `stages`, which has a row for each number of remaining pieces.
RULE, CELLS = range(2)

U0, U1, U2, U3, U4, U32 = (np.uint64(number) for number in (0, 1, 2, 3, 4, 32))
LOW = np.uint64(0xFFFFFFFF)
MANY = np.uint64(1 << 62)

Planes = tuple[Words, Words, Words, Words]
"""The number of blocked neighbours of each cell, as bit-planes: the ones, twos, fours, eights."""

# -- tables ---------------------------------------------------------------------------------------


class FilaTables(NamedTuple):
    """The constant tables; w and v are the words of cells and of kinds, q is the number of kinds.

    branch    uint64 [w]  the cells to be filled, see above
    must      uint64 [v]  the kinds of which one has to be placed yet, where all have one copy
    stages    uint64 [remain + 1, 2]  for each number of remaining pieces: how a cell is chosen, and
              where its phase begins in `cells`
    counted   the least number of remaining pieces from which blocked neighbours are wanted
    hole      the kind that leaves a cell empty, or q
    kinds     q
    cells     uint64 [phases, cells, w + 3]  masks and a multiplier, see `marked`, then the shift
              and the first row of the cell
    rows      uint32 [rows, 2v + q + 1 or more]  the kinds that have any image, in halves of words,
              then where the list of each kind begins; the list of the next begins where it ends;
              the length of a row is a power of two, at least 8
    masks     uint64 [images of lists, w]
    image_of  uint32 [images of lists]  which image it is
    planes    uint64 [images, 4, w]  how many neighbours of each cell it blocks, as four bit-planes
    """

    branch: Bits
    must: Bits
    stages: Bits
    counted: int
    hole: int
    kinds: int
    cells: Bits
    rows: Index
    masks: Bits
    image_of: Index
    planes: Bits


class Copies(NamedTuple):
    """How many more of each kind may be placed, and how many may be left in the end: int64 [q].

    `left` is the one array that the search changes beside its stack; going back restores it.
    """

    left: Long
    most_left: Long


class Tally(NamedTuple):
    """Images tried and placed by the number of remaining pieces: int64 [remain + 1, 2].

    cut  a state with this many pieces left is handed out like a solution
    """

    counts: Long
    cut: int


class FilaState(NamedTuple):
    """The whole state of a search; w and v are the words of cells and of kinds.

    top    uint64 [HEAD + 5w + 2v]  the node under way
    stack  uint64 [levels, 1 + w + v], 4w more if `counting`: the nodes above it; level 0 is what
           the search starts from, and the root is at level 1
    registers  int64 [REGISTERS]
    longest    the most images of a solution
    """

    top: Bits
    stack: Bits
    registers: Long
    longest: int


# -- the parts of `fill` --------------------------------------------------------------------------


@part
def _next_image(
    masks: Bits, rows: Index, tally: Tally | None, remain: np.int64, lists: np.uint64,
    occupied: Words, rest: Words, kind: np.uint64, at: np.uint64, end: np.uint64, tries: np.int64,
) -> tuple[bool, Words, Words, np.uint64, np.uint64, np.uint64, np.int64]:  # fmt: skip
    """Lines 4, 5, 10 and 11: the next image of a node that overlaps no other.

    lists  the place in `rows` of the first list of the node; rest: the kinds yet to be tried

    Returns whether there is one, the cells occupied with it, and the place reached: rest, kind, at
    and end; and the tries with those made here.
    """
    fit = False
    joined = occupied
    before = tries
    while True:
        begin = at
        while at < end:
            mask = load(masks, at * width(occupied), occupied)
            at += U1
            if is_empty(meet(occupied, mask)):
                fit = True
                joined = join(occupied, mask)
                break
        tries += np.int64(at - begin)
        if fit or is_empty(rest):
            break
        kind = first(rest)
        rest = drop_first(rest)
        at, end = np.uint64(rows[lists + kind]), np.uint64(rows[lists + kind + U1])
    if tally is not None:
        tally.counts[remain if remain > 0 else 0, 0] += tries - before
    return fit, joined, rest, kind, at, end, tries


@part
def _load_planes(flat: Bits, at: np.uint64, like: Words) -> Planes:
    """The bit-planes at a place of a flat array."""
    wide = width(like)
    return (
        load(flat, at, like),
        load(flat, at + wide, like),
        load(flat, at + U2 * wide, like),
        load(flat, at + U3 * wide, like),
    )


@part
def _store_planes(flat: Bits, at: np.uint64, planes: Planes) -> None:
    """Store bit-planes at a place of a flat array."""
    for plane in planes:
        store(flat, at, plane)
        at += width(plane)


@part
def _blocked_beside(planes: Bits, at: np.uint64, blocked: Planes) -> Planes:
    """The blocked neighbours of all cells with those of an image added: a ripple of carries."""
    one, two, four, eight = blocked
    more, more_two, more_four, more_eight = _load_planes(planes, at, one)
    carry = meet(one, more)
    either = differ(two, more_two)
    next_two = differ(either, carry)
    carry = join(meet(two, more_two), meet(either, carry))
    either = differ(four, more_four)
    next_four = differ(either, carry)
    carry = join(meet(four, more_four), meet(either, carry))
    return differ(one, more), next_two, next_four, differ(differ(eight, more_eight), carry)


@part
def _most_blocked(open_: Words, blocked: Planes) -> Words:
    """The open cells with the most blocked neighbours."""
    one, two, four, eight = blocked
    for plane in (eight, four, two, one):
        some = meet(open_, plane)
        if not is_empty(some):
            open_ = some
    return open_


@part
def _row(cells: Bits, cell: np.uint64, row_bits: np.uint64, occupied: Words) -> np.uint64:
    """Line 3, getImageListSet: the row of a cell, for the state of the cells near it."""
    wide = width(occupied)
    place = cell * (wide + U3)
    index = marked(occupied, cells, place) >> cells[place + wide + U1]
    row: np.uint64 = (cells[place + wide + U2] + index) << row_bits
    return row


@part
def _count_fits(
    masks: Bits, rows: Index, spot: np.uint64, occupied: Words, fits: np.uint64, up_to: np.uint64
) -> np.uint64:
    """The fits with those of the list that begins there; it stops counting at `up_to`."""
    at, end = np.uint64(rows[spot]), np.uint64(rows[spot + U1])
    while at < end and fits < up_to:
        if is_empty(meet(occupied, load(masks, at * width(occupied), occupied))):
            fits += U1
        at += U1
    return fits


@part
def _fewest_fits(
    tables: FilaTables, first_cell: np.uint64, row_bits: np.uint64, open_: Words, occupied: Words,
    avail: Words,
) -> tuple[np.uint64, np.uint64, Words, int]:  # fmt: skip
    """Line 3, selectFila by countFits: the cell with the fewest images that fit.

    It counts up to the fewest found so far; a cell without any ends it. Returns the fewest, the row
    of the cell, the kinds with images there, and how many cells it looked at.
    """
    rows, masks, row_head = tables.rows, tables.masks, U2 * width(avail)
    fewest, looked_at = MANY, 0
    its_row, its_kinds = U0, avail
    while fewest > U0 and not is_empty(open_):
        cell = first(open_)
        open_ = drop_first(open_)
        looked_at += 1
        here = _row(tables.cells, first_cell + cell, row_bits, occupied)
        kinds = meet(avail, load_halves(rows, here, avail))
        some = kinds
        fits = U0
        while fits < fewest and not is_empty(some):
            fits = _count_fits(masks, rows, here + row_head + first(some), occupied, fits, fewest)
            some = drop_first(some)
        if fits < fewest:
            fewest, its_row, its_kinds = fits, here, kinds
    return fewest, its_row, its_kinds, looked_at


@part
def _is_complete(copies: Copies | None, avail: Words, must: Words) -> bool:
    """Whether enough of each kind is placed."""
    complete: bool = is_empty(meet(avail, must))
    if copies is not None:
        for its in range(copies.left.size):
            complete = complete and copies.left[its] <= copies.most_left[its]
    return complete


@jit
def fill(
    steps: int, keep: bool, capacity: int, cell_words: Words, kind_words: Words, tables: FilaTables,
    copies: Copies | None, tally: Tally | None, counting: int | None, state: FilaState,
    out_starts: Long, out_images: Index,
) -> int:  # fmt: skip
    """Go on for about `steps` choices; the arrays of `state` hold the whole state.

    cell_words, kind_words  any word sets of the right width
    copies   None: there is one of every kind
    tally    None: there is no cut, and the first open cell is filled all along
    counting None: no phase counts the images that fit to choose a cell. The code for an argument
             that is None is compiled away

    The search is done when it is back at the level FLOOR.

    Solutions go to `out_images`, the place in `masks` of each image in the order of choice; the
    search goes on only while there is room for the longest solution.
    """
    branch = load(tables.branch, U0, cell_words)
    must = load(tables.must, U0, kind_words)
    stages, hole = tables.stages, np.uint64(tables.hole)
    rows, masks, counted = tables.rows, tables.masks, tables.counted
    top, stack, registers = state.top, state.stack, state.registers
    wide = width(cell_words)
    row_head = U2 * width(kind_words)
    row_bits = U3  # rows begin where a shift brings their number
    while U1 << row_bits <= row_head + np.uint64(tables.kinds):
        row_bits += U1
    rest_at = U1 + wide
    planes_at = rest_at + width(kind_words)
    frame_size = planes_at
    if counting is not None:
        frame_size = planes_at + U4 * wide

    phase, floor = registers[PHASE], np.uint64(registers[FLOOR]) * frame_size
    fits, tries, found = registers[FITS], registers[TRIES], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET

    # The current node, and the changes that a placed image makes.
    until = fits + steps
    frame = np.uint64(registers[LEVEL]) * frame_size
    row, at, end, kind = top[ROW], top[AT], top[END], top[KIND]
    remain = np.int64(top[REMAIN])
    place = np.uint64(HEAD)
    occupied = load(top, place, cell_words)
    avail = load(top, place + wide, kind_words)
    rest = load(top, place + wide + width(kind_words), kind_words)
    next_occupied, next_avail, next_remain = occupied, avail, remain
    if counting is not None:
        place += wide + U2 * width(kind_words)
        blocked = _load_planes(top, place, cell_words)
        next_blocked = blocked

    while fits < until:
        if phase == TRY:
            fit, next_occupied, rest, kind, at, end, tries = _next_image(
                masks, rows, tally, remain, row + row_head, occupied, rest, kind, at, end, tries
            )

            if not fit:  # back to the node above
                if frame <= floor:
                    status = DONE
                    break
                frame -= frame_size
                row, at = stack[frame] >> U32, stack[frame] & LOW
                occupied = load(stack, frame + U1, cell_words)
                rest = load(stack, frame + rest_at, kind_words)
                kind = first(rest)
                rest = drop_first(rest)
                end = np.uint64(rows[row + row_head + kind + U1])
                avail = join(avail, bit(kind, kind_words))
                if tally is not None:
                    remain += kind != hole
                if counting is not None:  # noqa: SIM102  (decided when it is compiled)
                    if remain >= counted:
                        blocked = _load_planes(stack, frame + planes_at, cell_words)
                # 14 to 17: the image is there again
                if copies is not None:
                    copies.left[kind] += 1
                continue

            # 6 to 9, 12: one less of its kind
            fits += 1
            if tally is not None:
                tally.counts[remain if remain > 0 else 0, 1] += 1
            next_avail = avail
            if copies is None:
                next_avail = less(avail, bit(kind, kind_words))
            else:
                copies.left[kind] -= 1
                if copies.left[kind] == 0:
                    next_avail = less(avail, bit(kind, kind_words))
            next_remain = remain
            if tally is not None:
                next_remain = remain - (kind != hole)
            if counting is not None:  # noqa: SIM102
                if next_remain >= counted:
                    image = np.uint64(tables.image_of[at - U1])
                    next_blocked = _blocked_beside(tables.planes, image * U4 * wide, blocked)

        # 13: come to a node
        phase = TRY
        open_ = less(branch, next_occupied)
        is_cut = False
        if tally is not None:
            is_cut = bool(next_remain <= tally.cut and not is_empty(open_))
        if is_empty(open_) or is_cut:  # 2: process the solution
            complete = is_cut or _is_complete(copies, next_avail, must)
            if copies is not None and frame > U0:
                copies.left[kind] += 1
            if complete:
                found += 1
                if keep:
                    above = frame_size
                    while above < frame:
                        out_images[filled] = (stack[above] & LOW) - U1
                        filled += 1
                        above += frame_size
                    if frame > U0:
                        out_images[filled] = at - U1
                        filled += 1
                    held += 1
                    out_starts[held] = filled
                    if held == capacity or out_images.size - filled < state.longest:
                        status = FULL
                        break
            continue

        # 3: selectFila and getImageListSet
        rule, first_cell = np.uint64(FIRST), U0
        if tally is not None:
            stage = np.uint64(next_remain if next_remain > 0 else 0) << U1
            rule, first_cell = stages[stage], stages[stage + U1]
        is_counted = False
        if counting is not None:
            is_counted = bool(rule >= ESTIMATE)
        if not is_counted:
            next_row = _row(tables.cells, first_cell + first(open_), row_bits, next_occupied)
            next_rest = meet(next_avail, load_halves(rows, next_row, kind_words))
        elif counting is not None:
            if rule == ESTIMATE:
                open_ = _most_blocked(open_, next_blocked)
            fewest, next_row, next_rest, looked_at = _fewest_fits(
                tables, first_cell, row_bits, open_, next_occupied, next_avail
            )
            until -= looked_at >> 3
            if fewest == U0:
                next_rest = less(next_rest, next_rest)

        if is_empty(next_rest):  # no image can fill the cell
            if copies is not None and frame > U0:
                copies.left[kind] += 1
            if frame == U0:
                status = DONE
                break
            continue

        stack[frame] = row << U32 | at
        store(stack, frame + U1, occupied)
        store(stack, frame + rest_at, join(rest, bit(kind, kind_words)))
        if counting is not None:
            if remain >= counted:
                _store_planes(stack, frame + planes_at, blocked)
            blocked = next_blocked
        frame += frame_size
        row, at, end = next_row, U0, U0
        remain = next_remain
        occupied, avail, rest = next_occupied, next_avail, next_rest

    top[ROW], top[AT], top[END], top[KIND] = row, at, end, kind
    top[REMAIN] = np.uint64(remain)
    place = np.uint64(HEAD)
    store(top, place, occupied)
    store(top, place + wide, avail)
    store(top, place + wide + width(kind_words), rest)
    if counting is not None:
        _store_planes(top, place + wide + U2 * width(kind_words), blocked)
    registers[LEVEL], registers[PHASE] = np.int64(frame // frame_size), phase
    registers[FITS], registers[TRIES] = fits, tries
    registers[FOUND], registers[HELD] = found, held
    return status
