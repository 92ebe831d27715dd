"""Solutions at random, and how many have each option, from the public face."""

from __future__ import annotations

from collections import Counter

import pytest

import exactcover as ec
from exactcover.errors import CapabilityError, TooLarge


def test_samples_are_solutions_and_come_again_with_their_seed() -> None:
    puzzle = ec.read("pentominoes_20x3")
    every = {solution.options for solution in ec.solve(puzzle, counted="all")}
    drawn = Counter(solution.options for solution in ec.sample(puzzle, 800, seed=5))
    assert set(drawn) == every
    assert min(drawn.values()) > 60  # 100 each, give or take 9
    again = [solution.options for solution in ec.sample(puzzle, 5, seed=5)]
    assert again == [solution.options for solution in ec.sample(puzzle, 5, seed=5)]


def test_plain_problems_and_chosen_options() -> None:
    options = [[0, 1], [2], [0], [1, 2], [1], [3], [3]]
    every = {solution.options for solution in ec.solve(options)}
    assert {solution.options for solution in ec.sample(options, 200, seed=1)} == every
    below = [solution for solution in every if 2 in solution]
    assert {one.options for one in ec.sample(options, 200, chosen=(2,))} == {*below}
    assert ec.usage(options, chosen=(2,)) == Counter(option for one in below for option in one)


def test_where_there_is_nothing_to_draw() -> None:
    assert ec.sample([["a"], ["b", "a"]], 3) != []
    assert ec.sample(ec.Problem.from_options([["a"]], primary=["a", "b"]), 3) == []
    assert ec.usage([["a", "b"], ["b"]], chosen=[1]) == {}  # nothing else covers a


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(TooLarge, match="do not fit 1 MiB"):
        ec.sample(ec.read("pentominoes_10x6"), memory=1)
    options = [["a", "m"], ["m"]]  # no engine that keeps states takes the second option
    with pytest.raises(CapabilityError, match="dlx"):
        ec.sample(ec.Problem.from_options(options, multiplicity={"a": (0, 2), "m": 2}))
