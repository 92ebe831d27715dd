"""The size and the tree of the dlx engine, its imports, and the code that it compiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from exactcover.backends import Backend, Branching, Status
from exactcover.backends.bsx import backend as bsx
from exactcover.backends.dlx import backend
from exactcover.problem import Problem
from tests.helpers.small_problems import branching, finished, problems, queens, solve
from tests.helpers.summed import started
from tests.helpers.template_engine import backend as template


def _fits(problem: Problem, heuristic: str, engine: Backend = backend) -> int:
    search = started(engine, problem, None, Branching.by(heuristic))
    finished(search)
    assert search.report().nofits == 0
    return search.report().fits


def test_the_tree_is_the_same_whatever_the_order_of_the_options() -> None:
    problem = queens(6)
    turned = np.arange(problem.n_options)[::-1]
    other = Problem.from_arrays(
        problem.n_items,
        np.cumsum([0, *(problem.items_of(o).size for o in turned)]),
        np.concatenate([problem.items_of(o) for o in turned]),
        primary=problem.primary,
    )
    for heuristic in ("s", "f"):
        assert _fits(problem, heuristic) == _fits(other, heuristic)


@given(problems(frozenset({"secondary"})))
def test_the_trees_are_those_of_algorithm_x(problem: Problem) -> None:
    """The same rule in plain Python makes the same number of choices."""
    for heuristic in ("s", "f"):
        plain = _fits(problem, heuristic, template)
        assert _fits(problem, heuristic) == _fits(problem, heuristic, bsx) == plain


@pytest.mark.parametrize("cut", [0, 1])
def test_what_was_tried_beside_a_shared_item_is_not_allowed_below(cut: int) -> None:
    """Two or three of six: each set lies below one state, in one order of choice."""
    problem = Problem.from_options([["a"]] * 6, multiplicity={"a": (2, 3)})
    search = started(backend, problem, None, Branching(), cut)
    found: list[tuple[int, ...]] = []
    while search.advance(1 << 10, capacity=1).status is not Status.DONE:
        below = search.below()
        assert len(below.chosen) == 2 - cut
        found += solve(backend, problem, branching(below.chosen, below.allowed))
    assert len(found) == len(set(found)) == 15 + 20
