"""d4, which the extra `counters` installs: its numbers, its limits, and what is said without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status, backends, get_backend, names_of
from exactcover.errors import CapabilityError, TooLarge
from exactcover.problem import Problem
from exactcover.problem.clauses import clauses_of, constraints_of
from tests.helpers import naive
from tests.helpers.commands import refused
from tests.helpers.small_problems import branching, problems
from tests.helpers.summed import started

installed = pytest.mark.skipif(find_spec("py_d4") is None, reason="needs the extra counters")

d4 = get_backend("d4")


def counted(problem: Problem, task: Branching) -> int:
    search = started(d4, problem, None, task)
    while search.advance(1, keep=False).status is not Status.DONE:
        assert search.report().found == 0
    return search.report().found


@installed
@settings(max_examples=5)
@given(data=st.data())
def test_it_counts_what_the_plain_search_finds(data: st.DataObject) -> None:
    problem = data.draw(problems(d4.capabilities.features))
    solutions = [*naive.solutions(problem)]
    assert counted(problem, Branching()) == len(solutions)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=problem.n_options,
                                          max_size=problem.n_options)), bool)  # fmt: skip
    left = [one for one in solutions if all(allowed[[*one]])]
    assert counted(problem, branching(allowed=allowed)) == len(left)
    for option in {option for one in solutions for option in one}:
        having = sum(option in one for one in solutions)
        assert counted(problem, branching((option,))) == having


@installed
def test_a_count_and_a_verification() -> None:
    puzzle = ec.read("dominoes_6x6")
    assert ec.count(puzzle, strategy="d4", counted="all") == 6728
    assert ec.count(puzzle, strategy="d4") == ec.count(puzzle)
    verdict = ec.verify(puzzle, engines=["dlx:s", "d4"], counted="all")
    assert [one.result for one in verdict.engines] == ["first", "equal"]
    assert verdict.compared == "counts"  # d4 lists nothing


def pairs(number: int) -> Problem:
    """The ways to pair this number of items: the product of the odd numbers below."""
    return Problem.from_options([list(two) for two in combinations(range(number), 2)])


@installed
def test_its_limits_are_kept() -> None:
    with pytest.raises(TooLarge, match="do not fit 4 MiB; give it more, as in 'd4 memory=8'"):
        ec.count(pairs(20), strategy="d4 memory=4")
    counting = ec.Counting(pairs(40), strategy="d4", time_limit=0.3)
    assert counting.run().status == "limit"


@installed
def test_the_process_ends_with_the_search() -> None:
    search = started(d4, pairs(40), None, Branching())
    assert search.advance(1, keep=False).status is Status.BUDGET
    process = search.search.process
    assert process.poll() is None
    del search
    assert process.poll() is not None


def test_without_the_extra_a_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_d4", None)
    assert "pip install 'exactcover-tilings[counters]'" in refused(
        "count", "dominoes_4x4", "--strategy=d4"
    )
    assert "d4" in backends()
    assert "d4" not in names_of()


@installed
def test_it_lists_nothing() -> None:
    with pytest.raises(CapabilityError, match="d4 counts solutions and lists none"):
        next(iter(ec.solve([["a"]], strategy="d4")))


# -- the clauses that it counts -------------------------------------------------------------------


def models(problem: Problem) -> Iterator[tuple[int, ...]]:
    """The models of the clauses of a small problem, by trying all values."""
    made = constraints_of(problem)
    clauses = clauses_of(made)
    assert clauses is not None
    for values in range(1 << made.n_variables):
        if all(any((values >> abs(x) - 1 & 1) == (x > 0) for x in one) for one in clauses):
            yield tuple(o for o in range(problem.n_options) if values >> o & 1)


@given(data=st.data())
def test_models_and_solutions_are_one_to_one(data: st.DataObject) -> None:
    problem = data.draw(problems(d4.capabilities.features))
    made = constraints_of(problem)
    clauses_of(made)
    if made.n_variables <= 13:
        assert sorted(models(problem)) == sorted(naive.solutions(problem))
