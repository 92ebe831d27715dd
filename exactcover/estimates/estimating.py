"""Estimates before a long search: the size of its tree, how many solutions, how long it takes.

    estimate = ec.estimate(ec.read("tetriscube"))
    print(estimate.solutions, estimate.seconds)

First the top of the tree is searched completely, and all of a small tree. Then batches of random
probes estimate the rest, until the intervals are narrow or the time is over. See `probes` for the
batches, `layering` for the choice of layers, and `intervals` for the intervals.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from math import ceil
from time import perf_counter, thread_time

import numpy as np

from exactcover.backends.kinds import CuttingBackend
from exactcover.backends.tasks import cutting
from exactcover.errors import ExactCoverError
from exactcover.estimates.estimated import Estimate, Figures
from exactcover.estimates.layering import EFFORT, Effort, Known, layered, survey
from exactcover.estimates.probes import Probes, probed
from exactcover.estimates.tree import Steps, Tree
from exactcover.search.automatic import automatic
from exactcover.search.driver import SLICE, Clock
from exactcover.search.plan import make_plan
from exactcover.search.sharing import Shared
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Solvable, Subject
from exactcover.search.underway import STRATEGIES, checked_time_limit
from exactcover.values.arguments import check_kind, check_whole

SECONDS = 10.0
"""The default time limit: as long as a person waits for an estimate."""

PRECISION, CONFIDENCE = 0.1, 0.95

FIRST_LOOK, LOOKS = 24, 1.3
"""The batches before the first look at the intervals, and how many times as many before the next
one. Who looks after every batch stops where intervals are narrow by chance."""

GRACE = 1.25
"""A batch in progress at the time limit is finished, unless that takes this many times the limit.
Without it, batches that meet large subtrees would be missing more often than others."""


class Estimating(Shared):
    """An estimate in progress: `step` goes on, `estimate` is what is known so far.

    `stop` ends it, also from a signal handler. The arguments are those of `estimate`, and

    effort  how much it may spend on each of its parts. Default: what suits a search of minutes
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        counted: str | None = None,
        strategy: Strategy | str | None = None,
        precision: float = PRECISION,
        confidence: float = CONFIDENCE,
        time_limit: float | None = SECONDS,
        seed: int = 1,
        effort: Effort = EFFORT,
    ) -> None:
        super().__init__()
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        check_whole("seed", seed, optional=False)
        for name, value in (("precision", precision), ("confidence", confidence)):
            check_kind(name, value, (float, int), "a number between 0 and 1")
            if not 0 < value < 1:
                raise ExactCoverError(f"{name}={value}: it must be between 0 and 1")
        if seed < 0:
            raise ExactCoverError(f"seed={seed}: it must not be negative")
        self.precision, self.confidence = precision, confidence
        self._clock = Clock(checked_time_limit(time_limit))
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._effort = effort
        self._tree: Tree | None = None
        self._known: Known | None = None
        self._batches: list[Probes] = []
        self._setup = 0.0
        self._reason = ""
        self._look, self._figures = FIRST_LOOK, Figures.nothing()
        self._figured = 0
        self._precise = self._done = False
        began = perf_counter()
        self.subject = Subject.of(subject, counted)
        self.strategy = cutting_strategy(self.subject, strategy)
        self._clock.seconds += perf_counter() - began
        self._steps = self._work()

    def run(self) -> Estimate:
        """Go on to the end; return the estimate."""
        while self.step():
            pass
        return self.estimate

    def step(self) -> bool:
        """Go on for about a fiftieth of a second; return whether there is more to do."""
        with self._turn():
            began = perf_counter()
            with self._clock.running():
                while not self._over and perf_counter() - began < SLICE:
                    self._done = next(self._steps, True) or self._done
            return not self._over

    @property
    def _over(self) -> bool:
        return self._done or self._stopped or self._clock.late or self._passed(GRACE)

    def _passed(self, times: float = 1.0) -> bool:
        """Whether the time limit has passed, so many times."""
        limit = self._clock.limit
        return limit is not None and self._clock.now >= limit * times

    @property
    def found(self) -> int:
        """The solutions that probes have found, with their weights."""
        return round(self.estimate.solutions.value)

    @property
    def progress(self) -> float:
        """The share of the time limit that is over, 0 to 1; without a limit 0."""
        if self._over:
            return 1.0
        return min(self._clock.now / self._clock.limit, 1.0) if self._clock.limit else 0.0

    @property
    def estimate(self) -> Estimate:
        """What is known so far."""
        figures = self._figures_now()
        return Estimate(
            **{name: getattr(figures, name) for name in Figures.__dataclass_fields__},
            counted=self.subject.counted,
            strategy=str(self.strategy),
            confidence=self.confidence,
            status=self._status(),
            reason=self._reason,
            batches=len(self._batches),
            probes=sum(sum(batch.walked[1:]) for batch in self._batches),
            spent=self._clock.now,
            memory=_memory(),
        )

    # -- the work -------------------------------------------------------------------------------

    def _work(self) -> Steps:
        """All of the work, in slices."""
        began = thread_time()
        plan = make_plan(self.subject, self.strategy)
        self._setup = thread_time() - began
        self._reason = plan.reason
        if plan.reason:
            self._figures = Figures.zero(self._setup)
            return
        tree = self._tree = Tree(plan, self.strategy)
        yield
        self._known = yield from survey(tree, self._effort.known)
        if self._known.whole:
            return
        layers = yield from layered(tree, self._known, self._effort, self._random.random)
        while not (self._passed() or self._is_precise()):
            offsets = [self._random.random() for _ in layers]
            self._batches.append((yield from probed(tree, layers, offsets)))

    def _is_precise(self) -> bool:
        """Whether the intervals are narrow enough, if it is time to look at them."""
        if len(self._batches) < self._look:
            return False
        self._look = ceil(LOOKS * len(self._batches))
        self._precise = self._figures_now().error <= self.precision
        return self._precise

    def _figures_now(self) -> Figures:
        batches = tuple(self._batches)
        if self._known is not None and self._tree is not None and len(batches) >= self._figured:
            self._figured = len(batches) + 1
            self._figures = Figures.of(
                self._tree, self._known, batches, confidence=self.confidence, setup=self._setup
            )
        return self._figures

    def _status(self) -> str:
        if self._reason:
            return "impossible"
        if self._known is not None and self._known.whole:
            return "exact"
        if self._precise:
            return "precise"
        if self._stopped:
            return "interrupted"
        return "limit" if self._over else "estimating"


def cutting_strategy(subject: Subject, strategy: Strategy | str | None) -> Strategy:
    """A strategy whose search can be probed: the one named, or one chosen for the subject.

    Where the automatic strategy has an engine that hands out no states, `dlx` searches instead.
    Raises `CapabilityError` if the strategy that is named has one, and for a puzzle that keeps its
    rectangles: `skyline` searches it, and a search of its cells takes far longer.
    """
    chosen = automatic(subject) if strategy is None else Strategy.of(strategy)
    engine = engine_of(chosen, subject.layout)
    by_cells = strategy is None and not subject.keeps_rectangles
    if by_cells and not isinstance(engine, CuttingBackend):
        return replace(chosen, stages=(Stage("dlx", "s"),))
    cutting(engine)
    return chosen


def _memory() -> int | None:
    """The most bytes that this process has taken; None: the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def estimate(
    subject: Solvable,
    *,
    counted: str | None = None,
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
    counted     what counts as one solution. "rotations": solutions that rotations take to each
                other count once; "reflections": those that mirrors take to each other, too;
                "all": every solution counts. Default: None, "rotations" for a puzzle. A plain
                problem has no symmetries, so all its solutions count, whatever this says
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
