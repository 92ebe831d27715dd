"""Random puzzles and problems: every engine that counts, beside the plain transfer matrix."""

from __future__ import annotations

import sys
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from lattices_under_test import EVERY, name_of
from transfer import transfer_count

import exactcover as ec
from exactcover.backends import Status, Task, get_backend
from exactcover.backends.automaton import count, diagram
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.lattices import Lattice
from exactcover.layout import Layout
from exactcover.problem import Problem
from exactcover.puzzle import Model

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("puzzle", "backends")]
from plain_puzzles import plain_puzzles, told
from small_problems import problems


def orders(layout: Layout) -> tuple[str, ...]:
    """Orders of cells of every kind, as the automaton takes them."""
    axes = layout.positions.shape[1]
    point, slope = ("1" + ",0" * (axes - 1)), ("1" + ",-2" * (axes - 1))
    one = ("narrow", "f", "x", "X", "R", f"R@{point}", f"l@{slope}")
    return (*one, "xy", "a", "A@30") if axes > 1 else one


def counted(engine: str, problem: Problem, layout: Layout | None, task: Task) -> int:
    """The count of an engine that need not list, to its end."""
    search = get_backend(engine).start(problem, layout, task)
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    return search.found


def model_of(lattice: Lattice, data: st.DataObject, most_cells: int) -> Model:
    """A random puzzle on this lattice, as a problem."""
    try:
        return told(data.draw(plain_puzzles(lattice, most_cells))).model
    except PuzzleError:  # a piece that fits nowhere
        assume(False)
        raise


# -- the reference itself -------------------------------------------------------------------------


@settings(max_examples=300)
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


# -- engines --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
@given(data=st.data())
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_random_puzzles(lattice: Lattice, data: st.DataObject) -> None:
    """More cells than the naive reference could do, with ranges, holes and stationary pieces."""
    model = model_of(lattice, data, 14)
    problem, layout = model.problem, model.layout
    many = transfer_count(problem)
    event("no solution" if not many else "few" if many < 10 else "many")
    order = data.draw(st.sampled_from(orders(layout)))
    tight = {"memory": "1"} if data.draw(st.booleans()) else {}
    assert counted("automaton", problem, layout, Task(heuristic=order, settings=tight)) == many
    assert count(problem, layout, Task(heuristic=order, settings=tight)).run() == many
    assert count(problem, None, Task(heuristic="f")).run() == many
    assert diagram(problem, layout, Task(heuristic=order)).count == many
    for rule in "fs":
        try:
            assert counted("memo", problem, layout, Task(heuristic=rule)) == many
        except CapabilityError:
            event("not for memo")
    if not model.reason:
        assert ec.count(model.puzzle) == many
    if many <= 2000:
        for engine in ("dlx", "fila"):
            assert counted(engine, problem, layout, Task(heuristic="f")) == many


@settings(max_examples=150)
@given(problem=problems(frozenset({"secondary", "multiplicities"})), data=st.data())
def test_random_problems(problem: Problem, data: st.DataObject) -> None:
    """Given options chosen and forbidden: the count of what is left."""
    assume(not get_backend("automaton").capabilities.missing(problem))
    allowed = np.array([data.draw(st.booleans()) for _ in range(problem.n_options)], bool)
    left = problem.restricted(np.flatnonzero(allowed))
    many = transfer_count(left)
    assert count(problem, None, Task((), allowed)).run() == many
    assert diagram(problem, None, Task((), allowed)).count == many
    assert ec.count(problem) == transfer_count(problem)
