"""Confidence intervals for a mean of independent estimates that are skewed and never negative.

Estimates of a tree's size are skewed to the right: a few batches meet a large subtree, and those
that have met none say too little, with too small an error. The usual interval, a mean and some
standard errors on both sides, misses the truth too often, mostly below it. So this one

* corrects the statistic for the skewness that the estimates show (Hall 1992), which moves the
  interval up;
* uses quantiles of Student's t distribution;
* if few batches have found anything, as with rare solutions, bounds from the binomial distribution
  how many would have in the long run (Clopper and Pearson 1934).

`benchmarks/bench_estimate.py` checks on puzzles with known trees how often the intervals hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

LEAST = 8
"""With fewer batches there is no upper bound."""

RARE = 24
"""If fewer batches than this have found anything, the binomial bounds hold too."""

MORE_SKEWED, WIDER = 1.3, 1.2
"""Few values show too little of their skewness, so it is taken for larger, by a factor and by its
standard error; and the intervals are wider. That pays for what the formulas leave out: layers drawn
once for all batches, and a stop where intervals are narrow. Without either, intervals at 95 %
held the truth in 90 to 97 of 100 trials."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A number that is estimated, and the interval that should hold it.

    value      the estimate; a whole number if it is exact
    low, high  the bounds; infinity: there is no upper bound. Both are the value if it is exact
    """

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Interval:
        """A number that is known."""
        return cls(value, value, value)

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    @property
    def error(self) -> float:
        """Half the width of the interval by the value; infinity if there is no upper bound."""
        if self.exact:
            return 0.0
        return (self.high - self.low) / 2 / self.value if self.value else inf

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high

    def plus(self, known: float) -> Interval:
        """The interval of this number and a known one together."""
        return Interval(self.value + known, self.low + known, self.high + known)


def interval_of_mean(values: Values, confidence: float) -> Interval:
    """The mean of independent estimates that are not negative, with its interval.

    confidence  the probability that the interval holds the truth, between 0 and 1
    """
    many = values.size
    mean = float(values.mean()) if many else 0.0
    if many < LEAST or not mean:
        return Interval(mean, 0.0, inf)
    tail = (1 - confidence) / 2
    low, high = _by_mean(values, tail)
    found = values[values > 0]
    if found.size < min(RARE, many):
        least, most = shares(found.size, many, tail)
        low = min(low, least * many / found.size * mean)
        high = max(high, most * many / found.size * mean)
    return Interval(mean, max(0.0, min(low, mean)), max(high, mean))


def _by_mean(values: Values, tail: float) -> tuple[float, float]:
    """The bounds by the mean, its standard error and the skewness."""
    many, mean = values.size, float(values.mean())
    deviation = float(values.std(ddof=1))
    if deviation <= 1e-12 * mean:
        return mean, mean
    skewness = float(((values - mean) ** 3).mean()) / float(values.std()) ** 3
    skewness *= sqrt(many * (many - 1)) / (many - 2)
    skewness = max(MORE_SKEWED * skewness + sqrt(6 / many), 0.0)
    quantile = WIDER * student(1 - tail, many - 1)
    error = deviation / sqrt(many)
    return (
        mean - error * _unskewed(quantile, skewness, many),
        mean - error * _unskewed(-quantile, skewness, many),
    )


def _unskewed(quantile: float, skewness: float, many: int) -> float:
    """The quantile of the studentized mean, by the inverse of Hall's cubic transformation."""
    slope = skewness / (3 * sqrt(many))
    if slope < 1e-6:
        return quantile
    cube = 1 + 3 * slope * (quantile - slope / 2)
    return float((np.cbrt(cube) - 1) / slope)


def student(probability: float, freedom: int) -> float:
    """A quantile of Student's t distribution, by its expansion around the normal one."""
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def shares(hits: int, many: int, tail: float) -> tuple[float, float]:
    """Bounds of a probability, by how often the event happened; each fails with `tail`."""
    most = _solved(lambda share: at_most(hits, many, share) - tail) if hits < many else 1.0
    least = _solved(lambda share: at_most(hits - 1, many, share) - 1 + tail) if hits else 0.0
    return least, most


def at_most(hits: int, many: int, share: float) -> float:
    """The probability that an event of this probability happens at most so often."""
    if not 0 < share < 1:
        return float(share <= 0 or hits >= many)
    hit, miss = log(share), log1p(-share)
    return sum(exp(_log_ways(many, k) + k * hit + (many - k) * miss) for k in range(hits + 1))


def _log_ways(many: int, few: int) -> float:
    """The logarithm of a binomial coefficient."""
    return lgamma(many + 1) - lgamma(few + 1) - lgamma(many - few + 1)


def _solved(falling: Callable[[float], float]) -> float:
    """Where a falling function of a probability is 0."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
