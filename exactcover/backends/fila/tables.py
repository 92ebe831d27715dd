"""The tables of fila: which images to try, for each cell and each state of cells near it.

For each cell there is one set of lists of images for every state of a few chosen cells near it, so
that no image in a list conflicts with them: *neighbour occupancy filtering* (NOF). If cells are
taken in a fixed order, only images that lie on no earlier cell are listed, since earlier cells are
filled: *priority occupancy filtering* (POF). Both filterings are from M. Busche's article, with two
differences: the chosen cells need not be adjacent ones, and the state is numbered not by nested
tests but by masking, multiplying and shifting. `find_multiplier` searches a multiplier that gives
every state its own number; sometimes the number takes a bit or two more than there are cells.

The tables are made anew for every root, from the images that still fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, Rows, compressed, expanded
from exactcover.backends.fila.prepared import words_for
from exactcover.base.compiled import kernel, kernel_part

if TYPE_CHECKING:
    from exactcover.backends.open_board import OpenBoard


U0, U1 = np.uint64(0), np.uint64(1)

ROOM = 1 << 23
"""The most lists; fewer near cells are looked at if there would be more."""

SPARE_BITS = 4
"""The number of a state may have at most this many more bits than there are near cells."""

TRIALS = 100
"""The number of multipliers tried for each number of bits."""

SEED = 0x9E3779B97F4A7C15
"""The first random number of the search for multipliers: the same tables each time."""

ADJACENT = float(1 << 40)
"""More than any other usefulness of a cell: adjacent cells come first."""


@dataclass(frozen=True, eq=False)
class Lists:
    """The tables of one phase, see `kernel.FilaTables`; rows and places count from 0."""

    cells: Bits
    rows: Index
    image_of: Index


class Numbering(NamedTuple):
    """The last random number, and what `_multiplier` writes to.

    goal   int64 [width]: where it moves each bit
    part   uint64 [states]: the product of each state
    taken  int64 [states, with spare bits]: the trial in which a number was last given
    """

    random: Bits
    goal: Long
    part: Bits
    taken: Long


def row_size(n_kinds: int) -> int:
    """The numbers of a row: halves of words of kinds, and where lists begin; a power of two, at
    least 8."""
    return max(1 << (2 * words_for(n_kinds) + n_kinds).bit_length(), 8)


def make_lists(
    board: OpenBoard, near: Rows, words: int, most_near: int, *, ordered: bool, likely: bool
) -> Lists:
    """The lists of one phase.

    near       int64, compressed rows over cells: the cells that share a side with each
    most_near  how many cells near a cell are looked at
    ordered    whether cells are filled in the order of their numbers
    likely     whether the likeliest to be filled, in this order, are looked at besides adjacent
               ones
    """
    n_cells, n_kinds = board.n_cells, board.room.size
    while most_near > 0 and (n_cells << most_near) * (n_kinds + 1) > ROOM:
        most_near -= 1
    starts, bits = board.rows()
    candidates = np.repeat(np.arange(board.kind.size), np.diff(starts))
    if ordered:  # at each cell, the images of which it is the first
        cell_of, candidates = np.minimum.reduceat(bits, starts[:-1]), np.arange(board.kind.size)
    else:  # at each cell, the images that cover it
        cell_of, candidates = bits[bits < n_cells], candidates[bits < n_cells]
    looked_at = _near_cells(board, near, cell_of if ordered else None, most_near, likely)
    most = 1 << looked_at.shape[1]
    cells, numbers = np.zeros((n_cells, words + 3), np.uint64), np.zeros((n_cells, most), np.uint32)
    scratch = Numbering(
        np.array([SEED], np.uint64), np.zeros(64, np.int64), np.zeros(most, np.uint64),
        np.zeros(most << SPARE_BITS, np.int64),
    )  # fmt: skip
    rows = number_states(looked_at, words, scratch, cells, numbers)
    by_kind = np.argsort(board.kind[candidates], kind="stable")
    candidate_starts, listed = compressed(cell_of[by_kind], candidates[by_kind], n_cells)
    covers = np.zeros((n_cells, board.n_bits), np.int64)
    cell, which = np.nonzero(looked_at >= 0)
    covers[cell, looked_at[cell, which]] = 1 << which
    lengths = np.diff(starts)[listed]
    at_cell = np.repeat(np.arange(n_cells), np.diff(candidate_starts))
    covered = covers[np.repeat(at_cell, lengths), bits[expanded(starts, listed)]]
    patterns = np.bitwise_or.reduceat(covered, lengths.cumsum() - lengths)
    n_near = (looked_at >= 0).sum(axis=1)
    total = int((1 << (n_near[at_cell] - np.bitwise_count(patterns))).sum())
    table, image_of = np.zeros((rows, row_size(n_kinds)), np.uint32), np.empty(total, np.uint32)
    list_images(
        board.kind, candidate_starts, listed, patterns, 1 << n_near, numbers,
        cells[:, -1].astype(np.int64), 2 * words_for(n_kinds), table, image_of,
    )  # fmt: skip
    return Lists(cells, table, image_of)


def _near_cells(board: OpenBoard, near: Rows, first: Long | None, most: int, likely: bool) -> Long:
    """The bits to look at for each cell, -1: none: int64 [cells, up to `most`].

    First come adjacent cells, those in most candidates of the cell first. In a fixed order the most
    useful others follow: the usefulness of a cell is the number of candidates that cover it, times
    the probability that it is filled. That is the share of the images covering it that begin
    earlier in the order.

    first  int64 [images]: the first cell of each; None: there is no order
    """
    n_cells, n_bits = board.n_cells, board.n_bits
    starts, bits = board.rows()
    useful = np.zeros((n_cells, n_bits))
    if first is None:
        covered = _covering_both(board)
    else:
        at_first = np.repeat(first, np.diff(starts)) * n_bits + bits
        covered = np.bincount(at_first, minlength=n_cells * n_bits).reshape(n_cells, n_bits)
        if likely:
            both = _covering_both(board)
            earlier = covered.cumsum(axis=0) - covered
            ways = np.bincount(bits, minlength=n_bits) - both
            np.divide(covered * (earlier - both + covered), ways, out=useful, where=ways > 0)
    near_starts, others = near
    cell = np.repeat(np.arange(n_cells), np.diff(near_starts))
    useful[cell, others] = ADJACENT + covered[cell, others]
    useful[covered == 0] = 0
    useful[np.arange(n_cells), np.arange(n_cells)] = 0
    best = np.argsort(-useful, axis=1, kind="stable")[:, :most]
    found: Long = np.where(np.take_along_axis(useful, best, axis=1) > 0, best, -1)
    return found


def _covering_both(board: OpenBoard) -> Long:
    """The images that cover both a cell and a bit: int64 [cells, bits]."""
    both = np.zeros((board.n_cells, board.n_bits), np.int64)
    count_pairs(*board.rows(), both)
    return both


@kernel
def count_pairs(starts: Long, bits: Long, both: Long) -> None:
    """Count the pairs of a cell and a bit that an image covers."""
    for image in range(starts.size - 1):
        for entry in range(starts[image], starts[image + 1]):
            if bits[entry] < both.shape[0]:
                for other in range(starts[image], starts[image + 1]):
                    both[bits[entry], bits[other]] += 1


# -- the numbers of their states ----------------------------------------------------------------


@kernel
def number_states(near: Long, words: int, scratch: Numbering, cells: Bits, numbers: Index) -> int:
    """Find a multiplier for each cell that numbers the states of the cells near it.

    Returns the number of rows. It works on all words merged into one. If two near cells have the
    same bit in two words, or no multiplier is found, one of them is left out: it becomes -1.

    cells    uint64 [cells, words + 3], zeros: filled with the masks, the multiplier, the shift and
             the first row of each cell
    numbers  uint32 [cells, states], zeros: filled with the number of each state
    """
    rows = 0
    for cell in range(near.shape[0]):
        many, merged = 0, U0
        for which in range(near.shape[1]):
            bit = near[cell, which]
            near[cell, which] = -1
            one = U1 << np.uint64(bit & 63)
            if bit >= 0 and merged & one == U0:
                merged |= one
                near[cell, many] = bit
                many += 1
        width, multiplier = many, U0
        while many > 0 and multiplier == U0:
            multiplier = _multiplier(near[cell], many, width, scratch, numbers[cell])
            if multiplier == U0:
                width += 1
                if width > many + SPARE_BITS:
                    many -= 1
                    near[cell, many] = -1
                    width = many
        for which in range(many):
            bit = near[cell, which]
            cells[cell, bit >> 6] |= U1 << np.uint64(bit & 63)
        cells[cell, words] = multiplier
        cells[cell, words + 1] = 64 - width if width > 0 else 63
        cells[cell, words + 2] = rows
        rows += 1 << width
    return rows


@kernel_part
def _multiplier(near: Long, many: int, width: int, scratch: Numbering, numbers: Index) -> np.uint64:
    """A multiplier that moves these bits of a word to its highest `width` bits; 0: none is found.

    The multiplier has a bit for each of the first `many` bits near a cell: it moves that bit to a
    chosen goal at the top. Other products may collide with it, so each multiplier is tested. The
    first goals are in the order of the bits, all others are random.
    """
    random, goal, part, taken = scratch
    taken[:] = 0
    for trial in range(1, TRIALS + 1):
        for place in range(width):
            goal[place] = place
        for place in range(width - 1, 0, -1):
            number = random[0]
            number ^= number << np.uint64(13)
            number ^= number >> np.uint64(7)
            number ^= number << np.uint64(17)
            random[0] = number
            other = np.int64(number >> np.uint64(33)) % (place + 1)
            goal[place], goal[other] = goal[other], goal[place]
        multiplier = U0
        for which in range(many):
            if trial == 1:
                goal[which] = width - many
                for lower in range(many):
                    goal[which] += near[lower] & 63 < near[which] & 63
            shift = 64 - width + goal[which] - (near[which] & 63)
            if shift >= 0:
                multiplier |= U1 << np.uint64(shift)
        found = True
        part[0] = U0
        taken[0] = trial
        for state in range(1, 1 << many):
            low = 0
            while not state >> low & 1:
                low += 1
            part[state] = part[state & (state - 1)] + (multiplier << np.uint64(near[low] & 63))
            number_of = np.int64(part[state] >> np.uint64(64 - width))
            if taken[number_of] == trial:
                found = False
                break
            taken[number_of] = trial
            numbers[state] = number_of
        if found:
            return multiplier
    return U0


# -- the lists ----------------------------------------------------------------------------------


@kernel
def list_images(
    kind: Long, candidate_starts: Long, candidates: Long, patterns: Long, states: Long,
    numbers: Index, first_row: Long, head: int, table: Index, image_of: Index,
) -> None:  # fmt: skip
    """Make the lists of each cell and state.

    candidates  int64, compressed rows over cells: the images to list, by kind
    patterns    int64 [candidates]: the state of near cells that each image covers
    states      int64 [cells]: how many states of near cells there are
    table       see `kernel.FilaTables.rows`; all 0
    """
    total = 0
    for cell in range(states.size):
        for state in range(states[cell]):
            row = first_row[cell] + np.int64(numbers[cell, state])
            reached = head
            for at in range(candidate_starts[cell], candidate_starts[cell + 1]):
                if patterns[at] & state == 0:
                    image = candidates[at]
                    its = kind[image]
                    table[row, its >> 5] |= U1 << np.uint64(its & 31)
                    while reached <= head + its:
                        table[row, reached] = total
                        reached += 1
                    image_of[total] = image
                    total += 1
            for column in range(reached, table.shape[1]):
                table[row, column] = total
