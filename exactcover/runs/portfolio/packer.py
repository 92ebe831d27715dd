"""A packer: one worker's dives in a fixed order, each with endings by fewest options below it.

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
from dataclasses import dataclass, field

import numpy as np

from exactcover.backends.arrays import Bits, Long, Reals
from exactcover.backends.base import Slice
from exactcover.runs.portfolio import kernels
from exactcover.runs.portfolio.board import PackingBoard
from exactcover.runs.portfolio.kernels import Dive, Ending, OrderTables

SLICE = 1 << 21
"""The steps of a call of a kernel: about a hundredth of a second."""

ROUND = 1 << 24
"""The cost of a dive to a line, in steps, beside those that kernels count."""

ENDING_SKILL = 4.0
"""The skill of an ending behind a line."""

SIZE = 9
"""The pieces of a window elsewhere."""

EXCHANGES = 64
"""How many windows exchange pieces before an ending."""

SLIGHT = 0.01
"""The chance of a window around the hardest piece, beside its ease."""

MOST, MOST_AT_LINE = 1 << 20, 1 << 24
"""The steps of the search of a window elsewhere, and at the frontier."""

Going = Callable[[], bool]


@dataclass(frozen=True)
class Method:
    """How a packer packs.

    order      the number of its macro order
    threshold  an ending takes over where this many pieces of mean size fill the open cells
    skill      how much earlier difficult pieces come than easy ones; 0: not at all
    endings    the share of an attempt's steps that one ending may take
    line       windows fill the board before an ending up to a line; this many pieces of mean size
               fill what is behind it. 0: there are no windows
    length     the steps of an attempt, as a multiple of those of others
    by_shape   the less compact pieces are difficult, not those that seldom fitted before
    """

    order: int
    threshold: float
    skill: float = 1.0
    endings: float = 0.25
    line: float = 0.0
    length: int = 1
    by_shape: bool = False


@dataclass(frozen=True, eq=False)
class Attempt:
    """A dive by a method, or a slice of the plain search if there is no method.

    ease   float64 [slots]: how easily each slot has fitted so far, as a logarithm
    steps  of a dive
    seed   of the run
    """

    number: int
    method: Method | None
    ease: Reals
    steps: int
    seed: int


@dataclass(eq=False)
class Outcome:
    """The outcome of an attempt.

    left     how many cells the best packing leaves open; 0: it is a solution
    options  those of that packing, ascending
    fitted, offered  int64 [slots]  how often each slot fitted the first open cell, and was left; 0:
                     nothing was noted
    steps    made by the kernels
    made     what the plain search came to
    ended    whether the plain search has ended
    """

    attempt: Attempt
    left: int
    options: tuple[int, ...] = ()
    fitted: Long | int = 0
    offered: Long | int = 0
    steps: int = 0
    made: list[Slice] = field(default_factory=list)
    ended: bool = False

    @property
    def solved(self) -> bool:
        return self.left == 0

    def keep(self, options: Long, left: int) -> None:
        """Keep a better packing."""
        self.options, self.left = tuple(sorted(options.tolist())), left


class Packer:
    """One worker: its arrays, and the attempt that it does now.

    tables  those of the attempt's macro order
    dive    the packing, and how it goes on
    placed  the rows of the options placed, where windows improve the packing
    keys    of the options: those with the least are tried first in a window
    """

    tables: OrderTables
    dive: Dive
    placed: list[int]
    keys: Reals

    def __init__(self, board: PackingBoard) -> None:
        self._board = board
        self._ending = Ending.room(board.n_bits, board.tables(0).low.size)

    def pack(self, attempt: Attempt, going: Going) -> Outcome | None:
        """Dive, with endings below, for the steps of the attempt.

        going  called after each slice; None is returned once it returns False
        """
        method, mean_size = attempt.method, self._board.mean_size
        assert method is not None
        self.tables = self._board.tables(method.order)
        self._attempt, self._method, self._going = attempt, method, going
        self._random = np.random.default_rng((attempt.seed, attempt.number))
        self._threshold = int(method.threshold * mean_size)
        self._packed = Outcome(attempt, self.tables.must)
        if method.line:
            self._pack_to_line(max(0, self.tables.must - round(method.line * mean_size)))
        else:
            self._pack()
        return self._packed if self._packed.solved or going() else None

    def _pack(self) -> None:
        """Dive once; search an ending wherever few enough cells are open."""
        packed, most = self._packed, self._attempt.steps
        dive = self._start()
        packed.fitted, packed.offered = dive.fitted, dive.offered
        while self._going() and packed.steps < most:
            before = int(dive.numbers[kernels.D_STEPS])
            status = self._dive(most - packed.steps)
            packed.steps += int(dive.numbers[kernels.D_STEPS]) - before
            if status == kernels.EXHAUSTED or packed.steps >= most:
                return
            if status == kernels.SPENT:
                continue
            placed = dive.chosen[: dive.numbers[kernels.D_DEPTH]]
            if dive.numbers[kernels.D_OPEN] < packed.left:
                packed.keep(self.tables.options[placed], max(int(dive.numbers[kernels.D_OPEN]), 1))
            share = 1.0 if status == kernels.COVERED else self._method.endings
            if not self._open_ending(dive.keys, dive.taken):
                # Go on below the option placed last, where no ending can begin yet.
                dive.numbers[kernels.D_BACK] = 0
                dive.next_at[dive.numbers[kernels.D_DEPTH]] = -1
                dive.numbers[kernels.D_STEPS] += 1
            elif self._end(placed, min(int(share * most), most - packed.steps)):
                return

    def _pack_to_line(self, line: int) -> None:
        """Dive again and again; each time improve the packing by windows, then try an ending."""
        packed, attempt, random = self._packed, self._attempt, self._random
        slot, ease = self.tables.slot, attempt.ease
        while self._going() and packed.steps < attempt.steps:
            dive = self._start()
            status = self._dive(SLICE)
            packed.steps += ROUND + int(dive.numbers[kernels.D_STEPS])
            packed.fitted += dive.fitted
            packed.offered += dive.offered
            if status != kernels.THRESHOLD:
                continue
            self.keys = random.gumbel(size=slot.size) + self._method.skill * ease[slot]
            self.placed = dive.chosen[: dive.numbers[kernels.D_DEPTH]].tolist()
            is_filled = self.fill_to_line(line)
            if is_filled:
                self._exchange_hard_pieces(ease, random)
            keys = random.gumbel(size=slot.size) + ENDING_SKILL * ease[slot]
            if not is_filled or not self._open_ending(keys, dive.taken):
                continue
            if self._end(self.placed, int(self._method.endings * attempt.steps)):
                return

    # -- dives ----------------------------------------------------------------------------------

    def _start(self) -> Dive:
        """Begin with nothing placed, and draw the order of the options."""
        tables, method = self.tables, self._method
        ease, drawn = self._attempt.ease[tables.slot], self._random.gumbel(size=tables.slot.size)
        keys = drawn + method.skill * ease
        self.dive = Dive.start(tables, keys)
        return self.dive

    def _dive(self, most: int) -> int:
        numbers = self.dive.numbers
        is_at_root = not numbers[kernels.D_DEPTH] and not numbers[kernels.D_STEPS]
        if is_at_root and numbers[kernels.D_OPEN] <= self._threshold:
            numbers[kernels.D_BACK] = 1  # the ending has the whole board
            numbers[kernels.D_STEPS] = 1
            return kernels.THRESHOLD
        upto = int(numbers[kernels.D_STEPS]) + min(SLICE, most)
        status: int = kernels.dive_on(self.tables, self.dive, self._threshold, upto)
        return status

    # -- endings --------------------------------------------------------------------------------

    def _open_ending(self, keys: Reals, taken: Bits, *, all_needed: bool = True) -> bool:
        """Begin an ending in the bits that are not taken; False: it has too many options."""
        ending = self._ending
        status = kernels.open_ending(self.tables, self.dive, ending, keys, taken, all_needed)
        return bool(status != kernels.FULL)

    def _search_ending(self, most: int) -> list[int] | None:
        """The rows that complete the packing, or None."""
        ending, status = self._ending, kernels.SPENT
        while status == kernels.SPENT and ending.numbers[kernels.E_STEPS] < most and self._going():
            upto = min(int(ending.numbers[kernels.E_STEPS]) + SLICE, most)
            status = kernels.finish(ending, upto)
        self._packed.steps += int(ending.numbers[kernels.E_STEPS])
        return ending.placed() if status == kernels.SOLVED else None

    def _end(self, placed: Iterable[int], most: int) -> bool:
        """Search an ending below these rows, and keep its best packing; whether it is solved."""
        found = self._search_ending(most)
        left = int(self._ending.numbers[kernels.E_LEAST])
        if found is None and left < self._packed.left:
            rows = [*placed, *self._ending.best_placed()]
            self._packed.keep(self.tables.options[rows], max(left, 1))
        elif found is not None:
            self._packed.keep(self.tables.options[[*placed, *found]], 0)
        return found is not None

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

    def _exchange_hard_pieces(self, ease: Reals, random: np.random.Generator) -> None:
        """Exchange pieces in windows around easy ones, so that those left are easy.

        ease  float64 [slots]: how easy each piece is, as a logarithm
        """
        slot, ease = self.tables.slot, np.append(np.exp(ease[:-1]), 0.0)  # the last is no piece
        for _ in range(EXCHANGES if self.placed else 0):
            weights = ease[slot[self.placed]] + SLIGHT
            self.exchange(int(random.choice(self.placed, p=weights / weights.sum())), ease)

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
        if self._open_ending(self.keys, taken, all_needed=False):
            return self._search_ending(most) or []
        self._packed.steps += most
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
