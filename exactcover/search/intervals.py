"""Confidence intervals for a mean of independent estimates that are skewed and never negative.

Estimates of a tree's size are skewed to the right: a few batches meet a large subtree, and those
that have met none say too little, with too small an error. The usual interval, a mean and some
standard errors on both sides, misses the truth too often, mostly below it. So this one

* corrects the statistic for the skewness that the estimates show (Hall 1992), which moves the
  interval up;
* reaches at least as far as the interval of a lognormal mean (Cox, in Land 1972): random walks
  multiply many random numbers of branches, and a few walks do not show how skewed that is;
* if few batches have found anything, as with rare solutions, bounds how many would have in the long
  run (Wilson 1927). That bounds the number from above even if none has found anything, as long as
  one that finds something is known not to find more than some other number.

`benchmarks/bench_estimate.py` checks on puzzles with known trees how often the intervals hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from exactcover.base.text import rounded

LEAST = 3
"""With fewer batches there is no upper bound."""

RARE = 24
"""If fewer batches than this have found anything, the bounds of their share hold too."""

MORE_SKEWED, WIDER = 1.3, 1.2
"""Few values show too little of their skewness, so it is taken for larger, by a factor and by its
standard error; and the intervals are wider. That pays for what the formulas leave out: layers drawn
once for all batches, and a stop where intervals are narrow. Without either, intervals at 95 %
held the truth in 90 to 97 of 100 trials."""

SAYS_NOTHING = 1e12
"""An upper bound of more than this many times the mean is left out."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A number that is estimated, and the interval that should hold it.

    value      the estimate; a whole number if it is exact
    low, high  the bounds; both are the value if it is exact. If `high` is infinity the value says
               nothing: the number is unknown, and at least `low`
    """

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Interval:
        """A number that is known."""
        return cls(value, value, value)

    def __repr__(self) -> str:
        return f"<Interval: {self.text()}>"

    def texts(self) -> tuple[str, str]:
        """The number with the digits that are known, and its bounds, for a reader."""
        if self.exact:
            whole = self.value >= 100 or self.value == int(self.value)
            return rounded(self.value, 1 if whole else self.value / 100), ""
        if self.high == inf:
            return "unknown", f"at least {rounded(self.low, self.low / 10)}" if self.low else ""
        unit = (self.high - self.low) / 10
        low, high = rounded(self.low, unit), rounded(self.high, unit)
        return rounded(self.value, unit), f"{low} to {high}"

    def text(self) -> str:
        """The same in a line: `26,521`, `1,240 (1,100 to 1,400)`."""
        value, bounds = self.texts()
        return f"{value} ({bounds})" if bounds else value

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

    def times(self, factor: float) -> Interval:
        """The interval of this number multiplied by a known one."""
        return Interval(self.value * factor, self.low * factor, self.high * factor)


def interval_of_mean(values: Values, confidence: float, most: float = inf) -> Interval:
    """The mean of independent estimates that are not negative, with its interval.

    confidence  the probability that the interval holds the truth, between 0 and 1
    most        of rare events: a bound of what an estimate is on average if it is not 0, used where
                all are 0. A few of these that are equal are taken for chance, others for the truth
    """
    many, normal = values.size, NormalDist().inv_cdf((1 + confidence) / 2)
    found = values[values > 0]
    if not many or (not found.size and most == inf):
        return Interval(0.0, 0.0, inf)
    least, often = shares(found.size, many, normal)
    if not found.size:
        return Interval(most / (2 * many + 2), 0.0, most * often)
    mean = float(values.mean())
    if many < LEAST:
        return Interval(mean, 0.0, inf)
    if np.ptp(values) <= 1e-12 * mean:
        if most == inf or many >= RARE:
            return Interval.exactly(mean)
        # Perhaps each has found one solution by chance: then there were as many events as values.
        low, high = (max(1 + one / (2 * sqrt(many)), 0.0) ** 2 for one in (-normal, normal))
        return Interval(mean, mean * low, mean * high)
    if found.size >= min(RARE, many):
        least = often = found.size / many
    low, high = _by_mean(values, normal)
    if found.size >= LEAST:
        below, above = _lognormal(found, normal)
    else:  # too few to say how much others would find
        below, above = 0.0, high * many / found.size
    low, high = min(low, least * below), max(high, often * above)
    if high > SAYS_NOTHING * mean:
        high = inf
    return Interval(mean, max(0.0, min(low, mean)), max(high, mean))


def _lognormal(values: Values, normal: float) -> tuple[float, float]:
    """The bounds of the mean of a lognormal distribution, by positive values."""
    logs = np.log(values)
    middle, variance = float(logs.mean()), float(logs.var(ddof=1))
    error = sqrt(variance / logs.size + variance**2 / (2 * (logs.size - 1)))
    error *= student(normal, logs.size - 1)
    most = 700.0  # of an exponent
    low, high = (exp(min(middle + variance / 2 + one, most)) for one in (-error, error))
    return low, high


def _by_mean(values: Values, normal: float) -> tuple[float, float]:
    """The bounds by the mean, its standard error and the skewness."""
    many, mean = values.size, float(values.mean())
    skewness = float(((values - mean) ** 3).mean()) / float(values.std()) ** 3
    skewness *= sqrt(many * (many - 1)) / (many - 2)
    slope = max(MORE_SKEWED * skewness + sqrt(6 / many), 0.0) / (3 * sqrt(many))
    quantile = WIDER * student(normal, many - 1)
    error = float(values.std(ddof=1)) / sqrt(many)
    return mean - error * _unskewed(quantile, slope), mean - error * _unskewed(-quantile, slope)


def _unskewed(quantile: float, slope: float) -> float:
    """The quantile of the studentized mean, by the inverse of Hall's cubic transformation."""
    if slope < 1e-6:
        return quantile
    return float((np.cbrt(1 + 3 * slope * (quantile - slope / 2)) - 1) / slope)


def student(normal: float, freedom: int) -> float:
    """The quantile of Student's t distribution for that of a normal one (Wallace 1959)."""
    return sqrt(
        freedom * expm1(normal**2 * (freedom - 5 / 6) / (freedom - 2 / 3 + 0.1 / freedom) ** 2)
    )


def shares(hits: int, many: int, normal: float) -> tuple[float, float]:
    """Bounds of a probability, by how often the event happened."""
    weight = normal**2 / many
    middle = hits / many + weight / 2
    error = sqrt(weight * (hits / many * (1 - hits / many) + weight / 4))
    return max(0.0, (middle - error) / (1 + weight)), (middle + error) / (1 + weight)
