"""The backend `planes` and its searches: one set of given options, with all its solutions.

The stack shows the way through the tree. A frame has the item branched on, and the word of its next
option: the options before that word have been searched, or one of them is being searched in the
frame below. The bits of a level stay as they were when it branched, so they say how many options
the item had. Forced choices are no branches and have no frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.base import Capabilities, Report, Task
from exactcover.backends.matrix_search import KernelSearch
from exactcover.backends.planes.tables import LANES, LARGEST, PlanesTables, size_below
from exactcover.backends.tasks import Residue, refuse_above
from exactcover.problem import IntArray, Layout, Problem

NO_LIMIT = int(np.iinfo(np.int64).max)


class PlanesSearch(KernelSearch):
    """A search under way; all that changes while it runs is in its arrays."""

    kernel_name = "exactcover.backends.planes.kernel"

    def __init__(self, tables: PlanesTables, above: tuple[int, ...], task: Task) -> None:
        """A search of a subtree of the tables, which are those below the options `above`."""
        from exactcover.backends.planes import kernel

        chosen = [option for option in task.chosen if option not in above]
        given = tables.row_of[np.array(chosen, np.int64)]
        self._tables = tables
        self._chosen = np.array(above, np.int32)
        self._longest = tables.longest
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

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        del capacity  # `starts` has it
        kernel = self._kernel
        self._registers[kernel.FILLED] = 0
        status: int = kernel.solve_sets(
            steps, NO_LIMIT, kernel.ALL if keep else kernel.COUNT, *self._state, starts, numbers
        )
        return status

    def _options_of(self, numbers: Index) -> IntArray:
        options: IntArray = self._tables.option_of[numbers]
        return options

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search; forced options count as fits, and none is tried in vain."""
        kernel = self._kernel
        fits, found = int(self._registers[kernel.FITS]), int(self._registers[kernel.FOUND])
        if brief:
            return Report(fits, 0, found)
        begun, branches = self._frames()
        branch = begun - 1
        progress = 1.0 if self._done else 0.0
        if branch.size:
            if not self._done:
                behind = branch.copy()
                behind[-1] += 1  # the branches above are being searched; the last one has been
                progress = min(float((behind * np.cumprod(1.0 / branches)).sum()), 1.0)
            branch[-1] = min(branch[-1] + 1, branches[-1] - 1)  # the next one, if there is one
        position = list(zip(branch.tolist(), branches.tolist(), strict=True))
        return Report(fits, 0, found, progress=progress, position=position)

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

    def _options(self, level: int, lane: int, bit: int) -> Bits:
        """Whether each option of an item is left at a level, 1 or 0, in the order of its places."""
        groups = self._tables.planes.groups
        group = lane // LANES
        words = self._levels.left[level, groups[group] + lane % LANES : groups[group + 1] : LANES]
        return words >> np.uint64(bit) & np.uint64(1)


class PlanesBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "planes"
    summary = "planes of bits: few choices where most are forced, as in Sudoku and Latin squares"
    capabilities = Capabilities(
        features=frozenset({"secondary", "colours"}), heuristics=("weighed",)
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> PlanesSearch:
        """A search of the task's subtree; compiles the kernel if necessary."""
        return self.opening(problem, layout, task).start(task)

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> PlanesOpening:
        """The task made ready for many searches below it."""
        residue = Residue.of(problem, task)
        options, size = residue.options.size, size_below(problem, residue)
        refuse_above("planes", "tables", problem, options, size, LARGEST)
        return PlanesOpening(PlanesTables.below(problem, residue), task)


@dataclass(frozen=True, eq=False)
class PlanesOpening:
    """A task below which many searches start, all with the same tables."""

    shared: PlanesTables
    task: Task

    def start(self, task: Task) -> PlanesSearch:
        """A search of a subtree of the task."""
        return PlanesSearch(self.shared, self.task.chosen, task)


backend = PlanesBackend()
