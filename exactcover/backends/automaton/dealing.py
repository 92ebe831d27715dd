"""A level of states that several threads make side by side.

Each thread follows the edges of a slice of the source. The states that they lead to belong to parts
of the new table, by their hash. So the level is made in rounds of two steps:

    deal     each thread follows edges of its slice, and puts the rows for each part in a place of
             its own;
    collect  each thread takes a part of the table, and adds the rows dealt to it by all.

No two threads write to the same memory, so nothing is locked, and the table needs no merge: it is
the same set of rows that one thread makes. Only the rows of a round are held besides, at most
`ROUND` of them, whatever the size of the level. A table of parts is read like any other; only the
kernels that look up or enter rows take the number of parts.

A level begins with one thread if the levels that it is made from have less than `LARGE` states: the
rounds would cost more than they save. Levels in files are made by one thread, since the disk is
the slower part there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.tables import FULL, STATES, Bits, StateTable, row_slices
from exactcover.backends.crew import Crew

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps

Long = npt.NDArray[np.int64]

LARGE = 1 << 17
"""The least number of states from which a level is made by a crew."""

ROUND = 1 << 18
"""The most rows that are dealt in a round."""

SLACK = 4
"""A part may hold more rows than its share, by the root of its size times this: parts are never
quite equal, and the table should not be enlarged before that of one thread is."""


class Dealing:
    """The making of one level by a crew.

    most    the most edges of a node of a source
    so_far  the states of the levels before
    """

    def __init__(
        self, crew: Crew, made: StateTable, most: int, memory: Memory, mixer: np.uint64, so_far: int
    ) -> None:
        from exactcover.backends.automaton import count_kernel as kernel

        self._crew, self._made, self._mixer, self._so_far = crew, made, mixer, so_far
        self._like = (0,) * made.key_format.words, (0,) * made.limbs
        self._stride = made.key_format.words + made.limbs
        self._memory, parts = memory, made.n_parts
        row, room = 8 * parts**2 * self._stride, ROUND // parts**2
        least = 4 * (kernel.BLOCK + most)
        while room > least and not memory.has(row * room):
            room //= 2
        room = max(room, least)
        memory.take(row * room, STATES, so_far)
        self._dealt = np.empty((parts, parts * room * self._stride), np.uint64)
        self._waiting = np.zeros((parts, parts), np.int64)
        self._rows = np.zeros(parts, np.int64)

    def drop(self) -> None:
        """Give the memory back."""
        self._memory.give(self._dealt.nbytes)
        self._dealt = self._dealt[:0]

    def spread(self, cells: Bits, edges: Steps, most: int, steps: list[int]) -> Iterator[None]:
        """Add the counts of a source to those that its edges lead to; see `Spreading.spread`."""
        from exactcover.backends.automaton import count_kernel as kernel

        parts = self._made.n_parts
        slices = row_slices(cells, self._stride, parts)
        registers = np.zeros((parts, kernel.REGISTERS), np.int64)
        while any(
            at * self._stride < one.size
            for at, one in zip(registers[:, kernel.AT].tolist(), slices, strict=True)
        ):
            each = steps[0] // parts + 1
            registers[:, kernel.LEFT] = each
            self._deal(slices, edges, most, registers)
            self._collect()
            steps[0] -= parts * each - int(registers[:, kernel.LEFT].sum())
            if steps[0] <= 0:
                yield

    def _deal(self, slices: list[Bits], edges: Steps, most: int, registers: Long) -> None:
        """Follow edges of every slice."""
        from exactcover.backends.automaton import count_kernel as kernel

        made = self._made
        self._waiting[:] = 0

        def deal(one: int) -> None:
            with np.errstate(over="ignore"):
                kernel.deal(
                    *self._like, made.key_format.shift, made.key_format.fields,
                    int(registers[one, kernel.LEFT]), self._mixer, slices[one], edges, most,
                    made.room, self._dealt[one], self._waiting[one], registers[one],
                )  # fmt: skip

        self._crew.map(deal, range(made.n_parts))

    def _collect(self) -> None:
        """Add what was dealt to the parts of the table, and enlarge it while one has no room."""
        from exactcover.backends.automaton import count_kernel as kernel

        made, parts = self._made, self._made.n_parts
        registers = np.zeros((parts, kernel.REGISTERS), np.int64)
        registers[:, kernel.ROWS] = self._rows

        def collect(part: int) -> int:
            with np.errstate(over="ignore"):
                return kernel.collect(
                    *self._like, self._mixer, part, self._dealt.reshape(-1), self._waiting,
                    made.cells, _most_rows(made.room // parts), registers[part],
                )  # fmt: skip

        waiting = list(range(parts))
        while waiting:
            ends = self._crew.map(collect, waiting)
            self._rows[:] = registers[:, kernel.ROWS]
            made.rows = int(self._rows.sum())
            waiting = [part for part, end in zip(waiting, ends, strict=True) if end == kernel.ROOM]
            if waiting:
                made.enlarge(
                    self._mixer,
                    self._so_far + made.rows,
                )


def _most_rows(room: int) -> int:
    """The most rows of a part with so much room; one row always stays empty."""
    return min(room - 1, int(FULL * room + SLACK * room**0.5))
