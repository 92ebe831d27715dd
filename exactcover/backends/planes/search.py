"""A search of `planes`: one set of given options, with all its solutions.

The stack shows the way through the tree. A frame has the item branched on, and the word of its next
option: the options before that word have been searched, or one of them is being searched in the
frame below. The bits of a level stay as they were when it branched, so they say how many options
the item had. Forced choices are no branches and have no frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Status, Task
from exactcover.backends.matrix_search import BUFFER, sorted_rows
from exactcover.backends.planes.tables import LANES, Long, Tables

NO_LIMIT = int(np.iinfo(np.int64).max)


class PlanesSearch:
    """A search under way; all that changes while it runs is in its arrays."""

    def __init__(self, tables: Tables, above: tuple[int, ...], task: Task) -> None:
        """A search of a subtree of the tables, which are those below the options `above`."""
        from exactcover.backends.planes import kernel

        chosen = [option for option in task.chosen if option not in above]
        given = tables.row_of[np.array(chosen, np.int64)]
        self._tables = tables
        self._above = np.array(above, np.int32)
        self._levels = levels = tables.levels()
        if task.allowed is not None:
            left = task.allowed[tables.option_of]
            left[given] = True
            tables.keep(left, levels)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._state = (
            tables.planes,
            np.array([0, given.size]),
            given,
            levels,
            tables.scratch(),
            self._registers,
            np.zeros(1, np.int64),
        )
        self._done = False

    @property
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""
        from exactcover.backends.planes import kernel

        return kernel

    @property
    def fits(self) -> int:
        """Options chosen so far, forced ones included."""
        return int(self._registers[self._kernel.FITS])

    @property
    def nofits(self) -> int:
        """Always 0: options that do not fit are hidden, not tried."""
        return 0

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return int(self._registers[self._kernel.FOUND])

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` choices, see `Search.advance`."""
        if capacity < 1:
            raise ValueError(f"a batch must have room for a solution, not for {capacity}")
        kernel, registers, longest = self._kernel, self._registers, self._tables.longest
        room = min(capacity * longest, max(BUFFER, longest)) if keep else 0
        starts = np.zeros(capacity + 1 if keep else 1, np.int64)
        rows = np.empty(room, np.uint32)
        registers[kernel.HELD] = registers[kernel.FILLED] = 0
        status = kernel.DONE
        if not self._done:
            status = kernel.solve_sets(
                steps, NO_LIMIT, kernel.ALL if keep else kernel.COUNT, *self._state, starts, rows
            )
            self._done = status == kernel.DONE
        held, filled = int(registers[kernel.HELD]), int(registers[kernel.FILLED])
        starts, options = starts[: held + 1], self._tables.option_of[rows[:filled]]
        reason = (Status.BUDGET, Status.FULL, Status.DONE)[status]
        if self._above.size or not self._tables.ascending:
            return Batch(reason, *sorted_rows(starts, options, self._above))
        return Batch(reason, starts, options)

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        if self._done:
            return 1.0
        behind, branches = self._frames()
        if not behind.size:
            return 0.0
        behind[:-1] -= 1  # the last of these is being searched
        return min(float((behind * np.cumprod(1.0 / branches)).sum()), 1.0)

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        behind, branches = self._frames()
        branch = behind - 1
        if branch.size:  # the next one, if there is one
            branch[-1] = min(branch[-1] + 1, branches[-1] - 1)
        return list(zip(branch.tolist(), branches.tolist(), strict=True))

    def _frames(self) -> tuple[Long, Long]:
        """At each level, the branches that were begun, and all branches."""
        kernel = self._kernel
        levels = range(1, int(self._registers[kernel.LEVEL]))
        begun, branches = np.zeros(len(levels), np.int64), np.zeros(len(levels), np.int64)
        for number, level in enumerate(levels):
            lane, bit, upcoming, _ = self._levels.stack[level].tolist()
            there = self._options(level, lane, bit)
            first = int(self._tables.planes.groups[lane // LANES]) + lane % LANES
            begun[number] = there[: (upcoming - first) // LANES].sum()
            branches[number] = there.sum()
        return begun, branches

    def _options(self, level: int, lane: int, bit: int) -> npt.NDArray[np.uint64]:
        """Whether each option of an item is left at a level, 1 or 0, in the order of its places."""
        groups = self._tables.planes.groups
        group = lane // LANES
        words = self._levels.left[level, groups[group] + lane % LANES : groups[group + 1] : LANES]
        return words >> np.uint64(bit) & np.uint64(1)
