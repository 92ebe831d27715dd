"""A board in the order in which its cells are filled, and the order with the fewest states.

Cells are taken in a fixed order, and each image is placed on the first open cell. So only the first
open cell and the cells filled after it matter in a state. Images have a limited reach, so a
*window* of a few bits holds these cells. A bit that is no cell, but excludes images from each
other, has a place in the order too: after the last cell from which an image may take it. It is
forgotten when the window has passed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long, bit_rows, compressed
from exactcover.backends.heuristics.orders import Order, log_of_states, narrow_orders
from exactcover.backends.node import ROOT
from exactcover.backends.open_board import OpenBoard
from exactcover.base.patience import patiently
from exactcover.problem import Layout, Problem


@dataclass(frozen=True, eq=False)
class Sweep:
    """A board whose bits are numbered in the order of filling, and its images by first cell.

    board    the board
    n_cells, n_bits  how many bits are cells, and how many there are
    words    64-bit words of a window, together with the number of its first bit
    field    where in the last of these words that number begins
    sizes    the numbers of cells of images, ascending
    starts   int64 [sizes, n_bits + 1]: where the images of a size with a first cell begin
    masks    uint64 [images, words]: the bits of an image, counted from its first cell
    image    int64 [images]: its number on the board
    kind     int64 [images]: its kind
    first    int64 [images]: the bit of its first cell
    passed   uint64 [n_bits + 1, words]: the bits that are no cells, counted from each bit
    begin    the first bit that is a cell; `n_bits` if none is
    """

    board: OpenBoard
    n_cells: int
    n_bits: int
    words: int
    field: int
    sizes: tuple[int, ...]
    starts: Long
    masks: Bits
    image: Long
    kind: Long
    first: Long
    passed: Bits
    begin: int

    @property
    def reach(self) -> int:
        """The cells of the largest image: a level is made from this many levels before it."""
        return max(self.sizes, default=1)

    @classmethod
    def of(cls, board: OpenBoard, order: Long) -> Sweep:
        """The board taken in this order of its cells."""
        n_cells, n_images = board.n_cells, board.kind.size
        place = _places(board, order)
        bits = place[board.bits]
        first = np.full(n_images, board.n_bits, np.int64)
        is_cell = board.bits < n_cells
        np.minimum.at(first, board.owner[is_cell], bits[is_cell])
        size = np.bincount(board.owner[is_cell], minlength=n_images)
        bits = bits - first[board.owner]
        span = int(bits.max(initial=0)) + 1
        words = -(-(span + board.n_bits.bit_length()) // 64)
        in_order = np.lexsort((board.kind, first, size))
        sizes, is_cell = np.unique(size), np.zeros(board.n_bits, bool)
        is_cell[place[:n_cells]] = True
        by_size = np.searchsorted(sizes, size) * (board.n_bits + 1) + first  # ascending in order
        wanted = np.arange(sizes.size * (board.n_bits + 1))
        starts = np.searchsorted(by_size[in_order], wanted).reshape(sizes.size, board.n_bits + 1)
        return cls(
            board=board,
            n_cells=n_cells,
            n_bits=board.n_bits,
            words=words,
            field=64 - board.n_bits.bit_length(),
            sizes=tuple(sizes.tolist()),
            starts=starts.astype(np.int64),
            masks=bit_rows(board.owner, bits, n_images, words)[in_order],
            image=in_order.astype(np.int64),
            kind=board.kind[in_order].astype(np.int64),
            first=first[in_order],
            passed=_passed(~is_cell, words),
            begin=int(np.argmax(is_cell)) if n_cells else board.n_bits,
        )


def _places(board: OpenBoard, order: Long) -> Long:
    """The place of each bit in the order of filling: int64 [bits].

    A bit that is no cell comes after the last first cell of an image that has it.
    """
    n_cells = board.n_cells
    rank = np.empty(n_cells, np.int64)
    rank[order] = np.arange(n_cells)
    is_cell = board.bits < n_cells
    first = np.full(board.kind.size, n_cells, np.int64)
    np.minimum.at(first, board.owner[is_cell], rank[board.bits[is_cell]])
    last = np.zeros(board.n_bits, np.int64)
    np.maximum.at(last, board.bits[~is_cell], first[board.owner[~is_cell]])
    last[:n_cells] = rank
    beyond = np.arange(board.n_bits) >= n_cells
    place = np.empty(board.n_bits, np.int64)
    place[np.lexsort((beyond, last))] = np.arange(board.n_bits)
    return place


def _passed(is_none: Flags, words: int) -> Bits:
    """For each bit, which of the bits from it on are no cells."""
    n_bits = is_none.size
    out = np.zeros((n_bits + 1, words), np.uint64)
    for bit in np.flatnonzero(is_none).tolist():
        begin = max(0, bit - 64 * words + 1)
        away = bit - np.arange(begin, bit + 1)
        out[np.arange(begin, bit + 1), away // 64] |= np.uint64(1) << (away % 64).astype(np.uint64)
    return out


# -- the copies of pieces --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CopyFields:
    """The number of placed copies of each kind of piece, as the bits of a few words.

    Each kind that is limited has a field of bits. Its initial number is chosen so that the field
    reaches a power of two, its highest bit, when the most copies allowed are placed. So one AND
    tests whether a kind can still be placed, and a piece that occurs once has a single bit. A kind
    has no field if more copies are allowed than fit.

    words    how many words; 1 even where no kind has a field
    bits     how many bits the fields take in the last word
    counted  bool [kinds]: has a field
    word     int64 [kinds]: the word of its field
    top      uint64 [kinds]: the highest bit of the field; 0 without one
    one      uint64 [kinds]: the amount added for a copy
    field    uint64 [kinds]: all bits of the field
    low      uint64 [kinds]: the field with no copy placed
    least    uint64 [kinds]: the field with the least number of copies placed
    exact    bool [kinds]: the least and the most number of copies are the same
    hopeless whether more copies must be placed than can be
    """

    words: int
    bits: int
    counted: Flags
    word: Long
    top: Bits
    one: Bits
    field: Bits
    low: Bits
    least: Bits
    exact: Flags
    hopeless: bool

    @classmethod
    def of(cls, board: OpenBoard) -> CopyFields:
        """The fields for the kinds of a board."""
        kinds = board.room.size
        fits = _most(board)
        room, need = np.minimum(board.room, fits), board.need
        counted = (board.room < fits) | (need > 0)
        word = np.zeros(kinds, np.int64)
        shift = np.zeros(kinds, np.int64)
        width = np.array([int(many - 1).bit_length() + 1 if many > 0 else 1 for many in room], int)
        at = 0
        for kind in np.flatnonzero(counted).tolist():
            if at % 64 + int(width[kind]) > 64:
                at += 64 - at % 64
            word[kind], shift[kind] = divmod(at, 64)
            at += int(width[kind])
        one = np.where(counted, 1, 0).astype(np.uint64)
        size = np.uint64(1) << (width - 1).astype(np.uint64)
        low = size - room.clip(0).astype(np.uint64)
        least = low + need.clip(0).astype(np.uint64)
        places = shift.astype(np.uint64)
        return cls(
            words=max(1, -(-at // 64)),
            bits=at - 64 * (max(1, -(-at // 64)) - 1),
            counted=counted,
            word=word,
            top=(one * size) << places,
            one=one << places,
            field=(one * (2 * size - np.uint64(1))) << places,
            low=(one * low) << places,
            least=(one * least) << places,
            exact=counted & (need >= room),
            hopeless=bool((need > room).any()),
        )

    @property
    def any(self) -> bool:
        """Whether any kind has a field."""
        return bool(self.counted.any())

    @property
    def all_exact(self) -> bool:
        """Whether every field ends full; the copies placed then determine the copies left."""
        return bool((self.exact == self.counted).all())

    def spread(self, values: Bits, of: Flags) -> Bits:
        """The sum of the values of some kinds, each in its word: uint64 [words]."""
        out = np.zeros(self.words, np.uint64)
        np.bitwise_or.at(out, self.word[of], values[of])
        return out

    def by_kind(self, values: Bits) -> Bits:
        """The value of each kind in its word: uint64 [kinds, words]."""
        out = np.zeros((values.size, self.words), np.uint64)
        out[np.arange(values.size), self.word] = values
        return out

    @property
    def start(self) -> Bits:
        """Nothing placed: uint64 [words]."""
        return self.spread(self.low, self.counted)

    @property
    def full(self) -> Bits:
        """The least number of copies of all kinds placed: uint64 [words]."""
        return self.spread(self.least, self.counted)

    def enough(self, used: Bits) -> Flags:
        """Whether the least numbers of copies are placed: bool [rows], for uint64 [rows, words]."""
        out = np.ones(len(used), bool)
        for kind in np.flatnonzero(self.counted).tolist():
            out &= (used[:, self.word[kind]] & self.field[kind]) >= self.least[kind]
        return out


def _most(board: OpenBoard) -> Long:
    """An upper bound on the copies of each kind, from the cells of its smallest image."""
    cells = board.bits < board.n_cells
    size = np.bincount(board.owner[cells], minlength=board.kind.size)
    smallest = np.full(board.room.size, board.n_cells + 1, np.int64)
    np.minimum.at(smallest, board.kind, size)
    return board.n_cells // smallest


# -- the narrow order ------------------------------------------------------------------------------
#
# Some orders have a narrow frontier. Their number of states depends on the pieces: a staircase is
# best for dominoes, straight rows for pentominoes. At each step an open cell is filled already with
# some probability: about the share of its images that begin at an earlier cell. A cell with
# probability one half adds one bit to the states. A cell with a small probability, or one near 1,
# adds less than a bit, but more than its entropy, since rare states are states too. The exponent of
# the entropy was fitted to the numbers of nodes of about six hundred automata.

NARROW = 8
"""The number of orders compared by each measure of the frontier."""

ROUGHLY = 0.25
"""The least difference in bits that matters; below it the narrower frontier decides."""

STEPS = 128
"""With more cells, the states are estimated at this many evenly spaced steps."""

ENTRIES = 60_000
"""With more cells of images than this, a sample of the images is used."""


def narrowest(board: OpenBoard, layout: Layout | None) -> Long:
    """The cells in the order with the fewest states expected: int64 [cells].

    Cells without a place come last. If no cell has a place, cells are neighbours if an image covers
    both.
    """
    orders, states = _compared(board, layout)
    good = min(states) + ROUGHLY
    return next(order for order, its in zip(orders, states, strict=True) if its <= good)


def bits_of_states(problem: Problem, layout: Layout | None) -> float:
    """The binary logarithm of the states expected in the narrow order, whatever pieces are used."""
    return min(_compared(OpenBoard.of(problem, layout, ROOT), layout)[1])


def _compared(board: OpenBoard, layout: Layout | None) -> tuple[list[Order], list[float]]:
    """Narrow orders, and the binary logarithms of the states expected in each."""
    is_cell = board.bits < board.n_cells
    owner, cells = board.owner[is_cell], board.bits[is_cell]
    if layout is None:
        return narrow_by_rows(board.n_cells, owner, cells)
    placed = board.place >= 0
    positions = np.zeros((board.n_cells, layout.positions.shape[1]))
    positions[placed] = layout.positions[board.place[placed]]
    orders = [
        order[np.argsort(board.place[order] < 0, kind="stable")]
        for order in narrow_orders(positions, board.neighbours(layout), NARROW)
    ]
    return orders, expected_bits(orders, owner, cells)


def narrow_by_rows(n_cells: int, owner: Long, cells: Long) -> tuple[list[Order], list[float]]:
    """The same for cells without places, from the cells of images: each with its owner."""
    starts, others = compressed(owner, cells, int(owner.max(initial=-1)) + 1)
    near = np.zeros((n_cells, n_cells), bool)
    for begin, end in patiently(pairwise(starts.tolist())):
        together = others[begin:end]
        near[together[:, None], together] = True
    np.fill_diagonal(near, False)
    one, other = np.nonzero(near)
    orders = narrow_orders(np.zeros((n_cells, 0)), compressed(one, other, n_cells), NARROW)
    return orders, expected_bits(orders, owner, cells)


def expected_bits(orders: Sequence[Order], owner: Long, cells: Long) -> list[float]:
    """The binary logarithm of the estimated number of states in each order of the cells.

    owner, cells  int64 [entries]: the cells of all images, each with its image
    """
    kept = owner % (1 + owner.size // ENTRIES) == 0
    in_order = np.argsort(owner[kept], kind="stable")
    cells, sizes = cells[kept][in_order], np.bincount(owner[kept])
    sizes = sizes[sizes > 0]
    if not cells.size:
        return [0.0] * len(orders)
    n_cells = orders[0].size
    steps = np.unique(np.linspace(0, n_cells - 1, min(STEPS, n_cells)).astype(np.int64))
    rank, found = np.empty(n_cells, np.int64), []
    for order in orders:
        rank[order] = np.arange(n_cells)
        ranks = rank[cells]
        first = np.minimum.reduceat(ranks, np.cumsum(sizes) - sizes)
        seen_at = np.repeat(np.searchsorted(steps, first, side="right"), sizes)
        table = np.bincount(seen_at * n_cells + ranks, minlength=(steps.size + 1) * n_cells)
        begun = np.cumsum(table.reshape(-1, n_cells), axis=0)
        filled = begun[:-1] / np.maximum(begun[-1], 1)
        # All images of an earlier cell have begun, so it adds no bit.
        bits = np.sqrt(np.sqrt(4 * filled * (1 - filled)))
        found.append(log_of_states(bits.sum(axis=1)))
    return found
