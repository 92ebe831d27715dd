"""The tables of a packer: a problem whose cells have a fixed order.

Bits stand for everything that is covered at most once: first the items that must be covered, in the
order of packing, then those that may stay open. Items with multiplicities, above all the pieces,
are counted in slots. Each option has at most one slot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray

Words = npt.NDArray[np.uint64]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class OrderTables(NamedTuple):
    """A problem with an order of its cells, as the kernels read it.

    must        how many bits must be covered: the bits below it
    options     int64 [options]        their numbers in the problem
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

    A pocket is a few open cells that are cut off from the others.

    sums        bool [cells + 1]       the sizes that pieces can make up; empty: no pocket is
                                       looked at
    smallest    the cells of the smallest piece
    bound       the most cells of a pocket that a dive looks at; 0: it looks at none
    """

    must: int
    options: Longs
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
    sums: Flags
    smallest: int
    bound: int

    def bits_of(self, row: int) -> list[int]:
        """The bits of an option."""
        bits: list[int] = self.bits[self.bit_starts[row] : self.bit_starts[row + 1]].tolist()
        return bits

    def beside(self, bit: int) -> list[int]:
        """The bits of the cells beside a cell."""
        bits: list[int] = self.near[self.near_starts[bit] : self.near_starts[bit + 1]].tolist()
        return bits


def starts_of(row: Longs, rows: int) -> IntArray:
    """Where each row begins, from the row of each entry, ascending."""
    return np.searchsorted(row, np.arange(rows + 1)).astype(np.int32)


def parts_of(row: Longs, bit: Longs, rows: int) -> tuple[IntArray, IntArray, Words]:
    """Bits, row by row and ascending, as words that are not 0: CSR."""
    word = bit >> 6
    new = np.ones(row.size, bool)
    new[1:] = (row[1:] != row[:-1]) | (word[1:] != word[:-1])
    begin = np.flatnonzero(new)
    masks = np.uint64(1) << (bit & 63).astype(np.uint64)
    joined = np.bitwise_or.reduceat(masks, begin) if begin.size else np.zeros(0, np.uint64)
    return starts_of(row[begin], rows), word[begin].astype(np.int32), joined
