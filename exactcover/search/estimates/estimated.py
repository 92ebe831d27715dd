"""The figures of an estimate, and how they follow from the search of the top and from probes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from exactcover.base.values import Convention
from exactcover.search.estimates.intervals import Interval, interval_of_mean
from exactcover.search.sampler import Probes
from exactcover.search.subtrees import Sums, Tree

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
