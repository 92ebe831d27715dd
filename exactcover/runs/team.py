"""A search by several threads: each takes the next subtree when it has finished one.

Compiled engines release the interpreter lock, so threads search side by side. A `TeamSearch` is a
search like any other. It grants its threads a number of choices, waits until they are made or
enough solutions are there, and returns what was found; between two calls of `advance` the threads
pause. So limits, Ctrl-C and slow readers need nothing more than they do with one thread.

Counts, fits and no-fits are those of one thread, whatever the number of threads and their order;
the solutions come in another order.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread

from exactcover.backends.base import Batch, CuttingSearch, Status, Tried
from exactcover.runs.subtrees import Openings, Subtree, Subtrees
from exactcover.search.combining import OVERHEAD, joined, sum_tallies
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy

BATCH = 1 << 12
"""The most solutions that a thread finds before it looks at what the others do."""

CHUNK = 1 << 16
"""The most choices that a thread makes before it looks at what the others do."""


class TeamSearch:
    """The search of a plan by several threads; a `CuttingSearch` in all but cuts.

    threads  how many
    """

    def __init__(
        self, plan: Plan, strategy: Strategy, threads: int, *, tally: bool = False
    ) -> None:
        upper = Openings(plan, strategy, tally=tally)
        self._work = _Work(Subtrees(upper, plan), threads)
        self.found = 0
        for number in range(threads):
            own = number, Openings(plan, strategy, tally=tally)
            Thread(target=self._work.search, args=own, name=f"search {number}", daemon=True).start()
        weakref.finalize(self, self._work.close)

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._work.totals()[0]

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._work.totals()[1]

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Let the threads make about so many choices together; see `Search.advance`."""
        batch, found = self._work.advance(steps, capacity, keep)
        self.found += len(batch) if keep else found
        return batch

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        return self._work.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """Nothing: the threads are in different places."""
        return ()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        return self._work.tally()


@dataclass
class _Worker:
    """What one thread does, as the others may see it: its engine is only its own.

    subtree  where it searches; None: nowhere
    done     the share of the subtree that it has searched
    tally    the options that it has tried there
    """

    subtree: Subtree | None = None
    done: float = 0.0
    tally: Mapping[int, Tried] = field(default_factory=dict)


class _Work:
    """What the threads share; all of it is read and changed under one lock."""

    def __init__(self, subtrees: Subtrees, threads: int) -> None:
        self._subtrees = subtrees
        self._changed = Condition()
        self._workers = [_Worker() for _ in range(threads)]
        self._more = True  # whether there are subtrees that no thread has taken
        self._closed = False
        self._error: BaseException | None = None
        # What is wanted:
        self._granted = 0  # choices that may still be made
        self._keep = True
        self._room = 0
        # What was found:
        self._waiting: deque[Batch] = deque()
        self._held = 0  # solutions in the batches that wait
        self._found = 0  # solutions counted since the last call of `advance`
        self._below = [0, 0]  # fits and no-fits below the subtrees
        self._behind = 0.0  # the share of the tree in subtrees that are done
        self._tallies: list[Mapping[int, Tried]] = []  # of the subtrees that are done

    def close(self) -> None:
        """End the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # -- the thread that asks ---------------------------------------------------------------------

    def advance(self, steps: int, capacity: int, keep: bool) -> tuple[Batch, int]:
        """Solutions, and how many were counted, after about so many more choices."""
        with self._changed:
            self._granted = max(self._granted, 0) + steps
            self._keep, self._room = keep, capacity
            self._changed.notify_all()
            self._changed.wait_for(self._answered)
            if self._error is not None:
                raise self._error
            batches, held = self._taken(capacity)
            status = Status.BUDGET
            if held == capacity:
                status = Status.FULL
            elif self._over and not self._held:
                status = Status.DONE
            found, self._found = self._found, 0
            return joined(batches, status), found

    def _answered(self) -> bool:
        """Whether `advance` has something to return."""
        full = self._held >= self._room
        return full or self._granted <= 0 or self._over or self._error is not None

    def _taken(self, capacity: int) -> tuple[list[Batch], int]:
        """At most so many of the solutions that wait."""
        batches, held = [], 0
        while self._waiting and held < capacity:
            batch = self._waiting.popleft()
            room = capacity - held
            if len(batch) > room:
                self._waiting.appendleft(batch.part(room, len(batch)))
                batch = batch.part(0, room)
            held += len(batch)
            batches.append(batch)
        self._held -= held
        return batches, held

    @property
    def _over(self) -> bool:
        return not self._more and all(worker.subtree is None for worker in self._workers)

    def totals(self) -> tuple[int, int]:
        """Fits and no-fits so far."""
        with self._changed:
            above = self._subtrees
            return above.fits + self._below[0], above.nofits + self._below[1]

    def progress(self) -> float:
        """The searched share of the tree."""
        with self._changed:
            if self._over:
                return 1.0
            begun = [worker for worker in self._workers if worker.subtree is not None]
            shares = [worker.subtree.share * worker.done for worker in begun if worker.subtree]
            return min(self._behind + sum(shares), 1.0)

    def tally(self) -> Mapping[int, Tried]:
        """The options tried by the number of pieces left."""
        with self._changed:
            running = [worker.tally for worker in self._workers]
            return sum_tallies([self._subtrees.tally(), *self._tallies, *running])

    # -- the threads that search ------------------------------------------------------------------

    def search(self, number: int, openings: Openings) -> None:
        """Search one subtree after the other until there are no more."""
        worker = self._workers[number]
        try:
            while (subtree := self._next(worker)) is not None:
                search = openings.search(subtree)
                done = False
                while not done:
                    if not self._may_go_on():
                        return
                    before = search.fits, search.nofits, search.found
                    batch = search.advance(CHUNK, capacity=BATCH, keep=self._keep)
                    done = batch.status is Status.DONE
                    self._record(worker, search, before, batch)
        except BaseException as error:  # raised again by `advance`
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _next(self, worker: _Worker) -> Subtree | None:
        """Take the next subtree; None: there is none left, or the search is over."""
        if not self._may_go_on():
            return None
        with self._changed:
            subtree = self._subtrees.next() if self._more else None
            self._more = self._more and subtree is not None
            worker.subtree, worker.done, worker.tally = subtree, 0.0, {}
            self._changed.notify_all()
        return subtree

    def _may_go_on(self) -> bool:
        """Wait until more choices are granted; False: the search was closed."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or (self._granted > 0 and self._held < self._room)
            )
            return not self._closed

    def _record(
        self, worker: _Worker, search: CuttingSearch, before: tuple[int, int, int], batch: Batch
    ) -> None:
        """What a thread has done since `before`."""
        with self._changed:
            assert worker.subtree is not None
            fits, nofits, found = before
            self._granted -= search.fits - fits + OVERHEAD
            self._below[0] += search.fits - fits
            self._below[1] += search.nofits - nofits
            self._found += search.found - found
            if len(batch):
                self._waiting.append(batch)
                self._held += len(batch)
            if self._subtrees.tallied:
                worker.tally = search.tally()
            worker.done = search.progress()
            if batch.status is Status.DONE:
                self._subtrees.learn(worker.subtree, search.fits)
                self._behind += worker.subtree.share
                self._tallies = [sum_tallies([*self._tallies, worker.tally])]
                worker.subtree, worker.tally = None, {}
            if self._answered():
                self._changed.notify_all()
