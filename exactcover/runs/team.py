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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Thread
from time import perf_counter
from typing import NoReturn, SupportsIndex

from exactcover.backends.base import Batch, Search, Status, Tried
from exactcover.backends.kinds import CuttingBackend
from exactcover.errors import CapabilityError, ExactCoverError
from exactcover.runs.order import AsFound, AsOneWould, Order
from exactcover.runs.pool import Pool, Work
from exactcover.runs.subtrees import WHOLE
from exactcover.runs.thread_crew import ThreadCrew
from exactcover.search.driver import Pace
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.planned import Alone, TallyingSearch
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_kind, check_seconds, check_whole

BATCH = 1 << 12
"""The most solutions that a thread finds before it looks at what the others do."""

MOST = 1024
"""The most threads of a team."""

ALONE = 1 << 19
"""The choices that the calling thread makes before others join it, some hundredths of a second; a
short search starts none."""


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

    @property
    def any_order(self) -> bool:
        """Whether the automaton may be used instead: not if solutions come in order."""
        return not self.in_order

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
        self._tally = tally
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
            search = self._openings.start(subtree.task, subtree.remaining)
            self._work = Work(subtree, search)
            self._pool.begin(self._work)
        work, began = self._work, perf_counter()
        batch = work.search.advance(self._pace.steps, capacity=BATCH, keep=self._pool.keep)
        self._pace.learn(perf_counter() - began, spent=batch.status is Status.BUDGET)
        if self._pool.record(work, batch):
            self._pool.add(work, work.give_back())
        if batch.status is Status.DONE:
            self._work = None
        return True
