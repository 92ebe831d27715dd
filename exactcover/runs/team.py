"""A search by several threads: each takes the next subtree when it has finished one.

Compiled engines release the interpreter lock, so threads search side by side. A `TeamSearch` is a
search like any other. It grants its threads a number of choices, waits until they are made or
enough solutions are there, and returns what was found; between two calls of `advance` the threads
pause. So limits, Ctrl-C and slow readers need nothing more than they do with one thread.

Counts, fits and no-fits are those of one thread, whatever the number of threads and their order;
the solutions come in another order. Two exceptions: with a filter at every step, `fila` makes its
lists for each subtree; and below a cut, an item with multiplicities may be branched on otherwise.
There fits and no-fits depend on where the tree is cut.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Condition, Thread
from typing import NoReturn, SupportsIndex

from exactcover.backends.base import Batch, CuttingSearch, Search, Status, Tried
from exactcover.backends.kinds import CuttingBackend
from exactcover.errors import CapabilityError
from exactcover.runs.subtrees import Openings, Subtree, Subtrees
from exactcover.search.combining import OVERHEAD, joined, sum_tallies
from exactcover.search.plan import Plan
from exactcover.search.planned import Alone, TallyingSearch
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_whole

CHUNK = 1 << 16
"""The most choices that a thread makes before it looks at what the others do."""

BATCH = 1 << 12
"""The most solutions that a thread finds before it looks at what the others do."""

LONGEST = 0.05
"""The most seconds that `advance` waits, if the threads make the granted choices slowly."""

ALONE = 1 << 21
"""The choices that the calling thread makes before others join it; a short search starts none."""


@dataclass(frozen=True)
class Threads:
    """A team of threads, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Threads
        >>> ec.count(ec.read("pentominoes_10x6"), team=Threads(2))
        2339

    number  how many search side by side; a search that cannot be split is searched by one

    A search of less than about a second is not worth splitting, so threads join after that.
    """

    number: int

    def __post_init__(self) -> None:
        check_whole("number", self.number, least=1, optional=False)

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        if self.number == 1 or not isinstance(
            engine_of(strategy, plan.subject.layout), CuttingBackend
        ):
            return Alone().start(plan, strategy)
        return TeamSearch(plan, strategy, self.number)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        if self.number == 1:
            return Alone().start_tallying(plan, strategy)
        return TeamSearch(plan, strategy, self.number, tally=True)


class TeamSearch:
    """The search of a plan by several threads."""

    def __init__(
        self, plan: Plan, strategy: Strategy, threads: int, *, tally: bool = False
    ) -> None:
        self._pool = Pool(Subtrees(Openings(plan, strategy, tally=tally)))
        self._members = [
            Member(self._pool, Openings(plan, strategy, tally=tally)) for _ in range(threads)
        ]
        self._joined = False
        self.found = 0

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._pool.totals()[0]

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._pool.totals()[1]

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Let the threads make about so many choices together; see `Search.advance`."""
        self._pool.grant(steps, capacity, keep=keep)
        if not self._joined:
            self._go_alone()
        batch, counted = self._pool.answer()
        self.found += len(batch) + counted
        return batch

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise CapabilityError("a search by several threads can be neither copied nor pickled")

    def _go_alone(self) -> None:
        """Search in the calling thread; after a while the others join."""
        member = self._members[0]
        while not self._pool.answered and member.go_on():
            pass
        if self.fits > ALONE:
            self._joined = True
            weakref.finalize(self, self._pool.close)
            for number, one in enumerate(self._members, 1):
                Thread(target=one.run, name=f"search {number}", daemon=True).start()

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        return self._pool.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """Nothing: the threads are in different places."""
        return ()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        return self._pool.tally()


class Member:
    """One of the threads: it takes a subtree, searches it, and takes the next one.

    What the others may see of it is changed under the lock of the pool; its engine is its own.

    subtree  where it searches; None: nowhere
    done     the share of the subtree that it has searched
    tally    the options that it has tried there
    """

    def __init__(self, pool: Pool, openings: Openings) -> None:
        self._pool, self._openings = pool, openings
        self._search: CuttingSearch | None = None
        self.subtree: Subtree | None = None
        self.done = 0.0
        self.tally: Mapping[int, Tried] = {}

    def run(self) -> None:
        """Search until nothing is left to search, or the pool is closed."""
        try:
            while self._pool.may_go_on() and self.go_on():
                pass
        except BaseException as error:  # the thread that asks raises it again
            self._pool.fail(error)

    def go_on(self) -> bool:
        """Make some choices; False: no subtree is left for it."""
        if self._search is None:
            if not self._pool.take(self):
                return False
            assert self.subtree is not None
            self._search = self._openings.search(self.subtree)
        search = self._search
        before = search.fits, search.nofits, search.found
        steps, keep = self._pool.wanted
        batch = search.advance(steps, capacity=BATCH, keep=keep)
        self._pool.record(self, search, before, batch)
        if batch.status is Status.DONE:
            self._search = None
        return True


class Pool:
    """What the threads share; all of it is read and changed under one lock."""

    def __init__(self, subtrees: Subtrees) -> None:
        self._subtrees = subtrees
        self._changed = Condition()
        self._at_work: set[Member] = set()
        self._more = True  # whether there are subtrees that no thread has taken
        self._closed = False
        self._error: BaseException | None = None
        # What is wanted:
        self._granted = 0  # choices that may still be made
        self._keep = True
        self._room = 0  # solutions that fit into the answer
        # What was found:
        self._waiting: deque[Batch] = deque()
        self._held = 0  # solutions in the batches that wait
        self._counted = 0  # solutions found since the last answer that are not kept
        self._below = [0, 0]  # fits and no-fits below the subtrees
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

        What an earlier grant left over has lapsed: a slow reader must not pile up choices.
        """
        with self._changed:
            self._granted = steps
            self._keep, self._room = keep, capacity
            if not keep:
                self._counted += self._held
                self._waiting.clear()
                self._held = 0
            self._changed.notify_all()

    @property
    def answered(self) -> bool:
        """Whether there is an answer: all choices are made, or enough solutions are there."""
        full = self._held >= self._room
        return full or self._granted <= 0 or self._over or self._error is not None

    def answer(self) -> tuple[Batch, int]:
        """The solutions found since the last answer, and how many besides were only counted."""
        with self._changed:
            self._changed.wait_for(lambda: self.answered, LONGEST)
            if self._error is not None:
                raise self._error
            batches, held = self._taken()
            status = Status.BUDGET
            if held == self._room:
                status = Status.FULL
            elif self._over and not self._held:
                status = Status.DONE
            counted, self._counted = self._counted, 0
            return joined(batches, status), counted

    def _taken(self) -> tuple[list[Batch], int]:
        """The solutions that wait, as far as there is room for them."""
        batches, held = [], 0
        while self._waiting and held < self._room:
            batch = self._waiting.popleft()
            room = self._room - held
            if len(batch) > room:
                self._waiting.appendleft(batch.part(room, len(batch)))
                batch = batch.part(0, room)
            held += len(batch)
            batches.append(batch)
        self._held -= held
        return batches, held

    @property
    def _over(self) -> bool:
        return not self._more and not self._at_work

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
            begun = [one.subtree.share * one.done for one in self._at_work if one.subtree]
            return min(self._behind + sum(begun), 1.0)

    def tally(self) -> Mapping[int, Tried]:
        """The options tried by the number of pieces left."""
        with self._changed:
            begun = [one.tally for one in self._at_work]
            return sum_tallies([self._subtrees.tally(), *self._tallies, *begun])

    # -- the threads that search ------------------------------------------------------------------

    @property
    def wanted(self) -> tuple[int, bool]:
        """How many choices a thread should make now, and whether solutions are kept."""
        return max(1, min(CHUNK, self._granted)), self._keep

    def may_go_on(self) -> bool:
        """Wait until choices are granted; False: nothing is left to do."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._ended or (self._granted > 0 and self._held < self._room)
            )
            return not self._ended

    @property
    def _ended(self) -> bool:
        return self._closed or self._over or self._error is not None

    def take(self, member: Member) -> bool:
        """Give a thread the next subtree; False: there is none."""
        with self._changed:
            subtree = self._subtrees.next() if self._more else None
            if subtree is None:
                self._more = False
                self._changed.notify_all()
                return False
            self._at_work.add(member)
            member.subtree, member.done, member.tally = subtree, 0.0, {}
            return True

    def record(
        self, member: Member, search: CuttingSearch, before: tuple[int, int, int], batch: Batch
    ) -> None:
        """Note what a thread has done since `before`."""
        with self._changed:
            assert member.subtree is not None
            fits, nofits, found = before
            self._granted -= search.fits - fits + OVERHEAD
            self._below[0] += search.fits - fits
            self._below[1] += search.nofits - nofits
            if self._keep and len(batch):
                self._waiting.append(batch)
                self._held += len(batch)
                self._counted -= len(batch)
            self._counted += search.found - found
            member.done = search.progress()
            if self._subtrees.tallied:
                member.tally = search.tally()
            if batch.status is Status.DONE:
                self._subtrees.learn(member.subtree, search.fits)
                self._behind += member.subtree.share
                self._tallies = [sum_tallies([*self._tallies, member.tally])]
                self._at_work.remove(member)
                member.subtree = None
            if self.answered:
                self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Note that a thread failed."""
        with self._changed:
            self._error = error
            self._changed.notify_all()
