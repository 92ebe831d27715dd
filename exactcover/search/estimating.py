"""Estimates before a long search: the size of its tree, how many solutions, how long it takes.

    estimate = ec.estimate(ec.read("tetriscube"))
    print(estimate.solutions, estimate.seconds)

Random probes start at once, a few short ones, so there are figures soon. The more figures there are
the more is searched: the known top of the tree and the probes become larger, until the intervals
are narrow or the time is over. A search that is not much longer than the probes is simply made. See
`sampler` for how states are drawn, and `intervals` for the intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from time import thread_time

import numpy as np

from exactcover.base.memory import peak_memory
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import ExactCoverError
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.automatic import automatic
from exactcover.search.driver import InSlices
from exactcover.search.intervals import LEAST, Interval, interval_of_mean
from exactcover.search.plan import make_plan
from exactcover.search.sampler import Effort, Probes, survey
from exactcover.search.stages import cuttable, require_cuttable
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Solvable, Subject
from exactcover.search.subtrees import Steps, SubtreeWalk, Sums, Tree
from exactcover.search.underway import checked_time_limit

SECONDS = 10.0
"""The default time limit: as long as a person waits for an estimate."""

PRECISION, CONFIDENCE = 0.1, 0.95

FIRST_LOOK, LOOKS = 24, 1.3
"""The batches before the first look at the intervals, and how many times as many before the next
one. Who looks after every batch stops where intervals are narrow by chance."""

EFFORTS = Effort(0, 8, 1 << 6), Effort(1 << 13, 16, 1 << 11), Effort(1 << 20, 32, 1 << 13)
"""From walks that say something at once to probes that suit a search of minutes."""

AT_ONCE = 1 << 10
"""A search of no more choices than this is made before any probe."""

SEARCHED = 1 << 23
"""A search that seems to make no more choices than this, or than the probes so far, is made beside
them, at twice their pace: so it takes a second or two, and an estimate at most three times as long
as without it."""

FIRST, GRACE = 8, 1.0
"""The batches that are made even after the time limit, if that takes at most twice the grace; those
without which there is no figure are made in any case. A batch in progress at the limit is finished,
if that takes no longer than this: otherwise batches that meet large subtrees would be missing more
often than others."""


# -- the figures -------------------------------------------------------------------------------

SPEED = 1.25
"""A computer that runs this many times as fast or slow as during the probes is nothing unusual, so
bounds of seconds are wider by that."""

ROUGH = 3.0
"""Seconds of all choices by those of the fastest ones may be off by this factor."""

UNKNOWN = Interval(0.0, 0.0, float("inf"))


@dataclass(frozen=True)
class Figures:
    """The numbers of an estimate that say how large the search is; `setup` is the seconds before
    it."""

    nodes_by_remaining: Mapping[int, Interval]
    nodes: Interval
    choices: Interval
    solutions: Interval
    seconds: Interval

    @classmethod
    def nothing(cls) -> Figures:
        """No numbers at all: nothing was searched yet."""
        return cls({}, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)

    @classmethod
    def zero(cls, seconds: float) -> Figures:
        """There is nothing to search."""
        none = Interval.exactly(0)
        return cls({}, none, none, none, _measured(Interval.exactly(seconds)))

    @classmethod
    def exactly(cls, tree: Tree, sums: Sums, setup: float) -> Figures:
        """The numbers by a search of the whole tree."""
        fits, tries = tree.fits(sums), tree.tries(sums)
        return cls(
            {at: Interval.exactly(int(fits[at])) for at in _used(fits)},
            Interval.exactly(int(fits.sum())),
            Interval.exactly(int(tries.sum())),
            Interval.exactly(int(sums[-2])),
            _measured(Interval.exactly(sums[-1] + setup)),
        )

    @classmethod
    def of(cls, tree: Tree, probes: Probes, confidence: float, setup: float) -> Figures:
        """The numbers by a search of the top of the tree, and probes below it."""
        top, left = probes.top.sums, probes.top.left
        sums = np.array(probes.made).reshape(-1, top.size)
        known, fits, tries = tree.fits(top), tree.fits(sums), tree.tries(sums)
        by_remaining = {
            at: Interval.exactly(int(known[at]))
            if at > left
            else interval_of_mean(fits[:, at], confidence)
            for at in _used(np.append(fits[:, : left + 1].sum(axis=0), known[left + 1 :]))
        }
        # Below the deepest nodes that were reached there are taken to be no more, so no more
        # solutions either.
        deepest = by_remaining[min(by_remaining)] if by_remaining else Interval.exactly(0)
        nodes = interval_of_mean(fits[:, : left + 1].sum(axis=1), confidence)
        nodes = nodes.plus(int(known[left + 1 :].sum()))
        solutions = interval_of_mean(sums[:, -2], confidence, most=min(deepest.high, nodes.high))
        if sums[:, -2].any():
            solutions = replace(solutions, low=max(solutions.low, 1.0))
        choices = interval_of_mean(tries[:, : left + 1].sum(axis=1), confidence)
        choices = choices.plus(int(tree.tries(top)[left + 1 :].sum()))
        if probes.effort.known:
            seconds = interval_of_mean(sums[:, -1], confidence)
        else:  # a walk takes longer than its choices
            seconds = choices.times(tree.each, off=ROUGH)
        return cls(by_remaining, nodes, choices, solutions, _measured(seconds.plus(setup)))

    @property
    def error(self) -> float:
        """The largest relative error of the numbers that a user asks for."""
        return max(self.nodes.error, self.solutions.error)


@dataclass(frozen=True)
class Estimate(Figures):
    """The expected size and result of a search.

    nodes_by_remaining  options chosen, by the number of pieces left before, the most first
    nodes       options chosen in all, the `fits` of a result
    choices     options tried in all: fits and no-fits
    solutions   how many there are, as `counted` says
    seconds     of processor time in one thread, with the setup
    counted     what counts as one solution
    strategy    how the search branches
    confidence  the probability with which each interval holds the truth
    status      "exact": the whole tree was searched; "precise": the intervals are as narrow as was
                wanted; "limit": the time was over before; "interrupted"; "impossible"; while it
                goes on, "estimating"
    reason      why there is no solution, if that is known without a search; else empty
    batches     how many independent estimates the intervals come from
    spent       seconds that the estimate took, without those of compilation
    compiling   seconds in which kernels were compiled
    memory      the most bytes that this process has taken so far. A search takes about as much,
                since it keeps no solutions. None: unknown
    """

    counted: Convention
    strategy: str
    confidence: float
    status: str
    reason: str = ""
    batches: int = 0
    spent: float = 0.0
    memory: int | None = None
    compiling: float = 0.0

    def __repr__(self) -> str:
        if self.status == "impossible":
            return f"<Estimate: impossible: {self.reason}>"
        return (
            f"<Estimate: {self.status}, solutions ({self.counted}) {self.solutions.text()}, "
            f"nodes {self.nodes.text()}, seconds {self.seconds.text()} by {self.strategy}>"
        )


def _used(fits: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """The numbers of pieces left with which options were chosen, the most first."""
    return [int(at) for at in np.flatnonzero(fits)[::-1]]


def _measured(seconds: Interval) -> Interval:
    """Seconds with the bounds that the varying speed of a computer makes necessary."""
    return Interval(seconds.value, seconds.low / SPEED, seconds.high * SPEED)


# -- an estimate in progress -----------------------------------------------------------------------


class Estimating(InSlices):
    """An estimate in progress: `step` goes on, `estimate` is what is known so far.

    `stop` ends it, also from a signal handler. The arguments are those of `estimate`, and

    efforts   of the probes, one after another. Default: from walks to what suits minutes
    searched  the choices of a search that is made beside the probes; 0: none is. Default: what
              takes a second or two
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
        efforts: Sequence[Effort] = EFFORTS,
        searched: int = SEARCHED,
    ) -> None:
        super().__init__()
        check_whole("seed", seed, optional=False)
        for name, value in (("precision", precision), ("confidence", confidence)):
            check_kind(name, value, (float, int), "a number between 0 and 1")
            if not 0 < value < 1:
                raise ExactCoverError(f"{name}={value}: it must be between 0 and 1")
        if seed < 0:
            raise ExactCoverError(f"seed={seed}: it must not be negative")
        self.precision, self.confidence = precision, confidence
        self._limit = checked_time_limit(time_limit)
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._efforts, self._searched = efforts, searched
        self._tree: Tree | None = None
        self._probes: list[Probes] = []
        self._whole: Sums | None = None
        self._setup = 0.0
        self._reason = ""
        self._figures = Figures.nothing()
        self._figured: tuple[Probes, int] | None = None
        self._precise = False
        with self._clock.running():
            self.subject = Subject.of(subject, counted)
            self.strategy = cutting_strategy(self.subject, strategy)
        self._clock.limit = self._limit
        self._steps = self._work()

    def run(self) -> Estimate:
        """Go on to the end; return the estimate."""
        while self.step():
            pass
        return self.estimate

    @property
    def _over(self) -> bool:
        if super()._over or self._clock.late:
            return True
        made = len(self._probes[0].made) if self._probes else 0
        return made >= LEAST and self._passed(GRACE if made >= FIRST else 2 * GRACE)

    def _passed(self, grace: float = 0.0) -> bool:
        """Whether the time limit has passed, and this number of seconds after it."""
        return self._limit is not None and self._spent >= self._limit + grace

    @property
    def _late(self) -> bool:
        """Whether the time limit has passed, and no other batch is to be begun."""
        return self._passed() and len(self._probes[0].made if self._probes else ()) >= FIRST

    @property
    def found(self) -> int:
        """The solutions that probes have found, with their weights."""
        return round(self.estimate.solutions.value)

    @property
    def progress(self) -> float:
        """The share of the time limit that is over, 0 to 1; without a limit 0."""
        if self._over:
            return 1.0
        return min(self._clock.now / self._limit, 1.0) if self._limit else 0.0

    @property
    def estimate(self) -> Estimate:
        """The estimate so far."""
        figures = self._figures_now()
        return Estimate(
            **vars(figures),
            counted=self.subject.counted,
            strategy=str(self.strategy),
            confidence=self.confidence,
            status=self._status(),
            reason=self._reason,
            batches=len(self._best.made) if self._probes and self._whole is None else 0,
            spent=self._clock.working,
            memory=peak_memory(),
            compiling=self._clock.compiling,
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
        self._clock.limit = None  # the first walks may take longer
        yield
        whole = tree.walk(cut=None)
        yield from whole.finish(AT_ONCE)
        for effort in self._efforts:
            if not (whole.done or self._precise or self._late):
                yield from self._probe(tree, whole, effort)
        if whole.done:
            self._whole = whole.sums()

    def _probe(self, tree: Tree, whole: SubtreeWalk, effort: Effort) -> Steps:
        """Make batches of one effort, and search the whole tree beside if that is not much more."""
        probes = Probes(tree, (yield from survey(tree, effort.known)), effort, self._random)
        self._probes.append(probes)
        look, spent = FIRST_LOOK, sum(one.work for one in self._probes)
        last = effort is self._efforts[-1]
        while not (whole.done or self._late):
            before = probes.work
            yield from probes.batch()
            most = max(self._searched, spent + probes.work) if self._searched else 0
            if probes.choices <= most:
                yield from whole.finish(whole.choices + 2 * (probes.work - before))
            if len(probes.made) >= look:
                look = ceil(LOOKS * look)
                self._precise = last and self._figures_now().error <= self.precision
                if self._precise or not last:
                    return

    @property
    def _best(self) -> Probes:
        """The probes that say most: the last ones, as soon as there are enough."""
        many = [one for one in self._probes if len(one.made) >= FIRST_LOOK]
        return many[-1] if many else self._probes[0]

    def _figures_now(self) -> Figures:
        tree = self._tree
        if tree is not None and self._whole is not None:
            self._figures = Figures.exactly(tree, self._whole, self._setup)
        elif tree is not None and self._probes:
            best = self._best
            if (best, len(best.made)) != self._figured:
                self._figured = best, len(best.made)
                self._figures = Figures.of(tree, best, self.confidence, self._setup)
        return self._figures

    def _status(self) -> str:
        if self._reason:
            return "impossible"
        if self._whole is not None:
            return "exact"
        if self._precise:
            return "precise"
        if self._stopped:
            return "interrupted"
        return "limit" if self._over else "estimating"


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
