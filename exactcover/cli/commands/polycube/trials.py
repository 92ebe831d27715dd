"""`-s`: how many solutions a strategy finds in random corners of a tree too large to search.

A trial tries the options in a random order and goes down until a given number of pieces are left.
Then it searches the whole subtree below that state, and ends. In the words of the article: it ends
the first time that a piece is removed with that number of pieces left. Trials differ by their order
alone, so two strategies, or two numbers at which a stage begins, can be compared by their rates of
solutions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import Task, Tried, sum_tallies
from exactcover.base.values import Convention
from exactcover.search.driver import Clock, Driver
from exactcover.search.engine import start_cutting
from exactcover.search.plan import make_plan
from exactcover.search.planned import JudgedSearch, canonical_test
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject


class Trial(NamedTuple):
    """The outcome of one trial.

    state      the options of the state below which it searched; None: it reached no state
    solutions  their options, if they are kept
    """

    state: tuple[int, ...] | None
    found: int
    fits: int
    nofits: int
    seconds: float
    solutions: tuple[tuple[int, ...], ...] = ()


class Rate(NamedTuple):
    """A mean, and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, found: Sequence[float], spent: Sequence[float]) -> Rate:
        """The mean number found per unit spent, with its standard error to first order."""
        total, n = sum(spent), len(found)
        if not total:
            return cls(0.0, 0.0)
        value = sum(found) / total
        if n < 2:
            return cls(value, float("inf"))
        squares = sum((f - value * s) ** 2 for f, s in zip(found, spent, strict=True))
        return cls(value, sqrt(squares * n / (n - 1)) / total)


class Trials(Iterator[Trial]):
    """Trials in progress. `stop` ends them from a signal handler; a trial in progress is not
    counted.

    done          the trials that are over, without their solutions
    by_remaining  the options tried, by the number of pieces left before; empty without `tally`
    """

    def __init__(
        self,
        subject: Solvable,
        strategy: Strategy,
        *,
        n: int,
        remaining: int,
        seed: int,
        counted: Convention,
        keep: bool = False,
        tally: bool = False,
    ) -> None:
        self.plan = make_plan(Subject.of(subject, counted), strategy)
        self.done: list[Trial] = []
        self.by_remaining: Mapping[int, Tried] = {}
        self._strategy, self._n, self._remaining, self._seed = strategy, n, remaining, seed
        self._keep, self._tally, self._stopped = keep, tally, False

    def stop(self) -> None:
        """End them after the step that they are in."""
        self._stopped = True

    def __next__(self) -> Trial:
        number = len(self.done) + 1
        if self._stopped or self.plan.reason or number > self._n:
            raise StopIteration
        rng = np.random.Generator(np.random.PCG64([self._seed, number]))
        order = rng.permutation(self.plan.problem.n_options).astype(np.int32)
        clock, state = Clock(), None
        task = Task(order=order, cut=self._remaining - 1, tally=self._tally)
        above = Driver(partial(start_cutting, self.plan, self._strategy, task), clock)
        while not above.done and state is None:
            if self._stopped:
                raise StopIteration
            batch = above.advance(capacity=1)
            state = batch.solution(0) if len(batch) else None
        assert above.search is not None
        reports, found = [above.search.report()], 0
        solutions: list[tuple[int, ...]] = []
        if state is not None:
            task = replace(above.search.below(), order=order, cut=None, tally=self._tally)
            below = Driver(partial(self._below, task), clock)
            while not below.done:
                if self._stopped:
                    raise StopIteration
                batch = below.advance(keep=self._keep)
                solutions += map(batch.solution, range(len(batch)))
            assert below.search is not None
            reports.append(below.search.report())
            found = reports[-1].found
        self.by_remaining = sum_tallies([self.by_remaining, *(one.tally for one in reports)])
        fits, nofits = sum(one.fits for one in reports), sum(one.nofits for one in reports)
        trial = Trial(state, found, fits, nofits, clock.seconds, tuple(solutions))
        self.done.append(trial._replace(solutions=()))
        return trial

    def _below(self, task: Task) -> JudgedSearch:
        """The search of the subtree below a state."""
        search = start_cutting(self.plan, self._strategy, task)
        return JudgedSearch(search, canonical_test(self.plan))

    def __iter__(self) -> Trials:
        return self

    @property
    def found(self) -> int:
        """Solutions of all trials that are over."""
        return sum(trial.found for trial in self.done)

    @property
    def progress(self) -> float:
        """The share of the trials that is over."""
        return len(self.done) / self._n

    def rates(self) -> Iterator[str]:
        """The results so far, as lines."""
        done = self.done
        found = [float(trial.found) for trial in done]
        seconds = [trial.seconds for trial in done]
        reached = sum(trial.state is not None for trial in done)
        yield (
            f"# {len(done)} trials, {reached} of them with a state to search below, "
            f"{self.found} solutions in {sum(seconds):.3f} s"
        )
        each, second = Rate.of(found, [1.0] * len(done)), Rate.of(found, seconds)
        yield (
            f"# solutions per trial: {each.value:.4f} +- {each.error:.4f}, "
            f"per second: {second.value:.4f} +- {second.error:.4f}"
        )
