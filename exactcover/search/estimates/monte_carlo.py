"""Monte Carlo: how many solutions a strategy finds in random corners of a tree too large to search.

A trial tries the options in a random order and goes down until a given number of pieces are left.
Then it searches the whole subtree below that state, and ends. In the words of the article: it ends
the first time that a piece is removed with that number of pieces left. Trials differ by their order
alone, so two strategies, or two numbers at which a stage begins, can be compared by their rates of
solutions.

    for trial in trials(puzzle, "dlx:x; dlx:s@20", n=100, remaining=16): ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import Task, Tried, sum_tallies
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_whole
from exactcover.errors import ExactCoverError
from exactcover.search.driver import Clock, Driver, Shared
from exactcover.search.engine import start_cutting
from exactcover.search.plan import Applied, make_plan
from exactcover.search.planned import JudgedSearch, canonical_test
from exactcover.search.result import Solution
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable


@dataclass(frozen=True)
class Trial:
    """The outcome of one trial.

    number     counted from 1
    state      the options of the state below which it searched; None: it reached no state
    found      how many solutions it found; `solutions` holds them if they are kept
    """

    number: int
    state: tuple[int, ...] | None
    found: int
    fits: int
    nofits: int
    seconds: float
    solutions: tuple[Solution, ...] = ()


class Rate(NamedTuple):
    """A mean, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Totals:
    """The sums over trials.

    reached                 how many trials reached a state with the given number of pieces left
    per_trial, per_second   solutions; the error of the second is that of a ratio of two means
    """

    trials: int
    reached: int
    found: int
    fits: int
    nofits: int
    seconds: float
    per_trial: Rate
    per_second: Rate

    @classmethod
    def of(cls, done: Sequence[Trial]) -> Totals:
        """The sums over some trials, and the rates."""
        found = [float(trial.found) for trial in done]
        seconds = [trial.seconds for trial in done]
        return cls(
            trials=len(done),
            reached=sum(trial.state is not None for trial in done),
            found=sum(trial.found for trial in done),
            fits=sum(trial.fits for trial in done),
            nofits=sum(trial.nofits for trial in done),
            seconds=sum(seconds),
            per_trial=_rate(found, [1.0] * len(done)),
            per_second=_rate(found, seconds),
        )


def _rate(found: Sequence[float], spent: Sequence[float]) -> Rate:
    """The mean number found per unit spent, with its standard error to first order."""
    total, n = sum(spent), len(found)
    if not total:
        return Rate(0.0, 0.0)
    value = sum(found) / total
    if n < 2:
        return Rate(value, float("inf"))
    squares = sum((f - value * s) ** 2 for f, s in zip(found, spent, strict=True))
    return Rate(value, sqrt(squares * n / (n - 1)) / total)


class Trials(Shared, Iterator[Trial]):
    """Trials in progress: an iterator over them. `totals` has the sums over the trials so far.

    `stop` ends them from a signal handler or another thread, within a step of the search; the trial
    that it interrupts is not counted. Threads may share them: each trial is made once.
    """

    def __init__(
        self,
        subject: Solvable,
        strategy: Strategy | str | None = None,
        *,
        n: int,
        remaining: int,
        seed: int = 1,
        counted: Convention | None = None,
        keep: bool = False,
        tally: bool = False,
    ) -> None:
        super().__init__()
        for name, value in (("n", n), ("remaining", remaining), ("seed", seed)):
            check_whole(name, value, optional=False)
        if n < 1 or remaining < 1 or seed < 0:
            raise ExactCoverError(
                f"{n} trials ended with {remaining} pieces left, seed {seed}: there must be a "
                "trial, a piece to be removed, and a seed that is not negative"
            )
        whole = Solving(subject, counted=counted, strategy=strategy)
        self.problem, self.model = whole.problem, whole.model
        self.strategy, self.counted = whole.strategy, whole.counted
        self.n, self.remaining, self.seed = n, remaining, seed
        self.done: list[Trial] = []
        self._keep, self._tally = keep, tally
        self._tallies: Mapping[int, Tried] = {}
        self._plan = make_plan(whole.subject, self.strategy)

    def __iter__(self) -> Trials:
        return self

    def __next__(self) -> Trial:
        with self._turn():
            return self._next()

    def _next(self) -> Trial:
        number = len(self.done) + 1
        if self._stopped or self.reason or number > self.n:
            raise StopIteration
        rng = np.random.Generator(np.random.PCG64([self.seed, number]))
        order = rng.permutation(self.problem.n_options).astype(np.int32)
        clock, state = Clock(), None
        task = Task(order=order, cut=self.remaining - 1, tally=self._tally)
        above = Driver(partial(start_cutting, self._plan, self.strategy, task), clock)
        while not above.done and state is None:
            if self._stopped:
                raise StopIteration
            batch = above.advance(capacity=1)
            state = batch.solution(0) if len(batch) else None
        assert above.search is not None
        reports, found, solutions = [above.search.report()], 0, []
        if state is not None:
            task = replace(above.search.below(), order=order, cut=None, tally=self._tally)
            below = Driver(partial(self._below, task), clock)
            while not below.done:
                if self._stopped:
                    raise StopIteration
                batch = below.advance(keep=self._keep)
                options = map(batch.solution, range(len(batch)))
                solutions += [Solution(one, self.problem, self.model) for one in options]
            assert below.search is not None
            reports.append(below.search.report())
            found = reports[-1].found
        self._tallies = sum_tallies([self._tallies, *(report.tally for report in reports)])
        fits = sum(report.fits for report in reports)
        nofits = sum(report.nofits for report in reports)
        trial = Trial(number, state, found, fits, nofits, clock.seconds, tuple(solutions))
        self.done.append(replace(trial, solutions=()))
        return trial

    def _below(self, task: Task) -> JudgedSearch:
        """The search of the subtree below a state."""
        search = start_cutting(self._plan, self.strategy, task)
        return JudgedSearch(search, canonical_test(self._plan))

    def __repr__(self) -> str:
        return f"<Trials: {len(self.done)} of {self.n} done, {self.found:,} solutions>"

    @property
    def totals(self) -> Totals:
        """The sums over the trials that are over."""
        return Totals.of(tuple(self.done))

    @property
    def stopped(self) -> bool:
        """Whether `stop` ended them before the last trial."""
        return self._stopped and len(self.done) < self.n

    @property
    def found(self) -> int:
        """Solutions of all trials that are over."""
        return sum(trial.found for trial in tuple(self.done))

    @property
    def progress(self) -> float:
        """How many of the trials are over, 0 to 1."""
        return len(self.done) / self.n

    @property
    def reason(self) -> str:
        """Why there can be no solution, if the plan shows it; else empty."""
        return self._plan.reason

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The filters applied before the trials, with their effects."""
        return self._plan.applied

    @property
    def by_remaining(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before, most first; empty without
        `tally`."""
        return self._tallies


def trials(
    subject: Solvable,
    strategy: Strategy | str | None = None,
    *,
    n: int,
    remaining: int,
    seed: int = 1,
    counted: Convention | None = None,
    keep: bool = False,
    tally: bool = False,
) -> Trials:
    """Make trials; each one ends when a piece is removed with `remaining` pieces left.

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    n           how many trials to make
    remaining   how many pieces are left when a trial ends
    seed        a whole number; the same seed makes the same trials. Default: 1
    counted     what counts as one solution, as in `solve`. Default: None, "rotations" for a puzzle
    keep        whether the solutions of each trial are kept. Default: False
    tally       whether to count the options tried by the number of pieces left. Default: False
    """
    return Trials(
        subject, strategy, n=n, remaining=remaining, seed=seed, counted=counted, keep=keep,
        tally=tally,
    )  # fmt: skip
