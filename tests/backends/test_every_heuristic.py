"""Every engine, every heuristic that it takes, every setting: the tilings of random puzzles.

The reference is the plain one, `naive`, on the problem that the puzzle becomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends import BUILT_IN, Backend, Status, Task, backends, get_backend, started
from exactcover.errors import PuzzleError
from exactcover.heuristics import heuristics
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from tests.helpers import naive
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import Option

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]

ARGUMENTS = {"l": "@1,-2", "a": "@30", "A": "", "R": ""}

NEAR = ("", "0", "adjacent", "3")

WORDS = ("1", "2", "3")


def ways(engine: Backend, layout: Layout) -> Iterator[Task]:
    """All ways in which an engine can be told to search cells that lie so."""
    can, dimension = engine.capabilities, layout.positions.shape[1]
    for one in heuristics().values():
        axes = [axis for axis in "xyzw" if axis in one.name.lower()]
        by_axes = len(one.name) <= 4 and set(one.name.lower()) <= set("xyzw")
        if not can.takes(one) or one.rate is not None:
            continue
        if (by_axes and "xyzw".index(axes[-1]) >= dimension) or (
            one.name in "laA" and dimension < 2
        ):
            continue
        name = one.name + ARGUMENTS.get(one.name, "")
        offered = {"nof": NEAR, "words": WORDS}
        told_of = [offered[setting] for setting in offered if setting in can.settings]
        for values in product(*told_of):
            chosen = zip((s for s in offered if s in can.settings), values, strict=True)
            yield Task(heuristic=name, settings={word: value for word, value in chosen if value})


def all_found(engine: Backend, problem: Problem, layout: Layout, task: Task) -> list[Option]:
    search = started(engine, problem, layout, task)
    found: list[Option] = []
    while True:
        batch = search.advance(1 << 16)
        found += [batch.solution(number) for number in range(len(batch))]
        if batch.status is Status.DONE:
            return sorted(found)


ENGINES = [one for one in backends().values() if one.capabilities.lists_solutions]


def check(engine: Backend, lattice: Lattice, data: st.DataObject, part: int | None) -> None:
    """Try all ways, or so many of them drawn by lot."""
    try:
        model = told(data.draw(plain_puzzles(lattice, 7))).model
    except PuzzleError:
        return
    if model.reason or engine.capabilities.missing(model.problem):
        return
    wanted = sorted(naive.solutions(model.problem))
    every = list(ways(engine, model.layout))
    chosen = every
    if part is not None and len(every) > part:
        chosen = data.draw(st.lists(st.sampled_from(every), min_size=part, max_size=part))
    for task in chosen:
        found = all_found(engine, model.problem, model.layout, task)
        assert found == wanted, (engine.name, task.heuristic, task.settings)


@pytest.mark.parametrize("lattice", LATTICES, ids=lambda lattice: lattice.name)
@given(data=st.data())
@few
def test_some_ways_find_what_the_reference_finds(lattice: Lattice, data: st.DataObject) -> None:
    engine = data.draw(st.sampled_from([one for one in ENGINES if one.name != "cpsat"]))
    check(engine, lattice, data, 8)


@pytest.mark.slow
@pytest.mark.parametrize("lattice", LATTICES, ids=lambda lattice: lattice.name)
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@given(data=st.data())
def test_all_ways_find_what_the_reference_finds(
    engine: Backend, lattice: Lattice, data: st.DataObject
) -> None:
    check(engine, lattice, data, None)


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_heuristic_of_an_engine_is_known_by_name(name: str) -> None:
    """Of ours: an engine of another package may have names of its own."""
    assert set(get_backend(name).capabilities.heuristics) <= set(heuristics())
