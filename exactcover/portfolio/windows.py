"""Windows: a few pieces are taken up, and an exact search fills their place with others.

Whether the last 20 pieces of a huge puzzle fill their cells depends on which pieces they are, and
on the frontier. So a packing is improved before they are tried (large neighbourhood search). A
window is filled with any pieces that are not placed, hard ones first; the rest of the packing
stays. As there are more pieces than the window needs, that takes milliseconds.

- A window at the frontier fills all cells up to a line, so the last pieces get a smooth region.
- Windows elsewhere exchange easy pieces for hard ones, so the last pieces are easy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from exactcover.portfolio import ending_kernel
from exactcover.portfolio.ending import Ending
from exactcover.portfolio.manner import Manner
from exactcover.portfolio.packing_kernel import NUMBERS, place
from exactcover.portfolio.tables import Floats, Longs, Tables, Words

SIZE = 9
"""The pieces of a window elsewhere."""

EXCHANGES = 64
"""How many windows exchange pieces before an ending."""

SLIGHT = 0.01
"""The chance of a window around the hardest piece, beside its ease."""

MOST = 1 << 20
"""The steps of the search of such a window."""

MOST_AT_LINE = 1 << 24
"""The steps of the search of a window at the frontier."""

Going = Callable[[], bool]


@dataclass(eq=False)
class Board:
    """A partial packing, as the kernels keep it.

    placed  the rows of its options
    taken   the bits that they cover; `left`, `index` and `slack` are as in `packing_kernel`
    """

    tables: Tables
    placed: list[int]
    taken: Words
    left: Longs
    index: Longs
    slack: Longs
    _numbers: Longs = field(default_factory=lambda: np.zeros(NUMBERS, np.int64))

    def put(self, rows: Iterable[int]) -> None:
        """Place options that fit."""
        for row in rows:
            self._turn(row, 1)
            self.placed.append(row)

    def take_up(self, rows: Iterable[int]) -> None:
        """Undo that for some of the options placed."""
        gone = set(rows)
        self.placed[:] = [row for row in self.placed if row not in gone]
        for row in sorted(gone):
            self._turn(row, -1)

    def _turn(self, row: int, sign: int) -> None:
        tables = self.tables
        place(tables, row, sign, self.taken, self.left, self.index, self.slack, self._numbers)

    def bits(self, row: int) -> list[int]:
        """The bits of an option."""
        begin, end = self.tables.bit_starts[row : row + 2].tolist()
        listed: list[int] = self.tables.bits[begin:end].tolist()
        return listed

    def around(self, row: int, most: int) -> list[int]:
        """The placed options nearest to one of them, from neighbour to neighbour, itself first."""
        owner = {bit: one for one in self.placed for bit in self.bits(one)}
        starts, near = self.tables.near_starts, self.tables.near
        found = {row: None}
        following = [row]
        for one in following:
            for bit in self.bits(one):
                for other in near[starts[bit] : starts[bit + 1]].tolist():
                    beside = owner.get(other)
                    if beside is not None and beside not in found and len(found) < most:
                        found[beside] = None
                        following.append(beside)
        return following


class Windows:
    """The windows of one worker.

    ending  searches them
    """

    def __init__(self, ending: Ending) -> None:
        self._ending = ending

    def improve(
        self,
        board: Board,
        line: int,
        manner: Manner,
        ease: Floats,
        random: np.random.Generator,
        going: Going,
    ) -> tuple[bool, int]:
        """Fill all bits before a line, then exchange pieces until those left are easy.

        Returns whether all before the line is filled, and the steps made.
        """
        slot = board.tables.slot
        keys = random.gumbel(size=slot.size) + manner.skill * ease[slot]
        is_filled, spent = self.fill_to_line(board, line, keys, going)
        ease = np.append(np.exp(ease[:-1]), 0.0)
        for _ in range(EXCHANGES if is_filled and board.placed else 0):
            weights = ease[slot[board.placed]] + SLIGHT
            row = int(random.choice(board.placed, p=weights / weights.sum()))
            spent += self.exchange(board, keys, ease, row, going)
        return is_filled, spent

    def fill_to_line(self, board: Board, line: int, keys: Floats, going: Going) -> tuple[bool, int]:
        """Fill all open bits before the line, and none behind it.

        Returns whether that succeeded, and the steps made. Pieces that reach over the line are
        taken up first.
        """
        must = int(board.tables.must[0])
        over = [row for row in board.placed if any(line <= bit < must for bit in board.bits(row))]
        board.take_up(over)
        behind = board.taken.copy()
        for bit in range(line, must):
            behind[bit >> 6] |= np.uint64(1 << (bit & 63))
        rows, steps = self._search(board, behind, keys, MOST_AT_LINE, going)
        board.put(rows)
        before = np.unpackbits(board.taken.view(np.uint8), bitorder="little")[:line]
        return bool(before.all()), steps

    def exchange(self, board: Board, keys: Floats, ease: Floats, row: int, going: Going) -> int:
        """Fill a window around a placed option again, if the pieces left become easier.

        keys  of the options: those with the least are tried first
        ease  float64 [slots]: how easy each piece is; 0 for the last, which is no piece

        Returns the steps made.
        """
        slot = board.tables.slot
        freed = board.around(row, SIZE)
        board.take_up(freed)
        inside = ~np.zeros_like(board.taken)
        for one in freed:
            for bit in board.bits(one):
                inside[bit >> 6] &= ~np.uint64(1 << (bit & 63))
        rows, steps = self._search(board, inside, keys, MOST, going)
        is_better = rows and ease[slot[rows]].sum() < ease[slot[freed]].sum()
        board.put(rows if is_better else freed)
        return steps

    def _search(
        self, board: Board, taken: Words, keys: Floats, most: int, going: Going
    ) -> tuple[list[int], int]:
        """The options that fill what is not taken, or none; and the steps made."""
        tables = board.tables._replace(low=np.zeros_like(board.tables.low))
        ending = self._ending
        if not ending.begin(tables, keys, taken, board.left, board.index, board.slack):
            return [], most
        status = ending_kernel.SPENT
        while status == ending_kernel.SPENT and going():
            status = ending.go_on(tables, MOST, most)
            if ending.numbers[ending_kernel.STEPS] >= most:
                break
        steps = int(ending.numbers[ending_kernel.STEPS])
        if status != ending_kernel.SOLVED:
            return [], steps
        return ending.placed(np.arange(keys.size)), steps
