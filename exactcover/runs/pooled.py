"""A search over an executor: it keeps the workers busy, and hands out what they find.

It begins alone, in the calling thread, since starting workers does not pay for a short search.
After a while it gives back all branches that it has not begun. These are the first bundles; the
largest are submitted first. A worker hands back what it has not done after some time, and that is
submitted again. The time is short compared with that of the search so far, so no bundle keeps the
others waiting in the end.
"""

from __future__ import annotations

import weakref
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from math import fsum
from time import perf_counter
from typing import NoReturn, SupportsIndex

from exactcover.backends.base import Batch, Status, Tried
from exactcover.errors import CapabilityError
from exactcover.runs.executors import Executor
from exactcover.runs.jobs import Bundle, Job, Outcome, Portion, bundles_of
from exactcover.runs.subtrees import WHOLE, Subtree
from exactcover.search.combining import joined, sum_tallies
from exactcover.search.openings import Openings
from exactcover.search.unique import judged

ALONE = 1.5
"""Seconds that the calling thread searches before workers start."""

WAIT = 0.04
"""Seconds that `advance` waits for outcomes at most."""

LONGEST = 5.0
"""Seconds after which a worker hands back what it has not begun, at most."""

SMALL = 20
"""A bundle takes about 1/(20 x workers) of the time of the search so far."""

AHEAD = 2
"""Bundles that are submitted for each worker."""

HELD = 1 << 13
"""The solutions that may wait for a slow reader before no more outcomes are fetched."""


class PooledSearch:
    """The search of a job by the workers of an executor.

    recruit  makes the executor, once the search has proved long
    least    seconds that a worker should search at least before it hands back the rest
    workers  how many search now

    It applies the canonical test of the plan itself, in the workers.
    """

    def __init__(
        self, job: Job, recruit: Callable[[], Executor[Portion, Outcome]], *, least: float
    ) -> None:
        self._job, self._recruit, self._least = job, recruit, least
        self._inner = Openings(job.plan, job.strategy, tally=job.tally).start(WHOLE.task)
        self._unique = judged(self._inner, job.plan)
        self._alone = self._unique or self._inner
        self._alone_done = False
        self._seconds = 0.0  # of searching, by this thread and by all workers
        self._executor: Executor[Portion, Outcome] | None = None
        self._shared = False  # whether workers have got a part of the search
        self._close: Callable[[], object] = lambda: None
        self._waiting = _Waiting()
        self._open: dict[int, float] = {}  # the shares of the bundles that workers have
        self._numbers = count(1)
        self._ready: deque[tuple[Batch, Counter[str]]] = deque()  # to be handed out
        self._held = 0  # solutions in them
        self._progress = 0.0
        self._tallies: list[Mapping[int, Tried]] = []
        self._fits = self._nofits = self._found = 0  # of workers; solutions handed out or counted
        self._symmetric: Counter[str] = Counter()
        self.workers = 1

    @property
    def fits(self) -> int:
        """Options chosen so far."""
        return self._alone.fits + self._fits

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit."""
        return self._alone.nofits + self._nofits

    @property
    def found(self) -> int:
        """Solutions that were handed out, or counted."""
        return self._alone.found + self._found

    @property
    def symmetric(self) -> Mapping[str, int]:
        """How many of them have each group of symmetries, if the plan has a canonical test."""
        return self._symmetric + (Counter() if self._unique is None else self._unique.symmetric)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search alone, or see what the workers have found; see `Search.advance`."""
        if not self._alone_done:
            return self._advance_alone(steps, capacity, keep)
        if not keep:
            self._count_ready()
        if self._left:
            self._exchange(keep=keep)
        batches = self._taken_out(capacity) if keep else []
        status = Status.BUDGET
        if keep and sum(map(len, batches)) == capacity:
            status = Status.FULL
        elif not self._left and not self._ready:
            status = Status.DONE
        return joined(batches, status)

    @property
    def _left(self) -> bool:
        """Whether workers have anything left to search."""
        return bool(self._waiting or self._open)

    def _advance_alone(self, steps: int, capacity: int, keep: bool) -> Batch:
        """Go on in this thread. After a while, give back all that is not begun."""
        began = perf_counter()
        batch = self._alone.advance(steps, capacity=capacity, keep=keep)
        self._seconds += perf_counter() - began
        self._alone_done = batch.status is Status.DONE
        if self._seconds > ALONE and not self._alone_done and not self._left:
            self._call_workers(keep=keep)
        if self._left:
            self._exchange(keep=keep, wait=0)
        elif self._alone_done:
            self._close()
        if self._alone_done and (self._left or self._ready):
            return replace(batch, status=Status.BUDGET)
        return batch

    def _call_workers(self, *, keep: bool) -> None:
        """Start workers; once one is ready, share the rest of the search with them."""
        if self._executor is None:
            self._executor = self._recruit()
            self._close = weakref.finalize(self, self._executor.close)
            self._job = replace(self._job, keep=keep)
            self._executor.start(self._job)
        self._executor.finished(0)  # this raises what hinders them
        if self._executor.ready:
            self._progress = max(self._progress, self._inner.progress())
            for bundle in bundles_of(self._inner, WHOLE):  # some moments allow none
                self._waiting.add(bundle)
            self._shared = self._shared or bool(self._waiting)

    # -- the workers --------------------------------------------------------------------------

    def _exchange(self, *, keep: bool, wait: float = WAIT) -> None:
        """Submit bundles, and take in the outcomes of others."""
        if keep and self._held >= HELD:
            return  # whoever reads them is slow
        executor = self._executor
        assert executor is not None
        if keep and not self._job.keep and not self._open:
            self._job = replace(self._job, keep=True)
            executor.start(self._job)
        # Workers that only count finish what they have before solutions are wanted of them.
        may_submit = self._job.keep or not keep
        if may_submit:
            self._submit(executor)
        for number, outcome in executor.finished(0 if self._ready else wait):
            self._take_in(number, outcome, keep=keep)
        if may_submit:
            self._submit(executor)
        if not self._left and self._alone_done:
            self._close()

    def _submit(self, executor: Executor[Portion, Outcome]) -> None:
        """Submit the largest bundles; small ones several at a time."""
        workers = self.workers = executor.number
        patience = min(max(self._least, self._seconds / (SMALL * workers**2)), LONGEST)
        # What takes about half of the least time, if equal shares of the tree take equally long.
        little = self._least / 2 * self.progress() / self._seconds
        little = min(little, self._waiting.share / (4 * workers))
        while self._waiting and len(self._open) < AHEAD * workers:
            bundle = self._waiting.take(little)
            number = next(self._numbers)
            self._open[number] = share_of(bundle)
            executor.submit(number, Portion(bundle, patience))

    def _take_in(self, number: int, outcome: Outcome, *, keep: bool) -> None:
        """Add up what a bundle came to."""
        del self._open[number]
        for bundle in outcome.rest:
            self._waiting.add(bundle)
        self._seconds += outcome.seconds
        self._fits += outcome.fits
        self._nofits += outcome.nofits
        if self._job.tally:
            self._tallies = [sum_tallies([*self._tallies, outcome.tally])]
        if not (keep and self._job.keep):
            self._found += outcome.found
            self._symmetric += Counter(outcome.symmetric)
        elif outcome.found:
            self._ready.append((outcome.solutions, Counter(outcome.symmetric)))
            self._held += outcome.found

    # -- solutions ----------------------------------------------------------------------------

    def _count_ready(self) -> None:
        """Count the solutions that wait, instead of handing them out."""
        for batch, symmetric in self._ready:
            self._found += len(batch)
            self._symmetric += symmetric
        self._ready.clear()
        self._held = 0

    def _taken_out(self, capacity: int) -> list[Batch]:
        """The solutions that wait, as far as there is room for them."""
        batches: list[Batch] = []
        while self._ready and capacity:
            batch, symmetric = self._ready.popleft()
            if len(batch) > capacity:
                taken = self._groups(batch.part(0, capacity), symmetric)
                self._ready.appendleft((batch.part(capacity, len(batch)), symmetric - taken))
                batch, symmetric = batch.part(0, capacity), taken
            capacity -= len(batch)
            self._held -= len(batch)
            self._found += len(batch)
            self._symmetric += symmetric
            batches.append(batch)
        return batches

    def _groups(self, part: Batch, symmetric: Counter[str]) -> Counter[str]:
        """How many of these solutions have each group of symmetries."""
        if self._unique is None or len(symmetric) <= 1:
            return Counter(dict.fromkeys(symmetric, len(part)))
        return self._unique.judge(part)[1]

    # -- how far it is ------------------------------------------------------------------------

    def progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        if not self._shared:
            return self._alone.progress()
        ahead = self._waiting.share + fsum(self._open.values())
        if not ahead and self._alone_done:
            return 1.0
        if self._alone_done:
            self._progress = max(self._progress, min(1 - ahead, 1.0))
        return self._progress

    def position(self) -> Sequence[tuple[int, int]]:
        """Where the calling thread is; nothing once workers search in different places."""
        return () if self._shared else self._alone.position()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        return sum_tallies([self._inner.tally(), *self._tallies]) if self._job.tally else {}

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise CapabilityError("a search by several processes can be neither copied nor pickled")


class _Waiting:
    """The bundles that wait to be submitted.

    share  of the whole tree, in all of them
    """

    def __init__(self) -> None:
        self._bundles: list[tuple[float, int, Bundle]] = []
        self._numbers = count()
        self._share = 0.0

    def __len__(self) -> int:
        return len(self._bundles)

    @property
    def share(self) -> float:
        """How much of the whole tree waits."""
        return self._share if self._bundles else 0.0

    def add(self, bundle: Bundle) -> None:
        """Let a bundle wait."""
        share = share_of(bundle)
        self._share += share
        heappush(self._bundles, (-share, next(self._numbers), bundle))

    def take(self, little: float) -> Bundle:
        """The largest bundle, with others if it is little."""
        together: list[Subtree] = []
        share = 0.0
        while self._bundles and (not together or share < little):
            less, _, bundle = heappop(self._bundles)
            together += bundle
            share -= less
        self._share -= share
        return (*together,)


def share_of(bundle: Bundle) -> float:
    """How much of the whole tree a bundle is."""
    return fsum(subtree.share for subtree in bundle)
