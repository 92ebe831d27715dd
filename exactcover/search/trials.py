"""Monte Carlo: how many solutions a strategy finds in random corners of a tree too large to search.

A trial tries the options in a random order and goes down until so many pieces are left; then it
searches all that is below that state, and ends. In the words of the article: it ends the first
time that a piece is removed with so many left. Trials differ by their order alone, so two
strategies, or two numbers at which a stage begins, can be compared by their rates of solutions.

    for trial in trials(puzzle, "dlx:x; dlx:s@20", n=100, remaining=16): ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from time import perf_counter
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import CuttingSearch, Status, Task, Tried
from exactcover.errors import ExactCoverError
from exactcover.search.combining import sum_tallies
from exactcover.search.plan import Applied, make_plan, start_cutting
from exactcover.search.sharing import Shared
from exactcover.search.solving import Solution, Solving, Subject
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_whole

STEPS = 1 << 12
"""So many steps are searched between two looks at whether to stop."""

MOST_KEPT = 1 << 12


@dataclass(frozen=True)
class Trial:
    """What one trial came to.

    number     counted from 1
    state      the options of the state below which it searched; None: it came to none
    found      how many solutions it found; `solutions` are they, where they were asked for
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
    """What trials came to together.

    reached                 how many came to a state with so few pieces left
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
    """What was found for each unit spent, with its standard error to first order."""
    total, n = sum(spent), len(found)
    if not total:
        return Rate(0.0, 0.0)
    value = sum(found) / total
    if n < 2:
        return Rate(value, float("inf"))
    squares = sum((f - value * s) ** 2 for f, s in zip(found, spent, strict=True))
    return Rate(value, sqrt(squares * n / (n - 1)) / total)


@dataclass
class _Run:
    """What one trial has come to so far."""

    began: float
    found: int = 0
    state: tuple[int, ...] | None = None
    searches: list[CuttingSearch] = field(default_factory=list)
    solutions: list[Solution] = field(default_factory=list)


class Trials(Shared, Iterator[Trial]):
    """Trials under way: an iterator over them. `totals` says at any time what came of them.

    `stop` ends them from a signal handler or another thread, within a step of the search; the
    trial that was under way then is not counted. Threads may share them: each trial is made once.
    """

    def __init__(
        self,
        subject: Subject,
        strategy: Strategy | str | None = None,
        *,
        n: int,
        remaining: int,
        seed: int = 1,
        counted: str | None = None,
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
        permutations = None
        if self.model is not None and self.counted != "all":
            permutations = self.model.symmetries.selected(self.counted)
        self._plan = make_plan(self.problem, self.model, self.strategy, permutations)

    def __iter__(self) -> Trials:
        return self

    def __next__(self) -> Trial:
        with self._turn():
            return self._next()

    def _next(self) -> Trial:
        number = len(self.done) + 1
        if self._stopped or self.reason or number > self.n:
            raise StopIteration
        run = _Run(perf_counter())
        if not self._search(number, run):
            raise StopIteration
        if self._tally:
            tallies = [search.tally() for search in run.searches]
            self._tallies = sum_tallies([self._tallies, *tallies])
        trial = Trial(
            number,
            run.state,
            run.found,
            sum(search.fits for search in run.searches),
            sum(search.nofits for search in run.searches),
            perf_counter() - run.began,
            tuple(run.solutions),
        )
        self.done.append(replace(trial, solutions=()))
        return trial

    def __repr__(self) -> str:
        return f"<Trials: {len(self.done)} of {self.n} done, {self.found:,} solutions>"

    @property
    def totals(self) -> Totals:
        """What the trials that are over came to together."""
        return Totals.of(tuple(self.done))

    @property
    def stopped(self) -> bool:
        """Whether they were ended by `stop`, before the last of them."""
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
        """Why there can be no solution, as far as the plan knows; else empty."""
        return self._plan.reason

    @property
    def applied(self) -> tuple[Applied, ...]:
        """What each filter took away before the trials."""
        return self._plan.applied

    @property
    def by_remaining(self) -> Mapping[int, Tried]:
        """What was tried, by the number of pieces left before, most first; where asked for."""
        return self._tallies

    # -- one trial ------------------------------------------------------------------------------

    def _search(self, number: int, run: _Run) -> bool:
        """Search a trial; whether it came to its end."""
        rng = np.random.Generator(np.random.PCG64([self.seed, number]))
        order = rng.permutation(self.problem.n_options).astype(np.int32)
        task = Task(order=order, cut=self.remaining - 1, tally=self._tally)
        above = start_cutting(self._plan, self.strategy, task)
        run.searches.append(above)
        batch = above.advance(STEPS, capacity=1)
        while not len(batch) and batch.status is not Status.DONE:
            if self._stopped:
                return False
            batch = above.advance(STEPS, capacity=1)
        if not len(batch):
            return True
        run.state = batch.solution(0)
        below = replace(above.below(), order=order, cut=None, tally=self._tally)
        search = start_cutting(self._plan, self.strategy, below)
        run.searches.append(search)
        return self._search_below(search, run)

    def _search_below(self, search: CuttingSearch, run: _Run) -> bool:
        canonical = self._plan.canonical
        listed = self._keep or canonical is not None
        done = False
        while not done:
            if self._stopped:
                return False
            before = search.found
            batch = search.advance(STEPS, capacity=MOST_KEPT, keep=listed)
            done = batch.status is Status.DONE
            if not listed:
                run.found += search.found - before
                continue
            wanted = np.ones(len(batch), bool)
            if canonical is not None:
                wanted = canonical.fixing(batch.starts, batch.options) > 0
            run.found += int(wanted.sum())
            if self._keep:
                run.solutions += [
                    Solution(batch.solution(at), self.problem, self.model)
                    for at in np.flatnonzero(wanted).tolist()
                ]
        return True


def trials(
    subject: Subject,
    strategy: Strategy | str | None = None,
    *,
    n: int,
    remaining: int,
    seed: int = 1,
    counted: str | None = None,
    keep: bool = False,
    tally: bool = False,
) -> Trials:
    """Trials, each ended when a piece is removed with `remaining` pieces left.

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    n           how many trials to make
    remaining   how many pieces are left when a trial ends
    seed        a whole number; the same seed makes the same trials. Default: 1
    counted     what counts as one solution. "rotations": solutions that rotations take to each
                other count once; "reflections": those that mirrors take to each other, too;
                "all": every solution counts. Default: None, "rotations" for a puzzle. A plain
                problem has no symmetries, so all its solutions count, whatever this says
    keep        whether the solutions of each trial are kept. Default: False
    tally       whether to count what was tried by the number of pieces left. Default: False
    """
    return Trials(
        subject,
        strategy,
        n=n,
        remaining=remaining,
        seed=seed,
        counted=counted,
        keep=keep,
        tally=tally,
    )
