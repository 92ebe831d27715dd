"""A packer: one worker's dives in a fixed order, each with an ending by fewest options below it.

A **window** improves a packing before its ending (large neighbourhood search): a few pieces are
taken up, and an exact search fills their place with others. Whether the last 20 pieces of a huge
puzzle fill their cells depends on which pieces they are, and on the frontier. A window is filled
with any pieces that are not placed, hard ones first; the rest of the packing stays. As there are
more pieces than the window needs, that takes milliseconds.

- A window at the frontier fills all cells up to a line, so the last pieces get a smooth region.
- Windows elsewhere exchange easy pieces for hard ones, so the last pieces are easy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Long, Reals
from exactcover.base import LazyModule
from exactcover.runs.portfolio.board import PackingBoard

if TYPE_CHECKING:
    from exactcover.runs.portfolio import kernels
else:
    kernels = LazyModule("exactcover.runs.portfolio.kernels")

SLICE = 1 << 21
"""The steps of a call of a kernel: about a hundredth of a second."""

SIZE = 9
"""The pieces of a window elsewhere."""

EXCHANGES = 64
"""How many windows exchange pieces before an ending."""

SLIGHT = 0.01
"""The chance of a window around the hardest piece, beside its ease."""

MOST, MOST_AT_LINE = 1 << 20, 1 << 24
"""The steps of the search of a window elsewhere, and at the frontier."""

UNPACKED = 1 << 62
"""More cells than any board has: nothing is packed yet."""

Going = Callable[[], bool]


class Method(NamedTuple):
    """How a packer packs.

    order      the number of its macro order
    threshold  an ending takes over where this many pieces of mean size fill the open cells
    skill      how much earlier difficult pieces come than easy ones; 0: not at all
    line       windows fill the board before an ending up to a line; this many pieces of mean size
               fill what is behind it. 0: there are no windows
    length     the steps of an attempt, as a multiple of those of others
    """

    order: int
    threshold: float
    skill: float = 1.0
    line: float = 0.0
    length: int = 1


@dataclass(frozen=True)
class Attempt:
    """A dive by a method, and an ending.

    steps  the most of each of them
    seed   of the run
    """

    number: int
    method: Method
    steps: int
    seed: int


@dataclass(eq=False)
class Outcome:
    """The outcome of an attempt.

    left     how many cells the best packing leaves open; 0: it is a solution
    options  those of that packing, ascending
    """

    left: int = UNPACKED
    options: tuple[int, ...] = ()

    @property
    def solved(self) -> bool:
        return self.left == 0

    def keep(self, options: Long, left: int) -> None:
        """Keep a packing if it is better."""
        if left < self.left:
            self.options, self.left = tuple(sorted(options.tolist())), left


class Packer:
    """One worker: its arrays, and the attempt that it does now.

    tables  those of the attempt's macro order
    dive    the packing, and how it goes on
    placed  the rows of the options placed
    keys    of the options: those with the least are tried first
    """

    tables: kernels.OrderTables
    dive: kernels.Dive
    placed: list[int]
    keys: Reals

    def __init__(self, board: PackingBoard) -> None:
        self._board = board
        self._ease = board.ease()
        self._ending = kernels.Ending.room(board.n_bits, board.tables(0).low.size)

    def pack(self, attempt: Attempt, going: Going) -> Outcome | None:
        """Dive, improve the packing by windows if the method has them, and search an ending.

        going  called after each slice; None is returned once it returns False
        """
        method, mean_size = attempt.method, self._board.mean_size
        self.tables = tables = self._board.tables(method.order)
        self._going, self._random = going, np.random.default_rng((attempt.seed, attempt.number))
        self.keys = self._random.gumbel(size=tables.slot.size)
        self.keys += method.skill * self._ease[tables.slot]
        self._packed = Outcome()
        is_ready = self._dive(int(method.threshold * mean_size), attempt.steps)
        if is_ready and method.line:
            is_ready = self.fill_to_line(max(0, tables.must - round(method.line * mean_size)))
            if is_ready:
                self._exchange_hard_pieces()
        if is_ready and self._open_ending(self.dive.taken):
            self._end(attempt.steps)
        return self._packed if self._packed.solved or going() else None

    def _dive(self, threshold: int, most: int) -> bool:
        """Place options until at most this many cells are open; whether that is reached."""
        self.dive = dive = kernels.Dive.start(self.tables, self.keys)
        status, steps = kernels.SPENT, 0
        if self.tables.must <= threshold:
            status = kernels.THRESHOLD  # the ending has the whole board
        while status == kernels.SPENT and steps < most and self._going():
            steps = min(steps + SLICE, most)
            status = kernels.dive_on(self.tables, dive, threshold, steps)
        self.placed = dive.chosen[: dive.numbers[kernels.D_DEPTH]].tolist()
        self._keep(self.placed, int(dive.numbers[kernels.D_OPEN]))
        return status in (kernels.THRESHOLD, kernels.COVERED)

    def _keep(self, rows: list[int], left: int) -> None:
        """Keep a packing that leaves this number of cells open, and is no solution."""
        self._packed.keep(self.tables.options[rows], max(left, 1))

    # -- endings --------------------------------------------------------------------------------

    def _open_ending(self, taken: Bits, *, all_needed: bool = True) -> bool:
        """Begin an ending in the bits that are not taken; False: it has too many options."""
        status = kernels.open_ending(
            self.tables, self.dive, self._ending, self.keys, taken, all_needed
        )
        return bool(status != kernels.FULL)

    def _search_ending(self, most: int) -> list[int] | None:
        """The rows that complete the packing, or None."""
        ending, status = self._ending, kernels.SPENT
        while status == kernels.SPENT and ending.numbers[kernels.E_STEPS] < most and self._going():
            upto = min(int(ending.numbers[kernels.E_STEPS]) + SLICE, most)
            status = kernels.finish(ending, upto)
        return ending.placed() if status == kernels.SOLVED else None

    def _end(self, most: int) -> None:
        """Search an ending, and keep its best packing."""
        found = self._search_ending(most)
        if found is not None:
            self._packed.keep(self.tables.options[[*self.placed, *found]], 0)
            return
        rows = [*self.placed, *self._ending.best_placed()]
        self._keep(rows, int(self._ending.numbers[kernels.E_LEAST]))

    # -- windows --------------------------------------------------------------------------------

    def fill_to_line(self, line: int) -> bool:
        """Fill all open bits before the line, and none behind it; whether that succeeded.

        Pieces that reach over the line are taken up first.
        """
        must, taken, bits_of = self.tables.must, self.dive.taken, self.tables.bits_of
        over = [row for row in self.placed if any(line <= bit < must for bit in bits_of(row))]
        self._take_up(over)
        behind = taken.copy()
        for bit in range(line, must):
            behind[bit >> 6] |= np.uint64(1 << (bit & 63))
        self._put(self._filling(behind, MOST_AT_LINE))
        before = np.unpackbits(taken.view(np.uint8), bitorder="little")[:line]
        return bool(before.all())

    def _exchange_hard_pieces(self) -> None:
        """Exchange pieces in windows around easy ones, so that those left are easy."""
        slot, ease = self.tables.slot, np.append(np.exp(self._ease[:-1]), 0.0)  # the last: no piece
        for _ in range(EXCHANGES if self.placed else 0):
            weights = ease[slot[self.placed]] + SLIGHT
            self.exchange(int(self._random.choice(self.placed, p=weights / weights.sum())), ease)

    def exchange(self, row: int, ease: Reals) -> None:
        """Fill a window around a placed option again, if the pieces left become easier."""
        slot, freed, before = self.tables.slot, self.around(row, SIZE), self.dive.taken.copy()
        self._take_up(freed)
        rows = self._filling(~before | self.dive.taken, MOST)  # all but the window
        is_better = rows and ease[slot[rows]].sum() < ease[slot[freed]].sum()
        self._put(rows if is_better else freed)

    def around(self, row: int, most: int) -> list[int]:
        """The placed options nearest to one of them, from neighbour to neighbour, itself first."""
        tables = self.tables
        owner = {bit: one for one in self.placed for bit in tables.bits_of(one)}
        found = {row}
        queue = [row]
        for one in queue:
            for bit in tables.bits_of(one):
                for other in tables.beside(bit):
                    beside = owner.get(other)
                    if beside is not None and beside not in found and len(found) < most:
                        found.add(beside)
                        queue.append(beside)
        return queue

    def _filling(self, taken: Bits, most: int) -> list[int]:
        """The options that fill what is not taken; empty: none are found."""
        if self._open_ending(taken, all_needed=False):
            return self._search_ending(most) or []
        return []

    def _put(self, rows: Iterable[int]) -> None:
        for row in rows:
            kernels.place(self.tables, self.dive, row, 1)
            self.placed.append(row)

    def _take_up(self, rows: Iterable[int]) -> None:
        gone = set(rows)
        self.placed[:] = [row for row in self.placed if row not in gone]
        for row in sorted(gone):
            kernels.place(self.tables, self.dive, row, -1)
