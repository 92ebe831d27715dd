"""The work of a search: workers search parts of a plan's tree, and hand back the rest.

A `SearchJob` is all that they must know. Its work comes in bundles of subtrees. A worker searches a
bundle for about the time that it is given; then it hands back, as further bundles, what it has not
begun, and finishes what it has. So a bundle is done once, whoever does it, and the outcomes of all
bundles add up to those of one search.

Tasks of equal depth, made beforehand, are too uneven: of 289 tasks of the Tetris Cube one has 4.4 %
of the work. A task that is started anew, cut deeper, throws work away. To hand branches back costs
one worker nothing, and fits and no-fits do not depend on the number of workers.

A subtree is a part that a search has handed back (`CuttingSearch.give_back`). `Stages` are
prepared once, at the root, so its search starts in a tenth of a millisecond to two.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import fsum
from typing import Any, NamedTuple

from exactcover.backends.base import (
    Batch,
    CuttingSearch,
    Report,
    Status,
    Task,
    Tried,
    sum_tallies,
)
from exactcover.backends.node import Node
from exactcover.base.compiled import Stopwatch
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import Work
from exactcover.runs.own import Own
from exactcover.search.driver import BATCH, Pace, moment, spent_since
from exactcover.search.plan import Plan
from exactcover.search.planned import NO_SYMMETRY, JudgedSearch, canonical_test
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy

WARM = 1 << 12
"""Choices that load the compiled code of all engines of a strategy, mostly."""

WHOLE = Node()
"""The whole tree of any plan."""

Bundle = tuple[Node, ...]
"""Nodes that one worker searches one after the other."""

EVERYTHING: Bundle = (WHOLE,)
"""The first bundle of every job."""

MOST_KEPT = 1 << 15
"""A worker that holds more solutions than this hands back the rest, so that its memory is bounded.
"""


class Portion(NamedTuple):
    """A task for a worker.

    bundle    what it searches
    patience  the seconds after which it hands back the rest
    keep      whether it hands out the solutions, or only counts them
    """

    bundle: Bundle
    patience: float
    keep: bool = True


@dataclass(frozen=True, eq=False)
class BundleOutcome:
    """The outcome of the search of a bundle.

    found      solutions
    fits, nofits  options tried
    seconds    of searching, without those of compilation, which are `compiling`
    solutions  the solutions, if they are kept
    symmetric  how many of them have each group of symmetries
    tally      the options tried, by the number of pieces left before
    rest       what was handed back, to be searched by others: bundles in the order of one search,
               which come after all that was searched here
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


@dataclass(frozen=True, eq=False)
class SearchJob(Work[Portion, BundleOutcome]):
    """All that the workers of a search must know.

    tally  whether they count the options tried by the number of pieces left
    own    the plug-ins of the strategy, which travel with the job. Default: None, as they are now
    """

    plan: Plan
    strategy: Strategy
    tally: bool = False
    own: Own | None = None
    tries = 3

    def __post_init__(self) -> None:
        if self.own is None:
            object.__setattr__(self, "own", Own.of(self.strategy))

    def begin(self) -> Callable[[Portion], Iterator[BundleOutcome | None]]:
        """Prepare the engines once; return what searches bundles, one after the other."""
        from multiprocessing import parent_process  # its import takes some milliseconds

        stages = Stages(self.plan, self.strategy, Task(tally=self.tally))
        if parent_process() is not None:  # compiled code is loaded before the process is ready
            stages.begin().advance(WARM)
        return partial(self._slices, stages, Pace())

    def _slices(
        self, stages: Stages, pace: Pace, portion: Portion
    ) -> Iterator[BundleOutcome | None]:
        """Search a bundle in slices of about a fiftieth of a second: None after each, then the
        outcome.

        When its patience is over it hands back the branches that it has not begun, in each slice
        those of one node, the highest. What is left is soon done.
        """
        waiting, time = [*reversed(portion.bundle)], Stopwatch()
        batches: list[Batch] = []
        reports: list[Report] = []
        rest: list[Bundle] = []
        while waiting:
            subtree = waiting.pop()
            with time.running():
                branch = Branch(stages.begin(subtree), subtree)
                search = JudgedSearch(branch.search, canonical_test(self.plan))
            more = True
            while more:
                began = moment()
                with time.running():
                    batch = search.advance(pace.steps, capacity=BATCH, keep=portion.keep)
                pace.learn(spent_since(began), spent=batch.status is Status.BUDGET)
                if len(batch):
                    batches.append(batch)
                more = batch.status is not Status.DONE
                if time.working > portion.patience or sum(map(len, batches)) > MOST_KEPT:
                    not_begun = [(one,) for one in reversed(waiting)]
                    rest[:0] = [*branch.give_back(), *not_begun]
                    waiting = []
                yield None
            reports.append(search.report(brief=not self.tally))
        yield BundleOutcome(
            found=sum(report.found for report in reports),
            fits=sum(report.fits for report in reports),
            nofits=sum(report.nofits for report in reports),
            seconds=time.working,
            compiling=time.compiling,
            solutions=Batch.joined(batches, Status.DONE),
            symmetric=sum(map(self._symmetric, reports), Counter()),
            tally=sum_tallies(report.tally for report in reports) if self.tally else {},
            rest=tuple(rest),
        )

    def _symmetric(self, report: Report) -> Counter[str]:
        """How many solutions have each group of symmetries; if the filters have removed every copy,
        none has one."""
        if report.symmetric is not None:
            return Counter(report.symmetric)
        counted = self.plan.subject.counted != "all" and report.found
        return Counter({NO_SYMMETRY: report.found}) if counted else Counter()

    def lost(self, portion: Portion, reason: str) -> BundleOutcome:
        """Raise the error of a bundle that has ended its workers."""
        raise ExactCoverError(
            f"a part of the search has ended {self.tries} workers, one after the other: {reason}; "
            "use fewer workers, or give them more memory"
        )

    def __reduce__(self) -> tuple[Callable[..., SearchJob], tuple[Any, ...]]:
        fields = self.plan, self.strategy, self.tally
        return _received, (self.own, pickle.dumps(fields, pickle.HIGHEST_PROTOCOL))


def _received(own: Own, fields: bytes) -> SearchJob:
    """The job that was pickled, in a process that may not know the heuristics yet."""
    own.load()
    plan, strategy, tally = pickle.loads(fields)
    return SearchJob(plan, strategy, tally, own)


class Branch:
    """The search of a subtree, which can give parts of it to others.

    left  the subtree without them
    """

    def __init__(self, search: CuttingSearch, subtree: Node) -> None:
        self.search = search
        self.left, self._split = subtree, False

    def give_back(self) -> list[Bundle]:
        """The branches of the highest node that are not begun, in the order of the search; they
        come before all that was handed back earlier.

        At the first call they are bundles of their own, since they are the largest; later ones are
        one bundle.
        """
        whole = self.left.share
        back = self.search.give_back()
        parts = tuple(node._replace(share=whole * node.share) for node in back)
        # The next parts are shares of what the search still has.
        self.left = self.left._replace(share=self.left.share - share_of(parts))
        one_by_one, self._split = not self._split, self._split or bool(parts)
        return [(part,) for part in parts] if one_by_one else [parts] if parts else []


def share_of(bundle: Bundle) -> float:
    """How much of the whole tree a bundle is."""
    return fsum(subtree.share for subtree in bundle)


@dataclass(frozen=True)
class BundleTotals:
    """Sums over the bundles of a search, which are tasks in a ledger.

    whole, left  the shares of the tree that all of them have, and that is not searched
    """

    solutions: int = 0
    fits: int = 0
    nofits: int = 0
    seconds: float = 0.0
    compiling: float = 0.0
    tasks_done: int = 0
    tasks_waiting: int = 0
    whole: float = 0.0
    left: float = 0.0

    @property
    def done(self) -> float:
        """The searched share of what they have, 0 to 1."""
        if not self.tasks_waiting:
            return 1.0
        return min(max(1.0 - self.left / self.whole, 0.0), 1.0) if self.whole else 0.0

    def after(self, share: float, outcome: BundleOutcome) -> BundleTotals:
        """The sums once a waiting bundle with this share is done."""
        return BundleTotals(
            solutions=self.solutions + outcome.found,
            fits=self.fits + outcome.fits,
            nofits=self.nofits + outcome.nofits,
            seconds=self.seconds + outcome.seconds,
            compiling=self.compiling + outcome.compiling,
            tasks_done=self.tasks_done + 1,
            tasks_waiting=self.tasks_waiting - 1 + len(outcome.rest),
            whole=self.whole,
            left=self.left - share + sum(map(share_of, outcome.rest)),
        )
