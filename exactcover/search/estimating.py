"""Estimates before a long search: the size of its tree, how many solutions, how long it takes.

    estimate = ec.estimate(ec.read("tetriscube"))
    print(estimate.solutions, estimate.seconds)

The top of the tree is searched, then random subtrees below it in batches, until the intervals are
narrow or the time is over. A search that is not much longer than the batches is simply made. See
`sampler` for how subtrees are drawn, and `intervals` for the intervals.

The seconds are those of the estimated choices at the speed of the search itself, which is made for
a part of the time. Searches of subtrees are slower: each has to be begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter, thread_time

import numpy as np

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.errors import ExactCoverError
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.automatic import automatic
from exactcover.search.clock import SLICE, Clock, Shared
from exactcover.search.intervals import LEAST, Interval, interval_of_mean
from exactcover.search.plan import make_plan
from exactcover.search.result import Remaining
from exactcover.search.sampler import Effort, Sampler, Steps, Sums, Tree
from exactcover.search.stages import cuttable, require_cuttable
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Solvable, Subject

SECONDS = 10.0
"""The default time limit: as long as a person waits for an estimate."""

PRECISION, CONFIDENCE = 0.1, 0.95

LOOK = 24
"""The intervals are looked at after each multiple of this number of batches: who looks after every
batch stops where they are narrow by chance."""

EFFORT, FEWEST = Effort(1 << 18, 32, 1 << 14), 8
"""The most effort of a batch, and the fewest states of a level that it keeps."""

ENOUGH, QUICK = 4.0, 1 / 64
"""The time limit in seconds that suits this effort, and its least share if there is less time."""

STARTS = 1 << 24
"""An engine looks at the whole problem when it starts below a state. So a batch keeps fewer states
if there are many pieces, and options with many items."""

SEARCHED, PATIENT = 1 / 8, 2.0
"""The part of the time in which the search itself is made: if it ends, the figures are exact; and
its seconds where there is no limit."""

LOADED, SHORT = 1 << 12, 0.05
"""The choices that are made before the clock starts, since compiled code has to be loaded; and the
fewest seconds by which the speed is measured."""

SPEED = 1.25
"""A search that is this many times as fast or slow as its beginning is nothing unusual, so bounds
of seconds are wider by that."""

UNKNOWN = Interval(0.0, 0.0, inf)


@dataclass(frozen=True)
class Estimate:
    """The expected size and result of a search.

    counted     what counts as one solution
    strategy    how the search branches
    confidence  the probability with which each interval holds the truth
    status      "exact": the whole tree was searched; "precise": the intervals are as narrow as was
                wanted; "limit": the time was over before; "interrupted"; "impossible"; while it
                goes on, "estimating"
    reason      why there is no solution, if that is known without a search; else empty
    nodes_by_remaining  options chosen, by the number of pieces left before, the most first
    by_remaining  attempts, fits and no-fits by the number of pieces left, rounded. `stage` has the
                setting of neighbour occupancy filtering in force, as in `fila:f@11 nof=6`
    nodes       options chosen in all, the `fits` of a result
    choices     options tried in all: fits and no-fits
    solutions   how many there are, as `counted` says
    seconds     of processor time in one thread, with the setup
    batches     how many independent estimates the intervals come from
    spent       seconds that the estimate took, without those of compilation
    compiling   seconds in which kernels were compiled
    """

    counted: Convention
    strategy: str
    confidence: float
    status: str
    nodes_by_remaining: Mapping[int, Interval]
    nodes: Interval = UNKNOWN
    choices: Interval = UNKNOWN
    solutions: Interval = UNKNOWN
    seconds: Interval = UNKNOWN
    reason: str = ""
    batches: int = 0
    spent: float = 0.0
    compiling: float = 0.0
    by_remaining: tuple[Remaining, ...] = ()

    def __repr__(self) -> str:
        if self.status == "impossible":
            return f"<Estimate: impossible: {self.reason}>"
        return (
            f"<Estimate: {self.status}, solutions ({self.counted}) {self.solutions.text()}, "
            f"nodes {self.nodes.text()}, seconds {self.seconds.text()} by {self.strategy}>"
        )


class Estimating(Shared):
    """An estimate in progress: `step` goes on, `estimate` is what is known so far.

    `stop` ends it, also from a signal handler. The arguments are those of `estimate`, and

    effort    of a batch. Default: what suits the time limit and the problem
    searched  the part of the time for the search itself; 0: its figures are not taken. Default: an
              eighth
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        precision: float = PRECISION,
        confidence: float = CONFIDENCE,
        time_limit: float | None = SECONDS,
        seed: int = 1,
        effort: Effort | None = None,
        searched: float = SEARCHED,
    ) -> None:
        super().__init__()
        check_whole("seed", seed, least=0, optional=False)
        for name, value in (("precision", precision), ("confidence", confidence)):
            check_kind(name, value, (float, int), "a number between 0 and 1")
            if not 0 < value < 1:
                raise ExactCoverError(f"{name}={value}: it must be between 0 and 1")
        self.precision, self.confidence = precision, confidence
        check_seconds("time_limit", time_limit)
        self._limit = time_limit
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._effort = effort
        self._searched = searched
        self._tree: Tree | None = None
        self._sampler: Sampler | None = None
        self._setup = self._pace = 0.0  # seconds, and seconds a choice
        self._clock, self._done = Clock(), False
        with self._clock.running():
            self.subject = Subject.of(subject, counted)
            self.strategy = cutting_strategy(self.subject, strategy)
        named = str(self.strategy)
        self._figures = Estimate(self.subject.counted, named, confidence, "estimating", {})
        self._clock.limit = self._limit
        self._steps = self._work()

    def run(self) -> Estimate:
        """Go on to the end; return the estimate."""
        while self.step():
            pass
        return self.estimate

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do.

        Raises `BrokenSearch` if an earlier slice was broken off, or again the error that ended it.
        """
        with self._turn():
            began = perf_counter()
            with self._clock.running():
                while not self.over:
                    with self._unbroken():
                        self._done = next(self._steps, True) or self._done
                    if perf_counter() - began >= SLICE:
                        break
            return not self.over

    @property
    def over(self) -> bool:
        """Whether there is nothing more to do."""
        return self._done or self._stopped or self._clock.late

    @property
    def spent(self) -> float:
        """The seconds so far, without those of compilation: a first run does as much as others."""
        return self._clock.now - self._clock.compiling

    @property
    def found(self) -> int:
        """The solutions that batches have found, with their weights."""
        return round(self.estimate.solutions.value)

    @property
    def progress(self) -> float:
        """The share of the time limit that is over, 0 to 1; without a limit 0."""
        if self.over:
            return 1.0
        return min(self._clock.now / self._limit, 1.0) if self._limit else 0.0

    @property
    def estimate(self) -> Estimate:
        """The estimate so far."""
        tree, sampler, known = self._tree, self._sampler, self._figures
        if tree is not None and sampler is not None and known.status == "estimating":
            made = np.array(sampler.made[:])
            if len(made) > known.batches:
                self._figures = self._figured(tree, sampler.top, made, sampler.left)
        status = self._figures.status
        if status == "estimating" and self.over:
            status = "interrupted" if self._stopped else "limit"
        return replace(
            self._figures,
            status=status,
            spent=self._clock.working,
            compiling=self._clock.compiling,
        )

    # -- the work -------------------------------------------------------------------------------

    def _work(self) -> Steps:
        """All of the work, in slices."""
        began = thread_time()
        plan = make_plan(self.subject, self.strategy)
        self._setup = thread_time() - began
        if plan.reason:
            zero, seconds = Interval.exactly(0), Interval.exactly(self._setup)
            self._figures = replace(
                self._figures, status="impossible", reason=plan.reason, nodes=zero, choices=zero,
                solutions=zero, seconds=seconds,
            )  # fmt: skip
            return
        tree = self._tree = Tree(plan, self.strategy)
        self._clock.limit = None  # the first batches may take longer
        yield
        yield from tree.walk(cut=None).finish(LOADED, seconds=SHORT)
        whole = tree.walk(cut=None)
        limit = PATIENT / SEARCHED if self._limit is None else self._limit
        yield from whole.finish(seconds=max(self._searched * limit, SHORT))
        self._pace = max(whole.seconds / max(whole.choices, 1.0), 1e-9)
        if not (whole.done and self._searched):
            effort = self._effort or effort_for(tree, self._limit)
            sampler = self._sampler = Sampler(tree, effort, self._random)
            yield from sampler.survey()
            # A batch in progress is finished, or those with large subtrees would often be missing.
            while len(sampler.made) < LEAST or self._limit is None or self.spent < self._limit:
                yield from sampler.batch()
                if len(sampler.made) % LOOK == 0:
                    found = self.estimate
                    if max(found.nodes.error, found.solutions.error) <= self.precision:
                        self._figures = replace(self._figures, status="precise")
                        return
            return
        made = self._figured(tree, tree.sums(), whole.sums[None], tree.pieces, exact=True)
        self._figures = replace(made, status="exact", batches=0)

    def _figured(
        self, tree: Tree, top: Sums, sums: Sums, left: int, *, exact: bool = False
    ) -> Estimate:
        """The figures by the work above a level, and the estimates of that below it.

        sums   [batches, work]
        exact  there is one, of all the work
        """

        def interval(values: Sums, known: float = 0.0, most: float = inf) -> Interval:
            if exact:
                return Interval.exactly(int(values[0]))
            return interval_of_mean(values, self.confidence, most).plus(known)

        known, fits, tries = tree.fits(top), tree.fits(sums), tree.tries(sums)
        by_remaining = {
            int(at): Interval.exactly(int(known[at])) if at > left else interval(fits[:, at])
            for at in np.flatnonzero(known + fits.sum(axis=0))[::-1]
        }
        nodes = interval(fits.sum(axis=1), known.sum())
        choices = interval(tries.sum(axis=1), tree.tries(top).sum())
        # Below the deepest nodes that were reached there are taken to be no more, so no more
        # solutions either.
        deepest = by_remaining[min(by_remaining)].high if by_remaining else 0.0
        solutions = interval(sums[:, -1], most=min(deepest, nodes.high))
        if sums[:, -1].any():
            solutions = replace(solutions, low=max(solutions.low, 1.0))
        seconds = choices.times(self._pace).plus(self._setup)
        seconds = Interval(seconds.value, seconds.low / SPEED, seconds.high * SPEED)
        made = (known + fits.mean(axis=0)).round(), (tree.tries(top) + tries.mean(axis=0)).round()
        rows = tuple(
            Remaining(at, self.strategy.at(at).in_force, *map(int, (tried, fit, tried - fit)))
            for at, (fit, tried) in reversed([*enumerate(zip(*made, strict=True))])
            if tried
        )
        return replace(
            self._figures, nodes_by_remaining=by_remaining, nodes=nodes, choices=choices,
            solutions=solutions, seconds=seconds, batches=len(sums), by_remaining=rows,
        )  # fmt: skip


def effort_for(tree: Tree, seconds: float | None) -> Effort:
    """The effort of a batch that suits a time limit and a problem."""
    share = 1.0 if seconds is None else min(max(seconds / ENOUGH, QUICK), 1.0)
    kept = STARTS // max(tree.plan.problem.entries.size * tree.pieces, 1)
    known, probe = int(share * EFFORT.known), int(share * EFFORT.probe)
    return Effort(known, min(max(kept, FEWEST), EFFORT.kept), probe)


def cutting_strategy(subject: Subject, strategy: Strategy | str | None) -> Strategy:
    """A strategy whose search can be probed: the one named, or one chosen for the subject.

    Where the automatic strategy has an engine that hands out no states, `dlx` searches instead.
    Raises `CapabilityError` if the strategy that is named has one, and if none is named for a
    puzzle that keeps its rectangles: a search of its cells takes far longer than `skyline`.
    """
    if strategy is None:
        need_cells(subject.model, "an estimate")
    chosen = automatic(subject) if strategy is None else Strategy.of(strategy)
    if strategy is None and not cuttable(chosen):
        return replace(chosen, stages=(Stage("dlx", "s"),))
    require_cuttable(chosen)
    return chosen


def estimate(
    subject: Solvable,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    precision: float = PRECISION,
    confidence: float = CONFIDENCE,
    time_limit: float | None = SECONDS,
    seed: int = 1,
) -> Estimate:
    """How large a search is: nodes, solutions and seconds, each with a confidence interval.

        >>> import exactcover as ec
        >>> estimate = ec.estimate(ec.read("pentominoes_20x3"))
        >>> estimate.status, estimate.solutions.value, estimate.nodes.value
        ('exact', 2, 26521)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    strategy    of the search: a Strategy or its text, as in "redundancy; volume; dlx:s", with
                engines that can hand over. Default: None, chosen for the problem
    precision   stop when half the width of the intervals of nodes and solutions is at most this
                part of the estimate. Default: 0.1
    confidence  the probability with which each interval holds the truth. Default: 0.95
    time_limit  stop after this number of seconds; None: no limit. Default: 10.0
    seed        a whole number; the same seed makes the same probes. Default: 1

    Small trees are searched completely; then the numbers are exact. Otherwise they come from
    searches of subtrees that are drawn at random.
    """
    return Estimating(
        subject,
        counted=counted,
        strategy=strategy,
        precision=precision,
        confidence=confidence,
        time_limit=time_limit,
        seed=seed,
    ).run()
