"""A search by several threads: each takes the next subtree when it has finished one.

Compiled engines release the interpreter lock, so threads search side by side. A `TeamSearch` is a
search like any other. It grants its threads a number of choices, waits until they are made or
enough solutions are there, and returns what was found; when nobody calls `advance` any more, the
threads pause. So limits, Ctrl-C and slow readers need nothing more than they do with one thread.

One thread begins with the whole tree. While too few subtrees wait, a search that has taken long
hands back the branches that it has not begun, and the largest are searched first.

Counts, fits and no-fits are those of one thread, whatever the number of threads and their order;
the solutions come in another order, unless they are asked for in the order of one thread. Two
exceptions: with a filter at every step, `fila` makes its lists for each subtree; and an item with
multiplicities may be branched on otherwise in a subtree. There fits and no-fits depend on where the
tree is split.
"""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Thread
from time import perf_counter
from typing import NoReturn, SupportsIndex

from exactcover.backends.base import Batch, CuttingSearch, Search, Status, Tried
from exactcover.backends.kinds import CuttingBackend
from exactcover.errors import CapabilityError, ExactCoverError
from exactcover.runs.order import AsFound, AsOneWould, Order
from exactcover.runs.subtrees import WHOLE, Openings, Subtree
from exactcover.runs.thread_crew import ThreadCrew
from exactcover.search.combining import joined, sum_tallies
from exactcover.search.driver import Pace
from exactcover.search.plan import Plan
from exactcover.search.planned import Alone, TallyingSearch
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_kind, check_seconds, check_whole

BATCH = 1 << 12
"""The most solutions that a thread finds before it looks at what the others do."""

MOST = 1024
"""The most threads of a team."""

LONGEST = 0.05
"""The most seconds that `advance` waits, if the threads make the granted choices slowly."""

ALONE = 1 << 21
"""The choices that the calling thread makes before others join it; a short search starts none."""

LONG = 1 << 17
"""A search that has made so many choices may be split."""

AHEAD = 1 << 13
"""The solutions that may wait for a slow reader before the threads pause."""


@dataclass(frozen=True)
class Threads:
    """A team of threads, for `solve`, `count` and `Solving`.

        >>> import exactcover as ec
        >>> from exactcover.runs import Threads
        >>> ec.count(ec.read("pentominoes_10x6"), team=Threads(2))
        2339

    number    how many search side by side; a search that cannot be split is searched by one.
              Default: None, one for each free processor
    pays      they join only if the search still seems to take so many seconds. Default: 0
    in_order  whether solutions come in the order of one thread; those found too early wait. `dlx`
              tries the options of an item in an order that depends on what it did before, so one
              thread searches then. Default: False

    A short search is not worth splitting, so the calling thread begins alone.
    """

    number: int | None = None
    pays: float = 0.0
    in_order: bool = False

    def __post_init__(self) -> None:
        check_whole("number", self.number, least=1)
        if self.number is not None and self.number > MOST:
            raise ExactCoverError(f"number={self.number}: a team has at most {MOST} threads")
        check_seconds("pays", self.pays, optional=False)
        check_kind("in_order", self.in_order, (bool,), "True or False")

    def start(self, plan: Plan, strategy: Strategy) -> Search:
        """The search of a plan."""
        engine = engine_of(strategy, plan.subject.layout)
        if self._is_one(strategy) or not isinstance(engine, CuttingBackend):
            return Alone().start(plan, strategy)
        return TeamSearch(plan, strategy, self)

    def start_tallying(self, plan: Plan, strategy: Strategy) -> TallyingSearch:
        """The same with a tally; raises `CapabilityError` if an engine has none."""
        if self._is_one(strategy):
            return Alone().start_tallying(plan, strategy)
        return TeamSearch(plan, strategy, self, tally=True)

    @property
    def most(self) -> int:
        """How many threads search once all have joined."""
        return self.number or free_processors()

    def crew(self) -> ThreadCrew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""
        return None if self.most == 1 else ThreadCrew(self.most)

    def _is_one(self, strategy: Strategy) -> bool:
        """Whether one thread searches."""
        unsteady = any(stage.backend == "dlx" for stage in strategy.stages)
        return self.most == 1 or (self.in_order and unsteady)


def free_processors() -> int:
    """How many processors this process may use and others leave free, one at least."""
    try:
        mine = len(os.sched_getaffinity(0))
        busy = os.getloadavg()[0]
    except (AttributeError, OSError):  # not every system says it
        return os.cpu_count() or 1
    return max(1, min(mine, round((os.cpu_count() or 1) - busy)))


class TeamSearch:
    """The search of a plan by several threads."""

    def __init__(
        self, plan: Plan, strategy: Strategy, threads: Threads, *, tally: bool = False
    ) -> None:
        order: Order = AsOneWould(WHOLE) if threads.in_order else AsFound()
        self._pool, self._pays = Pool(order, tally=tally), threads.pays
        self._members = [
            Member(self._pool, Openings(plan, strategy, tally=tally)) for _ in range(threads.most)
        ]
        self._joined = False
        self._seconds = 0.0  # of searching alone
        self.found = 0

    @property
    def workers(self) -> int:
        """How many threads search now."""
        return len(self._members) if self._joined else 1

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._pool.fits

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._pool.nofits

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
        member, began = self._members[0], perf_counter()
        while not self._pool.answered and member.go_on():
            pass
        self._seconds += perf_counter() - began
        if self.fits > ALONE and not self._pool.over and self._left() >= self._pays:
            self._joined = True
            self._pool.members = len(self._members)
            weakref.finalize(self, self._pool.close)
            for number, one in enumerate(self._members, 1):
                Thread(target=one.run, name=f"search {number}", daemon=True).start()

    def _left(self) -> float:
        """The seconds that the search still seems to take."""
        return self._seconds / max(self.progress(), 1e-9) - self._seconds

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        return self._pool.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """Where the calling thread is while it is alone; later nothing, since threads are in
        different places."""
        return () if self._joined else self._members[0].position()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        return self._pool.tally()


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


class Member:
    """One of the threads: it takes a subtree, searches it, and takes the next one."""

    def __init__(self, pool: Pool, openings: Openings) -> None:
        self._pool, self._openings = pool, openings
        self._pace = Pace()
        self._work: Work | None = None

    def run(self) -> None:
        """Search until nothing is left to search, or the pool is closed."""
        try:
            while self._pool.may_go_on(self._work) and self.go_on():
                pass
        except BaseException as error:  # the thread that asks raises it again
            self._pool.fail(error)

    def position(self) -> Sequence[tuple[int, int]]:
        """Where its search is."""
        return () if self._work is None else self._work.search.position()

    def go_on(self) -> bool:
        """Make some choices; False: no subtree is left."""
        if self._work is None:
            subtree = self._pool.take()
            if subtree is None:
                return False
            self._work = Work(subtree, self._openings.search(subtree))
            self._pool.begin(self._work)
        work, began = self._work, perf_counter()
        batch = work.search.advance(self._pace.steps, capacity=BATCH, keep=self._pool.keep)
        self._pace.learn(perf_counter() - began, spent=batch.status is Status.BUDGET)
        if self._pool.record(work, batch):
            self._pool.add(work, work.give_back())
        if batch.status is Status.DONE:
            self._work = None
        return True


class Pool:
    """What the threads share; all of it is read and changed under one lock.

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

        While the answer is read, they may make as many again. What an earlier grant left over has
        lapsed: a slow reader must not pile up choices.
        """
        with self._changed:
            self._granted = self._ahead = steps
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
