"""The diagram with products: against the list of solutions, closed forms, and samples by chance."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactcover.backends.base import Branching
from exactcover.backends.diagram import Diagram
from exactcover.backends.memo import diagram
from exactcover.errors import CapabilityError, TooLarge
from exactcover.problem import Problem
from tests.backends.test_memo import composed, dominoes
from tests.helpers.naive import solutions
from tests.helpers.small_problems import (
    EVERYTHING,
    branching,
    problems,
    problems_with_places,
    queens,
)


def check(problem: Problem, chosen: tuple[int, ...] = ()) -> Diagram:
    """All that a diagram says, from the list of its solutions."""
    wanted = sorted(one for one in solutions(problem) if set(chosen) <= set(one))
    made = diagram(problem, None, branching(chosen, heuristic="narrow"))
    assert made.count == len(wanted)
    assert made.usage() == Counter(option for one in wanted for option in one)
    drawn = {*made.samples(5, seed=1)}
    assert drawn <= {*wanted}
    assert bool(drawn) == bool(wanted)
    return made


@given(problem=problems(EVERYTHING))
def test_small_problems(problem: Problem) -> None:
    try:
        check(problem)
    except CapabilityError:  # an option without an item covered once
        assume(False)


@given(problem=problems_with_places(EVERYTHING), data=st.data())
def test_ranges_and_colours_and_chosen_options(problem: Problem, data: st.DataObject) -> None:
    check(problem)
    wanted = [*solutions(problem)]
    if wanted and wanted[0]:
        some = data.draw(st.lists(st.sampled_from(wanted[0]), max_size=2, unique=True))
        check(problem, tuple(some))


@pytest.mark.parametrize("many", [30, pytest.param(5000, marks=pytest.mark.slow)])
def test_problems_that_fall_apart(many: int) -> None:
    for seed in range(20_000, 20_000 + many):
        check(composed(seed))


def matchings(many: int) -> Problem:
    """Partitions of things into pairs: any two can be swapped."""
    return Problem.from_options([*combinations(range(many), 2)])


def test_interchangeable_items_are_told_apart() -> None:
    made = diagram(matchings(12), None, Branching())
    assert made.count == prod(range(1, 12, 2))
    assert made.usage() == dict.fromkeys(range(comb(12, 2)), made.count // 11)
    for one in made.samples(10, seed=3):
        assert matchings(12).violation(one) is None


def test_parts_are_multiplied() -> None:
    many = 12
    rows = [(f"{n}{a}", f"{n}{b}") for n in range(many) for a, b in combinations("abcd", 2)]
    made = diagram(Problem.from_options(rows), None, Branching())
    assert made.count == 3**many
    assert made.usage() == dict.fromkeys(range(6 * many), 3 ** (many - 1))
    drawn = Counter(option for one in made.samples(120, seed=4) for option in one)
    assert min(drawn.values()) > 15  # 40 each, give or take 5
    assert max(drawn.values()) < 65


@pytest.mark.parametrize("problem", [matchings(6), composed(22_403), queens(7)], ids=repr)
def test_samples_are_fair(problem: Problem) -> None:
    """Chi-square over all solutions, well below what chance exceeds once in a million."""
    wanted, each = [*solutions(problem)], 6
    seen = Counter(diagram(problem, None, Branching()).samples(each * len(wanted), seed=7))
    assert set(seen) <= set(wanted)
    chi = sum((seen[one] - each) ** 2 for one in wanted) / each
    assert chi < len(wanted) - 1 + 5 * (2 * len(wanted)) ** 0.5


def test_without_anything_to_cover() -> None:
    assert diagram(Problem.from_options([]), None, Branching()).count == 1
    assert [*diagram(Problem.from_options([]), None, Branching()).samples(2)] == [(), ()]
    none = Problem.from_options([["a"]], primary=["a", "b"])
    assert diagram(none, None, Branching()).usage() == {}
    lacking = Problem.from_options([["a", "m"]], multiplicity={"m": 2})
    assert diagram(lacking, None, branching((0,))).count == 0


def test_a_diagram_that_does_not_fit() -> None:
    with pytest.raises(TooLarge, match="do not fit 1 MiB"):
        diagram(dominoes(12, 12), None, Branching.by("narrow", {"memory": "1"}))
