"""One solution of a small plain problem, found without a plan: it is one, and time limits hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import exactcover as ec
from exactcover.backends.planes import backend
from exactcover.backends.planes.tables import MOST_PAIRS, Tables, Words, is_soon_tabled
from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.search.soonest import soonest
from tests.helpers import naive
from tests.helpers.small_problems import problems, queens

FEATURES = backend.capabilities.features


@given(problems(FEATURES))
def test_it_finds_a_solution_where_there_is_one(problem: Problem) -> None:
    soon = soonest(problem, None)
    found = soon.options
    assert soon.done
    assert (found is None) == (next(iter(naive.solutions(problem)), None) is None)
    if found is not None:
        assert list(found) == sorted(found)
        assert problem.violation(found) is None


@given(problems(FEATURES))
def test_it_is_the_first_one_that_planes_finds(problem: Problem) -> None:
    solution = next(ec.solve(problem, strategy="planes"), None)
    assert soonest(problem, None).options == (None if solution is None else solution.options)


def test_first_takes_this_way_only_without_a_strategy() -> None:
    found, named = ec.first(queens(8)), ec.first(queens(8), strategy="planes")
    assert found is not None
    assert found == named
    assert not is_soon_tabled(Problem.from_options([["a"]] * (int(MOST_PAIRS**0.5) + 1)))


BIRDS = Problem.from_options(
    [[f"bird {bird}", f"hole {hole}"] for bird in range(11) for hole in range(10)],
    secondary=[f"hole {hole}" for hole in range(10)],
)
"""Eleven pigeons and ten holes: more branches than anybody has time for."""


def test_a_time_limit_ends_it() -> None:
    for seconds in (0.0, 0.1):
        with pytest.raises(LimitReached):
            ec.first(BIRDS, time_limit=seconds)


def test_it_gives_up_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.search.soonest.MOST", 1 << 14)
    assert not soonest(BIRDS, None).done


# -- the tables -----------------------------------------------------------------------------------


@given(problems(FEATURES))
def test_the_tables_hold_what_each_option_excludes(problem: Problem) -> None:
    check_tables(problem)


def test_the_tables_of_items_with_few_options() -> None:
    """Compared in pairs, since unions of their many words take longer."""
    check_tables(Problem.from_options([[item, item + 1] for item in range(400)]))


def check_tables(problem: Problem) -> None:
    """By sets in plain Python: conflicts, and the bits of the options and items that are left."""
    tables = Tables.of(problem)
    planes, rows = tables.planes, tables.option_of.tolist()
    assert rows == np.flatnonzero(problem.choosable).tolist()
    for row, option in enumerate(rows):
        conflict = {other for other in range(len(rows)) if _bit(planes.conflict[row], other)}
        assert conflict == {
            number for number, other in enumerate(rows) if _exclude(problem, option, other)
        }
        gone = np.zeros_like(tables.root)
        for other in conflict:
            for entry in range(planes.starts[other], planes.starts[other + 1]):
                gone[planes.words[entry]] |= planes.bits[entry]
        assert np.array_equal(gone[: planes.opens], planes.gone[row, : planes.opens])
        covered = np.bitwise_count(planes.gone[row, planes.opens :]).sum()
        assert covered == (problem.items_of(option) < problem.primary).sum()


def _bit(words: Words, number: int) -> bool:
    return bool(int(words[number // 64]) >> number % 64 & 1)


def _exclude(problem: Problem, one: int, other: int) -> bool:
    """Whether two options cannot both be chosen, or are the same."""
    if one == other:
        return True
    mine = dict(zip(problem.items_of(one).tolist(), problem.colours_of(one).tolist(), strict=True))
    theirs = zip(problem.items_of(other).tolist(), problem.colours_of(other).tolist(), strict=True)
    return any(item in mine and not (colour and colour == mine[item]) for item, colour in theirs)
