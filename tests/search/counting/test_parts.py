"""Plain problems in parts that no option joins: their numbers are multiplied."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.problem import Problem
from exactcover.search.counting.counts import Counting
from tests.backends.test_memo import composed
from tests.helpers.naive import solutions
from tests.helpers.small_problems import langford, latin_squares, queens


def side_by_side(*problems: Problem, seed: int = 0) -> Problem:
    """Problems without multiplicities as one, whose options are shuffled."""
    rows = [
        [(number, one.items[item]) for item in one.items_of(option)]
        for number, one in enumerate(problems)
        for option in range(one.n_options)
    ]
    random.Random(seed).shuffle(rows)
    beside = [
        (number, item) for number, one in enumerate(problems) for item in one.items[one.primary :]
    ]
    return Problem.from_options(rows, secondary=beside)


def test_the_numbers_of_parts_are_multiplied() -> None:
    assert ec.count(side_by_side(queens(6), langford(7), latin_squares(4))) == 4 * 52 * 576


@given(seed=st.integers(0, 1 << 20))
def test_as_many_as_brute_force_finds(seed: int) -> None:
    problem = composed(seed)
    assert ec.count(problem) == len([*solutions(problem)])


def test_a_part_without_a_solution_ends_the_count() -> None:
    whole = side_by_side(queens(3), queens(8))
    with Counting(whole) as counting:
        result = counting.run()
    assert (result.solutions, result.status) == (0, "complete")


def test_an_item_without_an_option_is_in_no_part() -> None:
    problem = Problem.from_options([["a"], ["b"]], primary=["a", "b", "c"])
    assert ec.count(problem) == 0
    free = Problem.from_options([["a"], ["b"]], primary=["a", "b", "c"], multiplicity={"c": (0, 3)})
    assert ec.count(free) == 1


def test_progress_never_goes_back() -> None:
    whole = side_by_side(*(latin_squares(4) for _ in range(6)))
    seen = [0.0]
    with Counting(whole) as counting:
        while counting.step():
            assert seen[-1] <= counting.progress <= 1
            seen.append(counting.progress)
        assert counting.result.solutions == 576**6
