"""What an estimate says, and how it follows from what was searched and from probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.estimates.intervals import Interval, interval_of_mean
from exactcover.estimates.layering import Known
from exactcover.estimates.probes import Probes
from exactcover.estimates.tree import Tree

SPEED = 1.25
"""A computer that runs this many times as fast or slow as during the probes is nothing unusual, so
bounds of seconds are wider by that."""

UNKNOWN = Interval(0.0, 0.0, float("inf"))


@dataclass(frozen=True)
class Estimate:
    """What a search would find, and what it would take.

    nodes_by_remaining  options chosen, by the number of pieces left before, the most first
    nodes       options chosen in all, the `fits` of a result
    choices     options tried in all: fits and no-fits
    solutions   how many there are, as `counted` says
    seconds     of processor time in one thread, with the setup
    counted     what counts as one solution
    strategy    how the search branches
    confidence  the probability with which each interval holds the truth
    status      "exact": the whole tree was searched; "precise": the intervals are as narrow as was
                wanted; "limit": the time was over before; "interrupted"; "impossible"
    reason      why there is no solution, if that is known without a search; else empty
    batches     how many independent estimates the intervals come from
    probes      searches of subtrees drawn at random
    spent       seconds that the estimate took
    memory      the most bytes that this process has taken so far. A search takes about as much,
                since it keeps no solutions. None: unknown
    """

    nodes_by_remaining: Mapping[int, Interval]
    nodes: Interval
    choices: Interval
    solutions: Interval
    seconds: Interval
    counted: str
    strategy: str
    confidence: float
    status: str
    reason: str = ""
    batches: int = 0
    probes: int = 0
    spent: float = 0.0
    memory: int | None = None


@dataclass(frozen=True)
class Figures:
    """The numbers of an estimate that say how large the search is."""

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
    def of(
        cls,
        tree: Tree,
        known: Known,
        batches: Sequence[Probes],
        *,
        confidence: float,
        setup: float,
    ) -> Figures:
        """The numbers by a search of the top of the tree, and probes below it.

        setup  seconds before the search
        """
        top, left = known.sums, known.left
        if known.whole:
            fits, tries = tree.fits(top), tree.tries(top)
            by_remaining = {at: Interval.exactly(int(fits[at])) for at in _used(fits)}
            return cls(
                by_remaining,
                Interval.exactly(int(fits.sum())),
                Interval.exactly(int(tries.sum())),
                Interval.exactly(int(top[-2])),
                _measured(Interval.exactly(top[-1] + setup)),
            )
        sums = np.array([batch.sums for batch in batches]).reshape(-1, top.size)
        fits, tries = tree.fits(sums), tree.tries(sums)
        above = tree.fits(top)[left + 1 :]
        by_remaining = {
            at: Interval.exactly(int(tree.fits(top)[at]))
            if at > left
            else interval_of_mean(fits[:, at], confidence)
            for at in _used(tree.fits(top) + fits.sum(axis=0))
        }
        solutions = interval_of_mean(sums[:, -2], confidence)
        return cls(
            by_remaining,
            interval_of_mean(fits[:, : left + 1].sum(axis=1), confidence).plus(int(above.sum())),
            interval_of_mean(tries[:, : left + 1].sum(axis=1), confidence).plus(
                int(tree.tries(top)[left + 1 :].sum())
            ),
            Interval(
                solutions.value,
                max(solutions.low, float(solutions.value > 0)),
                solutions.high,
            ),
            _measured(interval_of_mean(sums[:, -1], confidence).plus(setup)),
        )

    @property
    def error(self) -> float:
        """The largest relative error of the numbers that a user asks for."""
        return max(self.nodes.error, self.solutions.error)


def _used(fits: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """The numbers of pieces left with which options were chosen, the most first."""
    return [int(at) for at in np.flatnonzero(fits)[::-1]]


def _measured(seconds: Interval) -> Interval:
    """Seconds with the bounds that the varying speed of a computer makes necessary."""
    return Interval(seconds.value, seconds.low / SPEED, seconds.high * SPEED)
