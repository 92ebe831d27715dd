"""A head start in plain Python, for searches that may be over before a compiler is imported.

The import of numba and the loading of a kernel take about half a second of a new process, and many
small puzzles are solved in a few thousand choices, which take Python a tenth of that. So the first
searches of a process begin in plain Python. Together they have an allowance of choices; when it is
spent, compiled code repeats the choices made, in a few milliseconds, and goes on from there. Both
search the same tree in the same order. A process with numba loaded uses compiled code at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from exactcover.backends.base import (
    Batch,
    CuttingSearch,
    Part,
    Report,
    Search,
    Status,
    Task,
    Tried,
    check_capacity,
    searched_share,
)
from exactcover.backends.dlx import CLAMPS
from exactcover.backends.matrix_search import places
from exactcover.problem import Layout, Problem
from exactcover.problem.layout import pieces_left

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
    """The search of `bsx` below a task in plain Python: sets of options are the bits of integers.

    A choice takes about ten times as long as in compiled code.
    """

    def __init__(
        self, matrix: BitMatrix, problem: Problem, layout: Layout | None, task: Task
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
        left = pieces_left(problem, layout, task.chosen) if task.tally else 0
        self._places = places(matrix.option_of, layout).tolist() if task.tally else None
        self._tally = [0] * (left + 1)
        self._entered: tuple[int, list[int], int] | None
        self._entered = (1 << matrix.rows) - 1, list(range(matrix.primary)), left
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for `steps` choices, see `Search.advance`."""
        check_capacity(capacity)
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
        report = Report(self.fits, 0, self.found)
        if brief:
            return report
        return replace(
            report,
            progress=self.progress(),
            position=[(one.branch, one.branches) for one in self._levels if one.branch >= 0],
            chosen=(*self._chosen, *self._options()),
            tally={left: Tried(many, many) for left, many in enumerate(self._tally) if many},
        )

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        if self._done:
            return 1.0
        behind, share = searched_share((max(one.branch, 0), one.branches) for one in self._levels)
        finished = bool(self._levels) and self._entered is None and self._levels[-1].branch >= 0
        return min(behind + share * finished, 1.0)


# -- the way from there to compiled code -----------------------------------------------------------

MOST_ROWS = 1 << 12
"""With more rows, the import of numba is a small part of a run."""

FEWEST = 1 << 8
"""With fewer choices left than this, no search begins in plain Python."""

MOST_CHOICES = 1 << 15
"""The choices that plain Python makes in a process: about 0.1 s of work, since one takes 2 to 3
microseconds up to a thousand rows."""

LOOK, LITTLE = 1 << 12, 0.03
"""A search with this many choices, and at most this progress, will not end in plain Python."""


def is_hopeless(search: Search) -> bool:
    """Whether a search has come so far that it will not end in plain Python."""
    report = search.report(brief=True)
    if report.choices >= MOST_CHOICES:
        return True
    return report.fits >= LOOK and search.report().progress < LITTLE


@dataclass
class Allowance:
    """The choices that plain Python may still make."""

    left: int = MOST_CHOICES

    def covers(self, rows: int) -> bool:
        """Whether a search with this number of rows may begin in plain Python."""
        return rows <= MOST_ROWS and self.left >= FEWEST


ALLOWANCE = Allowance()
"""That of this process."""


class HeadStart:
    """A search that begins in plain Python and goes on in the compiled code that is then made."""

    def __init__(
        self, plain: PlainSearch, make_compiled: Callable[[], CuttingSearch], allowance: Allowance
    ) -> None:
        self._search: PlainSearch | CuttingSearch = plain
        self._make_compiled = make_compiled
        self._allowance = allowance
        self._farthest = 0.0  # the progress in plain Python, which compiled code begins below

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` choices, see `Search.advance`."""
        plain = self._search
        if not isinstance(plain, PlainSearch):
            return plain.advance(steps, capacity=capacity, keep=keep)
        before = plain.fits
        allowed = 0 if is_hopeless(plain) else max(self._allowance.left, 0)
        batch = plain.advance(min(steps, allowed), capacity=capacity, keep=keep)
        self._allowance.left -= plain.fits - before
        if batch.status is not Status.BUDGET or steps <= allowed:
            return batch
        rest = self._compiled().advance(steps - allowed, capacity=capacity - len(batch), keep=keep)
        if not len(batch):
            return rest
        solutions = [one.solution(number) for one in (batch, rest) for number in range(len(one))]
        return Batch.of(rest.status, solutions)

    def _compiled(self) -> CuttingSearch:
        """The compiled search, at the place that this search has reached."""
        if isinstance(self._search, PlainSearch):
            plain, compiled = self._search, self._make_compiled()
            while (fits := compiled.report(brief=True).fits) < plain.fits:
                compiled.advance(plain.fits - fits, keep=False)
            # A solution may be there that the last choice completed.
            while compiled.report(brief=True).found < plain.found:
                compiled.advance(1, keep=False)
            self._search, self._farthest = compiled, plain.progress()
        return self._search

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search."""
        report = self._search.report(brief=brief)
        return replace(report, progress=max(report.progress, self._farthest))

    def below(self) -> Task:
        """The subtree below the state last handed out, see `CuttingSearch.below`."""
        return self._compiled().below()

    def give_back(self) -> list[Part]:
        """Hand back branches not begun, see `CuttingSearch.give_back`."""
        if self._search.report().progress == 1.0:
            return []
        return self._compiled().give_back()
