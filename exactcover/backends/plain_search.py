"""The search of `bsx` in plain Python: sets of options are the bits of Python integers.

It needs no compiler, whose import takes longer than many small searches. A choice takes 2 to 3
microseconds, about ten times as long as in compiled code. The tree is that of `bsx`, option for
option: the same solutions in the same order, after the same number of choices. So a search may
begin here and go on there, see `head_start`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from exactcover.backends.base import Batch, Report, Status, Task, Tried
from exactcover.backends.dlx_phases import CLAMPS

if TYPE_CHECKING:
    from exactcover.backends.bsx import BitMatrix


@dataclass(slots=True)
class SearchNode:
    """A node of the tree on the way to the current one.

    live      the rows that may still be chosen, as bits; without the branches taken here
    open      the primary items that are not covered
    waiting   the rows of the branches not begun
    branches  how many branches there are
    left      the pieces left there; 0 without a tally
    branch    the number of the branch being searched
    row       its row
    """

    live: int
    open: list[int]
    waiting: int
    branches: int
    left: int
    branch: int = -1
    row: int = -1


class PlainSearch:
    """A search under way, of the matrix below a task.

    counted  for a tally: the pieces left before the first choice, and how many each row places
    """

    def __init__(
        self, matrix: BitMatrix, task: Task, counted: tuple[int, list[int]] | None = None
    ) -> None:
        self.fits, self.found = 0, 0
        self._chosen = task.chosen
        self._clamp = CLAMPS[task.heuristic]
        self._option_of = matrix.option_of.tolist()
        columns = matrix.columns().astype("<u8")
        self._columns = [
            int.from_bytes(columns[:, item].tobytes(), "little") for item in range(matrix.n_items)
        ]
        items, starts = matrix.items.tolist(), matrix.starts.tolist()
        self._items = [frozenset(items[a:b]) for a, b in pairwise(starts)]
        self._conflicts: list[int | None] = [None] * matrix.rows
        self._levels: list[SearchNode] = []
        left: int
        self._places: list[int] | None
        left, self._places = counted or (0, None)
        self._tally = [0] * (left + 1)
        self._entered: tuple[int, list[int], int] | None
        self._entered = (1 << matrix.rows) - 1, list(range(matrix.primary)), left
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for `steps` choices, see `Search.advance`."""
        if capacity < 1:
            raise ValueError(f"a batch must have room for a solution, not for {capacity}")
        solutions: list[list[int]] = []
        status = Status.BUDGET
        while steps > 0:
            if self._entered is not None:
                if self._enter() and keep:
                    solutions.append(sorted((*self._chosen, *self._options())))
                    if len(solutions) == capacity:
                        status = Status.FULL
                        break
            elif not self._levels:
                self._done = True
                status = Status.DONE
                break
            elif self._levels[-1].waiting:
                self._choose(self._levels[-1])
                steps -= 1
            else:
                self._levels.pop()
        return Batch.of(status, solutions)

    def _enter(self) -> bool:
        """Look at the state that the last choice led to; return whether it is a solution.

        If every open item has an option, the state becomes a level with the branches of one.
        """
        assert self._entered is not None
        live, open_, left = self._entered
        self._entered = None
        if not open_:
            self.found += 1
            return True
        columns, clamp = self._columns, self._clamp
        best, fewest = -1, len(self._option_of) + 1
        for item in open_:
            many = (columns[item] & live).bit_count()
            if many < fewest:
                if not many:
                    return False
                best, fewest = item, min(many, clamp)
        waiting = columns[best] & live
        self._levels.append(SearchNode(live, open_, waiting, waiting.bit_count(), left))
        return False

    def _choose(self, level: SearchNode) -> None:
        """Take the next branch."""
        bit = level.waiting & -level.waiting
        row = bit.bit_length() - 1
        level.waiting ^= bit
        level.live ^= bit
        level.branch += 1
        level.row = row
        self.fits += 1
        conflict, items = self._conflicts[row], self._items[row]
        if conflict is None:
            conflict = 0
            for item in items:
                conflict |= self._columns[item]
            self._conflicts[row] = conflict
        left = level.left
        if self._places is not None:
            self._tally[left] += 1
            left = max(left - self._places[row], 0)
        still_open = [item for item in level.open if item not in items]
        self._entered = level.live & ~conflict, still_open, left

    def _options(self) -> list[int]:
        """The options chosen below the task, in the order of choice."""
        return [self._option_of[level.row] for level in self._levels if level.row >= 0]

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search. Options that do not fit are hidden, so none is tried."""
        if brief:
            return Report(self.fits, 0, self.found)
        return Report(
            self.fits,
            0,
            self.found,
            progress=self.progress(),
            position=[(one.branch, one.branches) for one in self._levels if one.branch >= 0],
            chosen=(*self._chosen, *self._options()),
            tally={left: Tried(many, many) for left, many in enumerate(self._tally) if many},
        )

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        if self._done:
            return 1.0
        share, behind = 1.0, 0.0
        for level in self._levels:
            share /= level.branches
            behind += share * max(level.branch, 0)
        finished = bool(self._levels) and self._entered is None and self._levels[-1].branch >= 0
        return min(behind + share * finished, 1.0)
