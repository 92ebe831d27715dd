"""A user's own heuristic in dlx: the very tree of a plain search.

The plain search knows nothing of marks and sets: it looks at every option at every node, and rates
cells by the same function with a state made from nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status
from exactcover.backends.arrays import UNLIMITED
from exactcover.backends.base import Phase
from exactcover.backends.dlx import backend
from exactcover.backends.heuristics import Heuristic, base
from exactcover.backends.heuristics.base import State
from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from tests.helpers import naive
from tests.helpers.examples import few, some
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import branching, drained
from tests.helpers.summed import started

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]

MANY = 1 << 20


def odd(cell: int, state: Any) -> float:
    """A rating of no sense at all that asks for everything that a state has."""
    rating = state.fits[cell] * 7 + cell * 11 + state.remaining
    for shape in range(state.left.size):
        rating += state.left[shape] * (shape + 3)
    for at in range(state.near_starts[cell], state.near_starts[cell + 1]):
        rating += 5 * state.open[state.near[at]]
    rating += state.arguments[0] * int(8 + 2 * state.positions[cell, 0])
    return float(rating % 13)


ODD = Heuristic("odd", "of no sense", "a", geometry=True, rate=odd)


@pytest.fixture(autouse=True)
def _known() -> None:
    base.HEURISTICS.register(ODD.name, ODD)


class Plain:
    """A search that looks at everything at every node, of a problem that covers all just once."""

    def __init__(self, problem: Problem, layout: Layout) -> None:
        self.problem, self.layout = problem, layout
        self.items = [set(problem.items_of(o).tolist()) for o in range(problem.n_options)]
        self.cell_of = {item: cell for cell, item in enumerate(layout.cell_item.tolist())}
        self.fits = 0
        alive = {o for o, its in enumerate(self.items) if min(its, default=MANY) < problem.primary}
        self._go((), alive, set(range(problem.n_items)))

    def _go(self, chosen: tuple[int, ...], alive: set[int], items: set[int]) -> None:
        asking = [item for item in sorted(items) if item < self.problem.primary]
        if not asking:
            return
        item = self._item(chosen, alive, items, asking)
        for option in [one for one in alive if item in self.items[one]]:
            self.fits += 1
            its = self.items[option]
            left = {one for one in alive if not self.items[one] & its}
            self._go((*chosen, option), left, items - its)

    def _item(
        self, chosen: tuple[int, ...], alive: set[int], items: set[int], asking: list[int]
    ) -> int:
        """The item to branch on."""
        sizes = {item: sum(item in self.items[one] for one in alive) for item in asking}
        open_ = [cell for item, cell in self.cell_of.items() if item in sizes]
        if min(sizes.values()) < 2 or not open_:
            return min(asking, key=lambda item: (sizes[item], item))
        state = self._state(chosen, items, sizes)
        cell = min(sorted(open_), key=lambda cell: odd(cell, state))
        return int(self.layout.cell_item[cell])

    def _state(self, chosen: tuple[int, ...], items: set[int], sizes: dict[int, int]) -> State:
        layout = self.layout
        cells, shapes = layout.cell_item.tolist(), layout.shape_item.tolist()
        left = [UNLIMITED if item < 0 else int(item in items) for item in shapes]
        return State(
            open=np.array([item in sizes for item in cells]),
            fits=np.array([sizes.get(item, 0) for item in cells]),
            left=np.array(left),
            remaining=pieces_left(self.problem, layout, chosen),
            positions=layout.positions,
            near_starts=layout.adjacent[0].astype(np.int64),
            near=layout.adjacent[1].astype(np.int64),
            arguments=np.array([3.0]),
        )


def searched(
    problem: Problem, layout: Layout, task: Branching
) -> tuple[list[tuple[int, ...]], int]:
    """All solutions, and the options chosen."""
    search = started(backend, problem, layout, task)
    return sorted(drained(search, 100)), search.report().fits


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=2), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_the_tree_is_that_of_a_plain_search(lattice: Lattice, data: st.DataObject) -> None:
    try:
        model = told(data.draw(plain_puzzles(lattice, 7))).model
    except PuzzleError:
        event("refused")
        return
    if model.reason:
        return
    problem, layout = model.problem, model.layout
    wanted = sorted(naive.solutions(problem))
    found, fits = searched(problem, layout, Branching.by("odd@3"))
    assert found == wanted
    if not problem.needs & {"multiplicities", "colours"}:
        event("counted")
        assert fits == Plain(problem, layout).fits
    names = st.sampled_from(("s", "x", "odd@3"))
    phases = (Phase(data.draw(names)), Phase(data.draw(names), data.draw(st.integers(0, 4))))
    assert searched(problem, layout, Branching(phases=phases))[0] == wanted, phases


@pytest.mark.parametrize("puzzle", ["t_tetrominoes_8x8", "tetrominoes_1s_7x4"])
def test_the_tree_of_a_box(puzzle: str) -> None:
    """Boxes with choices enough that the rule has a tree of its own."""
    model = ec.read(puzzle).model
    found, fits = searched(model.problem, model.layout, Branching.by("odd@3"))
    assert len(found) == (84 if puzzle == "t_tetrominoes_8x8" else 0)
    assert fits == Plain(model.problem, model.layout).fits


def test_cells_that_were_filled_before_are_not_open() -> None:
    """Below options chosen by a task the tree is that of the puzzle with these pieces placed."""
    model = ec.read("t_tetrominoes_8x8").model
    found, fits = searched(model.problem, model.layout, Branching.by("odd@3"))
    start = started(backend, model.problem, model.layout, Branching.by("odd@3"), 14)
    below = []
    while start.advance(1 << 20, capacity=1).status is not Status.DONE:
        node = start.below()  # type: ignore[attr-defined]
        below.append(branching(node.chosen, node.allowed, heuristic="odd@3"))
    parts = [searched(model.problem, model.layout, task) for task in below]
    assert sorted(one for part, _ in parts for one in part) == found
    assert start.report().fits + sum(many for _, many in parts) == fits


# -- on the way -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stages",
    ["dlx:odd@3; fila:f@5", "dlx:odd@3; dlx:x@5; fila:s@3", "dlx:x; dlx:odd@3@5; bsx:s@2"],
)
def test_it_hands_over(stages: str) -> None:
    puzzle = ec.read("tetrominoes_any_5x4")
    assert ec.count(puzzle, counted="all", strategy=stages) == 454
