"""Searches over an executor: they keep the workers busy with bundles that wait.

A worker hands back what it has not done of a bundle after some time, and that waits again. The time
is short compared with that of the search so far, so no bundle keeps the others waiting at the end.
The run of a puzzle in a ledger goes on in this way, and so does a `PooledSearch`.

A `PooledSearch` begins alone, in the calling thread, since starting workers does not pay for a
short search. After a while it gives back all branches that it has not begun. These are the first
bundles. It is a search like any other: while nobody calls `advance`, the workers finish what they
have and wait. So limits, Ctrl-C and slow readers need nothing more than with one thread.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from heapq import heappop, heappush
from math import inf
from time import monotonic, perf_counter
from typing import Generic, NoReturn, SupportsIndex, TypeVar

from exactcover.backends.base import Batch, Crew, Report, Search, Status, Task, Tried, sum_tallies
from exactcover.backends.node import Node
from exactcover.errors import CapabilityError
from exactcover.runs.executors import WAIT, Executor
from exactcover.runs.jobs import (
    WHOLE,
    Branch,
    Bundle,
    BundleOutcome,
    BundleTotals,
    Portion,
    SearchJob,
    share_of,
)
from exactcover.search.plan import Plan
from exactcover.search.planned import JudgedSearch, alone, canonical_test
from exactcover.search.stages import Stages, cuttable
from exactcover.search.strategy import Strategy

LONGEST = 5.0
"""Seconds after which a worker hands back what it has not begun, at most."""

SMALL = 20
"""A bundle takes about 1/(20 x workers) of the time of the search so far."""

AHEAD = 2
"""Bundles that are submitted for each worker."""

HELD = 1 << 16
"""The solutions that may wait for a slow reader, or for those before them, before no more bundles
are submitted."""

Place = tuple[int, ...]
"""Where a bundle is in the tree: its rest is at its own place with one more number. Places compare
in the order in which one search finds solutions."""

ROOT: Place = ()

Held = tuple[Place, Batch, Counter[str]]
"""Solutions of a bundle: its place, and how many have each group of symmetries."""

KeyT = TypeVar("KeyT")


class Sharing(ABC, Generic[KeyT]):
    """A search whose bundles are done by workers, each under a key of its own.

    least    seconds that a worker should search at least before it hands back the rest
    workers  how many there are, as of late
    """

    least = 0.1

    def __init__(self, totals: BundleTotals) -> None:
        self.workers = 1
        self._totals = totals
        self._until = inf  # what is not done at this time, of `monotonic`, is lost
        self._executor: Executor[Portion, BundleOutcome] | None = None
        self._open: dict[KeyT, float] = {}  # the shares of bundles at work

    @abstractmethod
    def _next(self, most: int) -> Iterable[tuple[KeyT, Bundle]]:
        """The bundles that are submitted next."""

    def _taking_in(self) -> AbstractContextManager[None]:
        """Within this, outcomes are taken in that came together."""
        return nullcontext()

    @abstractmethod
    def _take_in(self, key: KeyT, outcome: BundleOutcome, *, keep: bool) -> None:
        """Take in what a bundle came to, and let what it handed back wait."""

    def _exchange(self, *, keep: bool, wait: float = WAIT) -> None:
        """Take in outcomes, and submit other bundles."""
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
        for key, bundle in self._next(max(0, AHEAD * workers - len(self._open))):
            self._open[key] = share_of(bundle)
            executor.submit(key, Portion(bundle, patience, keep))


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
    def executor(self) -> Executor[Portion, BundleOutcome]:
        """Its workers. Whoever takes them closes them."""

    def crew(self) -> Crew | None:
        """Its threads, for an engine that shares the work of a count; None: one thread counts."""
        return None

    def start(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> Search:
        """The search of a plan, by the calling thread alone if an engine cannot be cut.

        With `tally` it raises `CapabilityError` if an engine has none.
        """
        if not cuttable(strategy):
            return alone(plan, strategy, tally=tally)
        return PooledSearch(SearchJob(plan, strategy, tally=tally), self)


class PooledSearch(Sharing[Place]):
    """The search of a job by the workers of a team, once the search has proved long.

    It applies the canonical test of the plan itself, in the workers. Solutions come in the order of
    one search; those found too early wait. Two things make the order of a subtree depend on where
    it is cut off: `dlx` tries the options of an item in an order that depends on what it did
    before, and with a filter at every step `fila` makes its lists for each subtree.
    """

    def __init__(self, job: SearchJob, team: SharingTeam) -> None:
        super().__init__(BundleTotals())
        self._job, self._team, self.least = job, team, team.least
        stages = Stages(job.plan, job.strategy, Task(tally=job.tally))
        self._branch = Branch(stages.begin(), WHOLE)
        self._test = canonical_test(job.plan)
        self._alone = JudgedSearch(self._branch.search, self._test)
        self._alone_done = False
        self._close: Callable[[], object] = lambda: None
        self._steady = not job.strategy.stepwise and all(
            stage.backend != "dlx" for stage in job.strategy.stages
        )
        self._queue = Queue()
        self._handed_back = 0  # how often; minus that is the place of what was handed back
        self._held: list[Held] = []  # a heap of what is not handed out yet
        self._progress = 0.0
        self._tallies: list[Mapping[int, Tried]] = []
        self._found = 0  # solutions of workers that are handed out or counted
        self._symmetric: Counter[str] = Counter()

    # -- figures ------------------------------------------------------------------------------

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search. Workers search in different places, so then it has no position.

        The symmetries are known if the plan has a canonical test.
        """
        alone = self._alone.report(brief=brief)
        shared = self._handed_back > 0
        tally = sum_tallies([alone.tally, *self._tallies]) if self._job.tally else {}
        return replace(
            alone,
            fits=alone.fits + self._totals.fits,
            nofits=alone.nofits + self._totals.nofits,
            found=alone.found + self._found,
            progress=self._done(alone),
            position=() if shared else alone.position,
            chosen=() if shared else alone.chosen,
            tally=tally,
            symmetric=None if self._test is None else self._alone.symmetric + self._symmetric,
            workers=self.workers,
        )

    def _done(self, alone: Report) -> float:
        """The searched share of the tree; sibling branches count equally."""
        left = self._totals.left + self._branch.left.share * (1 - alone.progress)
        is_over = self._alone_done and not self._left
        self._progress = 1.0 if is_over else max(self._progress, min(1 - left, 1.0))
        return self._progress

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise CapabilityError("a search by several workers can be neither copied nor pickled")

    # -- going on -----------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search alone, and see what the workers have found; see `Search.advance`."""
        batches = [] if self._alone_done else [self._advance_alone(steps, capacity, keep)]
        if not keep:  # the solutions that wait are counted instead
            for _, batch, symmetric in self._held:
                self._found += len(batch)
                self._symmetric += symmetric
            self._held.clear()
        if self._executor is not None and (batches or self._left):
            self._go_on(keep=keep)
        if keep:
            batches += self._taken_out(capacity - sum(map(len, batches)))
        status = Status.BUDGET
        if keep and sum(map(len, batches)) == capacity:
            status = Status.FULL
        elif self._alone_done and not self._left and not self._held:
            status = Status.DONE
        return Batch.joined(batches, status)

    @property
    def _left(self) -> bool:
        return bool(self._queue or self._open)

    def _advance_alone(self, steps: int, capacity: int, keep: bool) -> Batch:
        """Go on in this thread. After a while, give back all that is not begun."""
        began = perf_counter()
        batch = self._alone.advance(steps, capacity=capacity, keep=keep)
        seconds = self._totals.seconds + perf_counter() - began
        self._totals = replace(self._totals, seconds=seconds)
        self._alone_done = batch.status is Status.DONE
        shared = self._steady or not (keep and self._team.strict)
        if shared and not self._alone_done and len(self._queue) < self.workers and self._is_long():
            self._call_workers()
        return batch

    def _is_long(self) -> bool:
        """Whether the search has proved long, and seems to go on for long."""
        seconds = self._totals.seconds
        left = seconds / max(self.report().progress, 1e-9) - seconds
        return seconds > self._team.alone and left >= self._team.pays

    def _call_workers(self) -> None:
        """Start workers; once one is ready, share the rest of the search with them."""
        if self._executor is None:
            self._executor = self._team.executor()
            self._close = weakref.finalize(self, self._executor.close)
            self._executor.start(self._job)
        # Some moments allow to give back none.
        if self._executor.ready and (bundles := self._branch.give_back()):
            self._handed_back += 1
            self._queue.add((-self._handed_back,), bundles)
            more = sum(map(share_of, bundles))
            self._totals = replace(self._totals, left=self._totals.left + more)

    # -- the workers --------------------------------------------------------------------------

    def _go_on(self, *, keep: bool) -> None:
        """Let the workers go on, unless whoever reads the solutions is slow."""
        if not (keep and self._is_ready and self._many_held):
            self._exchange(keep=keep, wait=WAIT if self._alone_done and not self._is_ready else 0)
        if not self._left and self._alone_done:
            self._close()

    def _next(self, most: int) -> Iterator[tuple[Place, Bundle]]:
        """The next bundles; with much held back, only the one that the others wait for."""
        # What takes about half of the least time, if equal shares of the tree take equally long.
        little = self.least / 2 * self.report().progress / max(self._totals.seconds, 1e-9)
        waiting = self._totals.left - sum(self._open.values())
        little = min(little, waiting / (4 * self.workers))
        for _ in range(most):
            if self._queue and not (self._open and self._many_held):
                others = [*self._open, *(place for place, _, _ in self._held)]
                yield self._queue.take(little, others)

    def _take_in(self, key: Place, outcome: BundleOutcome, *, keep: bool) -> None:
        self._queue.add(key, outcome.rest)
        if self._job.tally:
            self._tallies = [sum_tallies([*self._tallies, outcome.tally])]
        if keep and len(outcome.solutions):
            heappush(self._held, (key, outcome.solutions, Counter(outcome.symmetric)))
        else:  # nobody wants them, or nobody did when it was submitted
            self._found += outcome.found
            self._symmetric += Counter(outcome.symmetric)

    # -- solutions ----------------------------------------------------------------------------

    @property
    def _many_held(self) -> bool:
        return sum(len(batch) for _, batch, _ in self._held) >= HELD

    @property
    def _is_ready(self) -> bool:
        """Whether solutions may be handed out: those with nothing open before them."""
        if not self._held:
            return False
        ahead = [*self._open]
        ahead += [] if self._alone_done else [ROOT]
        ahead += [self._queue.first] if self._queue else []
        return all(self._held[0][0] < place for place in ahead)

    def _taken_out(self, capacity: int) -> list[Batch]:
        """The solutions that are ready, as far as there is room for them."""
        batches: list[Batch] = []
        while capacity and self._is_ready:
            place, batch, symmetric = heappop(self._held)
            if len(batch) > capacity:
                part = batch.part(0, capacity)
                taken = self._groups(part, symmetric)
                rest = batch.part(capacity, len(batch))
                heappush(self._held, (place, rest, symmetric - taken))
                batch, symmetric = part, taken
            capacity -= len(batch)
            self._found += len(batch)
            self._symmetric += symmetric
            batches.append(batch)
        return batches

    def _groups(self, part: Batch, symmetric: Counter[str]) -> Counter[str]:
        """How many of these solutions have each group of symmetries."""
        if self._test is None or len(symmetric) <= 1:
            return Counter(dict.fromkeys(symmetric, len(part)))
        _, _, symmetric = self._test(part)
        return symmetric


class Queue:
    """The bundles that wait to be submitted, in the order of one search."""

    def __init__(self) -> None:
        self._bundles: list[tuple[Place, Bundle]] = []  # no two are at the same place

    def __len__(self) -> int:
        return len(self._bundles)

    @property
    def first(self) -> Place:
        """The place of the next bundle."""
        return self._bundles[0][0]

    def add(self, above: Place, bundles: Iterable[Bundle]) -> None:
        """Let the bundles wait that were handed back by the one at a place."""
        for number, bundle in enumerate(bundles):
            heappush(self._bundles, ((*above, number), bundle))

    def take(self, little: float, others: Iterable[Place]) -> tuple[Place, Bundle]:
        """The next bundle. If it is little, those up to the next one of the others are added."""
        place, bundle = heappop(self._bundles)
        end = min((other for other in others if other > place), default=None)
        together: list[Node] = [*bundle]
        share = share_of(bundle)
        while self._bundles and share < little and (end is None or self.first < end):
            _, bundle = heappop(self._bundles)
            together += bundle
            share += share_of(bundle)
        return place, (*together,)
