"""What `solve_each` makes of a problem once, for all of the sets of options that are given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray, Problem

LARGEST = 1 << 28
"""Bytes that the tables may take; above, the sets go to `dlx` one by one."""

MOST_PAIRS = 1 << 22
"""Pairs of options with an item in common, and words of conflicts, for tables made in a blink."""

Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Tables:
    """A problem as the kernel reads it: its rows are the options with a primary item.

    option_of  int32 [rows]        the option of each row; row_of: the row of each option, or -1
    row_starts, row_items          the primary items of each row
    column_starts, column_rows     the rows of each primary item
    conflict   uint64 [rows, words]  the rows that cannot be chosen beside each row, and itself
    longest    how many options a solution has at most
    """

    option_of: IntArray
    row_of: Long
    row_starts: npt.NDArray[np.uint32]
    row_items: npt.NDArray[np.uint32]
    column_starts: Long
    column_rows: npt.NDArray[np.uint32]
    conflict: Words
    longest: int

    @classmethod
    def of(cls, problem: Problem) -> Tables:
        """The tables of a problem all of whose primary items are covered exactly once."""
        from exactcover.batch.kernel import find_conflicts

        option_of_entry = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        asked_for = np.zeros(problem.n_options, bool)
        asked_for[option_of_entry[problem.entries < problem.primary]] = True
        options = np.flatnonzero(asked_for)
        row_of = np.full(problem.n_options, -1)
        row_of[options] = np.arange(options.size)

        kept = asked_for[option_of_entry]
        row, item = row_of[option_of_entry[kept]], problem.entries[kept]
        by_item = np.argsort(item, kind="stable")
        all_starts = _starts(np.bincount(item, minlength=problem.n_items))
        conflict = np.zeros((options.size, _words(options.size)), np.uint64)
        find_conflicts(
            all_starts,
            row[by_item].astype(np.uint32),
            problem.colours[kept][by_item].astype(np.uint32),
            problem.primary,
            conflict,
        )
        primary = item < problem.primary
        lengths = np.bincount(row[primary], minlength=options.size)
        column_starts = all_starts[: problem.primary + 1]
        filled = np.cumsum(np.sort(lengths))
        return cls(
            option_of=options.astype(np.int32),
            row_of=row_of,
            row_starts=_starts(lengths).astype(np.uint32),
            row_items=item[primary].astype(np.uint32),
            column_starts=column_starts,
            column_rows=row[by_item][: column_starts[-1]].astype(np.uint32),
            conflict=conflict,
            longest=int(np.searchsorted(filled, problem.primary, side="right")),
        )

    @property
    def words(self) -> int:
        """How many words hold a bit for each row."""
        return int(self.conflict.shape[1])

    def root(self) -> tuple[Words, Long]:
        """Bits and words of the levels, those of level 0 filled in: nothing is chosen."""
        rows, primary = self.option_of.size, self.column_starts.size - 1
        live = np.zeros((self.longest + 2, self.words), np.uint64)
        everything = np.arange(rows)
        np.bitwise_or.at(live[0], everything >> 6, np.uint64(1) << (everything & 63).astype("u8"))
        left = np.zeros((self.longest + 2, primary), np.int64)
        row_of_entry = np.repeat(everything, np.diff(self.row_starts))
        np.add.at(left[0], self.row_items, (1 << 32) + row_of_entry)
        return live, left


def can_be_tabled(problem: Problem) -> bool:
    """Whether the tables hold the problem: no multiplicities, and not too many options."""
    words = _words(problem.n_options)
    levels = min(problem.primary, problem.n_options) + 2
    size = 8 * (problem.n_options * words + levels * (words + problem.primary))
    return "multiplicities" not in problem.needs and size <= LARGEST


def is_soon_tabled(problem: Problem) -> bool:
    """Whether the tables take less time than an engine takes to get ready, or not much more."""
    if not can_be_tabled(problem):
        return False
    pairs = int((np.bincount(problem.entries).astype(np.int64) ** 2).sum())
    return pairs <= MOST_PAIRS and problem.n_options * _words(problem.n_options) <= MOST_PAIRS


def _words(rows: int) -> int:
    return max((rows + 63) // 64, 1)


def _starts(lengths: Long) -> Long:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
