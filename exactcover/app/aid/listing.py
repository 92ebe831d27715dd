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
from functools import cached_property, partial
from threading import Condition, Thread
from time import monotonic

import numpy as np
import numpy.typing as npt

from exactcover.app.aid.positions import Options, Position
from exactcover.backends.base import Batch, Search, Task
from exactcover.problem import IntArray
from exactcover.puzzle import Model
from exactcover.search.automatic import automatic
from exactcover.search.driver import Driver
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
    through  int64 [options]: how many of the solutions contain each option
    count    how many solutions are found
    done     whether these are all
    parts    the solutions as rows, batch by batch
    lost     whether the rows outgrew their room, so that only the first is kept
    """

    chosen: Options
    through: Long
    count: int = 0
    done: bool = False
    parts: tuple[IntArray, ...] = ()
    lost: bool = False

    @cached_property
    def rows(self) -> IntArray:
        """The solutions that are kept, one a row, filled up with `NONE`."""
        return _joined(self.parts)

    @property
    def all_kept(self) -> bool:
        """Whether the rows are all solutions that there are."""
        return self.done and len(self.rows) == self.count

    @property
    def bytes(self) -> int:
        """The memory of its rows."""
        return sum(part.nbytes for part in self.parts)

    def plus(self, batch: Batch, room: int, *, done: bool) -> Seen:
        """The list with the solutions of a batch, too.

        room  how many bytes its rows may take
        done  whether these are the last
        """
        parts, lost, through = self.parts, self.lost, self.through
        if len(batch):
            through = through + np.bincount(batch.options, minlength=through.size)
            if not lost:
                parts = (*parts, _rows_of(batch))
                if sum(part.nbytes for part in parts) > room:
                    parts, lost = (parts[0][:1].copy(),), True  # one for a hint
        if done:
            parts = (_joined(parts),)
        return Seen(self.chosen, through, self.count + len(batch), done, parts, lost)

    def leads_to(self, chosen: Options) -> bool:
        """Whether all solutions with these options are among its rows."""
        return self.done and not self.lost and set(self.chosen) <= set(chosen)

    def below(self, chosen: Options) -> Seen:
        """The complete list of the solutions with these options, from one that leads to them."""
        rows = with_options(self.rows, [one for one in chosen if one not in self.chosen])
        through = np.bincount(rows[rows != NONE], minlength=self.through.size)
        return Seen(chosen, through, len(rows), True, (rows,))


def with_options(rows: IntArray, options: list[int]) -> IntArray:
    """The rows that contain all of these options."""
    for option in options:
        rows = rows[(rows == option).any(axis=1)]
    return rows


def classes(rows: IntArray, group: IntArray) -> int:
    """How many classes solutions form under a group of permutations of their options.

    rows  all solutions, filled up with `NONE`
    """
    if not rows.size:  # there is none, or the empty one
        return len(rows)
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

    turn    the lock under which lists change
    """

    def __init__(self, model: Model, memory: int) -> None:
        self._model, self._memory = model, memory
        self._lists: OrderedDict[Options, Seen] = OrderedDict()
        self._drivers: dict[Options, Driver[Search]] = {}
        self._empty_board = self._position = Position(model)
        self._list(())
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
            self._position = position
            seen = self._list(position.options)
            self._forget()
            self._asked = monotonic()
            self._start()
            self.turn.notify_all()
            while not (seen.done or (one and seen.count) or self._closed):
                if self._error is not None:
                    raise self._error
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0.0:
                    break
                self.turn.wait(0.2 if left is None else min(left, 0.2))
                self._asked = monotonic()
                self._start()
                seen = self._lists.get(position.options, seen)
            return seen

    def every(self) -> Seen:
        """The solutions of the empty board, as far as they are found."""
        return self._lists[()]

    def known(self) -> list[Seen]:
        """All lists that are kept."""
        with self.turn:
            return [*self._lists.values()]

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

    def _list(self, chosen: Options) -> Seen:
        """The list of a position: one that is kept, one from a larger list, or a new one."""
        found = self._lists.get(chosen)
        if found is None or not found.done:
            leading = [one for one in self._lists.values() if one.leads_to(chosen)]
            if leading:
                found = min(leading, key=lambda one: one.count).below(chosen)
                self._drivers.pop(chosen, None)
        if found is None:
            found = Seen(chosen, np.zeros(self._model.problem.n_options, np.int64))
        self._lists[chosen] = found
        self._lists.move_to_end(chosen)
        return found

    def _forget(self) -> None:
        """Drop lists that were not asked for lately, to keep within the memory.

        The list of all solutions and that of the current position stay.
        """
        total = sum(one.bytes + one.through.nbytes for one in self._lists.values())
        for chosen in list(self._lists):
            if total <= self._memory and len(self._lists) <= KEPT:
                return
            if chosen and chosen != self._position.options:
                gone = self._lists.pop(chosen)
                self._drivers.pop(chosen, None)
                total -= gone.bytes + gone.through.nbytes

    # -- the thread ---------------------------------------------------------------------------

    def _start(self) -> None:
        if self._thread is None and not self._closed and self._job() is not None:
            self._thread = Thread(target=self._run, name="exactcover-aid", daemon=True)
            self._thread.start()

    def _job(self) -> Position | None:
        """The position whose list to extend next; None: there is nothing to do."""
        if self._closed or self._error is not None or monotonic() - self._asked > PATIENCE:
            return None
        if not self._lists[self._position.options].done:
            return self._position
        every = self.every()
        return None if every.done or every.lost else self._empty_board

    def _run(self) -> None:
        """Extend lists until there is nothing to do."""
        try:
            while True:
                with self.turn:
                    job = self._job()
                    if job is None:
                        self._thread = None
                        return
                    chosen = job.options
                    driver = self._drivers.get(chosen)
                    if driver is None:
                        driver = self._drivers[chosen] = Driver(partial(self._search, job))
                batch = driver.advance(capacity=CAPACITY)
                with self.turn:
                    if self._drivers.get(chosen) is driver:  # else its list was dropped meanwhile
                        seen = self._lists[chosen]
                        self._lists[chosen] = seen.plus(batch, self._memory // 2, done=driver.done)
                        if driver.done:
                            del self._drivers[chosen]
                    self._forget()
                    self.turn.notify_all()
        except BaseException as error:  # raised again by the thread that asks
            with self.turn:
                self._error, self._thread = error, None
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
