"""A race of strategies, for `tune`: each is measured on the same subtrees, and the best one wins.

The subtrees are drawn by the `sampler`. Each strategy searches them to the end with a clock; their
mean time, times their number, is an estimate of the whole search. Strategies that branch alike
above the subtrees search the same ones, and the difference of two of them is far more certain than
each time by itself. After each round the slower half is dropped, and the others search twice as
many subtrees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from time import thread_time

import numpy as np

from exactcover.backends.base import Status
from exactcover.problem.layout import pieces_left
from exactcover.search.automatic import Candidate
from exactcover.search.engine import Engine
from exactcover.search.plan import Plan
from exactcover.search.sampler import UNKNOWN, Effort, Probes, Subtrees, survey
from exactcover.search.strategy import Strategy
from exactcover.search.subtrees import Steps, Tree

KNOWN, LENGTH = 1 << 18, 1 << 15
"""The choices of the known top of the tree, and those of a subtree, about. The race may be stopped
after as many as the first, about 5 ms."""


def draw(
    plan: Plan, strategy: Strategy, draws: int, random: np.random.Generator
) -> Generator[None, None, Subtrees]:
    """At most this many subtrees of a search, drawn at random."""
    tree = Tree(plan, strategy)
    top = yield from survey(tree, KNOWN)
    probes = Probes(tree, top, Effort(KNOWN, draws, LENGTH), random)
    return (yield from probes.subtrees(LENGTH))


# -- a strategy that is measured ------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """An estimate of the whole search by a candidate.

    seconds   of the processor, and error: their standard error
    choices   fits and no-fits
    subtrees  how many were searched, of the states at their level
    states    at the level, estimated
    """

    candidate: Candidate
    seconds: float
    error: float
    choices: float
    subtrees: int
    states: int


class TimedStrategy:
    """A candidate that searches drawn subtrees, one after another, with a clock.

    seconds  what each of them took, times its weight: processor seconds of this thread
    """

    def __init__(
        self,
        plan: Plan,
        candidate: Candidate,
        subtrees: Subtrees,
    ) -> None:
        self.candidate, self.subtrees = candidate, subtrees
        self.seconds: list[float] = []
        self._choices: list[float] = []
        self._engine = Engine(plan, candidate.strategy)
        self._order = spread(len(subtrees.states))

    @property
    def rate(self) -> float:
        """The mean seconds of a subtree, with its weight."""
        return float(np.mean(self.seconds)) if self.seconds else inf

    @property
    def total(self) -> float:
        """The estimated seconds of the whole search."""
        return self.rate * len(self._order)

    @property
    def bounds(self) -> tuple[float, float]:
        """The expected cost of the whole search, within two standard errors."""
        its = self.measured()
        if its.subtrees < 2:
            return 0.0, inf
        return its.seconds - 2 * its.error, its.seconds + 2 * its.error

    def more(self) -> bool:
        """Whether there are subtrees that it has not searched."""
        return len(self.seconds) < len(self._order)

    def search(self, most: float = inf) -> Steps:
        """Search the next subtree. After `most` seconds, its progress says what the rest takes."""
        task, weight = self.subtrees.states[self._order[len(self.seconds)]]
        left = self.subtrees.left
        if not self.seconds:  # its compiled code may have to be loaded, which is no part of it
            self._engine.start(task, left).advance(KNOWN, keep=False)
            yield
        search = self._engine.start(task, left)
        spent, share = 0.0, 1.0
        while True:
            began = thread_time()
            status = search.advance(KNOWN, keep=False).status
            spent += thread_time() - began
            if status is Status.DONE:
                break
            if spent * weight >= most:
                share = max(search.report().progress, UNKNOWN)
                break
            yield
        self.seconds.append(weight * spent / share)
        self._choices.append(weight * search.report(brief=True).choices / share)

    def measured(self) -> Measured:
        """The estimate so far."""
        many, drawn = len(self.seconds), len(self._order)
        weights = [weight for _, weight in self.subtrees.states]
        error = float(np.std(self.seconds, ddof=1)) / sqrt(many) if many > 1 else inf
        if many == drawn and set(weights) == {1.0}:  # the whole tree was searched
            error = 0.0
        choices = float(np.mean(self._choices)) * drawn + self.subtrees.above if many else inf
        states = round(sum(weights))
        return Measured(self.candidate, self.total, error * drawn, choices, many, states)


def spread(many: int) -> list[int]:
    """The numbers below `many` in an order whose every beginning is spread evenly."""
    bits = max(many - 1, 0).bit_length()
    turned = (int(f"{number:0{bits}b}"[::-1], 2) if bits else 0 for number in range(1 << bits))
    return [number for number in turned if number < many]


def ratio(one: TimedStrategy, other: TimedStrategy) -> tuple[float, float]:
    """How the times of two strategies compare, and the standard error of that.

    On the same subtrees the error is that of their differences.
    """
    many = min(len(one.seconds), len(other.seconds))
    if one.subtrees is other.subtrees:
        times, others = np.array(one.seconds[:many]), np.array(other.seconds[:many])
        if not many or not others.sum():
            return 1.0, inf
        compared = float(times.sum() / others.sum())
        if many < 2:
            return compared, inf
        error = float(np.std(times - compared * others, ddof=1)) / sqrt(many)
        return compared, error / float(others.mean())
    mine, its = one.measured(), other.measured()
    if not its.seconds or not mine.subtrees:
        return 1.0, inf
    compared = mine.seconds / its.seconds
    error = compared * sqrt(
        (mine.error / max(mine.seconds, 1e-12)) ** 2 + (its.error / its.seconds) ** 2
    )
    return compared, error


# -- the race -------------------------------------------------------------------------------------

FIRST_ROUND = 6
"""The subtrees that each candidate searches before the first is dropped for good."""

FAR_BEHIND = 3
"""A candidate that surely takes this many times as long as another one is dropped at once."""


def race(
    trials: Sequence[TimedStrategy], may_go_on: Callable[[], bool]
) -> Generator[None, None, list[TimedStrategy]]:
    """Let candidates search subtrees, in slices; return those that were left, the best first.

    In each round they search twice as many subtrees as before, and the slower half is dropped. A
    subtree that takes a candidate far longer than the best one needs on average is not finished.

    may_go_on  whether there is time left; the race ends when there is none
    """
    field, done, many = list(trials), 0, FIRST_ROUND
    while True:
        while done < many and may_go_on():
            for one in list(field):
                best = min(other.rate for other in field)
                if one.more() and may_go_on():
                    yield from one.search(FAR_BEHIND * FIRST_ROUND * best)
            done += 1
            if done > FIRST_ROUND // 2:
                field = [one for one in field if not _is_far_behind(one, field)]
        field = sorted(field, key=lambda one: one.total)
        if not may_go_on() or not any(one.more() for one in field):
            return field
        field, many = field[: max((len(field) + 1) // 2, 2)], 2 * many


def _is_far_behind(one: TimedStrategy, field: Sequence[TimedStrategy]) -> bool:
    """Whether a candidate surely takes far longer than another one on the same subtrees: the first
    few subtrees of another draw may all be small."""
    rivals = (other.bounds[1] for other in field if other.subtrees is one.subtrees)
    return one.bounds[0] > FAR_BEHIND * min(rivals)


def branch_alike(plan: Plan, one: Strategy, other: Strategy, left: int) -> bool:
    """Whether two strategies have the same states at a level: they filter and branch alike above
    it."""
    pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
    return one.filters == other.filters and all(
        replace(one.at(at), remaining=None) == replace(other.at(at), remaining=None)
        for at in range(pieces, left, -1)
    )
