"""The triggers of a task in the form that an engine reads: when to backtrack early."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray


@dataclass(frozen=True, eq=False)
class PartsWatch:
    """The part of a `Watch` that looks at the parts into which the open cells fall.

    cell_item  int32 [cells]          the item of each cell
    near       uint64 [cells, words]  its neighbours, as bits
    optional   uint64 [words]         the cells that may stay empty
    start      the start of its table in the watch's `shortfall`
    steps      int64 [options]        what choosing an option adds to the row in that table
    down_to    it is looked at while at least this many pieces remain

    Entry `row + size` of the table says how many cells of a part of that size must stay empty.
    """

    cell_item: IntArray
    near: npt.NDArray[np.uint64]
    optional: npt.NDArray[np.uint64]
    start: int
    steps: npt.NDArray[np.int64]
    down_to: int


@dataclass(frozen=True, eq=False)
class Watch:
    """Tables that show an engine when a state cannot be completed, so that it backtracks at once.

    For each table there are two running numbers: an index in it and a slack. A choice of options
    cannot be completed if the entry at the index is more than the slack. The options chosen by a
    task count like all others. It excludes no solution, so an engine may ignore it.

    shortfall  int32 [entries]          the tables, end to end
    start      int64 [tables]           where each index starts
    steps      int64 [options, tables]  what choosing an option adds to it
    slack      int64 [tables]           where each slack starts
    takes      int64 [options, tables]  what choosing an option takes from it
    down_to    int64 [tables]           it is looked at while at least this many pieces remain
    pieces     how many pieces there are to place, or a bound on it
    is_piece   bool [options]           choosing the option places one (else it leaves a hole)
    parts      the test of the parts of the open cells, or None
    """

    shortfall: IntArray
    start: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int64]
    slack: npt.NDArray[np.int64]
    takes: npt.NDArray[np.int64]
    down_to: npt.NDArray[np.int64]
    pieces: int
    is_piece: npt.NDArray[np.bool_]
    parts: PartsWatch | None = None
