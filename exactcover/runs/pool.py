"""What the threads of a team share: the subtrees that wait, what was found, and what is wanted.

All of it is read and changed under one lock. While too few subtrees wait, a search that has taken
long is told to hand back the branches that it has not begun; the largest subtrees are taken first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Condition

from exactcover.backends.base import Batch, CuttingSearch, Status, Tried
from exactcover.runs.order import Order
from exactcover.runs.subtrees import WHOLE, Subtree
from exactcover.search.combining import joined, sum_tallies

LONGEST = 0.05
"""The most seconds that `advance` waits, if the threads make the granted choices slowly."""

LONG = 1 << 17
"""A search that has made so many choices may be split."""

AHEAD = 1 << 13
"""The solutions that may wait for a slow reader before the threads pause."""

COUNTING_AHEAD = 8
"""How many slices a count goes on for while the caller does something else."""


class Work:
    """The search of a subtree by one thread; the pool changes it under its lock.

    done    the share of the whole tree that it has searched
    left    the share of the whole tree that is still to be searched, without what was handed back
    tally   the options that it has tried
    """

    def __init__(self, subtree: Subtree, search: CuttingSearch) -> None:
        self.subtree, self.search = subtree, search
        self.done, self.left = 0.0, subtree.share
        self.tally: Mapping[int, Tried] = {}
        self.refused = False  # whether nothing could be handed back lately
        self._noted = (0, 0, 0)
        self._behind = self._begun = 0.0  # where `progress` was, and `done`, at the last split

    def news(self) -> tuple[int, int, int]:
        """The fits, no-fits and solutions since the last call."""
        search, before = self.search, self._noted
        self._noted = search.fits, search.nofits, search.found
        fits, nofits, found = (now - then for now, then in zip(self._noted, before, strict=True))
        return fits, nofits, found

    def measure(self) -> None:
        """Note how far the search is."""
        ahead = 1 - self._behind
        done = (self.search.progress() - self._behind) / ahead if ahead > 0 else 1.0
        end = self.done + self.left
        self.done = max(self.done, self._begun + (end - self._begun) * min(done, 1.0))
        self.left = end - self.done

    def give_back(self) -> list[Subtree]:
        """Parts that are no longer searched here; the pool has to note them.

        Their shares are shares of what the search had, without the parts of earlier calls.
        """
        had = replace(self.subtree, share=self.done + self.left)
        return [had.part(part) for part in self.search.give_back()]

    def note(self, parts: Sequence[Subtree]) -> None:
        """Note that these parts are no longer searched here."""
        self.left = max(0.0, self.left - sum(part.share for part in parts))
        self._behind, self._begun = self.search.progress(), self.done


class Pool:
    """The subtrees of a search, and what its threads have found in them.

    members  how many threads search
    keep     whether solutions are kept
    fits, nofits  options tried so far
    """

    def __init__(self, order: Order, *, tally: bool) -> None:
        self._order, self._tallied = order, tally
        self._changed = Condition()
        self._waiting = [WHOLE]  # the largest first
        self._at_work: list[Work] = []
        self._taken = 0  # subtrees that were taken, and are not done
        self._closed = False
        self._error: BaseException | None = None
        self.members = 1
        # What is wanted:
        self._granted = self._ahead = 0  # choices that may still be made, and besides
        self.keep = True
        self._room = 0  # solutions that fit into the answer
        # What was found:
        self._ready: deque[Batch] = deque()
        self._held = 0  # solutions in the batches that are ready
        self._counted = 0  # solutions found since the last answer that are not kept
        self.fits = self.nofits = 0
        self._behind = 0.0  # the share of the tree in subtrees that are done
        self._tallies: list[Mapping[int, Tried]] = []  # of the subtrees that are done

    def close(self) -> None:
        """End the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # -- the thread that asks ---------------------------------------------------------------------

    def grant(self, steps: int, capacity: int, *, keep: bool) -> None:
        """Let the threads make so many choices, or find so many solutions.

        While the answer is read, they may make as many again, and more if they only count. What an
        earlier grant left over has lapsed: a slow reader must not pile up choices.
        """
        with self._changed:
            self._granted = steps
            self._ahead = steps if keep else COUNTING_AHEAD * steps
            self.keep, self._room = keep, capacity
            if not keep:
                self._counted += self._held + self._order.drop()
                self._ready.clear()
                self._held = 0
            self._changed.notify_all()

    @property
    def answered(self) -> bool:
        """Whether there is an answer: all choices are made, or enough solutions are there."""
        full = self._held >= self._room
        return full or self._granted <= 0 or self.over or self._error is not None

    def answer(self) -> tuple[Batch, int]:
        """The solutions found since the last answer, and how many besides were only counted."""
        with self._changed:
            self._changed.wait_for(lambda: self.answered, LONGEST)
            if self._error is not None:
                raise self._error
            batches, held = self._taken_out()
            status = Status.BUDGET
            if held == self._room:
                status = Status.FULL
            elif self.over and not self._held:
                status = Status.DONE
            counted, self._counted = self._counted, 0
            return joined(batches, status), counted

    def _taken_out(self) -> tuple[list[Batch], int]:
        """The solutions that are ready, as far as there is room for them."""
        batches, held = [], 0
        while self._ready and held < self._room:
            batch = self._ready.popleft()
            room = self._room - held
            if len(batch) > room:
                self._ready.appendleft(batch.part(room, len(batch)))
                batch = batch.part(0, room)
            held += len(batch)
            batches.append(batch)
        self._held -= held
        return batches, held

    @property
    def over(self) -> bool:
        """Whether nothing is left to search."""
        return not self._waiting and not self._taken

    def progress(self) -> float:
        """The searched share of the tree."""
        with self._changed:
            if self.over:
                return 1.0
            return min(self._behind + sum(work.done for work in self._at_work), 1.0)

    def tally(self) -> Mapping[int, Tried]:
        """The options tried by the number of pieces left."""
        with self._changed:
            return sum_tallies([*self._tallies, *(work.tally for work in self._at_work)])

    # -- the threads that search ------------------------------------------------------------------

    def may_go_on(self, work: Work | None) -> bool:
        """Wait until choices are granted; False: nothing is left to do."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._may_search(work))
            return not self._ended

    def _may_search(self, work: Work | None) -> bool:
        if self._granted <= -self._ahead or self._held >= max(self._room, AHEAD):
            return False
        # Solutions that come too early must not pile up; those that are waited for must come.
        early = work is not None and not self._order.is_next(work.subtree)
        return not early or self._order.held < AHEAD

    @property
    def _ended(self) -> bool:
        return self._closed or self.over or self._error is not None

    def take(self) -> Subtree | None:
        """The next subtree, once there is one; None: nothing is left to search."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._waiting)
            if self._ended:
                self._changed.notify_all()
                return None
            self._taken += 1
            return self._waiting.pop(self._order.first(self._waiting))

    def begin(self, work: Work) -> None:
        """Note that a thread searches a subtree that it has taken."""
        with self._changed:
            self._at_work.append(work)

    def record(self, work: Work, batch: Batch) -> bool:
        """Note what a thread has done; whether its search should hand back branches."""
        with self._changed:
            fits, nofits, found = work.news()
            self.fits += fits
            self.nofits += nofits
            self._granted -= max(fits, 1)
            self._counted += found
            if self.keep and len(batch):
                self._counted -= len(batch)
                self._put(self._order.add(work.subtree, batch))
            work.measure()
            if self._tallied:
                work.tally = work.search.tally()
            if batch.status is Status.DONE:
                self._finish(work)
            if self.answered:
                self._changed.notify_all()
            return batch.status is not Status.DONE and self._should_split(work)

    def _put(self, batches: list[Batch]) -> None:
        self._ready.extend(batches)
        self._held += sum(map(len, batches))

    def _finish(self, work: Work) -> None:
        self._put(self._order.finish(work.subtree))
        self._behind += work.done + work.left
        if self._tallied:
            self._tallies = [sum_tallies([*self._tallies, work.tally])]
        self._at_work.remove(work)
        self._taken -= 1
        self._changed.notify_all()

    def _should_split(self, work: Work) -> bool:
        """Whether a search should hand back branches: it is long, one of the largest, and too few
        subtrees wait."""
        if len(self._waiting) >= self.members or self.members == 1 or work.search.fits < LONG:
            return False
        largest = max((one.left for one in self._at_work if not one.refused), default=0.0)
        work.refused = False
        return work.left >= largest / 4

    def add(self, work: Work, parts: list[Subtree]) -> None:
        """Take the parts that a search has handed back."""
        with self._changed:
            work.refused = not parts
            work.note(parts)
            self._order.split(work.subtree, parts)
            self._waiting = sorted([*self._waiting, *parts], key=lambda part: -part.share)
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Note that a thread failed."""
        with self._changed:
            self._error = error
            self._changed.notify_all()
