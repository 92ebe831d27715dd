"""The frontier of a search: the nodes that wait, and those at work.

Workers keep busy with tasks that wait. They hand back what they have not done of a task after some
time, and that waits again. The time is short compared with that of the search so far, so no task
keeps the others waiting at the end. A run in a ledger goes on in this way, where the frontier is a
table, and so does a `TeamSearch`, where it is in memory.

A `TeamSearch` begins alone, in the calling thread, since starting workers does not pay for a short
search. After a while it gives back all branches that it has not begun. These are the first tasks.
It is a search like any other: while nobody calls `advance`, the workers finish what they have and
wait. So limits, Ctrl-C and slow readers need nothing more than with one thread.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from heapq import heappop, heappush
from math import inf
from time import monotonic, perf_counter
from typing import Any

from exactcover.backends.base import Abreast, Branching, Search, Slice, Status, Where
from exactcover.runs.executors import WAIT, Pool
from exactcover.runs.workers import (
    Nodes,
    SearchJob,
    SearchOutcome,
    SearchTask,
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

SearchExecutor = Pool[SearchTask, SearchOutcome]


class Frontier(ABC):
    """Nodes that wait, and those that workers search, each task under a key of its own.

    least    seconds that a worker should search at least before it hands back the rest
    workers  how many there are, as of late
    seconds  of all that is done
    """

    least = 0.1

    def __init__(self) -> None:
        self.workers, self.seconds = 1, 0.0
        self._until = inf  # what is not done at this time, of `monotonic`, is lost
        self._executor: SearchExecutor | None = None
        self._open: dict[Any, float] = {}  # the shares of tasks at work

    @abstractmethod
    def _take(self, most: int) -> Iterable[tuple[Any, Nodes]]:
        """The tasks that are submitted next."""

    @abstractmethod
    def _finish(self, done: list[tuple[Any, SearchOutcome]], *, keep: bool) -> None:
        """Take in outcomes, and let what was handed back wait; `_open` still has the tasks."""

    def _exchange(self, *, keep: bool, wait: float = WAIT) -> None:
        """Take in outcomes, and submit other tasks."""
        executor = self._executor
        assert executor is not None
        if done := executor.finished(wait if self._open else 0):
            self._finish(done, keep=keep)
            for key, _ in done:
                del self._open[key]
        workers = self.workers = executor.number
        small = self.seconds / (SMALL * workers**2)
        left = (self._until - monotonic()) / (AHEAD + 1)
        patience = max(self.least, min(small, left, LONGEST))
        for key, nodes in self._take(max(0, AHEAD * workers - len(self._open))):
            self._open[key] = share_of(nodes)
            executor.submit(key, SearchTask(nodes, patience, keep))


class SharingTeam(ABC):
    """A team whose workers share the search of a plan.

    alone     seconds that the calling thread searches before workers start
    least     see `Frontier`
    pays      workers start only if the search still seems to take this number of seconds
    grain     workers start only if states are handed from stage to stage less often than once in
              this number of seconds: threads take turns at the Python between two stages
    strict    where the order of solutions depends on the division of the tree, the calling thread
              lists them alone
    """

    alone: float
    least: float
    pays: float = 0.0
    grain: float = 0.0
    strict: bool = False

    @abstractmethod
    def executor(self, job: SearchJob) -> SearchExecutor:
        """Its workers, for a job. Whoever takes them closes them."""

    def counting_threads(self) -> Abreast | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""
        return None

    def start(self, plan: Plan, strategy: Strategy, judge: Judge, *, tally: bool = False) -> Search:
        """The search of a plan, by the calling thread alone if an engine cannot be cut."""
        if not cuttable(strategy):
            return alone(plan, strategy, judge, tally=tally)
        return TeamSearch(SearchJob(plan, strategy, judge, tally), self)


class TeamSearch(Frontier):
    """The search of a job by the workers of a team, once the search has proved long.

    Workers judge what they find. Solutions come in the order of one search; those found too early
    wait. Two things make the order of a subtree depend on where it is cut off: `dlx` tries the
    options of an item in an order that depends on what it did before, and with a filter at every
    step `fila` makes its lists for each subtree.
    """

    def __init__(self, job: SearchJob, team: SharingTeam) -> None:
        super().__init__()
        self._job, self._team, self.least = job, team, team.least
        self._judge = job.judge or Judge(job.plan)
        stages = Stages(job.plan, job.strategy, Branching(tally=job.tally))
        self._alone = stages.begin(judge=self._judge)
        self._alone_done = False
        self._close: Callable[[], object] = lambda: None
        self._steady = not job.strategy.stepwise and all(
            stage.backend != "dlx" for stage in job.strategy.stages
        )
        self._loaded = 0.0  # the seconds until states were handed on for the first time
        self._share = 0.0  # of the tasks that wait or are at work
        self._waiting: list[tuple[Place, Nodes]] = []  # a heap; no two are at the same place
        self._handed_back = 0  # how often; minus that is the place of what was handed back
        self._held: list[tuple[Place, Slice]] = []  # a heap of what is not handed out yet
        self._new: list[Slice] = []  # what workers have come to since the last slice
        self._progress = 0.0

    # -- figures ------------------------------------------------------------------------------

    def where(self) -> Where:
        """Where the search is. Workers search in different places, so then it has no position."""
        where = self._alone.where()
        left = self._share + self._alone.share * (1 - where.progress)
        is_over = self._alone_done and not self._left
        self._progress = 1.0 if is_over else max(self._progress, min(1 - left, 1.0))
        where = where._replace(progress=self._progress, workers=self.workers)
        return where if not self._handed_back else where._replace(position=(), chosen=())

    # -- going on -----------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Search alone, and see what the workers have found; see `Search.advance`."""
        slices = [] if self._alone_done else [self._advance_alone(steps, capacity, keep)]
        if not keep:  # the solutions that wait are counted instead
            self._new += [one.without_rows() for _, one in self._held]
            self._held.clear()
        if self._executor is not None and (slices or self._left):
            if not (keep and self._is_ready and self._many_held):  # else the reader is slow
                wait = WAIT if self._alone_done and not self._is_ready else 0
                self._exchange(keep=keep, wait=wait)
            if not self._left and self._alone_done:
                self._close()
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
        return bool(self._waiting or self._open)

    def _advance_alone(self, steps: int, capacity: int, keep: bool) -> Slice:
        """Go on in this thread. After a while, give back all that is not begun."""
        began = perf_counter()
        made = self._alone.advance(steps, capacity=capacity, keep=keep)
        self.seconds += perf_counter() - began
        self._alone_done = made.status is Status.DONE
        if not self._loaded:  # kernels are loaded until states have been handed on
            self._loaded = self.seconds if self._alone.handed else 0.0
        shared = self._steady or not (keep and self._team.strict)
        few = len(self._waiting) < self.workers
        fine = self.seconds - self._loaded < self._team.grain * self._alone.handed
        long = self.seconds > self._team.alone
        if shared and few and long and not (fine or self._alone_done):
            left = self.seconds / max(self.where().progress, 1e-9) - self.seconds
            if left >= self._team.pays:
                self._call_workers()
        return made

    def _call_workers(self) -> None:
        """Start workers; once one is ready, share the rest of the search with them."""
        if self._executor is None:
            self._executor = self._team.executor(self._job)
            self._close = weakref.finalize(self, self._executor.close)
        # Some moments allow to give back none.
        if self._executor.ready and (nodes := self._alone.give_back()):
            tasks = as_tasks(nodes, split=self._handed_back > 0)
            self._handed_back += 1
            self._put((-self._handed_back,), tasks)

    # -- the frontier -------------------------------------------------------------------------

    def _put(self, above: Place, tasks: Iterable[Nodes]) -> None:
        """Let the tasks wait that were handed back by the one at a place."""
        for number, nodes in enumerate(tasks):
            heappush(self._waiting, ((*above, number), nodes))
            self._share += share_of(nodes)

    def _take(self, most: int) -> list[tuple[Place, Nodes]]:
        """The next tasks; with much held back, only the one that the others wait for.

        To a small task those behind it are added, up to one that is at work or held.
        """
        # What takes about half of the least time, if equal shares of the tree take equally long.
        small = self.least / 2 * self.where().progress / max(self.seconds, 1e-9)
        small = min(small, (self._share - sum(self._open.values())) / (4 * self.workers))
        taken: list[tuple[Place, Nodes]] = []
        while self._waiting and len(taken) < most:
            if self._many_held and (taken or self._open):
                break
            place, nodes = heappop(self._waiting)
            others = [*self._open, *(other for other, _ in self._held)]
            end = min((other for other in others if other > place), default=None)
            while self._waiting and share_of(nodes) < small:
                if end is not None and self._waiting[0][0] > end:
                    break
                nodes += heappop(self._waiting)[1]
            taken.append((place, nodes))
        return taken

    def _finish(self, done: list[tuple[Place, SearchOutcome]], *, keep: bool) -> None:
        for place, outcome in done:
            self.seconds += outcome.seconds
            self._share -= self._open[place]
            self._put(place, outcome.rest)
            made = outcome.made
            if keep and len(made):  # its solutions count when they are handed out
                heappush(self._held, (place, replace(made, fits=0, nofits=0, tally={})))
                made = replace(made, found=0, symmetric={})
            self._new.append(made.without_rows())

    # -- solutions ----------------------------------------------------------------------------

    @property
    def _many_held(self) -> bool:
        return sum(len(made) for _, made in self._held) >= HELD

    @property
    def _is_ready(self) -> bool:
        """Whether solutions may be handed out: those with nothing open before them."""
        ahead = [*self._open, *(place for place, _ in self._waiting[:1])]
        ahead += [] if self._alone_done else [()]
        return bool(self._held) and all(self._held[0][0] < place for place in ahead)

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
