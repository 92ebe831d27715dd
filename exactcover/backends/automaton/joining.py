"""The sum over the edges between levels from both ends: ways to one end times ways from the other.

The tables are only read, so a crew follows the edges of slices of the source side by side.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.automaton.tables import (
    Bits,
    KeyFormat,
    StateTable,
    parts_for,
    row_slices,
)
from exactcover.backends.crew import Crew

if TYPE_CHECKING:
    from exactcover.backends.automaton.count_kernel import Steps


class Joining:
    """The sum over edges of one pair of levels.

    form, limbs  the format of the rows of the source
    most         the most edges of a node
    crew         who adds up; None: one thread
    """

    def __init__(
        self,
        form: KeyFormat,
        limbs: int,
        edges: Steps,
        most: int,
        mixer: np.uint64,
        crew: Crew | None,
    ) -> None:
        self._form, self._limbs, self._edges, self._most = form, limbs, edges, most
        self._mixer, self._crew = mixer, crew

    def total(self, cells: Bits, other: StateTable, steps: list[int]) -> Generator[None, None, int]:
        """The sum over the edges from rows of the source to the states of a table; it yields when
        the steps are spent."""
        from exactcover.backends.automaton import count_kernel as kernel

        form, limbs, crew = self._form, self._limbs, self._crew
        many = 1 if crew is None else parts_for(crew)
        slices = row_slices(cells, form.words + limbs, many)
        registers = np.zeros((many, kernel.REGISTERS), np.int64)
        sums = np.zeros((many, 2 * (limbs + other.limbs) + 1), np.uint64)

        def join(one: int) -> int:
            with np.errstate(over="ignore"):
                return kernel.join(
                    (0,) * form.words, (0,) * limbs, (0,) * other.limbs, form.shift, form.fields,
                    int(registers[one, kernel.LEFT]), self._mixer, slices[one], self._edges,
                    self._most, other.cells, other.n_parts, sums[one], registers[one],
                )  # fmt: skip

        waiting = list(range(many))
        while waiting:
            each = max(1, steps[0] // many)
            registers[:, kernel.LEFT] = each
            ends = [join(0)] if crew is None else crew.map(join, waiting)
            steps[0] -= many * each - int(registers[:, kernel.LEFT].sum())
            waiting = [one for one, end in zip(waiting, ends, strict=True) if end != kernel.DONE]
            if steps[0] <= 0:
                yield
        return sum(one << (32 * place) for row in sums.tolist() for place, one in enumerate(row))
