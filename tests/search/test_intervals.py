"""Intervals of means: the quantiles and bounds of textbooks, and how often they hold the truth."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest

from exactcover.search.intervals import Interval, interval_of_mean, shares, student


@pytest.fixture
def stats() -> Any:
    """SciPy's package, which takes half a second to import."""
    from scipy import stats

    return stats


def test_quantiles_are_those_of_students_distribution(stats: Any) -> None:
    for freedom, probability in product((7, 12, 30, 200), (0.9, 0.975, 0.995)):
        truth = stats.t.ppf(probability, freedom)
        normal = stats.norm.ppf(probability)
        assert student(normal, freedom) == pytest.approx(truth, rel=4e-3)


def test_bounds_of_a_share_are_those_of_wilson(stats: Any) -> None:
    for hits, many in ((0, 20), (3, 20), (20, 20), (7, 400)):
        low, high = shares(hits, many, stats.norm.ppf(0.975))
        truth = stats.binomtest(hits, many).proportion_ci(0.95, method="wilson")
        assert (low, high) == pytest.approx((truth.low, truth.high), abs=1e-9)


@pytest.mark.parametrize(
    ("sigma", "least"), [(0.3, 0.95), (1.0, 0.945)], ids=["a little skewed", "skewed"]
)
def test_intervals_of_skewed_values_hold_their_mean(stats: Any, sigma: float, least: float) -> None:
    """Means of 24 lognormal values, of which the usual interval misses more."""
    random = np.random.default_rng(4)
    drawn = random.lognormal(0, sigma, (2000, 24))
    mean = np.exp(sigma**2 / 2)
    held = np.mean([mean in interval_of_mean(values, 0.95) for values in drawn])
    error = stats.t.ppf(0.975, 23) * drawn.std(axis=1, ddof=1) / np.sqrt(24)
    usual = np.mean(abs(drawn.mean(axis=1) - mean) <= error)
    assert held >= least
    assert held > usual


def test_rare_values_have_wide_bounds() -> None:
    values = np.zeros(50)
    values[7] = 50.0
    interval = interval_of_mean(values, 0.95)
    assert interval.value == 1
    assert interval.low < 0.05
    assert interval.high > 5


def test_too_little_is_known_for_an_upper_bound() -> None:
    assert interval_of_mean(np.array([3.0, 4.0]), 0.95).high == inf
    assert interval_of_mean(np.zeros(40), 0.95) == Interval(0.0, 0.0, inf)
    assert interval_of_mean(np.zeros(0), 0.95) == Interval(0.0, 0.0, inf)


def test_nothing_found_has_an_upper_bound_below_what_a_find_would_be(stats: Any) -> None:
    interval = interval_of_mean(np.zeros(40), 0.95, most=1000.0)
    share = stats.binomtest(0, 40).proportion_ci(0.95, method="wilson").high
    assert interval.high == pytest.approx(1000 * share)
    assert interval.low == 0
    assert 0 < interval.value < interval.high


def test_a_few_equal_finds_are_chance() -> None:
    """The Tetris cube has 9,839 solutions; three batches of a trial found one each, of 3,039."""
    few = interval_of_mean(np.full(3, 3039.0), 0.95, most=1e7)
    assert (few.low < 1000, few.high > 7000) == (True, True)
    assert interval_of_mean(np.full(3, 3039.0), 0.95).exact
    assert interval_of_mean(np.full(24, 3039.0), 0.95, most=1e7).exact
