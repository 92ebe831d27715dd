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

from dataclasses import dataclass

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, bit_rows, bits_of, compressed
from exactcover.backends.base import Begin, Branching, Capabilities
from exactcover.backends.dlx import CLAMPS
from exactcover.backends.matrix_search import NO_CUT, MatrixSearch, pieces_by_level, places
from exactcover.backends.node import Node
from exactcover.backends.tasks import Residue, refuse_above
from exactcover.problem import IntArray, Layout, Problem

LARGEST_CONFLICT = 1 << 26
"""Limit on the matrix of conflicting options, in bytes: 23,000 options. With more options, the
conflicts of an option are found from the columns of its items."""

LARGEST_MATRIX = 1 << 30
"""Limit on columns and live sets, in bytes; the engine refuses larger problems."""


@dataclass(frozen=True, eq=False)
class BitMatrix:
    """The part of a problem that a node leaves, as the kernel reads it: rows are options.

    option_of  int32 [rows]  the option of each row
    primary    how many items must be covered; they are the first ones
    n_items    how many items there are
    starts     uint32 [rows + 1]  where the items of each row begin
    items      uint32 [entries]   the primary ones are those below `primary`
    number     int64 [items of the problem]  the number of each item here; -1: it is left out
    """

    option_of: IntArray
    primary: int
    n_items: int
    starts: Index
    items: Index
    number: Long

    @classmethod
    def of(cls, problem: Problem, node: Node, order: IntArray | None) -> BitMatrix:
        """The matrix below a node: without covered items and options in conflict with chosen ones.

        Rows are sorted by their lowest item, so that whole words soon have no live option.
        Secondary items that only one option has left are left out: they never cause a conflict.
        """
        residue = Residue.of(problem, node, order)
        rows = residue.options.size
        wanted = np.bincount(residue.items, minlength=problem.n_items) > 1
        wanted[: problem.primary] = residue.room > 0
        number = np.cumsum(wanted) - 1
        first = np.full(rows, problem.n_items)
        option_of_entry = np.repeat(np.arange(rows), np.diff(residue.starts))
        np.minimum.at(first, option_of_entry, residue.items)
        by_first = np.argsort(first, kind="stable")
        place = np.empty(rows, np.int64)
        place[by_first] = np.arange(rows)

        kept = wanted[residue.items]
        starts, items = compressed(place[option_of_entry[kept]], number[residue.items[kept]], rows)
        return cls(
            option_of=residue.options[by_first],
            primary=int(wanted[: problem.primary].sum()),
            n_items=int(wanted.sum()),
            starts=starts.astype(np.uint32),
            items=items.astype(np.uint32),
            number=np.where(wanted, number, -1),
        )

    @property
    def rows(self) -> int:
        return self.option_of.size

    @property
    def words(self) -> int:
        """How many words hold a bit for each row; at least one."""
        return max((self.rows + 63) // 64, 1)

    @property
    def levels(self) -> int:
        """One more than the most options that can be chosen."""
        return min(self.primary, self.rows) + 1

    @property
    def row_of(self) -> Long:
        """The row of each entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.starts))

    def columns(self) -> Bits:
        """The rows of each item as bits: uint64 [words, items]."""
        return bit_rows(self.items, self.row_of, self.n_items, self.words).T.copy()

    def conflict(self, columns: Bits) -> Bits:
        """The rows that have an item in common with each row: uint64 [rows, words]."""
        from exactcover.backends.bsx_kernel import find_conflicts

        out = np.zeros((self.rows, self.words), np.uint64)
        find_conflicts(self.starts, self.items, columns, out)
        return out


class BsxRoot:
    """The matrix of a root, in which searches of nodes below it begin.

    conflict   the rows that have an item in common with each row; None: there are too many rows
    row_at, column_at  where the rows and columns of each stage begin, see the kernel
    row_of, columns    those of the first stage, with room for the others
    """

    def __init__(self, problem: Problem, layout: Layout | None, how: Branching) -> None:
        self.problem, self.layout, self.how = problem, layout, how
        matrix = self.matrix = BitMatrix.of(problem, how.root, how.order)
        rows, words = matrix.rows, matrix.words
        size = 8 * words * (2 * matrix.n_items + matrix.levels)
        refuse_above("bsx", "a bit matrix", problem, problem.n_options, size, LARGEST_MATRIX)
        columns = self.first_columns = matrix.columns()
        fits = 8 * rows * words <= LARGEST_CONFLICT
        self.conflict = matrix.conflict(columns) if fits else None
        # A stage has at most half of the words of the one above it.
        words_of = words >> np.arange(words.bit_length())
        self.row_at = np.concatenate([[0], np.cumsum(64 * words_of)])
        self.column_at = np.concatenate([[0], np.cumsum(words_of * matrix.n_items)])
        self.row_of = np.zeros(self.row_at[-1], np.uint32)
        self.row_of[:rows] = np.arange(rows)
        self.columns = np.zeros(self.column_at[-1], np.uint64)
        self.columns[: columns.size] = columns.ravel()
        self.width = np.bincount(
            matrix.row_of[matrix.items < matrix.primary], minlength=rows
        ).astype(np.uint32)

    def live(self, node: Node) -> tuple[Bits, int]:
        """The rows that can be chosen at a node as bits, and how many items must be covered."""
        matrix, above = self.matrix, len(self.how.root.chosen)
        rows = np.arange(matrix.rows)
        if node.allowed is not None:
            rows = np.flatnonzero(node.allowed[matrix.option_of])
        live = bits_of(rows, matrix.words)
        covered = [self.problem.items_of(option) for option in node.chosen[above:]]
        if not covered:
            return live, matrix.primary
        numbers = matrix.number[np.concatenate(covered)]
        numbers = numbers[numbers >= 0]
        live &= ~np.bitwise_or.reduce(self.first_columns[:, numbers], axis=1)
        return live, matrix.primary - int((numbers < matrix.primary).sum())

    def begin(self, node: Node, cut: int | None = None) -> BsxSearch:
        """A search of a node; compiles the kernel if necessary."""
        return BsxSearch(self, node, cut)


class BsxSearch(MatrixSearch):
    """A search under way; all that changes while it runs is in its arrays."""

    kernel_name = "exactcover.backends.bsx_kernel"

    def __init__(self, root: BsxRoot, node: Node, cut: int | None) -> None:
        from exactcover.backends import bsx_kernel

        problem, layout, matrix = root.problem, root.layout, root.matrix
        self._problem, self._layout = problem, layout
        self._node, self._cut, self._tallies = node, cut, root.how.tally
        self._chosen = np.array(node.chosen, np.int32)
        self._option_of = matrix.option_of
        self._longest = matrix.levels - 1
        self._live = np.zeros((matrix.levels, matrix.words), np.uint64)
        self._live[0], wanted = root.live(node)
        self._row_at, self._column_at = root.row_at, root.column_at
        self._row_of, self._columns = root.row_of.copy(), root.columns.copy()
        self._n_items = matrix.n_items
        self._tally: Long | None = None
        counted = None
        if root.how.tally or cut is not None:
            left = pieces_by_level(problem, layout, node, matrix.levels)
            self._tally = np.zeros(int(left[0]) + 1, np.int64)
            counted = bsx_kernel.BsxCounted(
                places=places(matrix.option_of, layout),
                left=left,
                cut=NO_CUT if cut is None else cut,
                tally=self._tally,
            )
        self._arguments = (
            CLAMPS[root.how.heuristic],
            matrix.primary,
            matrix.n_items,
            matrix.starts,
            matrix.items,
            root.width,
            root.conflict,
            self._row_at,
            self._column_at,
            self._row_of,
            self._columns,
            self._live,
            np.zeros(matrix.primary, np.int64),
            counted,
        )
        self._stack = np.zeros((matrix.levels, bsx_kernel.FRAME), np.int64)
        self._stack[0, bsx_kernel.OPEN] = wanted
        self._stack[0, bsx_kernel.WORDS] = matrix.words
        self._registers = np.zeros(bsx_kernel.REGISTERS, np.int64)
        self._done = False
        if node.chosen != root.how.root.chosen:
            self._pack()

    def _pack(self) -> None:
        """Begin with the rows that are left side by side, if these take half of the words."""
        kernel, words = self._kernel, self._live.shape[1]
        rows = int(np.bitwise_count(self._live[0]).sum())
        packed = max(1, -(-rows // 64))
        if 2 * packed > words:
            return
        starts, items = self._arguments[3:5]
        kernel.pack(
            0, words, packed, self._n_items, int(self._row_at[0]), int(self._row_at[1]),
            int(self._column_at[1]), starts, items, self._row_of, self._columns, self._live,
        )  # fmt: skip
        self._stack[0, [kernel.STAGE, kernel.WORDS]] = 1, packed

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        status: int = self._kernel.search(
            steps, keep, capacity, self._longest, *self._arguments, self._stack, self._registers,
            starts, numbers,
        )  # fmt: skip
        return status

    def _untried(self, level: int) -> IntArray:
        """The options of the branches not begun at a level: those of its item still alive there."""
        kernel = self._kernel
        stage, words = self._stack[level, [kernel.STAGE, kernel.WORDS]]
        begin = self._column_at[stage] + self._stack[level, kernel.ITEM]
        column = self._columns[begin + np.arange(words) * self._n_items]
        return self._options(stage, self._live[level, :words] & column)

    def _selectable(self) -> IntArray:
        """The options whose bits are alive at the level reached."""
        kernel = self._kernel
        level = self._registers[kernel.LEVEL]
        stage, words = self._stack[level, kernel.STAGE], self._stack[level, kernel.WORDS]
        return self._options(stage, self._live[level, :words])

    def _options(self, stage: int, words: Bits) -> IntArray:
        """The options of some rows of a stage, given as bits."""
        bits = words[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        rows = self._row_of[self._row_at[stage] + np.flatnonzero(bits)]
        options: IntArray = self._option_of[rows]
        return options


class BsxBackend:
    """The engine: its capabilities, and how it is prepared."""

    name = "bsx"
    summary = "sets of options as bits (W. Laun's BSX): quick up to a hundred items"
    capabilities = Capabilities(
        features=frozenset({"secondary"}), heuristics=tuple(CLAMPS), cuts=True
    )

    def prepare(self, problem: Problem, layout: Layout | None, how: Branching) -> Begin:
        """A function that begins searches of nodes."""
        return BsxRoot(problem, layout, how).begin


backend = BsxBackend()
