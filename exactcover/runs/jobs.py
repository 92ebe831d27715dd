"""What workers do for a search: they search parts of a plan's tree, and hand back the rest.

A `Job` is all that they must know. Its work comes in bundles of subtrees. A worker searches a
bundle for about the time that it is given; then it hands back, as further bundles, what it has not
begun, and finishes what it has. So a bundle is done once, whoever does it, and the outcomes of all
bundles add up to those of one search.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from time import perf_counter
from typing import Any, NamedTuple

from exactcover.backends.base import Batch, CuttingSearch, Search, Status, Tried
from exactcover.compiled import Stopwatch
from exactcover.errors import ExactCoverError
from exactcover.runs.plugins import NOTHING, Own
from exactcover.runs.subtrees import WHOLE, Subtree
from exactcover.search.combining import joined, sum_tallies
from exactcover.search.driver import BATCH, Pace
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.strategy import Strategy
from exactcover.search.unique import NO_SYMMETRY, UniqueSearch, judged

WARM = 1 << 12
"""Choices that load the compiled code of all engines of a strategy, mostly."""

Bundle = tuple[Subtree, ...]
"""Subtrees that one worker searches one after the other."""

EVERYTHING: Bundle = (WHOLE,)
"""The first bundle of every job."""

MOST_KEPT = 1 << 15
"""A worker that holds more solutions than this hands back the rest, so that its memory is bounded.
"""


class Portion(NamedTuple):
    """A task for a worker: a bundle, and the seconds after which it hands back the rest."""

    bundle: Bundle
    patience: float


@dataclass(frozen=True, eq=False)
class Job:
    """The `Work` of a search: all that the workers must know.

    keep   whether they hand out solutions, or only count them
    tally  whether they count the options tried by the number of pieces left
    own    what the strategy names that is not built in; it travels with the job
    """

    plan: Plan
    strategy: Strategy
    keep: bool = True
    tally: bool = False
    own: Own = NOTHING
    tries = 3

    @classmethod
    def of(cls, plan: Plan, strategy: Strategy, *, keep: bool = True, tally: bool = False) -> Job:
        """The job with what its strategy names, as it is now."""
        return cls(plan, strategy, keep, tally, Own.of(strategy))

    def begin(self) -> Callable[[Portion], Iterator[Outcome | None]]:
        """Prepare the engines; return what searches bundles."""
        worker = Worker(self)
        if parent_process() is not None:  # compiled code is loaded before the process is ready
            worker.warm_up()
        return lambda portion: worker.slices(*portion)

    def lost(self, portion: Portion, reason: str) -> Outcome:
        """Raise the error of a bundle that has ended its workers."""
        raise ExactCoverError(
            f"a part of the search has ended {self.tries} workers, one after the other: {reason}; "
            "use fewer workers, or give them more memory"
        )

    def __reduce__(self) -> tuple[Callable[..., Job], tuple[Any, ...]]:
        fields = self.plan, self.strategy, self.keep, self.tally
        return _received, (self.own, pickle.dumps(fields, pickle.HIGHEST_PROTOCOL))


def _received(own: Own, fields: bytes) -> Job:
    """The job that was pickled, in a process that may not know the heuristics yet."""
    own.load()
    return Job(*pickle.loads(fields))


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the search of a bundle came to.

    found      solutions
    fits, nofits  options tried
    seconds    of searching, without those of compilation, which are `compiling`
    solutions  the solutions, if they are kept
    symmetric  how many of them have each group of symmetries
    tally      the options tried, by the number of pieces left before
    rest       what was handed back, to be searched by others
    """

    found: int = 0
    fits: int = 0
    nofits: int = 0
    seconds: float = 0.0
    compiling: float = 0.0
    solutions: Batch = field(default_factory=lambda: Batch.of(Status.DONE))
    symmetric: Mapping[str, int] = field(default_factory=dict)
    tally: Mapping[int, Tried] = field(default_factory=dict)
    rest: tuple[Bundle, ...] = ()


class Worker:
    """Searches bundles of a job, one after the other. Its engines are prepared once."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._openings = Openings(job.plan, job.strategy, tally=job.tally)
        self._pace = Pace()

    def warm_up(self) -> None:
        """Make some choices for nothing, so that compiled code is loaded before it is needed."""
        self._openings.start(WHOLE.task).advance(WARM)

    def do(self, bundle: Bundle, patience: float) -> Outcome:
        """Search a bundle.

        After `patience` seconds it hands back all branches that it has not begun. What is left is
        the current node of the search, which is soon done.
        """
        [outcome] = filter(None, self.slices(bundle, patience))
        return outcome

    def slices(self, bundle: Bundle, patience: float) -> Iterator[Outcome | None]:
        """The same in slices of about a fiftieth of a second: None after each, then the outcome."""
        waiting = list(reversed(bundle))
        doing = _Doing(self._job)
        rest: list[Bundle] = []
        while waiting:
            subtree = waiting.pop()
            with doing.time.running():
                inner = self._openings.start(subtree.task, subtree.remaining)
                search, more = doing.search(inner), True
            while more:
                with doing.time.running():
                    more = self._go_on(search, doing)
                if doing.time.working > patience or doing.kept > MOST_KEPT:
                    rest += [*bundles_of(search.inner, subtree), *_one_by_one(waiting[::-1])]
                    waiting = []
                yield None
            doing.leave(search)
        yield doing.outcome(tuple(rest))

    def _go_on(self, search: _Judged, doing: _Doing) -> bool:
        """Make some choices; whether there is more to do."""
        began = perf_counter()
        batch = search.outer.advance(self._pace.steps, capacity=BATCH, keep=self._job.keep)
        self._pace.learn(perf_counter() - began, spent=batch.status is Status.BUDGET)
        doing.batches.append(batch)
        doing.kept += len(batch)
        return batch.status is not Status.DONE


@dataclass(frozen=True, eq=False)
class _Judged:
    """A search of a subtree, and the same with the canonical test of the plan."""

    inner: CuttingSearch
    outer: Search


class _Doing:
    """What a worker has done of a bundle."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._found = self._fits = self._nofits = 0
        self._symmetric: Counter[str] = Counter()
        self._tallies: list[Mapping[int, Tried]] = []
        self.batches: list[Batch] = []
        self.kept = 0
        self.time = Stopwatch()

    def search(self, search: CuttingSearch) -> _Judged:
        """The search with the canonical test, if the plan has one."""
        return _Judged(search, judged(search, self._job.plan) or search)

    def leave(self, search: _Judged) -> None:
        """Note what a search that is done has come to."""
        self._found += search.outer.found
        self._fits += search.outer.fits
        self._nofits += search.outer.nofits
        if isinstance(search.outer, UniqueSearch):
            self._symmetric += search.outer.symmetric
        elif self._job.plan.subject.counted != "all" and search.outer.found:
            self._symmetric[NO_SYMMETRY] += search.outer.found
        if self._job.tally:
            self._tallies.append(search.inner.tally())

    def outcome(self, rest: tuple[Bundle, ...]) -> Outcome:
        """All that was done."""
        return Outcome(
            found=self._found,
            fits=self._fits,
            nofits=self._nofits,
            seconds=self.time.working,
            compiling=self.time.compiling,
            solutions=joined(self.batches, Status.DONE),
            symmetric=dict(self._symmetric),
            tally=sum_tallies(self._tallies),
            rest=rest,
        )


def bundles_of(search: CuttingSearch, subtree: Subtree) -> Iterator[Bundle]:
    """All branches that a search has not begun: those of its highest node one by one, since they
    are the largest, those of each node below it together."""
    highest = True
    while parts := search.give_back():
        subtrees = tuple(subtree.part(part) for part in parts)
        # The next parts are shares of what the search still has.
        subtree = replace(subtree, share=subtree.share - sum(one.share for one in subtrees))
        if highest:
            yield from _one_by_one(subtrees)
        else:
            yield subtrees
        highest = False


def _one_by_one(subtrees: list[Subtree] | Bundle) -> Iterator[Bundle]:
    for subtree in subtrees:
        yield (subtree,)
