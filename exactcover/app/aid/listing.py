"""The solutions that contain some options: found slice by slice by a thread in the background.

A complete list answers every position below its own without a search: the solutions with one more
placement are some of its rows. A list that outgrows its room keeps only its totals, which answer
its own position.

A count of the puzzle with the pieces placed takes 40 ms on the 10x6 board, a diagram 33 ms, a list
that is kept 2 ms.

One thread searches, and whoever asks waits as long as they like. It first completes the list of the
position that was asked for last, then the list of all solutions, from which every position is
answered without a search.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Condition, Thread
from time import monotonic, perf_counter

import numpy as np
import numpy.typing as npt

from exactcover.app.aid.positions import Options, Position
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


@dataclass(frozen=True, eq=False)
class Seen:
    """The solutions with some options, as far as they are found at one moment.

    chosen   the options
    count    how many solutions are found
    done     whether these are all
    through  int64 [options]: how many of them contain each option
    parts    the solutions that are kept, batch by batch: all, or one where all take too much room
    """

    chosen: Options
    count: int
    done: bool
    through: Long
    parts: tuple[IntArray, ...] = ()

    @cached_property
    def rows(self) -> IntArray:
        """The solutions that are kept, one a row, filled up with `NONE`."""
        return _joined(self.parts)

    @property
    def all_kept(self) -> bool:
        """Whether the rows are all solutions that there are."""
        return self.done and len(self.rows) == self.count


class Listing:
    """The solutions with some options, while they are found; the names are those of `Seen`.

    bytes      the memory of its rows
    rows_lost  whether they outgrew their room, so that only the first is kept
    """

    def __init__(self, chosen: Options, n_options: int, room: int) -> None:
        """room: how many bytes its rows may take."""
        self.chosen = chosen
        self.count, self.done = 0, False
        self.through: Long = np.zeros(n_options, np.int64)
        self.bytes = 0
        self.rows_lost = False
        self._room = room
        self._parts: list[IntArray] = []
        self._pace = Pace()
        self._search: Search | None = None

    def seen(self) -> Seen:
        """The list now."""
        if self.done:
            self._parts = [_joined(self._parts)]
        return Seen(self.chosen, self.count, self.done, self.through.copy(), (*self._parts,))

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
            if not self.rows_lost:
                self._parts.append(_rows_of(batch))
                self.bytes += self._parts[-1].nbytes
                if self.bytes > self._room:
                    self.rows_lost = True
                    self._parts = [self._parts[0][:1].copy()]  # for a hint
                    self.bytes = self._parts[0].nbytes
        if batch.status is Status.DONE:
            self.done, self._search = True, None

    # -- below it -----------------------------------------------------------------------------

    def leads_to(self, chosen: Options) -> bool:
        """Whether all solutions with these options are among its rows."""
        return self.done and not self.rows_lost and set(self.chosen) <= set(chosen)

    def below(self, chosen: Options) -> Listing:
        """The complete list of the solutions with these options, from one that leads to them."""
        made = Listing(chosen, self.through.size, self._room)
        rows = with_options(self.seen().rows, [one for one in chosen if one not in self.chosen])
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


def _joined(parts: Sequence[IntArray]) -> IntArray:
    """Rows of different widths as rows of one."""
    if len(parts) == 1:
        return parts[0]
    width = max((part.shape[1] for part in parts), default=0)
    made = np.full((sum(map(len, parts)), width), NONE, np.int32)
    at = 0
    for part in parts:
        made[at : at + len(part), : part.shape[1]] = part
        at += len(part)
    return made


# -- the thread in the background -----------------------------------------------------------------

PATIENCE = 60.0
"""Seconds after the last question until the thread ends; the next question starts it again."""

KEPT = 64
"""The most lists that are kept."""

JOIN = 1.0
"""Seconds that `close` waits for the slice in progress."""


class Background:
    """The lists of solutions of one puzzle, and the thread that extends them.

    memory  bytes that the rows of all lists may take

    root    the list of all solutions
    turn    the lock under which lists change
    """

    def __init__(self, model: Model, memory: int) -> None:
        self._model, self._memory = model, memory
        self._listings: OrderedDict[Options, Listing] = OrderedDict()
        self.root = self._made(())
        self._current, self._position = self.root, Position(model)
        self._empty_board = self._position
        self.turn = Condition()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._asked = -PATIENCE
        self._closed = False

    def ask(
        self,
        position: Position,
        seconds: float | None,
        *,
        one: bool = False,
    ) -> Seen:
        """The solutions of a position, as far as they are found after these seconds.

        seconds  how long to wait for a complete list; None: until it is complete
        one      one solution will do
        """
        deadline = None if seconds is None else monotonic() + seconds
        with self.turn:
            listing = self._listing(position.options)
            self._current, self._position = listing, position
            self._forget()
            self._asked = monotonic()
            self._start()
            self.turn.notify_all()
            while not (listing.done or (one and listing.count) or self._closed):
                if self._error is not None:
                    raise self._error
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0.0:
                    break
                self.turn.wait(0.2 if left is None else min(left, 0.2))
                self._asked = monotonic()
                self._start()
            return listing.seen()

    def every(self) -> Seen:
        """The solutions of the empty board, as far as they are found."""
        with self.turn:
            return self.root.seen()

    def known(self) -> list[Seen]:
        """All lists that are kept."""
        with self.turn:
            return [listing.seen() for listing in self._listings.values()]

    def rest(self) -> None:
        """Let the thread end after the slice that it is in, until the next question."""
        with self.turn:
            self._asked = monotonic() - 2 * PATIENCE

    def close(self) -> None:
        """End the thread after the slice that it is in."""
        with self.turn:
            self._closed = True
            self.turn.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(JOIN)

    # -- lists --------------------------------------------------------------------------------

    def _listing(self, chosen: Options) -> Listing:
        """The list of a position: one that is kept, one from a larger list, or a new one."""
        found = self._listings.get(chosen)
        if found is None or not found.done:
            leading = [one for one in self._listings.values() if one.leads_to(chosen)]
            if leading:
                found = min(leading, key=lambda one: one.count).below(chosen)
                self._listings[chosen] = found
        if found is None:
            found = self._made(chosen)
        self._listings.move_to_end(chosen)
        return found

    def _made(self, chosen: Options) -> Listing:
        n_options = self._model.problem.n_options
        made = self._listings[chosen] = Listing(chosen, n_options, self._memory // 2)
        return made

    def _forget(self) -> None:
        """Drop lists that were not asked for lately, to keep within the memory.

        The list of all solutions and that of the current position stay.
        """
        total = sum(one.bytes + one.through.nbytes for one in self._listings.values())
        for chosen in list(self._listings):
            if total <= self._memory and len(self._listings) <= KEPT:
                return
            if chosen and chosen != self._current.chosen:
                gone = self._listings.pop(chosen)
                total -= gone.bytes + gone.through.nbytes

    # -- the thread ---------------------------------------------------------------------------

    def _start(self) -> None:
        if self._thread is None and not self._closed and self._job() is not None:
            self._thread = Thread(target=self._run, name="exactcover-aid", daemon=True)
            self._thread.start()

    def _job(self) -> Listing | None:
        """The list to extend next; None: there is nothing to do."""
        if self._closed or self._error is not None or monotonic() - self._asked > PATIENCE:
            return None
        if not self._current.done:
            return self._current
        root = self.root
        return None if root.done or root.rows_lost else root

    def _run(self) -> None:
        """Extend lists until there is nothing to do."""
        try:
            while True:
                with self.turn:
                    job = self._job()
                    if job is None:
                        self._thread = None
                        return
                    position = self._position if job is self._current else self._empty_board
                self._extend(job, position)
        except BaseException as error:  # raised again by the thread that asks
            with self.turn:
                self._error, self._thread = error, None
                self.turn.notify_all()

    def _extend(self, listing: Listing, position: Position) -> None:
        """One slice of a search; the first slice starts it."""
        if not listing.begun:
            search = self._search(position)
            with self.turn:
                listing.begin(search)
                self.turn.notify_all()
            return
        batch = listing.look()
        with self.turn:
            listing.take(batch)
            self._forget()
            self.turn.notify_all()

    @cached_property
    def _planned(self) -> tuple[Plan, Strategy]:
        """The plan of all searches, and their strategy."""
        subject = Subject.of(self._model.puzzle, "all")
        strategy = automatic(subject)
        return make_plan(subject, strategy), strategy

    def _search(self, position: Position) -> Search | None:
        """A search of the solutions of a position; None if there are none."""
        (plan, strategy), chosen = self._planned, position.options
        if plan.subject.reason or plan.reason:
            return None
        if not plan.alive[list(chosen)].all():
            return None  # a filter showed that no solution contains this option
        if any(option not in chosen and not position.fits[option] for option in plan.forced):
            return None
        return start_search(plan, strategy, Task(chosen))
