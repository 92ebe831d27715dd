"""Windows: a few pieces are taken up, and an exact search fills their place with others.

Whether the last 20 pieces of a huge puzzle fill their cells depends on which pieces they are, and
on the frontier. So a packing is improved before they are tried (large neighbourhood search). A
window is filled with any pieces that are not placed, hard ones first; the rest of the packing
stays. As there are more pieces than the window needs, that takes milliseconds.

- A window at the frontier fills all cells up to a line, so the last pieces get a smooth region.
- Windows elsewhere exchange easy pieces for hard ones, so the last pieces are easy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from exactcover.runs.portfolio.kernels import Board, place
from exactcover.runs.portfolio.tables import Floats, Words

if TYPE_CHECKING:
    from exactcover.runs.portfolio.packer import Packer

SIZE = 9
"""The pieces of a window elsewhere."""

EXCHANGES = 64
"""How many windows exchange pieces before an ending."""

SLIGHT = 0.01
"""The chance of a window around the hardest piece, beside its ease."""

MOST, MOST_AT_LINE = 1 << 20, 1 << 24
"""The steps of the search of a window elsewhere, and at the frontier."""


class Windows:
    """A packing that windows improve.

    packer  whose endings search the windows, with the tables of its job
    placed  the rows of the options placed; `board` changes with them
    keys    of the options: those with the least are tried first

    steps   made so far
    """

    def __init__(self, packer: Packer, board: Board, placed: list[int], keys: Floats) -> None:
        self._packer, self._tables, self._keys = packer, packer.tables, keys
        self.board, self.placed = board, placed
        self.steps = 0

    def fill_to_line(self, line: int) -> bool:
        """Fill all open bits before the line, and none behind it; whether that succeeded.

        Pieces that reach over the line are taken up first.
        """
        must, taken = int(self._tables.must[0]), self.board.taken
        over = [row for row in self.placed if any(line <= bit < must for bit in self._bits(row))]
        self._take_up(over)
        behind = taken.copy()
        for bit in range(line, must):
            behind[bit >> 6] |= np.uint64(1 << (bit & 63))
        self._put(self._filling(behind, MOST_AT_LINE))
        before = np.unpackbits(taken.view(np.uint8), bitorder="little")[:line]
        return bool(before.all())

    def exchange_hard_pieces(self, ease: Floats, random: np.random.Generator) -> None:
        """Exchange pieces in windows around easy ones, so that those left are easy.

        ease  float64 [slots]: how easy each piece is, as a logarithm
        """
        slot, ease = self._tables.slot, np.append(np.exp(ease[:-1]), 0.0)  # the last is no piece
        for _ in range(EXCHANGES if self.placed else 0):
            weights = ease[slot[self.placed]] + SLIGHT
            self.exchange(int(random.choice(self.placed, p=weights / weights.sum())), ease)

    def exchange(self, row: int, ease: Floats) -> None:
        """Fill a window around a placed option again, if the pieces left become easier."""
        slot, freed = self._tables.slot, self.around(row, SIZE)
        self._take_up(freed)
        outside = ~np.zeros_like(self.board.taken)
        for one in freed:
            for bit in self._bits(one):
                outside[bit >> 6] &= ~np.uint64(1 << (bit & 63))
        rows = self._filling(outside, MOST)
        is_better = rows and ease[slot[rows]].sum() < ease[slot[freed]].sum()
        self._put(rows if is_better else freed)

    def around(self, row: int, most: int) -> list[int]:
        """The placed options nearest to one of them, from neighbour to neighbour, itself first."""
        owner = {bit: one for one in self.placed for bit in self._bits(one)}
        starts, near = self._tables.near_starts, self._tables.near
        found = {row}
        queue = [row]
        for one in queue:
            for bit in self._bits(one):
                for other in near[starts[bit] : starts[bit + 1]].tolist():
                    beside = owner.get(other)
                    if beside is not None and beside not in found and len(found) < most:
                        found.add(beside)
                        queue.append(beside)
        return queue

    def _filling(self, taken: Words, most: int) -> list[int]:
        """The options that fill what is not taken; empty: none are found."""
        packer = self._packer
        if not packer.open_ending(self.board, self._keys, taken, all_needed=False):
            self.steps += most
            return []
        rows, steps = packer.search_ending(most)
        self.steps += steps
        return rows or []

    def _bits(self, row: int) -> list[int]:
        begin, end = self._tables.bit_starts[row : row + 2].tolist()
        bits: list[int] = self._tables.bits[begin:end].tolist()
        return bits

    def _put(self, rows: Iterable[int]) -> None:
        for row in rows:
            place(self._tables, self.board, row, 1)
            self.placed.append(row)

    def _take_up(self, rows: Iterable[int]) -> None:
        gone = set(rows)
        self.placed[:] = [row for row in self.placed if row not in gone]
        for row in sorted(gone):
            place(self._tables, self.board, row, -1)
