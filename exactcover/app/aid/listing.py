"""The solutions that contain some options: found slice by slice, and filtered for further moves.

A complete list answers every position below its own without a search: the solutions with one more
placement are some of its rows. A list that outgrows its room keeps only its totals, which answer
its own position.

A count of the puzzle with the pieces placed takes 40 ms on the 10x6 board, a diagram 33 ms, a list
that is kept 2 ms.
"""

from __future__ import annotations

from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from exactcover.app.aid.positions import Options
from exactcover.backends.base import Batch, Search, Status, Task
from exactcover.problem import IntArray
from exactcover.puzzle import Model
from exactcover.search.automatic import automatic
from exactcover.search.driver import Pace
from exactcover.search.engine import start_search
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

Long = npt.NDArray[np.int64]

NONE = -1
"""Fills up a row of fewer options than the longest."""

CAPACITY = 1 << 14
"""The most solutions of one slice."""


class Searches:
    """Starts searches of one puzzle below chosen options; one plan serves them all."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def _subject(self) -> Subject:
        return Subject.of(self.model.puzzle, "all")

    @cached_property
    def _strategy(self) -> Strategy:
        return automatic(self._subject)

    @cached_property
    def _plan(self) -> Plan:
        return make_plan(self._subject, self._strategy)

    def below(self, chosen: Options, fits: npt.NDArray[np.bool_]) -> Search | None:
        """A search of the solutions with these options; None if there are none.

        fits  bool [options]: the options that can be chosen besides
        """
        if self._subject.reason or self._plan.reason:
            return None
        plan = self._plan
        if not plan.alive[list(chosen)].all():
            return None  # a filter showed that no solution contains this option
        if any(option not in chosen and not fits[option] for option in plan.forced):
            return None
        return start_search(plan, self._strategy, Task(chosen))


class Listing:
    """The solutions with some options, as far as they are found.

    chosen   the options
    count    how many solutions are found
    bytes    the memory of its rows
    through  int64 [options]: how many of these contain each option
    done     whether all are found
    seconds  what the search has taken
    """

    def __init__(self, chosen: Options, n_options: int, room: int) -> None:
        """room: how many bytes its rows may take."""
        self.chosen = chosen
        self.count, self.done, self.seconds = 0, False, 0.0
        self.through: Long = np.zeros(n_options, np.int64)
        self.bytes = 0
        self._room = room
        self._parts: list[IntArray] | None = []
        self._pace = Pace()
        self._search: Search | None = None

    def __repr__(self) -> str:
        return f"<Listing: {self.count:,} solutions, {'all' if self.done else 'so far'}>"

    @property
    def rows_lost(self) -> bool:
        """Whether its rows outgrew their room."""
        return self._parts is None

    @property
    def rows(self) -> IntArray | None:
        """The solutions found, one a row, filled up with `NONE`; None: they outgrew their room."""
        if self._parts is None:
            return None
        if len(self._parts) != 1:
            self._parts = [_joined(self._parts)]
        return self._parts[0]

    def some_rows(self) -> IntArray:
        """The solutions that are kept."""
        rows = self.rows
        return _joined([]) if rows is None else rows

    # -- searching ----------------------------------------------------------------------------

    def begin(self, search: Search | None) -> None:
        """Take the search of its solutions; None: there are none."""
        self._search, self.done = search, search is None

    @property
    def begun(self) -> bool:
        """Whether it has its search."""
        return self.done or self._search is not None

    def look(self) -> Batch:
        """Search on for about a fiftieth of a second; others may read the list meanwhile."""
        assert self._search is not None
        began = perf_counter()
        batch = self._search.advance(self._pace.steps, capacity=CAPACITY)
        seconds = perf_counter() - began
        self._pace.learn(seconds, spent=batch.status is Status.BUDGET)
        self.seconds += seconds
        return batch

    def take(self, batch: Batch) -> None:
        """Add what `look` found."""
        self.count += len(batch)
        if len(batch):
            many = self.through.size
            if batch.options.size * 8 < many:
                np.add.at(self.through, batch.options, 1)
            else:
                self.through += np.bincount(batch.options, minlength=many)
            self._keep(batch)
        if batch.status is Status.DONE:
            self.done, self._search = True, None

    def _keep(self, batch: Batch) -> None:
        if self._parts is None:
            return
        self._parts.append(_rows_of(batch))
        self.bytes += self._parts[-1].nbytes
        if self.bytes > self._room:
            self._parts, self.bytes = None, 0

    # -- below it -----------------------------------------------------------------------------

    def leads_to(self, chosen: Options) -> bool:
        """Whether all solutions with these options are among its rows."""
        return self.done and self._parts is not None and set(self.chosen) <= set(chosen)

    def below(self, chosen: Options) -> Listing:
        """The complete list of the solutions with these options, from one that leads to them."""
        made = Listing(chosen, self.through.size, self._room)
        rows = with_options(self.some_rows(), [one for one in chosen if one not in self.chosen])
        made._parts, made.bytes = [rows], rows.nbytes
        made.count, made.done = len(rows), True
        made.through = np.bincount(rows[rows != NONE], minlength=self.through.size)
        return made


def with_options(rows: IntArray, options: list[int]) -> IntArray:
    """The rows that contain all of these options."""
    for option in options:
        rows = rows[(rows == option).any(axis=1)]
    return rows


def classes(rows: IntArray, group: IntArray) -> int:
    """How many classes solutions form under a group of permutations of their options.

    rows  all solutions, filled up with `NONE`
    """
    there = rows != NONE
    least = np.sort(rows, axis=1)
    for permutation in group[1:]:
        moved = np.sort(np.where(there, permutation[rows], NONE), axis=1)
        differs = moved != least
        place = differs.argmax(axis=1)
        each = np.arange(len(rows))
        smaller = differs.any(axis=1) & (moved[each, place] < least[each, place])
        least[smaller] = moved[smaller]
    return len(np.unique(least, axis=0))


def _rows_of(batch: Batch) -> IntArray:
    """The solutions of a batch as rows."""
    lengths = np.diff(batch.starts)
    rows = np.full((len(batch), int(lengths.max())), NONE, np.int32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = batch.options
    return rows


def _joined(parts: list[IntArray]) -> IntArray:
    """Rows of different widths as rows of one."""
    width = max((part.shape[1] for part in parts), default=0)
    made = np.full((sum(map(len, parts)), width), NONE, np.int32)
    at = 0
    for part in parts:
        made[at : at + len(part), : part.shape[1]] = part
        at += len(part)
    return made
