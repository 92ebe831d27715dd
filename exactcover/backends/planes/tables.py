"""What `solve_each` makes of a problem once, for all of the sets of options that are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray, Problem

if TYPE_CHECKING:
    from exactcover.backends.planes.kernel import Levels, Planes, Scratch

LARGEST = 1 << 28
"""Bytes that the tables may take; above, the sets go to `dlx` one by one."""

MOST_PAIRS = 1 << 22
"""Pairs of options with an item in common, and words of conflicts, for tables made in a blink."""

LANES = 2
"""Words that lie side by side in a plane, and are counted by one operation.

Two need the fewest words for a Sudoku. Four are counted faster, but counting is the lesser part.
"""

Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Tables:
    """A problem as the kernel reads it: its rows are the options with a primary item.

    option_of  int32 [rows]   the option of each row; row_of: the row of each option, or -1
    planes     the problem for the kernel; entries: how many places its rows have in the planes
    root       uint64 [bits]  planes and open items, with nothing chosen
    longest    how many options a solution has at most
    """

    option_of: IntArray
    row_of: Long
    planes: Planes
    entries: int
    root: Words
    longest: int

    @classmethod
    def of(cls, problem: Problem) -> Tables:
        """The tables of a problem all of whose primary items are covered exactly once."""
        from exactcover.backends.planes.kernel import Planes, find_conflicts, find_gone

        option_of_entry = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        asked_for = np.zeros(problem.n_options, bool)
        asked_for[option_of_entry[problem.entries < problem.primary]] = True
        options = np.flatnonzero(asked_for)
        row_of = np.full(problem.n_options, -1)
        row_of[options] = np.arange(options.size)

        kept = asked_for[option_of_entry]
        row, item = row_of[option_of_entry[kept]], problem.entries[kept]
        by_item = np.argsort(item, kind="stable")
        row, item = row[by_item], item[by_item]
        columns = _starts(np.bincount(item, minlength=problem.n_items))
        # Sixteen words at a time are vector code, what is left over is not.
        conflict = np.zeros((options.size, _sixteens(_words(options.size))), np.uint64)
        find_conflicts(
            columns,
            row.astype(np.uint32),
            problem.colours[kept][by_item].astype(np.uint32),
            problem.primary,
            conflict,
        )
        primary = item < problem.primary
        row, item = row[primary], item[primary]
        shape = _Shape.of(np.diff(columns[: problem.primary + 1]))
        group, lane, bit = shape.group[item], shape.lane[item], shape.bit[item]
        place = shape.groups[group] + (np.arange(item.size) - columns[item]) * LANES + lane % LANES
        row_at = np.zeros((shape.opens, 64), np.uint32)
        row_at[place, bit] = row
        bits = np.uint64(1) << bit.astype(np.uint64)
        root = np.zeros(shape.width, np.uint64)
        np.bitwise_or.at(root, place, bits)
        every = np.uint64(1) << shape.bit.astype(np.uint64)
        np.bitwise_or.at(root, shape.opens + shape.lane, every)

        by_row = np.argsort(row, kind="stable")
        lengths = np.bincount(row, minlength=options.size)
        filled = np.cumsum(np.sort(lengths))
        starts, place, bits = _starts(lengths), place[by_row], bits[by_row]
        gone = np.zeros((options.size, shape.width), np.uint64)
        find_gone(conflict, starts, place, bits, shape.opens + lane[by_row], gone)
        return cls(
            option_of=options.astype(np.int32),
            row_of=row_of,
            planes=Planes(shape.groups, row_at, gone, shape.opens, starts, place, bits, conflict),
            entries=row.size,
            root=root,
            longest=int(np.searchsorted(filled, problem.primary, side="right")),
        )

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
    """Where the primary items are in the planes: those with the most options come first.

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
        """The places of items with so many options."""
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
    """Whether the tables hold the problem: no multiplicities, and not too many options."""
    if "multiplicities" in problem.needs:
        return False
    width = _width(problem)
    levels = min(problem.primary, problem.n_options) + 3
    return 8 * (problem.n_options + levels) * width <= LARGEST


def is_soon_tabled(problem: Problem) -> bool:
    """Whether the tables take less time than an engine takes to get ready, or not much more."""
    if not can_be_tabled(problem):
        return False
    pairs = int((np.bincount(problem.entries).astype(np.int64) ** 2).sum())
    return pairs <= MOST_PAIRS and problem.n_options * _width(problem) <= MOST_PAIRS


def _width(problem: Problem) -> int:
    """The words that tell of an option in the tables: in the planes, and in the conflicts."""
    lengths = np.bincount(problem.entries, minlength=problem.n_items)[: problem.primary]
    return _Shape.of(lengths).width + _sixteens(_words(problem.n_options))


def _words(rows: int) -> int:
    return max((rows + 63) // 64, 1)


def _sixteens(words: int) -> int:
    return (words + 15) // 16 * 16


def _starts(lengths: Long) -> Long:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
