"""States with so many pieces left: the whole tree lies below them, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Node, Status, backends, get_backend
from exactcover.backends.base import CuttingSearch, Phase
from exactcover.backends.fila import backend as fila
from exactcover.backends.tasks import prepared
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from tests.helpers.naive_tiling import tilings
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import branching, finished, problems
from tests.helpers.summed import started

CUTTING = [one for one in backends().values() if one.capabilities.cuts]
LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]


def states(
    one: Any, problem: Problem, layout: Layout | None, task: Branching, cut: int
) -> list[Node]:
    """The nodes of all states that a cut search hands out."""
    search = started(one, problem, layout, task, cut)
    assert isinstance(search.search, CuttingSearch)
    found = []
    while True:
        batch = search.advance(50, capacity=1)
        if len(batch):
            node = search.below()
            assert batch.solution(0) == tuple(sorted(node.chosen))
            assert search.report().chosen == node.chosen
            found.append(node)
        if batch.status is Status.DONE:
            return found


def count(one: Any, problem: Problem, layout: Layout | None, task: Branching) -> int:
    return _count(started(one, problem, layout, task))


def check(one: Any, problem: Problem, layout: Layout | None, task: Branching, whole: int) -> None:
    """The states of every cut share the solutions, whoever goes on and with whatever tables."""
    for cut in range(pieces_left(problem, layout) + 2):
        handed = states(one, problem, layout, task, cut)
        assert (
            sum(count(one, problem, layout, replace(task, root=node)) for node in handed) == whole
        )
        other = get_backend("dlx")
        plain = [branching(node.chosen, node.allowed) for node in handed]
        assert sum(count(other, problem, layout, one) for one in plain) == whole
        begin = prepared(one, problem, layout, task)
        assert sum(_count(begin(below, None)) for below in handed) == whole


def _count(search: Any) -> int:
    return finished(search).found


FEW_KERNELS = (("s",), ("f",), ("e", "f"))
"""Heuristics of fila's phases: its kernel is compiled for each sort of phases."""

EVERY = pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
"""Whether all ways of fila are drawn."""


def drawn_task(one: Any, data: st.DataObject, *, geometry: bool, every: bool) -> Branching:
    """A heuristic or two phases; of fila only some, unless `every` way is drawn."""
    can = one.capabilities
    if one is fila and not every:
        first, *later = data.draw(st.sampled_from(FEW_KERNELS))
        remaining = data.draw(st.integers(0, 3))
        return Branching(phases=(Phase(first), *(Phase(name, remaining) for name in later)))
    names = can.heuristics + (("x", "R") if can.orders and geometry else ())
    phases = [Phase(data.draw(st.sampled_from(names)))]
    if can.phases and data.draw(st.booleans()):
        phases.append(Phase(data.draw(st.sampled_from(names)), data.draw(st.integers(0, 3))))
    return Branching(phases=tuple(phases)) if can.phases else Branching.by(phases[0].heuristic)


@pytest.mark.parametrize("one", CUTTING, ids=lambda one: one.name)
@EVERY
@given(data=st.data(), lattice=st.sampled_from(LATTICES))
def test_the_states_share_the_tilings(
    one: Any, lattice: Lattice, every: bool, data: st.DataObject
) -> None:
    plain = data.draw(plain_puzzles(lattice, 8))
    try:
        model = told(plain).model
    except PuzzleError:
        event("refused")
        return
    if model.reason or one.capabilities.missing(model.problem):
        return
    task = drawn_task(one, data, geometry=True, every=every)
    check(one, model.problem, model.layout, task, len(tilings(plain)))


@pytest.mark.parametrize("one", CUTTING, ids=lambda one: one.name)
@EVERY
@given(data=st.data())
def test_the_states_share_the_solutions(one: Any, every: bool, data: st.DataObject) -> None:
    """Problems without geometry, with copies and with cells that may stay empty."""
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    if one.capabilities.missing(problem):
        return
    task = drawn_task(one, data, geometry=False, every=every)
    check(one, problem, None, task, count(get_backend("dlx"), problem, None, Branching()))


# -- pieces left, tallies ------------------------------------------------------------------------


@pytest.mark.parametrize("one", CUTTING, ids=lambda one: one.name)
def test_a_state_has_so_many_pieces_left(one: Any) -> None:
    model = ec.read("pentominoes_1s_30x3").model
    handed = states(one, model.problem, model.layout, Branching.by("s"), 16)
    assert len(handed) > 100
    assert {len(below.chosen) for below in handed} == {2}


@pytest.mark.parametrize("one", CUTTING, ids=lambda one: one.name)
def test_the_tally_adds_up(one: Any) -> None:
    """Whenever it is looked at; with the attempts that did not fit, where the engine has any."""
    model = ec.read("pentominoes_1s_30x3").model
    search = started(one, model.problem, model.layout, branching(heuristic="s", tally=True))
    for _ in range(20):
        search.advance(37)
        tally = search.report().tally
        assert sum(tried.fits for tried in tally.values()) == search.report().fits
        tried = sum(tried.attempts for tried in tally.values())
        assert tried == search.report().choices
    assert max(tally) == 18
    quiet = started(one, model.problem, model.layout, Branching.by("s"))
    quiet.advance(37)
    assert quiet.report().tally == {}
