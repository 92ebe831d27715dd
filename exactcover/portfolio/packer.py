"""A packer: one worker's dives in a fixed order, each with endings by fewest options below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from exactcover.portfolio import ending_kernel, packing_kernel
from exactcover.portfolio.bench import Bench, nothing_taken
from exactcover.portfolio.ending import Ending
from exactcover.portfolio.manner import Manner
from exactcover.portfolio.tables import Floats, Longs, Tables
from exactcover.portfolio.windows import Board, Windows

SLICE = 1 << 21
"""The steps of a call of a kernel: about a hundredth of a second."""

ROUND = 1 << 24
"""The cost of a dive to a line, in steps, beside those that kernels count."""

ENDING_SKILL = 4.0
"""The skill of an ending behind a line."""

Going = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Packed:
    """What a dive has come to.

    options  those of its best packing, ascending
    left     how many cells that packing leaves open; 0: it is a solution
    fitted, offered  int64 [slots]  how often each slot fitted the first open cell, and was left
    steps    made by its kernels
    """

    options: tuple[int, ...]
    left: int
    fitted: Longs
    offered: Longs
    steps: int

    @property
    def solved(self) -> bool:
        return self.left == 0


class Packer:
    """The arrays of one worker."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        bits, must = bench.packing.n_bits, bench.packing.must.size
        self._numbers = np.zeros(packing_kernel.NUMBERS, np.int64)
        self._chosen = np.zeros(must + 2, np.int32)
        self._next = np.zeros(must + 2, np.int64)
        self._tried = np.zeros(must + 2, np.int64)
        self._stamps = np.zeros(bits, np.int64)
        self._queue = np.zeros(bits + 1, np.int32)
        self._ending = Ending(bits, bench.packing.slots.size + 1, bench.sums)
        self._windows = Windows(self._ending)

    def pack(
        self, manner: Manner, ease: Floats, seed: tuple[int, int], most: int, going: Going
    ) -> Packed | None:
        """Dive once, with endings below it, for this number of steps.

        ease   float64 [slots]: how easily each slot fits
        going  asked after each slice; None is returned when it says no
        """
        if manner.line:
            return self._pack_to_line(manner, ease, seed, most, going)
        tables, rows = self._bench.tables(manner.order)
        self._open(tables, manner, ease, np.random.default_rng(seed))
        best, least, spent = self._placed(rows), int(self._numbers[packing_kernel.OPEN]), 0
        threshold = int(manner.threshold * self._bench.mean_size)
        while going():
            before = int(self._numbers[packing_kernel.STEPS])
            status = self._dive(tables, manner, min(threshold, int(tables.must[0])), most - spent)
            spent += int(self._numbers[packing_kernel.STEPS]) - before
            if status == packing_kernel.EXHAUSTED or spent >= most:
                return Packed(best, least, self._fitted, self._offered, spent)
            if status == packing_kernel.SPENT:
                continue
            open_now = int(self._numbers[packing_kernel.OPEN])
            if open_now < least:
                best, least = self._placed(rows), max(open_now, 1)
            made = self._ending.begin(
                tables, self._keys, self._taken, self._left, self._index, self._slack
            )
            if not made:
                self._go_down()
                continue
            share = 1.0 if status == packing_kernel.COVERED else manner.endings
            allowance = min(int(share * most), most - spent)
            ended = self._end(tables, allowance, going)
            if ended is None:
                return None
            spent += int(self._ending.numbers[ending_kernel.STEPS])
            if ended == ending_kernel.SOLVED:
                solution = (*self._placed(rows), *self._ending.placed(rows))
                return Packed(tuple(sorted(solution)), 0, self._fitted, self._offered, spent)
            left = int(self._ending.numbers[ending_kernel.LEAST])
            if left < least:
                best, least = (*self._placed(rows), *self._ending.best(rows)), max(left, 1)
        return None

    # -- dives to a line ------------------------------------------------------------------------

    def _pack_to_line(
        self, manner: Manner, ease: Floats, seed: tuple[int, int], most: int, going: Going
    ) -> Packed | None:
        """Dive again and again; each time improve the packing by windows, then try an ending."""
        tables, rows = self._bench.tables(manner.order)
        random = np.random.default_rng(seed)
        fitted, offered = np.zeros(ease.size, np.int64), np.zeros(ease.size, np.int64)
        line = max(0, int(tables.must[0]) - round(manner.line * self._bench.mean_size))
        best: tuple[int, ...] = ()
        least, spent = int(tables.must[0]), 0
        while going():
            if spent >= most:
                return Packed(best, least, fitted, offered, spent)
            board = self._board(tables, manner, ease, random)
            spent += ROUND + int(self._numbers[packing_kernel.STEPS])
            fitted += self._fitted
            offered += self._offered
            if board is None:
                continue
            is_filled, steps = self._windows.improve(board, line, manner, ease, random, going)
            spent += steps
            keys = random.gumbel(size=tables.slot.size) + ENDING_SKILL * ease[tables.slot]
            if not is_filled or not self._ending.begin(
                tables, keys, board.taken, board.left, board.index, board.slack
            ):
                continue
            ended = self._end(tables, int(manner.endings * most), going)
            if ended is None:
                return None
            spent += int(self._ending.numbers[ending_kernel.STEPS])
            placed = rows[board.placed].tolist()
            if ended == ending_kernel.SOLVED:
                solution = tuple(sorted((*placed, *self._ending.placed(rows))))
                return Packed(solution, 0, fitted, offered, spent)
            left = int(self._ending.numbers[ending_kernel.LEAST])
            if left < least:
                best, least = (*placed, *self._ending.best(rows)), max(left, 1)
        return None

    def _board(
        self, tables: Tables, manner: Manner, ease: Floats, random: np.random.Generator
    ) -> Board | None:
        """The packing of a short dive down to the threshold; None: it did not get there."""
        self._open(tables, manner, ease, random)
        threshold = int(manner.threshold * self._bench.mean_size)
        if self._dive(tables, manner, threshold, SLICE) != packing_kernel.THRESHOLD:
            return None
        placed = self._chosen[: int(self._numbers[packing_kernel.DEPTH])].tolist()
        return Board(tables, placed, self._taken, self._left, self._index, self._slack)

    # -- the dive -------------------------------------------------------------------------------

    def _open(
        self, tables: Tables, manner: Manner, ease: Floats, random: np.random.Generator
    ) -> None:
        """Begin with nothing placed, and draw the order of the options."""
        slots = tables.low.size
        drawn = random.gumbel(size=tables.slot.size)
        self._keys = drawn + manner.skill * ease[tables.slot] - manner.bulk * np.sqrt(tables.size)
        self._ranked = np.full(tables.slot.size, -1, np.int32)
        self._fitted, self._offered = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
        self._taken = nothing_taken(self._bench.packing.n_bits)
        self._left = tables.high.copy()
        self._index, self._slack = tables.reading.copy(), tables.slack.copy()
        self._numbers[:] = 0
        self._stamps[:] = 0
        self._numbers[[packing_kernel.OPEN, packing_kernel.DEEPEST]] = tables.must[0]
        self._next[0], self._tried[0] = -1, 0

    def _dive(self, tables: Tables, manner: Manner, threshold: int, most: int) -> int:
        """A slice of the dive."""
        if self._numbers[packing_kernel.OPEN] <= threshold and self._at_root():
            self._numbers[packing_kernel.BACK] = 1  # the ending has the whole board
            self._numbers[packing_kernel.STEPS] = 1
            return packing_kernel.THRESHOLD
        bench = self._bench
        status: int = packing_kernel.dive(
            tables,
            self._keys,
            self._ranked,
            self._numbers,
            self._taken,
            self._left,
            self._index,
            self._slack,
            self._chosen,
            self._next,
            self._tried,
            self._stamps,
            self._queue,
            bench.sums,
            bench.smallest,
            bench.pocket,
            manner.discrepancies,
            threshold,
            int(self._numbers[packing_kernel.STEPS]) + min(SLICE, most),
            self._fitted,
            self._offered,
        )
        return status

    def _at_root(self) -> bool:
        return not self._numbers[packing_kernel.DEPTH] and not self._numbers[packing_kernel.STEPS]

    def _go_down(self) -> None:
        """Go on below the option placed last, where no ending can begin yet."""
        depth = int(self._numbers[packing_kernel.DEPTH])
        self._numbers[packing_kernel.BACK] = 0
        self._next[depth] = -1
        self._tried[depth] = self._tried[depth - 1] - 1 if depth else 0
        self._numbers[packing_kernel.STEPS] += 1

    def _placed(self, rows: Longs) -> tuple[int, ...]:
        """The options of the dive."""
        depth = int(self._numbers[packing_kernel.DEPTH])
        return tuple(rows[self._chosen[:depth]].tolist())

    def _end(self, tables: Tables, most: int, going: Going) -> int | None:
        """Search an ending; its status, or None if it is to stop."""
        while going():
            status = self._ending.go_on(tables, SLICE, most)
            if status != ending_kernel.SPENT or self._ending.numbers[ending_kernel.STEPS] >= most:
                return status
        return None
