"""The tables of fila: which images to try, for each cell and each state of cells near it.

For each cell there is one set of lists of images for every state of a few chosen cells near it, so
that no image in a list conflicts with them: *neighbour occupancy filtering* (NOF). If cells are
taken in a fixed order, only images that lie on no earlier cell are listed, since earlier cells are
filled: *priority occupancy filtering* (POF). Both filterings are from M. Busche's article, with two
differences, both in `near`: the chosen cells need not be adjacent ones, and the state is numbered
not by nested tests but by masking, multiplying and shifting. This module makes the lists.

The tables are made anew for every task, from the images that still fit, so they are made by
compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.backends.fila.near import choose_near, number_states
from exactcover.backends.fila.phases import MOST_NEAR
from exactcover.compiled import jit
from exactcover.errors import CapabilityError

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Rows = tuple[Long, Long]

U0, U1 = np.uint64(0), np.uint64(1)

WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16)
"""The possible numbers of words of a word set; the kernel is compiled once for each."""

ROOM = 1 << 23
"""The most lists; fewer near cells are looked at if there would be more."""


@dataclass(frozen=True, eq=False)
class Images:
    """The images that may be placed, each as bits; the cells to be filled come first.

    n_cells  the bits that are cells to be filled, in the order in which they are taken
    n_bits   all bits
    starts, bits  int64, compressed rows: the bits of each image
    kind     int64 [images]
    n_kinds  how many kinds there are
    near     int64, compressed rows over cells: the cells that share a side with each
    """

    n_cells: int
    n_bits: int
    starts: Long
    bits: Long
    kind: Long
    n_kinds: int
    near: Rows


@dataclass(frozen=True, eq=False)
class Lists:
    """The tables of one phase, see `kernel.FilaTables`; rows and places count from 0."""

    cells: Bits
    rows: Index
    image_of: Index


def words_for(bits: int) -> int:
    """How many words hold this many bits: as few as possible, but of few different widths."""
    for words in WIDTHS:
        if bits <= 64 * words:
            return words
    raise CapabilityError(
        f"fila takes up to {64 * WIDTHS[-1]:,} cells and kinds of pieces, not {bits:,}; dlx takes "
        "more"
    )


def masks_of(starts: Long, bits: Long, words: int) -> Bits:
    """Images, as compressed rows of bits, as word sets: uint64 [images, words]."""
    masks = np.zeros((starts.size - 1, words), np.uint64)
    owner = np.repeat(np.arange(len(masks)), np.diff(starts))
    one = U1 << (bits % 64).astype(np.uint64)
    np.bitwise_or.at(masks, (owner, bits // 64), one)
    return masks


def make_lists(
    images: Images, words: int, rank: Long | None, most_near: int, only_adjacent: bool
) -> Lists:
    """The lists of one phase.

    rank           int64 [cells]: the place of each cell in a fixed order; None: in no order
    most_near      how many cells near a cell are looked at
    only_adjacent  whether they share a side with it, or the likeliest to be filled are added
    """
    n_cells = images.n_cells
    while most_near > 0 and (n_cells << most_near) * (images.n_kinds + 1) > ROOM:
        most_near -= 1
    covering = _by_cell(images)
    near = np.full((n_cells, MOST_NEAR), -1, np.int64)
    if rank is None:
        candidates = covering
        order = firsts = np.zeros(0, np.int64)
    else:
        order = np.argsort(rank)
        firsts = _first_ranks(images.starts, images.bits, rank)
        in_order = np.argsort(firsts.astype(np.uint16), kind="stable")
        begins = np.zeros(n_cells + 1, np.int64)
        begins[1:] = np.bincount(firsts, minlength=n_cells).cumsum()
        starts = np.zeros(n_cells + 1, np.int64)
        starts[1:] = np.diff(begins)[rank].cumsum()
        by_cell = np.empty(in_order.size, np.int64)
        _gather(begins, in_order, rank, starts, by_cell)
        candidates = (starts, by_cell)
    choose_near(
        near, most_near, only_adjacent, order, firsts, images.n_bits, images.starts, images.bits,
        *images.near, *covering, *candidates,
    )  # fmt: skip
    cells = np.zeros((n_cells, words + 3), np.uint64)
    most = int((near >= 0).sum(axis=1).max(initial=0))
    numbers = np.zeros((n_cells, 1 << most), np.uint32)
    with np.errstate(over="ignore"):
        rows = number_states(near, words, cells, numbers)
    head = 2 * words_for(images.n_kinds)
    table = np.zeros((rows, 1 << (head + images.n_kinds).bit_length()), np.uint32)
    arguments = (images.starts, images.bits, images.kind, *candidates, near, cells, numbers, head)
    total = _count_images(*arguments, table)
    image_of = np.empty(total, np.uint32)
    _list_images(*arguments, table, image_of)
    return Lists(cells, table, image_of)


def _by_cell(images: Images) -> Rows:
    """The images that cover each cell, compressed rows."""
    owner = np.repeat(np.arange(images.kind.size), np.diff(images.starts))
    wanted = images.bits < images.n_cells
    bits, owner = images.bits[wanted].astype(np.uint16), owner[wanted]  # sorted by radix
    starts = np.zeros(images.n_cells + 1, np.int64)
    starts[1:] = np.bincount(bits, minlength=images.n_cells).cumsum()
    return starts, owner[np.argsort(bits, kind="stable")]


@jit
def _first_ranks(starts: Long, bits: Long, rank: Long) -> Long:
    """The place in the order of the first cell of each image."""
    found = np.empty(starts.size - 1, np.int64)
    for image in range(found.size):
        least = rank.size
        for at in range(starts[image], starts[image + 1]):
            if bits[at] < rank.size:
                least = min(least, rank[bits[at]])
        found[image] = least
    return found


@jit
def _gather(begins: Long, in_order: Long, rank: Long, starts: Long, by_cell: Long) -> None:
    """Rows by place in the order, as rows by cell."""
    for cell in range(rank.size):
        at = starts[cell]
        for place in range(begins[rank[cell]], begins[rank[cell] + 1]):
            by_cell[at] = in_order[place]
            at += 1


@jit
def _pattern(image: int, cell: int, starts: Long, bits: Long, near: Long) -> int:
    """Which of the cells near a cell an image covers, as bits."""
    pattern = 0
    for at in range(starts[image], starts[image + 1]):
        which = 0
        while which < near.shape[1] and near[cell, which] >= 0:
            if near[cell, which] == bits[at]:
                pattern |= 1 << which
            which += 1
    return pattern


@jit
def _count_images(
    starts: Long,
    bits: Long,
    kind: Long,
    candidate_starts: Long,
    candidates: Long,
    near: Long,
    cells: Bits,
    numbers: Index,
    head: int,
    table: Index,
) -> int:
    """Find where each list begins, and which are not empty; return their total length."""
    first_row = cells.shape[1] - 1
    for cell in range(near.shape[0]):
        states = 1
        for which in range(near.shape[1]):
            if near[cell, which] >= 0:
                states <<= 1
        for at in range(candidate_starts[cell], candidate_starts[cell + 1]):
            image = candidates[at]
            its = kind[image]
            flag = np.uint32(1) << np.uint32(its & 31)
            free = states - 1 & ~_pattern(image, cell, starts, bits, near)
            state = free  # goes through all states without the cells of the image, the empty last
            while True:
                row = np.int64(cells[cell, first_row]) + np.int64(numbers[cell, state])
                table[row, head + its + 1] += np.uint32(1)
                table[row, its >> 5] |= flag
                if state == 0:
                    break
                state = state - 1 & free
    total = np.uint32(0)
    for line in range(table.shape[0]):
        table[line, head] = total
        for column in range(head + 1, table.shape[1]):
            total = np.uint32(total + table[line, column])
            table[line, column] = total
    return int(total)


@jit
def _list_images(
    starts: Long,
    bits: Long,
    kind: Long,
    candidate_starts: Long,
    candidates: Long,
    near: Long,
    cells: Bits,
    numbers: Index,
    head: int,
    table: Index,
    image_of: Index,
) -> None:
    """Put each image into its lists."""
    first_row = cells.shape[1] - 1
    ends = np.zeros((numbers.shape[1], table.shape[1] - head), np.uint32)
    for cell in range(near.shape[0]):
        states = 1
        for which in range(near.shape[1]):
            if near[cell, which] >= 0:
                states <<= 1
        for state in range(states):
            row = np.int64(cells[cell, first_row]) + np.int64(numbers[cell, state])
            for column in range(ends.shape[1]):
                ends[state, column] = table[row, head + column]
        for at in range(candidate_starts[cell], candidate_starts[cell + 1]):
            image = candidates[at]
            its = kind[image]
            free = states - 1 & ~_pattern(image, cell, starts, bits, near)
            state = free
            while True:
                image_of[ends[state, its]] = image
                ends[state, its] += np.uint32(1)
                if state == 0:
                    break
                state = state - 1 & free


@jit
def trimmed(
    rows: Index,
    head: int,
    kinds: int,
    words: int,
    masks: Bits,
    image_of: Index,
    stays: Index,
    moved: Index,
    new_rows: Index,
    new_masks: Bits,
    new_image_of: Index,
) -> int:
    """Copy all lists without the images that do not stay; return their total length.

    rows, new_rows    uint32 [rows * 2^n], see `kernel.FilaTables`; `head` numbers precede the lists
    masks, new_masks  uint64 [images of lists * words]
    stays             uint32 [images]: 1, or 0
    moved             uint32 [images of lists + 1]: where each has gone, or would have

    The new arrays are as large as the copied ones, with room for one more word set.
    """
    total = np.uint64(0)
    one, wide = np.uint64(1), np.uint64(words)
    for at in range(np.uint64(image_of.size)):
        image = image_of[at]
        moved[at] = total
        new_image_of[total] = image
        for word in range(wide):
            new_masks[total * wide + word] = masks[at * wide + word]
        total += np.uint64(stays[image])
    moved[image_of.size] = total
    size = one
    while size <= np.uint64(head + kinds):
        size += size
    for line in range(np.uint64(0), np.uint64(rows.size), size):
        flags = np.uint64(0)
        begin = moved[rows[line + np.uint64(head)]]
        new_rows[line + np.uint64(head)] = begin
        for kind in range(np.uint64(kinds)):
            place = line + np.uint64(head) + kind + one
            end = moved[rows[place]]
            new_rows[place] = end
            flags |= np.uint64(end > begin) << (kind & np.uint64(31))
            begin = end
            if kind & np.uint64(31) == np.uint64(31) or kind + one == np.uint64(kinds):
                new_rows[line + (kind >> np.uint64(5))] = flags
                flags = np.uint64(0)
    return int(total)
