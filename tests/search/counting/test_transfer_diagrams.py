"""What a diagram says of all solutions, beside counts by the plain transfer matrix."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

import exactcover as ec
from exactcover.problem import Problem
from tests.helpers.examples import COMPILED
from tests.helpers.transfer import box, partitions, transfer_count

pytestmark = pytest.mark.skipif(not COMPILED, reason="too big diagrams without a compiler")


def without(problem: Problem, option: int) -> Problem:
    return problem.restricted(np.delete(np.arange(problem.n_options), option))


@pytest.mark.parametrize("sides", [(4, 4), (6, 5), (8, 8)])
def test_what_a_diagram_says_of_options(sides: tuple[int, int]) -> None:
    problem = partitions(box(*sides), 2)
    many = transfer_count(problem)
    solutions = ec.diagram(problem)
    through = solutions.through()
    assert solutions.count == many
    for item in range(problem.n_items):
        assert sum(through.get(int(option), 0) for option in problem.options_of(item)) == many
    for option in range(0, problem.n_options, 7):
        left = transfer_count(without(problem, option))
        assert through.get(option, 0) == many - left
        assert solutions.without(option).count == left
        assert solutions.using(option).count == many - left
        assert ec.diagram(problem, chosen=(option,)).count == many - left


def test_the_cheapest_of_a_diagram() -> None:
    """All 36 in the order of what they cost; where they cost nothing, each is there once."""
    problem = partitions(box(4, 4), 2)
    solutions = ec.diagram(problem)
    lots = random.Random(5)
    for costs in (
        [lots.uniform(-5, 5) for _ in range(problem.n_options)],
        [float(lots.randrange(3)) for _ in range(problem.n_options)],
        [0.0] * problem.n_options,
    ):
        prices = sorted(sum(costs[option] for option in one) for one in solutions)
        for k in (1, 5, 36, 50):
            ranked = solutions.cheapest(costs, k)
            assert [price for price, _ in ranked] == pytest.approx(prices[:k])
            assert len({options for _, options in ranked}) == min(k, 36)


def test_samples_of_few_solutions_are_fair() -> None:
    """Chi-square of 36 solutions, each expected two hundred times."""
    solutions = ec.diagram(partitions(box(4, 4), 2))
    seen = Counter(solutions.sample(36 * 200, seed=11))
    assert len(seen) == 36
    chi = sum((many - 200) ** 2 for many in seen.values()) / 200
    assert 10 < chi < 85  # 35 are expected; beyond these bounds once in a hundred thousand


def test_samples_where_counts_have_hundreds_of_bits() -> None:
    """Dominoes in 2 x 300: of the first column, upright ones are about 0.618 of all."""
    problem = partitions(box(300, 2), 2)
    upright = next(
        option
        for option in range(problem.n_options)
        if {problem.items[item] for item in problem.items_of(option)} == {(0, 0), (0, 1)}
    )
    solutions = ec.diagram(problem)
    one, two = 1, 2
    for _ in range(299):
        one, two = two, one + two
    assert solutions.count == one
    share = sum(upright in options for options in solutions.sample(1000, seed=4)) / 1000
    assert abs(share - 0.618) < 0.07
