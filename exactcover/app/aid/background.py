"""The searches behind an aid: one thread runs them, and whoever asks waits as long as they like.

The thread first completes the list of the position that was asked for last, then the list of all
solutions, from which every position is answered without a search. It ends when there is nothing
more to list, or when nobody has asked for a while.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Condition, Thread
from time import monotonic

from exactcover.app.aid.listing import Listing, Searches
from exactcover.app.aid.positions import Options, Position
from exactcover.puzzle import Model

PATIENCE = 60.0
"""Seconds after the last question until the thread ends; the next question starts it again."""

KEPT = 64
"""The most lists that are kept."""

JOIN = 1.0
"""Seconds that `close` waits for the slice in progress."""


class Background:
    """The lists of solutions of one puzzle, and the thread that extends them.

    memory  bytes that the rows of all lists may take
    """

    def __init__(self, model: Model, memory: int) -> None:
        self._searches = Searches(model)
        self._memory = memory
        self._listings: OrderedDict[Options, Listing] = OrderedDict()
        self._root = self._made(())
        self._current, self._position = self._root, Position(model)
        self._empty_board = self._position
        self._turn = Condition()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._asked = -PATIENCE
        self._closed = False

    def ask(
        self,
        position: Position,
        seconds: float | None,
        enough: Callable[[Listing], bool] = lambda listing: False,
    ) -> Listing:
        """The list of the solutions of a position, as far as it is after these seconds.

        seconds  how long to wait for a complete list; None: until it is complete
        enough   whether the list is long enough before it is complete
        """
        deadline = None if seconds is None else monotonic() + seconds
        with self._turn:
            listing = self._listing(position.options)
            self._current, self._position = listing, position
            self._forget()
            self._asked = monotonic()
            self._start()
            self._turn.notify_all()
            while not (listing.done or enough(listing) or self._closed):
                if self._error is not None:
                    raise self._error
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0.0:
                    break
                self._turn.wait(0.2 if left is None else min(left, 0.2))
                self._asked = monotonic()
                self._start()
            return listing

    def known(self) -> list[Listing]:
        """All lists that are kept."""
        with self._turn:
            return list(self._listings.values())

    @property
    def turn(self) -> Condition:
        """The lock under which lists change."""
        return self._turn

    @property
    def root(self) -> Listing:
        """The list of all solutions."""
        return self._root

    def rest(self) -> None:
        """Let the thread end after the slice that it is in, until the next question."""
        with self._turn:
            self._asked = monotonic() - 2 * PATIENCE

    def close(self) -> None:
        """End the thread after the slice that it is in."""
        with self._turn:
            self._closed = True
            self._turn.notify_all()
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
        n_options = self._searches.model.problem.n_options
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
        root = self._root
        return None if root.done or root.rows_lost else root

    def _run(self) -> None:
        """Extend lists until there is nothing to do."""
        try:
            while True:
                with self._turn:
                    job = self._job()
                    if job is None:
                        self._thread = None
                        return
                    position = self._position if job is self._current else self._empty_board
                self._extend(job, position)
        except BaseException as error:  # raised again by the thread that asks
            with self._turn:
                self._error, self._thread = error, None
                self._turn.notify_all()

    def _extend(self, listing: Listing, position: Position) -> None:
        """One slice of a search; the first slice starts it."""
        if not listing.begun:
            search = self._searches.below(listing.chosen, position.fits)
            with self._turn:
                listing.begin(search)
                self._turn.notify_all()
            return
        batch = listing.look()
        with self._turn:
            listing.take(batch)
            self._forget()
            self._turn.notify_all()
