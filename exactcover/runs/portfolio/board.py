"""The board: a subject as bits and slots, its macro orders, and their tables, for all packers.

A packer that fills a board from one side leaves a compact rest. Which side is best depends on the
board, so there are several orders of the cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import UNLIMITED, Flags, Long, Reals
from exactcover.backends.heuristics.orders import cell_order
from exactcover.base import LazyModule
from exactcover.problem import IntArray
from exactcover.problem.filters.totals import with_copies
from exactcover.problem.layout import Layout
from exactcover.search.automatic import MANY_IMAGES
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

if TYPE_CHECKING:
    from exactcover.runs.portfolio import kernels
else:
    kernels = LazyModule("exactcover.runs.portfolio.kernels")

POCKET = 64
"""Pockets are looked at up to this many cells, and up to three times the largest piece."""

SCARCE = 32
"""A piece is scarce if the median piece has this many times its placements: a ring, for example,
which must enclose a hole of the board."""


class PackingBoard:
    """A subject as packers see it; threads share it. Tables are made when they are first needed.

    options    int64  those that may be chosen
    must       int64  the items that must be covered once, scarce pieces before cells
    slots      int64  the items with multiplicities
    n_bits     how many items are covered at most once
    cells      how many cells must be covered; of a plain problem, items
    mean_size  the mean number of open cells that a piece fills
    orders     how many orders there are
    """

    def __init__(self, subject: Subject, options: Long, counted: Flags) -> None:
        self._problem, self._layout = subject.problem, subject.layout
        self.options = options
        primary = np.arange(counted.size)
        self.must, self.slots = primary[~counted], primary[counted]
        self._loose = np.arange(counted.size, self._problem.n_items)
        self.cells, self.n_bits = self.must.size, self.must.size + self._loose.size
        self._sums, self._bound = _pockets(subject)
        self._orders = self._distinct_orders()
        self.orders = len(self._orders)
        self._tables: dict[int, kernels.OrderTables] = {}
        self._lock = Lock()
        self._put_scarce_first()
        self.mean_size = self._mean_size()

    @classmethod
    def of(cls, subject: Subject) -> PackingBoard | None:
        """The board of a subject; None: packers cannot search it, since it has colours, options
        that count in several slots, or none at all."""
        problem, layout = subject.problem, subject.layout
        alive = problem.choosable
        if subject.model is not None:
            volume = "volume; " * (problem.n_options <= MANY_IMAGES)
            plan = make_plan(subject.counting("all"), Strategy.parse(f"parity; {volume}dlx:s"))
            if plan.reason:
                return None
            alive = plan.alive & problem.choosable
        counted = (problem.low != 1) | (problem.high != 1)
        if layout is not None:  # only cells have a place in an order
            is_cell = np.zeros(problem.n_items, bool)
            is_cell[layout.cell_item] = True
            counted |= ~is_cell[: problem.primary]
        is_slot = np.append(counted, np.zeros(problem.n_items - problem.primary, bool))
        options = np.flatnonzero(alive)
        owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        many = np.bincount(owner[is_slot[problem.entries]], minlength=problem.n_options)
        bits = np.bincount(owner[~is_slot[problem.entries]], minlength=problem.n_options)
        if problem.colours.any() or (many[options] > 1).any() or (bits[options] == 0).any():
            return None
        return cls(subject, options, counted) if options.size else None

    def tables(self, order: int) -> kernels.OrderTables:
        """The tables of an order."""
        with self._lock:
            if order not in self._tables:
                self._tables[order] = self._made(self._orders[order])
            return self._tables[order]

    def ease(self) -> Reals:
        """How easily each slot can be expected to fit, as a logarithm, at most -log 2: the more
        pairs of its cells are neighbours, the easier."""
        tables, pairs = self.tables(0), np.zeros(self.slots.size + 1)
        for slot, row in zip(*np.unique(tables.slot, return_index=True), strict=True):
            bits = tables.bits_of(row)
            pairs[slot] = sum(len(set(bits).intersection(tables.beside(bit))) for bit in bits) / 2
        ease: Reals = np.minimum(pairs - pairs.max(initial=0.0), 0.0) - np.log(2)
        return ease

    # -- what comes first ------------------------------------------------------------------------

    def _put_scarce_first(self) -> None:
        """Let every order begin with the scarce pieces, as if they were its first cells.

        A dive that leaves such a piece for later soon blocks its last placement, and does not
        notice.
        """
        tables = self.tables(0)
        images = np.bincount(tables.slot, minlength=tables.low.size)[:-1]
        single = (tables.low[:-1] == 1) & (tables.high[:-1] == 1)
        scarce = single & (SCARCE * images <= np.median(images[single])) if single.any() else single
        if not scarce.any():
            return
        first = self.slots[scarce][np.argsort(images[scarce], kind="stable")]
        self.must, self.slots = np.append(first, self.must), self.slots[~scarce]
        self.n_bits += first.size
        self._orders = [np.append(first, order) for order in self._orders]
        self._tables.clear()

    def _mean_size(self) -> float:
        """The mean number of open cells that a piece fills."""
        layout = self._layout
        if layout is None:
            return float(np.diff(self._problem.starts)[self.options].mean())
        copies = np.maximum(layout.copies[:, 0], 1)
        return float((layout.shape_size * copies).sum() / copies.sum())

    def _distinct_orders(self) -> list[Long]:
        """Distinct orders of the items that must be covered, those that are best on most boards
        first."""
        layout, covered = self._layout, np.zeros(self._problem.n_items, bool)
        if layout is None or not self.must.size:
            return [self.must]
        covered[self.must] = True
        distinct = {cells.tobytes(): layout.cell_item[cells] for cells in macro_orders(layout)}
        return [items[covered[items]].astype(np.int64) for items in distinct.values()]

    # -- tables ---------------------------------------------------------------------------------

    def _made(self, order: Long) -> kernels.OrderTables:
        """The tables for an order of the items in `must`."""
        problem, n_bits, slots = self._problem, self.n_bits, self.slots.size
        bit_of = np.full(problem.n_items, -1, np.int64)
        bit_of[order] = np.arange(order.size)
        bit_of[self._loose] = order.size + np.arange(self._loose.size)
        slot_of = np.full(problem.n_items, -1, np.int64)
        slot_of[self.slots] = np.arange(slots)

        begin, numbers = problem.rows(self.options)
        owner = np.repeat(np.arange(self.options.size), np.diff(begin))
        entries = problem.entries[numbers].astype(np.int64)
        is_bit = bit_of[entries] >= 0
        first = np.full(self.options.size, order.size, np.int64)
        np.minimum.at(first, owner[is_bit], np.minimum(bit_of[entries[is_bit]], order.size))
        by_first = np.argsort(first, kind="stable")
        rank = np.empty(self.options.size, np.int64)
        rank[by_first] = np.arange(self.options.size)
        joined = np.sort(rank[owner[is_bit]] * n_bits + bit_of[entries[is_bit]])
        row, bit = np.divmod(joined, max(n_bits, 1))
        slot = np.full(self.options.size, slots, np.int64)
        slot[rank[owner[~is_bit]]] = slot_of[entries[~is_bit]]

        options = self.options[by_first]
        near_starts, near = self._near(bit_of)
        return kernels.OrderTables(
            must=order.size,
            options=options,
            starts=np.searchsorted(first[by_first], np.arange(order.size + 2)).astype(np.int32),
            slot=slot.astype(np.int32),
            covers=np.bincount(row[bit < order.size], minlength=options.size).astype(np.int32),
            bit_starts=starts_of(row, options.size),
            bits=bit.astype(np.int32),
            near_starts=near_starts,
            near=near,
            low=np.append(problem.low[self.slots], 0).astype(np.int64),
            high=np.append(problem.high[self.slots], UNLIMITED).astype(np.int64),
            sums=self._sums,
            bound=self._bound,
        )

    def _near(self, bit_of: Long) -> tuple[IntArray, IntArray]:
        """CSR over bits: the bits of the cells beside each cell."""
        layout = self._layout
        if layout is None:
            return np.zeros(self.n_bits + 1, np.int32), np.zeros(0, np.int32)
        starts, beside = layout.adjacent
        cell_bit = bit_of[layout.cell_item]
        row = cell_bit[np.repeat(np.arange(layout.n_cells), np.diff(starts))]
        along = np.argsort(row, kind="stable")
        return starts_of(row[along], self.n_bits), cell_bit[beside][along].astype(np.int32)


def _pockets(subject: Subject) -> tuple[Flags, int]:
    """Which pockets are looked at, see `OrderTables`: none if a piece is not connected, or holes
    are options."""
    none = np.zeros(0, bool), 0
    model, layout = subject.model, subject.layout
    if model is None or layout is None or not layout.n_shapes:
        return none
    used = layout.copies[:, 1] > 0
    if not layout.connected[used].all() or (layout.option_shape < 0).any():
        return none
    most = min(POCKET, 3 * int(layout.shape_size.max()), layout.n_cells)
    sums = 1
    for size, (_, high) in zip(layout.shape_size.tolist(), layout.copies.tolist(), strict=True):
        sums = with_copies(sums, [size], 0, high, layout.n_cells)
    reachable = np.array([bool(sums >> size & 1) for size in range(layout.n_cells + 1)])
    return reachable, next((size for size in range(most, 0, -1) if not reachable[size]), 0)


def starts_of(row: Long, rows: int) -> IntArray:
    """Where each row begins, from the row of each entry, ascending."""
    return np.searchsorted(row, np.arange(rows + 1)).astype(np.int32)


# -- macro orders ----------------------------------------------------------------------------------


def macro_orders(layout: Layout) -> Iterator[Long]:
    """Orders of the cells, confined regions first; some may be equal."""
    places = layout.positions
    if not len(places):
        return
    axes = np.argsort(-np.ptp(places, axis=0), kind="stable").tolist()
    longest, others = places[:, axes[0]], [places[:, axis] for axis in axes[1:]]
    yield _by(longest, *others)  # from one end of the longest axis to the other
    yield _by(-longest, *others)
    yield cell_order("narrow", layout)
    yield cell_order("R", layout)  # far from the centre first
    if others:
        yield _by(others[0], longest)


def _by(*values: Reals) -> Long:
    """The cells by the first of these values; ties by the next."""
    return np.lexsort([np.round(value, 6) for value in values][::-1]).astype(np.int64)
