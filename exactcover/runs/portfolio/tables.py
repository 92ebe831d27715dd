"""The tables of a packer: a problem whose cells have a fixed order.

Bits stand for everything that is covered at most once: first the items that must be covered, in the
order of packing, then those that may stay open. Items with multiplicities, above all the pieces,
are counted in slots. Each option has at most one slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Watch
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout

Words = npt.NDArray[np.uint64]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

UNLIMITED = 1 << 40
"""How many copies are left where nothing counts them."""


class OrderTables(NamedTuple):
    """A problem with an order of its cells, as the kernels read it.

    must        int64 [1]              how many bits must be covered: the bits below it
    starts      int32 [must + 2]       where the options begin whose first bit is this one; the last
                                       have no bit that must be covered
    slot        int32 [options]        the slot that counts it
    size        int32 [options]        how many cells it fills
    covers      int32 [options]        how many of its bits must be covered
    part_starts, part_words, part_masks  CSR over options: its bits, as words that are not 0
    bit_starts, bits                   CSR over options: its bits, as numbers
    near_starts, near                  CSR over bits: the bits of the cells beside it
    low, high   int64 [slots]          how many options of a slot there must be, and may be
    gauge       int64 [options, sums]  what it adds to the index in each table of `shortfall`
    takes       int64 [options, sums]  what it takes from the slack of each table
    reading, slack  int64 [sums]       where these begin
    shortfall   int32                  the tables, end to end
    """

    must: Longs
    starts: IntArray
    slot: IntArray
    size: IntArray
    covers: IntArray
    part_starts: IntArray
    part_words: IntArray
    part_masks: Words
    bit_starts: IntArray
    bits: IntArray
    near_starts: IntArray
    near: IntArray
    low: Longs
    high: Longs
    gauge: Longs
    takes: Longs
    reading: Longs
    slack: Longs
    shortfall: IntArray


class Pockets(NamedTuple):
    """Which pockets of open cells are looked at.

    sums      bool [cells + 1]: the sizes that pieces can make up; empty: no pocket is looked at
    smallest  the cells of the smallest piece
    bound     the most cells of a pocket that a dive looks at; 0: it looks at none
    """

    sums: Flags
    smallest: int
    bound: int


@dataclass(frozen=True, eq=False)
class SlotProblem:
    """A problem as bits and slots, without an order yet.

    problem
    layout
    options   int64 [allowed]  the options that may be chosen
    must      int64            the items that must be covered once: those of cells, or all
    loose     int64            the items that may be covered once
    slots     int64            the items with multiplicities
    watch     sums that show when a state cannot be completed, or None
    """

    problem: Problem
    layout: Layout | None
    options: Longs
    must: Longs
    loose: Longs
    slots: Longs
    watch: Watch | None = None

    @classmethod
    def of(
        cls,
        problem: Problem,
        layout: Layout | None,
        allowed: npt.NDArray[np.bool_],
        watch: Watch | None = None,
    ) -> SlotProblem | None:
        """The problem as bits and slots; None: it has colours, or options with several slots."""
        counted = (problem.low != 1) | (problem.high != 1)
        if layout is not None:  # only cells have a place in an order
            is_cell = np.zeros(problem.n_items, bool)
            is_cell[layout.cell_item] = True
            counted |= ~is_cell[: problem.primary]
        slot_of = np.zeros(problem.n_items, bool)
        slot_of[: problem.primary] = counted
        options = np.flatnonzero(allowed & problem.choosable)
        owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        many = np.bincount(owner[slot_of[problem.entries]], minlength=problem.n_options)
        bits = np.bincount(owner[~slot_of[problem.entries]], minlength=problem.n_options)
        if problem.colours.any() or (many[options] > 1).any() or (bits[options] == 0).any():
            return None
        primary = np.arange(problem.primary)
        return cls(
            problem,
            layout,
            options,
            primary[~counted],
            np.arange(problem.primary, problem.n_items),
            primary[counted],
            watch,
        )

    @property
    def n_bits(self) -> int:
        """How many bits there are."""
        return self.must.size + self.loose.size

    def tables(self, order: Longs) -> tuple[OrderTables, Longs]:
        """The tables for an order of the items in `must`, and the option of each row."""
        problem = self.problem
        bit_of = np.full(problem.n_items, -1, np.int64)
        bit_of[order] = np.arange(order.size)
        bit_of[self.loose] = order.size + np.arange(self.loose.size)
        slot_of = np.full(problem.n_items, -1, np.int64)
        slot_of[self.slots] = np.arange(self.slots.size)

        begin, numbers = problem.rows(self.options)
        owner = np.repeat(np.arange(self.options.size), np.diff(begin))
        entries = problem.entries[numbers].astype(np.int64)
        is_bit = bit_of[entries] >= 0
        first = np.full(self.options.size, order.size, np.int64)
        np.minimum.at(first, owner[is_bit], np.minimum(bit_of[entries[is_bit]], order.size))
        by_first = np.argsort(first, kind="stable")
        rank = np.empty(self.options.size, np.int64)
        rank[by_first] = np.arange(self.options.size)
        joined = np.sort(rank[owner[is_bit]] * self.n_bits + bit_of[entries[is_bit]])
        row, bit = np.divmod(joined, max(self.n_bits, 1))
        slot = np.full(self.options.size, self.slots.size, np.int64)
        slot[rank[owner[~is_bit]]] = slot_of[entries[~is_bit]]

        options, watch = self.options[by_first], self.watch
        part_starts, part_words, part_masks = _parts(row, bit, options.size)
        near_starts, near = self._near(bit_of)
        no_sums, nothing = np.zeros((options.size, 0), np.int64), np.zeros(0, np.int64)
        tables = OrderTables(
            must=np.array([order.size]),
            starts=np.searchsorted(first[by_first], np.arange(order.size + 2)).astype(np.int32),
            slot=slot.astype(np.int32),
            size=self._sizes(options),
            covers=np.bincount(row[bit < order.size], minlength=options.size).astype(np.int32),
            part_starts=part_starts,
            part_words=part_words,
            part_masks=part_masks,
            bit_starts=_starts(row, options.size),
            bits=bit.astype(np.int32),
            near_starts=near_starts,
            near=near,
            low=np.append(problem.low[self.slots], 0).astype(np.int64),
            high=np.append(problem.high[self.slots], UNLIMITED).astype(np.int64),
            gauge=np.ascontiguousarray(watch.steps[options]) if watch else no_sums,
            takes=np.ascontiguousarray(watch.takes[options]) if watch else no_sums,
            reading=watch.start.astype(np.int64) if watch else nothing,
            slack=watch.slack.astype(np.int64) if watch else nothing,
            shortfall=(watch.shortfall if watch else np.zeros(1)).astype(np.int32),
        )
        return tables, options

    def _sizes(self, options: Longs) -> IntArray:
        """How many cells each option fills; of a plain problem, how many items it covers."""
        if self.layout is None:
            return np.diff(self.problem.starts)[options].astype(np.int32)
        sizes = np.append(self.layout.shape_size, 1)  # an option without a shape leaves a hole
        return sizes[self.layout.option_shape[options]].astype(np.int32)

    def _near(self, bit_of: Longs) -> tuple[IntArray, IntArray]:
        """CSR over bits: the bits of the cells beside each cell."""
        if self.layout is None:
            return np.zeros(self.n_bits + 1, np.int32), np.zeros(0, np.int32)
        starts, beside = self.layout.adjacent
        cell_bit = bit_of[self.layout.cell_item]
        row = cell_bit[np.repeat(np.arange(self.layout.n_cells), np.diff(starts))]
        along = np.argsort(row, kind="stable")
        return _starts(row[along], self.n_bits), cell_bit[beside][along].astype(np.int32)


def _starts(row: Longs, rows: int) -> IntArray:
    """Where each row begins, from the row of each entry, ascending."""
    return np.searchsorted(row, np.arange(rows + 1)).astype(np.int32)


def _parts(row: Longs, bit: Longs, rows: int) -> tuple[IntArray, IntArray, Words]:
    """Bits, row by row and ascending, as words that are not 0: CSR."""
    word = bit >> 6
    new = np.ones(row.size, bool)
    new[1:] = (row[1:] != row[:-1]) | (word[1:] != word[:-1])
    begin = np.flatnonzero(new)
    masks = np.uint64(1) << (bit & 63).astype(np.uint64)
    joined = np.bitwise_or.reduceat(masks, begin) if begin.size else np.zeros(0, np.uint64)
    return _starts(row[begin], rows), word[begin].astype(np.int32), joined
