"""The engine `planes`: its tables, which `solve_each` uses too, and its searches.

A search has one set of given options, and finds all its solutions.

The stack shows the way through the tree. A frame has the item branched on, and the word of its next
option: the options before that word have been searched, or one of them is being searched in the
frame below. Forced choices are no branches and have no frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Index, Long
from exactcover.backends.base import (
    Backend,
    Begin,
    Branching,
    Capabilities,
    Tally,
    Where,
    searched_share,
)
from exactcover.backends.matrix_search import KernelSearch
from exactcover.backends.node import Node, Residue
from exactcover.backends.tasks import refuse_above
from exactcover.base import LazyModule
from exactcover.problem import IntArray, Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends.planes import kernel
else:
    kernel = LazyModule("exactcover.backends.planes.kernel")

NO_LIMIT = int(np.iinfo(np.int64).max)

LARGEST = 1 << 28
"""Limit on the tables, in bytes. Above it `planes` refuses a problem, and `solve_each` uses
`dlx`."""

SMALL = 1 << 25
"""The most bytes of tables that are soon made."""

LANES = 2
"""Words that lie side by side in a plane, and are counted by one operation.

Two need the fewest words for a Sudoku. Four are counted faster, but counting is the lesser part.
"""

ALL_BITS = 2**64 - 1


@dataclass(frozen=True, eq=False)
class PlanesTables:
    """The part of a problem that a node leaves, as the kernel reads it: its rows are options.

    option_of  int32 [rows]   the option of each row; row_of: the row of each option, or -1
    planes     the problem for the kernel
    root       uint64 [bits]  planes and open items, with nothing chosen
    longest    how many rows a solution has at most
    """

    option_of: IntArray
    row_of: Long
    planes: kernel.Planes
    root: Bits
    longest: int

    @classmethod
    def of(cls, problem: Problem, residue: Residue) -> PlanesTables:
        """The tables of the part of a problem that a node leaves; each primary item is covered
        exactly once."""
        options = residue.options
        rows = options.size
        row_of = np.full(problem.n_options, -1)
        row_of[options] = np.arange(rows)
        # The items to cover come first, then the secondary ones.
        wanted = residue.room > 0
        primary, many = int(wanted.sum()), problem.n_items - wanted.size
        number = np.append(np.cumsum(wanted) - 1, primary + np.arange(many))
        item, owner = number[residue.items], np.repeat(np.arange(rows), np.diff(residue.starts))
        times = np.bincount(item, minlength=primary + many)
        by_item = np.argsort(item, kind="stable")
        columns = np.concatenate([[0], np.cumsum(times)])
        place = np.empty(item.size, np.int64)  # among the options of its item
        place[by_item] = np.arange(item.size) - np.repeat(columns[:-1], times)

        # The items with the most options have the first places in the planes.
        by_length = np.argsort(-times[:primary], kind="stable")
        rank = np.argsort(by_length)
        deepest = times[by_length[:: 64 * LANES]]
        groups = np.concatenate([[0], np.cumsum(deepest * LANES)])
        opens = int(groups[-1])
        width, far = _sixteens(opens + deepest.size * LANES), _sixteens(max(-(-rows // 64), 1))
        inside = item < primary
        row, lane = owner[inside], rank[item[inside]] >> 6
        words = groups[lane // LANES] + place[inside] * LANES + lane % LANES
        bits = np.uint64(1) << (rank[item[inside]] & 63).astype(np.uint64)
        starts = np.append(0, np.cumsum(np.bincount(row, minlength=rows)))
        row_at = np.zeros((opens, 64), np.uint32)
        row_at[words, rank[item[inside]] & 63] = row
        root = np.zeros(width, np.uint64)
        np.bitwise_or.at(root, words, bits)
        every = np.uint64(1) << (rank & 63).astype(np.uint64)
        np.bitwise_or.at(root, opens + (rank >> 6), every)

        conflict, gone = np.zeros((rows, far), np.uint64), np.zeros((rows, width), np.uint64)
        np.bitwise_or.at(gone, (row, opens + lane), bits)  # choosing the row covers its items
        kernel.exclude(
            columns, owner[by_item], residue.colours[by_item], starts, words, bits, conflict, gone
        )
        lengths = np.sort(np.diff(starts)).cumsum()
        return cls(
            option_of=options,
            row_of=row_of,
            planes=kernel.Planes(groups, row_at, gone, opens, starts, words, bits, conflict),
            root=root,
            longest=int(np.searchsorted(lengths, primary, "right")),
        )

    def levels(self) -> kernel.Levels:
        """A search with nothing chosen."""
        rows, planes = self.option_of.size, self.planes
        deep, lanes = self.longest + 3, (planes.groups.size - 1) * LANES
        levels = kernel.Levels(
            left=np.zeros((deep, self.root.size), np.uint64),
            rows=np.zeros((deep, planes.conflict.shape[1]), np.uint64),
            paired=np.zeros((deep, lanes), np.uint64),
            stack=np.zeros((deep, kernel.FRAME), np.int64),
            chosen=np.zeros(self.longest, np.uint32),
        )
        levels.left[0] = self.root
        levels.rows[0, : rows // 64] = ALL_BITS
        if rows % 64:
            levels.rows[0, rows // 64] = ALL_BITS >> (64 - rows % 64)
        return levels

    def keep(self, kept: Flags, levels: kernel.Levels) -> None:
        """Take all rows but these out of a search that has not begun."""
        starts, words, bits = self.planes.starts, self.planes.words, self.planes.bits
        others = np.flatnonzero(~kept)
        if not others.size:
            return
        entries = np.flatnonzero(np.repeat(~kept, np.diff(starts)))
        np.bitwise_and.at(levels.left[0], words[entries], ~bits[entries])
        alone = np.uint64(1) << (others & 63).astype(np.uint64)
        np.bitwise_and.at(levels.rows[0], others >> 6, ~alone)

    def scratch(self) -> kernel.Scratch:
        """Room for the kernel."""
        groups, words = self.planes.groups.size - 1, self.planes.conflict.shape[1]
        return kernel.Scratch(
            tally=np.zeros(groups * kernel.TALLY, np.uint64),
            fewest=np.zeros(groups * LANES, np.uint64),
            near=np.zeros(words, np.uint64),
            entries=np.zeros((self.planes.words.size, 2), np.int64),
            weight=np.zeros(self.option_of.size, np.int64),
            score=np.ones(64 * groups * LANES),
        )


def can_be_tabled(problem: Problem, most: int = LARGEST) -> bool:
    """Whether tables of this many bytes hold the problem, which has no multiplicities."""
    if "multiplicities" in problem.needs:
        return False
    times = np.bincount(problem.entries, minlength=problem.n_items)[: problem.primary]
    return _bytes(problem.n_options, times) <= most


def _bytes(rows: int, times: Long) -> int:
    """The bytes of the tables and of the levels.

    rows   how many options there are; times: how many each item to cover has
    """
    deepest = np.sort(times)[:: -64 * LANES]  # of each group
    planes = int(deepest.sum() + deepest.size) * LANES
    width = _sixteens(planes) + _sixteens(max(-(-rows // 64), 1))
    return 8 * (rows + min(times.size, rows) + 3) * width


def _sixteens(words: int) -> int:
    """Enough words for vector code, which takes sixteen at a time."""
    return -(-words // 16) * 16


# -- the search and the engine ---------------------------------------------------------------------


class PlanesSearch(KernelSearch):
    """A search under way; all that changes while it runs is in its arrays."""

    _kernel = kernel

    def __init__(
        self, tables: PlanesTables, above: tuple[int, ...], node: Node, cut: int | None = None
    ) -> None:
        """A search of a node of the tables, which are those below the options `above`."""
        chosen = [option for option in node.chosen if option not in above]
        given = tables.row_of[np.array(chosen, np.int64)]
        self._tables = tables
        self._chosen = np.array(above, np.int32)
        self._longest = tables.longest
        self._levels = levels = tables.levels()
        if node.allowed is not None:
            left = node.allowed[tables.option_of]
            left[given] = True
            tables.keep(left, levels)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._arguments = (
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
        self._registers[kernel.FILLED] = 0
        status: int = kernel.solve_sets(
            steps, NO_LIMIT, kernel.ALL if keep else kernel.COUNT, *self._arguments, starts, numbers
        )
        return status

    def _options_of(self, numbers: Index) -> IntArray:
        options: IntArray = self._tables.option_of[numbers]
        return options

    def _figures(self) -> tuple[int, int, Tally]:
        """Forced options count as fits, and none is tried in vain."""
        fits = int(self._registers[kernel.FITS])
        self._registers[kernel.FITS] = 0
        return fits, 0, {}

    def where(self) -> Where:
        """Where the search is; the branches of the last level that were begun are done."""
        frames = self._levels.stack[1 : int(self._registers[kernel.LEVEL])]
        position = [(begun - 1, many) for many, begun in frames[:, kernel.BRANCHES :].tolist()]
        if not position:
            return Where(float(self._done), position)
        (branch, many), above = position[-1], position[:-1]
        progress = min(searched_share([*above, (branch + 1, many)])[0], 1.0)
        return Where(1.0 if self._done else progress, [*above, (min(branch + 1, many - 1), many)])


def _prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins searches of nodes, all with the same tables; they compile the
    kernel if necessary."""
    residue = Residue.of(problem, how.root)
    times = np.bincount(residue.items, minlength=problem.n_items)[: problem.primary]
    rows, size = residue.options.size, _bytes(residue.options.size, times[residue.room > 0])
    refuse_above("planes", "tables", problem, rows, size, LARGEST)
    return partial(PlanesSearch, PlanesTables.of(problem, residue), how.root.chosen)


backend = Backend(
    "planes",
    "planes of bits: few choices where most are forced, as in Sudoku and Latin squares",
    Capabilities(features=frozenset({"secondary", "colours"}), heuristics=("weighed",)),
    _prepared,
)
