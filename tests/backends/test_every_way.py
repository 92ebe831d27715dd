"""Every engine, every way in which it can branch, in slices: the tilings of random puzzles.

There are two plain references: one of puzzles, and one of the problems that they become.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactcover.backends import BUILT_IN, Backend, Branching, backends, get_backend
from exactcover.backends.base import Phase
from exactcover.backends.fila.prepared import fixed_orders
from exactcover.backends.heuristics import heuristics
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.puzzle import Model
from tests.helpers import naive
from tests.helpers.examples import few, some
from tests.helpers.naive_tiling import PlainPuzzle, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import Option, branching, drained, finished, problems
from tests.helpers.summed import started

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]
ENGINES = [one for one in backends().values() if one.capabilities.lists_solutions]
QUICK = [one for one in ENGINES if one.name != "cpsat"]

ARGUMENTS = {"l": "@1,-2", "a": "@30", "A": "", "R": ""}

SETTINGS = {"nof": ("", "0", "adjacent", "3")}

Settings = dict[str, str]


def way(*names: str, **settings: str) -> Branching:
    """A phase for each name, the later ones with at most 2 pieces left."""
    return branching(
        phases=tuple(Phase(name, 2 if at else None, settings) for at, name in enumerate(names))
    )


FEW_KERNELS = (
    way("f", nof="0"),
    way("s"),
    way("e", "f", nof="adjacent"),
    way("x", "s", nof="3"),
    way("R", "e", nof="adjacent"),
    way("s", "f", nof="0"),
)

"""Ways of fila, whose kernel is compiled for each sort of way: the quick tests have these."""


def names_of(engine: Backend, layout: Layout | None) -> Iterator[str]:
    """The heuristics of an engine, with their arguments, that make sense for cells that lie so."""
    can = engine.capabilities
    if layout is None:
        yield from (name for name in can.heuristics if not heuristics()[name].geometry)
        return
    dimension = layout.positions.shape[1]
    for one in heuristics().values():
        axes = [axis for axis in "xyzw" if axis in one.name.lower()]
        by_axes = len(one.name) <= 4 and set(one.name.lower()) <= set("xyzw")
        lies_in_more = by_axes and "xyzw".index(axes[-1]) >= dimension
        turns = one.name in "laA" and dimension < 2
        if can.takes(one) and one.rate is None and not lies_in_more and not turns:
            yield one.name + ARGUMENTS.get(one.name, "")


def settings_of(engine: Backend) -> Iterator[Settings]:
    """All settings that change how an engine branches or how wide its words are."""
    known = [setting for setting in SETTINGS if setting in engine.capabilities.settings]
    for values in product(*(SETTINGS[setting] for setting in known)):
        yield {name: value for name, value in zip(known, values, strict=True) if value}


def drawn_way(engine: Backend, layout: Layout | None, data: st.DataObject) -> Branching:
    """One phase or two, with any heuristics and settings."""
    names = st.sampled_from([*names_of(engine, layout)])
    settings = data.draw(st.sampled_from([*settings_of(engine)]))
    if not engine.capabilities.phases:
        return branching(heuristic=data.draw(names), settings=settings)
    phases = [Phase(data.draw(names), None, settings)]
    if data.draw(st.booleans()):
        phases.append(Phase(data.draw(names), data.draw(st.integers(0, 4)), settings))
    if engine.name == "fila" and len(fixed_orders(phases)) > 1:
        phases.pop()  # it takes one
    return Branching(phases=tuple(phases))


def found_by(
    engine: Backend,
    problem: Problem,
    layout: Layout | None,
    task: Branching,
    slices: tuple[int, int],
) -> list[Option]:
    search = started(engine, problem, layout, task)
    found = drained(search, *slices)
    assert search.report().nofits >= 0
    return sorted(found)


def model_of(plain: PlainPuzzle) -> Model | None:
    """The puzzle as a problem; None: it is refused, or there is a reason why it has no solution."""
    try:
        model = told(plain).model
    except PuzzleError:
        event("refused")
        return None
    return None if model.reason else model


def check(plain: PlainPuzzle, data: st.DataObject) -> None:
    """Each engine finds by ways drawn by lot what the references find."""
    model = model_of(plain)
    if model is None:
        return
    wanted = sorted(naive.solutions(model.problem))
    assert len(wanted) == len(tilings(plain))
    event(f"{min(len(wanted), 3)} solutions or more")
    for engine in QUICK:
        if engine.capabilities.missing(model.problem):
            continue
        slices = data.draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
        for _ in range(2):
            task = drawn_way(engine, model.layout, data)
            if engine.name == "fila":
                task = data.draw(st.sampled_from(FEW_KERNELS))
            found = found_by(engine, model.problem, model.layout, task, slices)
            assert found == wanted, (engine.name, task.heuristic, task.phases, task.settings)
    automaton = get_backend("automaton")
    if not automaton.capabilities.missing(model.problem):
        task = drawn_way(automaton, model.layout, data)
        assert finished(started(automaton, model.problem, model.layout, task)).found == len(wanted)


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=1), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_every_engine_finds_every_tiling(lattice: Lattice, data: st.DataObject) -> None:
    check(data.draw(plain_puzzles(lattice, 8 if lattice.dimension == 4 else 9)), data)


@pytest.mark.slow
@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=1), ids=lambda lattice: lattice.name
)
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@given(data=st.data())
def test_every_way_finds_every_tiling(
    engine: Backend, lattice: Lattice, data: st.DataObject
) -> None:
    model = model_of(data.draw(plain_puzzles(lattice, 7)))
    if model is None or engine.capabilities.missing(model.problem):
        return
    wanted = sorted(naive.solutions(model.problem))
    ways = [
        Branching.by(name, settings)
        for name in names_of(engine, model.layout)
        for settings in settings_of(engine)
    ]
    for task in [*ways, drawn_way(engine, model.layout, data)]:
        slices = data.draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
        found = found_by(engine, model.problem, model.layout, task, slices)
        assert found == wanted, (engine.name, task.heuristic, task.settings)


@given(data=st.data())
def test_problems_that_count_copies(data: st.DataObject) -> None:
    """Without geometry: items of which an option has at most one may have multiplicities."""
    engine = get_backend("fila")
    problem = data.draw(problems(frozenset({"secondary", "multiplicities"})))
    if engine.capabilities.missing(problem):
        return
    wanted = sorted(naive.solutions(problem))
    for task in (way("f", nof="0"), way("e", "f", nof="adjacent"), way("s")):
        assert found_by(engine, problem, None, task, (1 << 16, 1 << 12)) == wanted


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_heuristic_of_an_engine_is_known_by_name(name: str) -> None:
    """Of ours: an engine of another package may have names of its own."""
    assert set(get_backend(name).capabilities.heuristics) <= set(heuristics())
