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
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Index, Long, Rows, compressed, expanded
from exactcover.backends.fila.prepared import words_for
from exactcover.base.compiled import kernel

if TYPE_CHECKING:
    from exactcover.backends.fila.kernel import FilaTables
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

PAIRS = 1 << 20
"""The pairs of bits that are counted at once."""


@dataclass(frozen=True, eq=False)
class Lists:
    """The tables of one phase, see `kernel.FilaTables`; rows and places count from 0."""

    cells: Bits
    rows: Index
    image_of: Index


def row_size(n_kinds: int) -> int:
    """The numbers of a row: halves of words of kinds, and where lists begin; a power of two, at
    least 8."""
    return max(1 << (2 * words_for(n_kinds) + n_kinds).bit_length(), 8)


def make_lists(
    board: OpenBoard, near: Rows, words: int, rank: Long | None, most_near: int, only_adjacent: bool
) -> Lists:
    """The lists of one phase.

    near           int64, compressed rows over cells: the cells that share a side with each
    rank           int64 [cells]: the place of each cell in a fixed order; None: in no order
    most_near      how many cells near a cell are looked at
    only_adjacent  whether they share a side with it, or the likeliest to be filled are added
    """
    n_cells, n_kinds = board.n_cells, board.room.size
    while most_near > 0 and (n_cells << most_near) * (n_kinds + 1) > ROOM:
        most_near -= 1
    starts, bits = board.rows()
    candidates = np.repeat(np.arange(board.kind.size), np.diff(starts))
    if rank is None:  # at each cell, the images that cover it
        cell_of, candidates = bits[bits < n_cells], candidates[bits < n_cells]
    else:  # at each cell, the images of which it is the first
        ranks = np.concatenate([rank, np.full(board.n_bits - n_cells, n_cells)])
        cell_of = np.argsort(rank)[np.minimum.reduceat(ranks[bits], starts[:-1])]
        candidates = np.arange(board.kind.size)
    looked_at = _near_cells(board, near, rank, cell_of, most_near, only_adjacent)
    cells, numbers, rows = _number_states(looked_at, words)
    by_kind = np.argsort(board.kind[candidates], kind="stable")
    candidate_starts, listed = compressed(cell_of[by_kind], candidates[by_kind], n_cells)
    covers = np.zeros((n_cells, board.n_bits), np.int64)
    cell, which = np.nonzero(looked_at >= 0)
    covers[cell, looked_at[cell, which]] = 1 << which
    table = np.zeros((rows, row_size(n_kinds)), np.uint32)
    states, head = 1 << (looked_at >= 0).sum(axis=1), 2 * words_for(n_kinds)
    arguments = (
        starts, bits, board.kind, candidate_starts, listed, covers, states, numbers,
        cells[:, -1].astype(np.int64), head, np.empty(listed.size, np.int64), table,
    )  # fmt: skip
    image_of = np.empty(list_images(*arguments, np.empty(0, np.uint32)), np.uint32)
    list_images(*arguments, image_of)
    return Lists(cells, table, image_of)


def _near_cells(
    board: OpenBoard, near: Rows, rank: Long | None, cell_of: Long, most: int, only_adjacent: bool
) -> Long:
    """The bits to look at for each cell, -1: none: int64 [cells, up to `most`].

    First come adjacent cells, those in most candidates of the cell first. In a fixed order the most
    useful others follow: the usefulness of a cell is the number of candidates that cover it, times
    the probability that it is filled. That is the share of the images covering it that begin
    earlier in the order.
    """
    n_cells, n_bits = board.n_cells, board.n_bits
    starts, bits = board.rows()
    useful = np.zeros((n_cells, n_bits))
    if rank is None:
        covered = _covering_both(board)
    else:
        at_first = np.repeat(cell_of, np.diff(starts)) * n_bits + bits
        covered = np.bincount(at_first, minlength=n_cells * n_bits).reshape(n_cells, n_bits)
        if not only_adjacent:
            both = _covering_both(board)
            order = np.argsort(rank)
            earlier = (covered[order].cumsum(axis=0) - covered[order])[rank]
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
    starts, bits = board.rows()
    lengths, both = np.diff(starts), np.zeros(board.n_cells * board.n_bits, np.int64)
    owner = np.repeat(np.arange(lengths.size), lengths)
    pairs = np.concatenate([[0], np.cumsum(lengths**2)])
    first = 0
    while first < lengths.size:
        last = max(first + 1, int(np.searchsorted(pairs, pairs[first] + PAIRS, "right")) - 1)
        entries = np.arange(starts[first], starts[last])
        entries = entries[bits[entries] < board.n_cells]
        others = bits[expanded(starts, owner[entries])]
        keys = np.repeat(bits[entries], lengths[owner[entries]]) * board.n_bits + others
        both += np.bincount(keys, minlength=both.size)
        first = last
    return both.reshape(board.n_cells, board.n_bits)


# -- the numbers of their states ----------------------------------------------------------------


def _number_states(near: Long, words: int) -> tuple[Bits, Index, int]:
    """A multiplier for each cell that numbers the states of the cells near it.

    Returns the masks, the multiplier, the shift and the first row of each cell, the number of each
    state, and the number of rows. It works on all words merged into one. If two near cells have the
    same bit in two words, or no multiplier is found, one of them is left out: it becomes -1.
    """
    n_cells, most = near.shape
    cells = np.zeros((n_cells, words + 3), np.uint64)
    numbers = np.zeros((n_cells, 1 << most), np.uint32)
    goal, random = np.zeros(most + SPARE_BITS, np.int64), np.array([SEED], np.uint64)
    part, taken = np.zeros(1 << most, np.uint64), np.zeros(1 << most + SPARE_BITS, np.int64)
    rows = last_width = 0
    for cell in range(n_cells):
        by_place: dict[int, int] = {}
        for bit in near[cell][near[cell] >= 0].tolist():
            by_place.setdefault(bit & 63, bit)
        bits = list(by_place.values())
        width, multiplier = len(bits), U0
        while bits:
            taken[:] = 0
            places = np.array(bits, np.int64) & 63
            with np.errstate(over="ignore"):
                multiplier = find_multiplier(
                    places, width, width == last_width, goal, random, part, taken, numbers[cell]
                )
            last_width = width
            if multiplier:
                break
            width += 1
            if width > len(bits) + SPARE_BITS:
                bits.pop()
                width = len(bits)
        near[cell] = -1
        near[cell, : len(bits)] = bits
        for bit in bits:
            cells[cell, bit >> 6] |= U1 << np.uint64(bit & 63)
        cells[cell, words] = multiplier
        cells[cell, words + 1 :] = 64 - width if width else 63, rows
        rows += 1 << width
    return cells, numbers, rows


@kernel
def find_multiplier(
    places: Long, width: int, again: bool, goal: Long, random: Bits, part: Bits, taken: Long,
    numbers: Index,
) -> np.uint64:  # fmt: skip
    """A multiplier that moves these bits of a word to its highest `width` bits; 0: none is found.

    The multiplier has a bit for each place: this bit moves the bit there to a chosen goal at the
    top. Other products may collide with it, so each multiplier is tested. The first goals are those
    found last, if `again`, since the near cells of two cells are often placed alike. The second
    goals are in the order of the bits, all others are random.

    goal     int64 [width or more]  the goals found last
    random   uint64 [1]             the last random number
    part, taken                     scratch; `taken` is all 0
    numbers  uint32 [states]        the number of each state, filled in
    """
    many = places.size
    for trial in range(1, TRIALS + 1):
        if trial > 1 or not again:
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
        if trial == 2:
            for which in range(many):
                goal[which] = width - many
                for lower in range(many):
                    goal[which] += places[lower] < places[which]
        multiplier = U0
        for which in range(many):
            shift = 64 - width + goal[which] - places[which]
            if shift >= 0:
                multiplier |= U1 << np.uint64(shift)
        found = True
        part[0] = U0
        taken[0] = trial
        for state in range(1, 1 << many):
            low = 0
            while not state >> low & 1:
                low += 1
            part[state] = part[state & (state - 1)] + (multiplier << np.uint64(places[low]))
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
    starts: Long, bits: Long, kind: Long, candidate_starts: Long, candidates: Long, covers: Long,
    states: Long, numbers: Index, first_row: Long, head: int, patterns: Long, table: Index,
    image_of: Index,
) -> int:  # fmt: skip
    """Make the lists of each cell and state; return their total length.

    candidates  int64, compressed rows over cells: the images to list, by kind
    covers      int64 [cells, bits]: the bit of the cell's state that is set if this bit is, or 0
    states      int64 [cells]: how many states of near cells there are
    patterns    int64 [candidates]: scratch
    table       see `kernel.FilaTables.rows`; all 0
    image_of    uint32 [total]; empty: the lists are only counted
    """
    total = 0
    for cell in range(states.size):
        begin, end = candidate_starts[cell], candidate_starts[cell + 1]
        for at in range(begin, end):
            patterns[at] = 0
            for entry in range(starts[candidates[at]], starts[candidates[at] + 1]):
                patterns[at] |= covers[cell, bits[entry]]
        for state in range(states[cell]):
            row = first_row[cell] + np.int64(numbers[cell, state])
            reached = head
            for at in range(begin, end):
                if patterns[at] & state == 0:
                    if image_of.size > 0:
                        image = candidates[at]
                        its = kind[image]
                        table[row, its >> 5] |= U1 << np.uint64(its & 31)
                        while reached <= head + its:
                            table[row, reached] = total
                            reached += 1
                        image_of[total] = image
                    total += 1
            if image_of.size > 0:
                for column in range(reached, table.shape[1]):
                    table[row, column] = total
    return total


def trimmed(tables: FilaTables, words: int, kind_words: int, stays: Flags) -> FilaTables:
    """The tables with lists of only those images that stay: bool [images]."""
    kept = stays.take(tables.image_of)
    moved = np.zeros(kept.size + 1, np.uint32)
    np.cumsum(kept, out=moved[1:])
    head, kinds = 2 * kind_words, tables.kinds
    # The halves of words in front are no places; they are made anew below.
    rows = moved.take(tables.rows, mode="clip")
    some = np.zeros(rows.size, bool)  # whether the list after a place is not empty
    np.greater(rows[head + 1 :], rows[head:-1], out=some[: -head - 1])
    size = row_size(kinds)
    some.reshape(-1, size)[:, kinds:] = False
    flags = np.packbits(some, bitorder="little").reshape(-1, size // 8)[:, : 4 * head]
    lines = rows.reshape(-1, size)
    lines[:, :head] = 0
    lines.view(np.uint8)[:, : flags.shape[1]] = flags
    places = np.flatnonzero(kept)
    return tables._replace(
        rows=rows,
        masks=tables.masks.reshape(-1, words).take(places, axis=0).ravel(),
        image_of=tables.image_of.take(places),
    )
