"""No filter, at any step, ever loses a solution or makes one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.filters.reduction import fit, forced_options
from exactcover.search.solving import Solving
from tests.helpers import naive
from tests.helpers.examples import few, some
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import problems

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]

FEATURES = frozenset({"secondary", "colours", "multiplicities"})

FILTERS = (
    "volume",
    "parity",
    "parity=2; parity=3",
    "fit",
    "fit=1",
    "reduce",
    "volume@0",
    "parity@0",
    "fit@0",
    "volume; fit; reduce; parity@1; volume@2",
    "volume-trigger",
    "parity-trigger",
    "parity-trigger=3@1",
    "volume; volume-trigger; parity-trigger@2; fit@3",
)


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=1), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_the_solutions_are_the_same_with_every_filter(
    lattice: Lattice, data: st.DataObject
) -> None:
    plain = data.draw(plain_puzzles(lattice, 6 if lattice.dimension == 4 else 9))
    heuristic = data.draw(st.sampled_from(("s", "f")))
    try:
        puzzle = told(plain)
        wanted = {
            found.options for found in Solving(puzzle, strategy=f"dlx:{heuristic}", counted="all")
        }
    except PuzzleError:
        event("refused")
        return
    event(f"{min(3, len(wanted))} solutions or more")
    for filters in FILTERS:
        if len(lattice.kinds) > 9 and ("parity=" in filters or "parity-trigger=" in filters):
            continue  # of so many kinds there are too many colourings modulo a number
        found = [
            s.options
            for s in Solving(puzzle, strategy=f"{filters}; dlx:{heuristic}", counted="all")
        ]
        assert len(set(found)) == len(found), filters
        assert set(found) == wanted, filters


@given(problem=problems(FEATURES))
def test_a_reduced_problem_has_the_same_solutions(problem: Problem) -> None:
    wanted = set(naive.solutions(problem))
    made = forced_options(problem, problem.choosable)
    if made is None:
        event("impossible")
        assert not wanted
        return
    forced, alive = made
    event(f"{len(forced)} forced")
    assert all(wanted_one.issuperset(forced) for wanted_one in map(set, wanted))
    options = np.flatnonzero(alive).tolist() + forced
    left = problem.restricted(np.array(sorted(options), np.int32))
    found = [tuple(np.sort(options)[list(solution)].tolist()) for solution in naive.solutions(left)]
    assert set(found) == wanted


@given(problem=problems(FEATURES))
def test_the_fit_filter_loses_no_solution(problem: Problem) -> None:
    wanted = set(naive.solutions(problem))
    used = np.zeros(problem.n_options, bool)
    used[[option for solution in wanted for option in solution]] = True
    alive, removed = fit(problem, problem.choosable)
    event(f"{min(3, sum(removed))} removed or more")
    assert not (used & ~alive).any()
