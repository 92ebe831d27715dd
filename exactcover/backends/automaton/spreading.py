"""A level of states that one thread makes: it follows edges and adds to the table as it goes.

With a folder, a table that outgrows the memory is written to a file and emptied, see `spill`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.automaton.spill import Spilled
from exactcover.backends.automaton.tables import FULL, Bits, StateTable

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps


class Spreading:
    """The making of one level.

    spilled  the file of the level, with a folder
    so_far   the states of the levels before
    """

    def __init__(
        self, made: StateTable, spilled: Spilled | None, mixer: np.uint64, so_far: int
    ) -> None:
        from exactcover.backends.automaton import count_kernel as kernel

        self._made, self._spilled, self._mixer, self._so_far = made, spilled, mixer, so_far
        self._registers = np.zeros(kernel.REGISTERS, np.int64)

    def spread(self, cells: Bits, edges: Steps, most: int, steps: list[int]) -> Iterator[None]:
        """Add the counts of a source to those that its edges lead to; it yields when the steps are
        spent.

        most  the most edges of a node
        """
        from exactcover.backends.automaton import count_kernel as kernel

        made, spilled, registers = self._made, self._spilled, self._registers
        form = made.key_format
        registers[kernel.AT] = 0
        while True:
            with np.errstate(over="ignore"):
                status = kernel.spread(
                    (0,) * form.words, (0,) * made.limbs, form.shift, form.fields, steps[0],
                    self._mixer, cells, edges, most, made.cells, int(FULL * made.room), registers,
                )  # fmt: skip
            made.rows = int(registers[kernel.ROWS])
            steps[0] = int(registers[kernel.LEFT])
            if status == kernel.DONE:
                return
            if status == kernel.BUDGET:
                yield
            elif spilled is None or not made.rows or made.may_grow():
                made.enlarge(self._mixer, self._so_far + made.rows)
            else:
                spilled.write(made)
                made.clear()
                registers[kernel.ROWS] = 0

    def drop(self) -> None:
        """Nothing: it holds no memory of its own."""
