"""The arrays of an ending: the search of the last pieces, by fewest options."""

from __future__ import annotations

import numpy as np

from exactcover.portfolio import ending_kernel
from exactcover.portfolio.ending_kernel import Flags
from exactcover.portfolio.tables import Floats, Longs, Tables, Words

ROOM = 1 << 16
"""The most options of an ending."""

ENTRIES = 1 << 20
"""The most bits that must be covered in all of its options together."""

STACK = 1 << 22
"""The most options on its stack."""

WORDS = 16
"""The most words of its bits."""


class Ending:
    """The arrays of one worker's endings.

    bits, slots  how many of each the problem has
    sums         bool: the sizes of parts that pieces can make up; empty: parts are not looked at
    """

    def __init__(self, bits: int, slots: int, sums: Flags) -> None:
        self._sums = sums
        words = min(WORDS, (bits + 63) // 64)
        depth = 64 * words + slots + 2
        self.numbers = np.zeros(7, np.int64)
        self._local = np.zeros(bits, np.int32)
        self._listed = np.zeros(ROOM, np.int32)
        self._masks = np.zeros((ROOM, words), np.uint64)
        self._item_starts = np.zeros(ROOM + 1, np.int32)
        self._items = np.zeros(ENTRIES, np.int32)
        self._slots = np.zeros(ROOM, np.int32)
        self._stack = np.zeros(STACK, np.int32)
        self._levels = np.zeros((4, depth), np.int64)
        self._chosen, self._best = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
        self._covered = np.zeros((depth, words), np.uint64)
        self._near = np.zeros((64 * words, words), np.uint64)
        self._part, self._queue = np.zeros(words, np.uint64), np.zeros(64 * words + 1, np.int32)
        self._counts, self._slot_counts = np.zeros(64 * words, np.int64), np.zeros(slots, np.int64)

    def begin(
        self,
        tables: Tables,
        keys: Floats,
        taken: Words,
        left: Longs,
        index: Longs,
        slack: Longs,
    ) -> bool:
        """Begin below a position of a dive; False: it has too many options."""
        self._left, self._need = left.copy(), tables.low - (tables.high - left)
        self._index, self._slack = index.copy(), slack.copy()
        self._covered[0] = 0
        self.numbers[:] = 0
        self.numbers[ending_kernel.DEPTH] = -1
        self.numbers[ending_kernel.LEAST] = 1 << 40
        status = ending_kernel.open_ending(
            tables,
            keys,
            taken,
            left,
            self.numbers,
            self._local,
            self._listed,
            self._masks,
            self._item_starts,
            self._items,
            self._slots,
            self._near,
        )
        if status == ending_kernel.FULL:
            return False
        listed = self._listed[: self.numbers[ending_kernel.OPTIONS]]
        self._gauge, self._takes = tables.gauge[listed], tables.takes[listed]
        return True

    def go_on(self, tables: Tables, steps: int, most: int) -> int:
        """Go on for some steps, up to `most` in all."""
        status: int = ending_kernel.finish(
            self.numbers,
            self._masks,
            self._item_starts,
            self._items,
            self._slots,
            self._left,
            self._need,
            self._stack,
            self._levels[0],
            self._levels[1],
            self._levels[2],
            self._levels[3],
            self._covered,
            self._chosen,
            self._best,
            self._counts,
            self._slot_counts,
            self._gauge,
            self._takes,
            self._index,
            self._slack,
            tables.shortfall,
            self._near,
            self._sums,
            self._part,
            self._queue,
            min(int(self.numbers[ending_kernel.STEPS]) + steps, most),
        )
        return status

    def placed(self, rows: Longs) -> list[int]:
        """The options that it has placed."""
        return self._options(self._chosen, int(self.numbers[ending_kernel.DEPTH]) + 1, rows)

    def best(self, rows: Longs) -> list[int]:
        """The options that it had placed where the fewest bits were open."""
        return self._options(self._best, int(self.numbers[ending_kernel.PLACED]), rows)

    def _options(self, chosen: Longs, many: int, rows: Longs) -> list[int]:
        listed: list[int] = rows[self._listed[chosen[:many]]].tolist()
        return listed
