"""The tables of `planes` and of `solve_each`: made once for all searches below one task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Task
from exactcover.backends.residue import Residue
from exactcover.problem import IntArray, Problem

if TYPE_CHECKING:
    from exactcover.backends.planes.kernel import Levels, Planes, Scratch

LARGEST = 1 << 28
"""Limit on the tables, in bytes. Above it `planes` refuses a problem, and `solve_each` uses
`dlx`."""

MOST_PAIRS = 1 << 22
"""Limits for tables made quickly: pairs of options with an item in common, words of conflicts."""

LANES = 2
"""Words that lie side by side in a plane, and are counted by one operation.

Two need the fewest words for a Sudoku. Four are counted faster, but counting is the lesser part.
"""

Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Tables:
    """The part of a problem that a task leaves, as the kernel reads it: its rows are options.

    option_of  int32 [rows]   the option of each row; row_of: the row of each option, or -1
    planes     the problem for the kernel; entries: how many places its rows have in the planes
    root       uint64 [bits]  planes and open items, with nothing chosen
    longest    how many rows a solution has at most
    """

    option_of: IntArray
    row_of: Long
    planes: Planes
    entries: int
    root: Words
    longest: int

    @classmethod
    def of(cls, problem: Problem) -> Tables:
        """The tables of a whole problem, all of whose primary items are covered exactly once."""
        return cls.below(problem, Residue.of(problem, Task()))

    @classmethod
    def below(cls, problem: Problem, residue: Residue) -> Tables:
        """The tables of the part of the problem that a task leaves."""
        from exactcover.backends.planes.kernel import Planes, find_conflicts, find_gone

        options = residue.options
        row_of = np.full(problem.n_options, -1)
        row_of[options] = np.arange(options.size)
        # The items to cover come first, then the secondary ones.
        wanted = np.ones(problem.n_items, bool)
        wanted[: problem.primary] = residue.room > 0
        primary = int(wanted[: problem.primary].sum())
        item = (np.cumsum(wanted) - 1)[residue.items]
        row = np.repeat(np.arange(options.size), np.diff(residue.starts))
        by_item = _sorting(item)
        row, item = row[by_item], item[by_item]
        columns = _starts(np.bincount(item, minlength=int(wanted.sum())))
        # Sixteen words at a time are vector code; the remaining words are not.
        conflict = np.zeros((options.size, _sixteens(_words(options.size))), np.uint64)
        find_conflicts(
            columns,
            row.astype(np.uint32),
            residue.colours[by_item].astype(np.uint32),
            primary,
            conflict,
        )
        row, item = row[item < primary], item[item < primary]
        shape = _Shape.of(np.diff(columns[: primary + 1]))
        group, lane, bit = shape.group[item], shape.lane[item], shape.bit[item]
        place = shape.groups[group] + (np.arange(item.size) - columns[item]) * LANES + lane % LANES
        row_at = np.zeros((shape.opens, 64), np.uint32)
        row_at[place, bit] = row
        bits = np.uint64(1) << bit.astype(np.uint64)
        root = np.zeros(shape.width, np.uint64)
        np.bitwise_or.at(root, place, bits)
        every = np.uint64(1) << shape.bit.astype(np.uint64)
        np.bitwise_or.at(root, shape.opens + shape.lane, every)

        by_row = _sorting(row)
        lengths = np.bincount(row, minlength=options.size)
        filled = np.cumsum(np.sort(lengths))
        starts, place, bits = _starts(lengths), place[by_row], bits[by_row]
        gone = np.zeros((options.size, shape.width), np.uint64)
        find_gone(conflict, starts, place, bits, shape.opens + lane[by_row], gone)
        return cls(
            option_of=options,
            row_of=row_of,
            planes=Planes(shape.groups, row_at, gone, shape.opens, starts, place, bits, conflict),
            entries=row.size,
            root=root,
            longest=int(np.searchsorted(filled, primary, side="right")),
        )

    @property
    def ascending(self) -> bool:
        """Whether rows are in the order of their options."""
        return bool((np.diff(self.option_of) > 0).all())

    def levels(self) -> Levels:
        """A search with nothing chosen."""
        from exactcover.backends.planes.kernel import FRAME, Levels

        rows, planes = self.option_of.size, self.planes
        deep, lanes = self.longest + 3, (planes.groups.size - 1) * LANES
        levels = Levels(
            left=np.zeros((deep, self.root.size), np.uint64),
            rows=np.zeros((deep, planes.conflict.shape[1]), np.uint64),
            paired=np.zeros((deep, lanes), np.uint64),
            stack=np.zeros((deep, FRAME), np.int64),
            chosen=np.zeros(self.longest, np.uint32),
        )
        levels.left[0] = self.root
        every = np.arange(rows)
        np.bitwise_or.at(levels.rows[0], every >> 6, np.uint64(1) << (every & 63).astype("u8"))
        return levels

    def keep(self, kept: npt.NDArray[np.bool_], levels: Levels) -> None:
        """Take all rows but these out of a search that has not begun."""
        starts, words, bits = self.planes.starts, self.planes.words, self.planes.bits
        others = np.flatnonzero(~kept)
        if not others.size:
            return
        entries = np.flatnonzero(np.repeat(~kept, np.diff(starts)))
        np.bitwise_and.at(levels.left[0], words[entries], ~bits[entries])
        alone = np.uint64(1) << (others & 63).astype(np.uint64)
        np.bitwise_and.at(levels.rows[0], others >> 6, ~alone)

    def scratch(self) -> Scratch:
        """Room for the kernel."""
        from exactcover.backends.planes.kernel import TALLY, WAITING, Scratch

        groups, words = self.planes.groups.size - 1, self.planes.conflict.shape[1]
        return Scratch(
            tally=np.zeros(groups * TALLY, np.uint64),
            waiting=np.zeros((64 * groups * LANES, WAITING), np.int64),
            fewest=np.zeros(groups * LANES, np.uint64),
            near=np.zeros(words, np.uint64),
            entries=np.zeros((self.entries, 2), np.int64),
            weight=np.zeros(self.option_of.size, np.int64),
            score=np.ones(64 * groups * LANES),
        )


@dataclass(frozen=True, eq=False)
class _Shape:
    """The places of the primary items in the planes: those with the most options come first.

    group, lane, bit   of each item
    groups  int64 [groups + 1]   the words where the planes of each group begin
    opens   the word behind the planes; width: all words
    """

    group: Long
    lane: Long
    bit: Long
    groups: Long
    opens: int
    width: int

    @classmethod
    def of(cls, lengths: Long) -> _Shape:
        """The places of items with these numbers of options."""
        order = np.argsort(-lengths, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        groups = _starts(lengths[order][:: 64 * LANES] * LANES)
        opens = int(groups[-1])
        return cls(
            group=rank // (64 * LANES),
            lane=rank // 64,
            bit=rank % 64,
            groups=groups,
            opens=opens,
            width=_sixteens(opens + (groups.size - 1) * LANES),
        )


def can_be_tabled(problem: Problem) -> bool:
    """Whether the tables can hold the problem: no multiplicities, and not too many options."""
    if "multiplicities" in problem.needs:
        return False
    return _size(problem.n_options, _width(problem), problem.primary) <= LARGEST


def is_soon_tabled(problem: Problem) -> bool:
    """Whether making the tables takes no more, or not much more, time than starting another
    engine."""
    if not can_be_tabled(problem):
        return False
    pairs = int((np.bincount(problem.entries).astype(np.int64) ** 2).sum())
    return pairs <= MOST_PAIRS and problem.n_options * _width(problem) <= MOST_PAIRS


def size_below(problem: Problem, residue: Residue) -> int:
    """The bytes of the tables of the part of a problem that a task leaves."""
    lengths = np.bincount(residue.items, minlength=problem.n_items)[: problem.primary]
    rows, wanted = residue.options.size, residue.room > 0
    return _size(rows, _words_of_row(rows, lengths[wanted]), int(wanted.sum()))


def _width(problem: Problem) -> int:
    """The words per option in the tables of the whole problem."""
    lengths = np.bincount(problem.entries, minlength=problem.n_items)[: problem.primary]
    return _words_of_row(problem.n_options, lengths)


def _words_of_row(rows: int, lengths: Long) -> int:
    """The words of a row: in the planes of items with these numbers of options, and in the
    conflicts."""
    return _Shape.of(lengths).width + _sixteens(_words(rows))


def _size(rows: int, width: int, primary: int) -> int:
    """The bytes of the tables for these numbers of rows and items to cover, and of the levels."""
    return 8 * (rows + min(primary, rows) + 3) * width


def _sorting(numbers: Long) -> Long:
    """The stable order of numbers from 0 on; with 16 bits numpy sorts them by radix."""
    return np.argsort(numbers.astype(np.min_scalar_type(numbers.max(initial=0))), kind="stable")


def _words(rows: int) -> int:
    return max((rows + 63) // 64, 1)


def _sixteens(words: int) -> int:
    return (words + 15) // 16 * 16


def _starts(lengths: Long) -> Long:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
