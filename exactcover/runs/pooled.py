"""Searches over an executor: they keep the workers busy with tasks that wait.

A worker hands back what it has not done of a task after some time, and that waits again. The time
is short compared with that of the search so far, so no task keeps the others waiting at the end.
The run of a puzzle in a ledger goes on in this way, and so does a `PooledSearch`.

A `PooledSearch` begins alone, in the calling thread, since starting workers does not pay for a
short search. After a while it gives back all branches that it has not begun. These are the first
tasks. It is a search like any other: while nobody calls `advance`, the workers finish what they
have and wait. So limits, Ctrl-C and slow readers need nothing more than with one thread.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from heapq import heappop, heappush
from math import inf
from time import monotonic, perf_counter
from typing import Generic, NoReturn, SupportsIndex, TypeVar

from exactcover.backends.base import Abreast, Branching, Search, Slice, Status, Where
from exactcover.backends.node import Node
from exactcover.errors import CapabilityError
from exactcover.runs.executors import WAIT, Executor
from exactcover.runs.jobs import (
    Nodes,
    SearchJob,
    SearchOutcome,
    SearchTask,
    Totals,
    as_tasks,
    share_of,
)
from exactcover.search.begun import alone
from exactcover.search.judge import Judge
from exactcover.search.plan import Plan
from exactcover.search.stages import Stages, cuttable
from exactcover.search.strategy import Strategy

LONGEST = 5.0
"""Seconds after which a worker hands back what it has not begun, at most."""

SMALL = 20
"""A task takes about 1/(20 x workers) of the time of the search so far."""

AHEAD = 2
"""Tasks that are submitted for each worker."""

HELD = 1 << 16
"""The solutions that may wait for a slow reader, or for those before them, before no more tasks
are submitted."""

Place = tuple[int, ...]
"""Where a task is in the tree: its rest is at its own place with one more number. Places compare
in the order in which one search finds solutions."""

START: Place = ()

Held = tuple[Place, Slice]
"""Solutions of a nodes, and its place."""

KeyT = TypeVar("KeyT")


class Sharing(ABC, Generic[KeyT]):
    """A search whose tasks are done by workers, each under a key of its own.

    least    seconds that a worker should search at least before it hands back the rest
    workers  how many there are, as of late
    """

    least = 0.1

    def __init__(self, totals: Totals) -> None:
        self.workers = 1
        self._totals = totals
        self._until = inf  # what is not done at this time, of `monotonic`, is lost
        self._executor: Executor[SearchTask, SearchOutcome] | None = None
        self._open: dict[KeyT, float] = {}  # the shares of tasks at work

    @abstractmethod
    def _next(self, most: int) -> Iterable[tuple[KeyT, Nodes]]:
        """The tasks that are submitted next."""

    def _taking_in(self) -> AbstractContextManager[None]:
        """Within this, outcomes are taken in that came together."""
        return nullcontext()

    @abstractmethod
    def _take_in(self, key: KeyT, outcome: SearchOutcome, *, keep: bool) -> None:
        """Take in what a task came to, and let what it handed back wait."""

    def _exchange(self, *, keep: bool, wait: float = WAIT) -> None:
        """Take in outcomes, and submit other tasks."""
        executor = self._executor
        assert executor is not None
        if finished := executor.finished(wait if self._open else 0):
            totals = self._totals
            with self._taking_in():
                for key, outcome in finished:
                    self._take_in(key, outcome, keep=keep)
                    totals = totals.after(self._open.pop(key), outcome)
            self._totals = totals
        workers = self.workers = executor.number
        small = self._totals.seconds / (SMALL * workers**2)
        left = (self._until - monotonic()) / (AHEAD + 1)
        patience = max(self.least, min(small, left, LONGEST))
        for key, nodes in self._next(max(0, AHEAD * workers - len(self._open))):
            self._open[key] = share_of(nodes)
            executor.submit(key, SearchTask(nodes, patience, keep))


class SharingTeam(ABC):
    """A team whose workers share the search of a plan.

    alone     seconds that the calling thread searches before workers start
    least     see `Sharing`
    pays      workers start only if the search still seems to take this number of seconds
    strict    where the order of solutions depends on the division of the tree, the calling thread
              lists them alone
    """

    alone: float
    least: float
    pays: float = 0.0
    strict: bool = False

    @abstractmethod
    def executor(self) -> Executor[SearchTask, SearchOutcome]:
        """Its workers. Whoever takes them closes them."""

    def counting_threads(self) -> Abreast | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""
        return None

    def start(self, plan: Plan, strategy: Strategy, judge: Judge, *, tally: bool = False) -> Search:
        """The search of a plan, by the calling thread alone if an engine cannot be cut."""
        if not cuttable(strategy):
            return alone(plan, strategy, judge, tally=tally)
        return PooledSearch(SearchJob(plan, strategy, judge, tally), self)


class PooledSearch(Sharing[Place]):
    """The search of a job by the workers of a team, once the search has proved long.

    Workers judge what they find. Solutions come in the order of
    one search; those found too early wait. Two things make the order of a subtree depend on where
    it is cut off: `dlx` tries the options of an item in an order that depends on what it did
    before, and with a filter at every step `fila` makes its lists for each subtree.
    """

    def __init__(self, job: SearchJob, team: SharingTeam) -> None:
        super().__init__(Totals())
        self._job, self._team, self.least = job, team, team.least
        self._judge = job.judge or Judge(job.plan)
        stages = Stages(job.plan, job.strategy, Branching(tally=job.tally))
        self._alone = stages.begin(judge=self._judge)
        self._alone_done = False
        self._close: Callable[[], object] = lambda: None
        self._steady = not job.strategy.stepwise and all(
            stage.backend != "dlx" for stage in job.strategy.stages
        )
        self._queue = Queue()
        self._handed_back = 0  # how often; minus that is the place of what was handed back
        self._held: list[Held] = []  # a heap of what is not handed out yet
        self._new: list[Slice] = []  # what workers have come to since the last slice
        self._progress = 0.0

    # -- figures ------------------------------------------------------------------------------

    def where(self) -> Where:
        """Where the search is. Workers search in different places, so then it has no position."""
        where = replace(self._alone.where(), workers=self.workers)
        where = replace(where, progress=self._done(where.progress))
        return where if not self._handed_back else replace(where, position=(), chosen=())

    def _done(self, alone: float) -> float:
        """The searched share of the tree; sibling branches count equally."""
        left = self._totals.left + self._alone.share * (1 - alone)
        is_over = self._alone_done and not self._left
        self._progress = 1.0 if is_over else max(self._progress, min(1 - left, 1.0))
        return self._progress

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise CapabilityError("a search by several workers can be neither copied nor pickled")

    # -- going on -----------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Search alone, and see what the workers have found; see `Search.advance`."""
        slices = [] if self._alone_done else [self._advance_alone(steps, capacity, keep)]
        if not keep:  # the solutions that wait are counted instead
            self._new += [one.without_rows() for _, one in self._held]
            self._held.clear()
        if self._executor is not None and (slices or self._left):
            self._go_on(keep=keep)
        slices += self._new
        self._new = []
        if keep:
            slices += self._taken_out(capacity - sum(map(len, slices)))
        status = Status.BUDGET
        if keep and sum(map(len, slices)) == capacity:
            status = Status.FULL
        elif self._alone_done and not self._left and not self._held:
            status = Status.DONE
        return Slice.joined(slices, status)

    @property
    def _left(self) -> bool:
        return bool(self._queue or self._open)

    def _advance_alone(self, steps: int, capacity: int, keep: bool) -> Slice:
        """Go on in this thread. After a while, give back all that is not begun."""
        began = perf_counter()
        made = self._alone.advance(steps, capacity=capacity, keep=keep)
        seconds = self._totals.seconds + perf_counter() - began
        self._totals = replace(self._totals, seconds=seconds)
        self._alone_done = made.status is Status.DONE
        shared = self._steady or not (keep and self._team.strict)
        if shared and not self._alone_done and len(self._queue) < self.workers and self._is_long():
            self._call_workers()
        return made

    def _is_long(self) -> bool:
        """Whether the search has proved long, and seems to go on for long."""
        seconds = self._totals.seconds
        left = seconds / max(self.where().progress, 1e-9) - seconds
        return seconds > self._team.alone and left >= self._team.pays

    def _call_workers(self) -> None:
        """Start workers; once one is ready, share the rest of the search with them."""
        if self._executor is None:
            self._executor = self._team.executor()
            self._close = weakref.finalize(self, self._executor.close)
            self._executor.start(self._job)
        # Some moments allow to give back none.
        if self._executor.ready and (nodes := self._alone.give_back()):
            tasks = as_tasks(nodes, split=self._handed_back > 0)
            self._handed_back += 1
            self._queue.add((-self._handed_back,), tasks)
            more = sum(map(share_of, tasks))
            self._totals = replace(self._totals, left=self._totals.left + more)

    # -- the workers --------------------------------------------------------------------------

    def _go_on(self, *, keep: bool) -> None:
        """Let the workers go on, unless whoever reads the solutions is slow."""
        if not (keep and self._is_ready and self._many_held):
            self._exchange(keep=keep, wait=WAIT if self._alone_done and not self._is_ready else 0)
        if not self._left and self._alone_done:
            self._close()

    def _next(self, most: int) -> Iterator[tuple[Place, Nodes]]:
        """The next tasks; with much held back, only the one that the others wait for."""
        # What takes about half of the least time, if equal shares of the tree take equally long.
        little = self.least / 2 * self.where().progress / max(self._totals.seconds, 1e-9)
        waiting = self._totals.left - sum(self._open.values())
        little = min(little, waiting / (4 * self.workers))
        for _ in range(most):
            if self._queue and not (self._open and self._many_held):
                others = [*self._open, *(place for place, _ in self._held)]
                yield self._queue.take(little, others)

    def _take_in(self, key: Place, outcome: SearchOutcome, *, keep: bool) -> None:
        self._queue.add(key, outcome.rest)
        made = outcome.made
        if keep and len(made):  # its solutions count when they are handed out
            heappush(self._held, (key, replace(made, fits=0, nofits=0, tally={})))
            made = replace(made, found=0, symmetric={})
        self._new.append(made.without_rows())

    # -- solutions ----------------------------------------------------------------------------

    @property
    def _many_held(self) -> bool:
        return sum(len(made) for _, made in self._held) >= HELD

    @property
    def _is_ready(self) -> bool:
        """Whether solutions may be handed out: those with nothing open before them."""
        if not self._held:
            return False
        ahead = [*self._open]
        ahead += [] if self._alone_done else [START]
        ahead += [self._queue.first] if self._queue else []
        return all(self._held[0][0] < place for place in ahead)

    def _taken_out(self, capacity: int) -> list[Slice]:
        """The solutions that are ready, as far as there is room for them."""
        slices: list[Slice] = []
        while capacity and self._is_ready:
            place, made = heappop(self._held)
            if len(made) > capacity:
                first, rest = made.part(0, capacity), made.part(capacity, len(made))
                if len(made.symmetric) > 1:
                    first, rest = self._judge(first), self._judge(rest)
                heappush(self._held, (place, rest))
                made = first
            capacity -= len(made)
            slices.append(made)
        return slices


class Queue:
    """The tasks that wait to be submitted, in the order of one search."""

    def __init__(self) -> None:
        self._tasks: list[tuple[Place, Nodes]] = []  # no two are at the same place

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def first(self) -> Place:
        """The place of the next task."""
        return self._tasks[0][0]

    def add(self, above: Place, tasks: Iterable[Nodes]) -> None:
        """Let the tasks wait that were handed back by the one at a place."""
        for number, nodes in enumerate(tasks):
            heappush(self._tasks, ((*above, number), nodes))

    def take(self, little: float, others: Iterable[Place]) -> tuple[Place, Nodes]:
        """The next task. If it is little, those up to the next one of the others are added."""
        place, nodes = heappop(self._tasks)
        end = min((other for other in others if other > place), default=None)
        together: list[Node] = [*nodes]
        share = share_of(nodes)
        while self._tasks and share < little and (end is None or self.first < end):
            _, nodes = heappop(self._tasks)
            together += nodes
            share += share_of(nodes)
        return place, (*together,)
