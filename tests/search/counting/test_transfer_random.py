"""Random puzzles and problems: every engine that counts, beside the plain transfer matrix."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, get_backend
from exactcover.backends.automaton import count, diagram
from exactcover.problem import Problem
from tests.helpers import naive
from tests.helpers.small_problems import branching, problems
from tests.helpers.transfer import transfer_count

# -- the reference itself -------------------------------------------------------------------------


@given(problem=problems(frozenset({"secondary", "multiplicities"})), data=st.data())
def test_the_reference_counts_what_the_naive_one_lists(
    problem: Problem, data: st.DataObject
) -> None:
    once = [
        item
        for item in range(problem.n_items)
        if item >= problem.primary or (problem.low[item], problem.high[item]) == (1, 1)
    ]
    order = data.draw(st.permutations(once))
    many = len(list(naive.solutions(problem)))
    event("solutions" if many else "none")
    assert transfer_count(problem, order) == many


RANGES = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (2, 2), (2, 5), (0, 9), (1, 10**9), (0, 10**9))


@st.composite
def strips(draw: st.DrawFn) -> Problem:
    """Cells in a row, some of them secondary, and options of one kind each that lie in a window."""
    cells = draw(st.integers(1, 16))
    optional = draw(st.sets(st.integers(0, cells - 1), max_size=draw(st.sampled_from((0, 3, 16)))))
    kinds = draw(st.lists(st.sampled_from(RANGES), max_size=4))
    options = []
    for _ in range(draw(st.integers(1, 5))):
        offsets = [0, *draw(st.sets(st.integers(1, draw(st.integers(1, 9))), max_size=3))]
        kind = draw(st.sampled_from((None, *range(len(kinds)))))
        named = [] if kind is None else [f"kind {kind}"]
        places = range(cells - max(offsets))
        options += [[*(at + offset for offset in offsets), *named] for at in places]
    used = {item for option in options for item in option}
    multiplicity = {
        f"kind {kind}": times for kind, times in enumerate(kinds) if f"kind {kind}" in used
    }
    primary = [*(cell for cell in range(cells) if cell not in optional), *multiplicity]
    return Problem.from_options(options, primary=primary, multiplicity=multiplicity)


@given(problem=strips() | problems(frozenset({"secondary", "multiplicities"})), data=st.data())
def test_random_problems(problem: Problem, data: st.DataObject) -> None:
    """Also where some options are forbidden, and some are chosen already."""
    many = transfer_count(problem)
    event("no solution" if not many else "few" if many < 10 else "many")
    assert ec.count(problem) == many
    assume(not get_backend("automaton").capabilities.missing(problem))
    allowed = np.array([data.draw(st.integers(0, 5)) > 0 for _ in range(problem.n_options)], bool)
    left = problem.restricted(np.flatnonzero(allowed))
    for order in ("f", "narrow"):
        task = branching((), allowed, heuristic=order)
        assert count(problem, None, task).run() == transfer_count(left)
    made = diagram(problem, None, Branching())
    assert made.count == many
    usage = made.usage()
    most = np.append(problem.high, np.ones(problem.n_items - problem.primary, np.int32))
    for option in data.draw(st.permutations(range(problem.n_options)))[:3]:
        items = problem.items_of(option)
        if (items >= problem.primary).all() or not most[items].all():
            assert option not in usage  # and no task may choose it
            continue
        others = transfer_count(problem.restricted(np.delete(np.arange(problem.n_options), option)))
        assert usage.get(option, 0) == many - others
        assert count(problem, None, branching((option,))).run() == many - others
