"""The bit-matrix engine: sets of options as the bits of words, after Wolfgang Laun's BSX.

The cost of a choice is the number of items times the number of words with an option alive. Dancing
cells (`dlx`) pay for each entry that is hidden instead. So the bit matrix is faster where a choice
removes many options and there are few items: 3 to 7 times in tilings of up to a hundred cells. It
is slower where there are hundreds of items and a choice touches few: Latin squares of side 8 (192
items) are a draw, those of side 12 (432) take two to three times as long.

It takes problems with secondary items whose primary items are covered exactly once. Its tree is
that of `dlx`, option for option. The search is in `bsx_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, bit_rows, bits_of, compressed
from exactcover.backends.base import Backend, Branching, Capabilities
from exactcover.backends.dlx import CLAMPS
from exactcover.backends.matrix_search import NO_CUT, MatrixSearch, pieces_by_level, places
from exactcover.backends.node import Node, Residue
from exactcover.backends.tasks import refuse_above
from exactcover.base import LazyModule
from exactcover.problem import IntArray, Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends import bsx_kernel as kernel
else:
    kernel = LazyModule("exactcover.backends.bsx_kernel")

LARGEST_MATRIX = 1 << 28
"""Limit on the bits of all sets, in bytes: some 40,000 options. Larger problems are refused."""


class BsxRoot:
    """The matrix of a root, in which searches of nodes below it begin.

    Rows are sorted by their lowest item, so that whole words soon have no live option. Secondary
    items that only one option has left are left out: they never cause a conflict.

    option_of  int32 [rows]  the option of each row
    number     int64 [items of the problem]  the number of each item in the matrix; -1: left out
    matrix     as the kernel reads it
    row_of, columns  the rows and columns of the first stage, with room for the others
    levels     one more than the most options that can be chosen; words: each holds 64 rows
    """

    def __init__(self, problem: Problem, layout: Layout | None, how: Branching) -> None:
        self.problem, self.layout, self.how = problem, layout, how
        residue = Residue.of(problem, how.root)
        rows = residue.options.size
        wanted = np.bincount(residue.items, minlength=problem.n_items) > 1
        wanted[: problem.primary] = residue.room > 0
        self.number = np.where(wanted, np.cumsum(wanted) - 1, -1)
        primary, n_items = int(wanted[: problem.primary].sum()), int(wanted.sum())
        self.words, self.levels = max(-(-rows // 64), 1), min(primary, rows) + 1
        size = 8 * self.words * (rows + 2 * n_items + self.levels)
        refuse_above("bsx", "a bit matrix", problem, problem.n_options, size, LARGEST_MATRIX)

        owner = np.repeat(np.arange(rows), np.diff(residue.starts))
        first = np.full(rows, problem.n_items)
        np.minimum.at(first, owner, residue.items)
        by_first = np.argsort(first, kind="stable")
        place = np.argsort(by_first)
        self.option_of = residue.options[by_first]
        kept = wanted[residue.items]
        row_of, item_of = place[owner[kept]], self.number[residue.items[kept]]
        self._columns = bit_rows(item_of, row_of, n_items, self.words)
        conflict = np.zeros((rows, self.words), np.uint64)
        starts, members = compressed(item_of, row_of, n_items)
        for item, column in enumerate(self._columns):
            conflict[members[starts[item] : starts[item + 1]]] |= column
        # A stage has at most half of the words of the one above it.
        words_of = self.words >> np.arange(self.words.bit_length())
        row_at = np.concatenate([[0], np.cumsum(64 * words_of)])
        column_at = np.concatenate([[0], np.cumsum(words_of * n_items)])
        self.row_of = np.zeros(row_at[-1], np.uint32)
        self.row_of[:rows] = np.arange(rows)
        self.columns = np.zeros(column_at[-1], np.uint64)
        self.columns[: self._columns.size] = self._columns.T.ravel()
        begin, items = compressed(row_of, item_of, rows)
        self.matrix = kernel.BitMatrix(
            clamp=CLAMPS[how.heuristic],
            primary=primary,
            n_items=n_items,
            longest=self.levels - 1,
            starts=begin.astype(np.uint32),
            items=items.astype(np.uint32),
            width=np.bincount(row_of[item_of < primary], minlength=rows).astype(np.uint32),
            conflict=conflict,
            row_at=row_at,
            column_at=column_at,
        )

    def live(self, node: Node) -> tuple[Bits, int]:
        """The rows that can be chosen at a node as bits, and how many items must be covered."""
        primary, above = self.matrix.primary, len(self.how.root.chosen)
        allowed = np.ones(self.option_of.size, bool)
        if node.allowed is not None:
            allowed = node.allowed[self.option_of]
        live = bits_of(np.flatnonzero(allowed), self.words)
        covered = [self.problem.items_of(option) for option in node.chosen[above:]]
        if not covered:
            return live, primary
        numbers = self.number[np.concatenate(covered)]
        numbers = numbers[numbers >= 0]
        live &= ~np.bitwise_or.reduce(self._columns[numbers], axis=0)
        return live, primary - int((numbers < primary).sum())

    def begin(self, node: Node, cut: int | None = None) -> BsxSearch:
        """A search of a node; compiles the kernel if necessary."""
        return BsxSearch(self, node, cut)


class BsxSearch(MatrixSearch):
    """A search under way; all that changes while it runs is in its arrays."""

    _kernel = kernel

    def __init__(self, root: BsxRoot, node: Node, cut: int | None) -> None:
        problem, layout, levels = root.problem, root.layout, root.levels
        self._problem, self._layout = problem, layout
        self._node, self._cut, self._tallies = node, cut, root.how.tally
        self._chosen = np.array(node.chosen, np.int32)
        self._option_of, self._matrix = root.option_of, root.matrix
        self._longest = levels - 1
        self._live = np.zeros((levels, root.words), np.uint64)
        self._stack = np.zeros((levels, kernel.FRAME), np.int64)
        self._live[0], self._stack[0, kernel.OPEN] = root.live(node)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        counts = np.zeros(self._matrix.primary, np.int64)
        self._stack[0, kernel.WORDS] = root.words
        self._arrays = kernel.BsxState(
            root.row_of.copy(),
            root.columns.copy(),
            self._live,
            counts,
            self._stack,
            self._registers,
        )
        self._tally: Long | None = None
        self._counted: kernel.BsxCounted | None = None
        if root.how.tally or cut is not None:
            left = pieces_by_level(problem, layout, node, levels)
            self._tally = np.zeros(int(left[0]) + 1, np.int64)
            self._counted = kernel.BsxCounted(
                places=places(self._option_of, layout),
                left=left,
                cut=NO_CUT if cut is None else cut,
                tally=self._tally,
            )
        self._done = False

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        status: int = kernel.search(
            steps, keep, capacity, self._matrix, self._arrays, self._counted, starts, numbers
        )
        return status

    def _untried(self, level: int) -> IntArray:
        """The options of the branches not begun at a level: those of its item still alive there."""
        matrix = self._matrix
        item, stage, words = self._stack[level, [kernel.ITEM, kernel.STAGE, kernel.WORDS]]
        begin = matrix.column_at[stage] + item
        column = self._arrays.columns[begin + np.arange(words) * matrix.n_items]
        return self._options(stage, self._live[level, :words] & column)

    def _selectable(self) -> IntArray:
        """The options whose bits are alive at the level reached."""
        level = self._registers[kernel.LEVEL]
        stage, words = self._stack[level, [kernel.STAGE, kernel.WORDS]]
        return self._options(stage, self._live[level, :words])

    def _options(self, stage: int, words: Bits) -> IntArray:
        """The options of some rows of a stage, given as bits."""
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        rows = self._arrays.row_of[self._matrix.row_at[stage] + np.flatnonzero(bits)]
        options: IntArray = self._option_of[rows]
        return options


backend = Backend(
    "bsx",
    "sets of options as bits (W. Laun's BSX): quick up to a hundred items",
    Capabilities(features=frozenset({"secondary"}), heuristics=tuple(CLAMPS), cuts=True),
    lambda problem, layout, how: BsxRoot(problem, layout, how).begin,
)
