"""The order of fewest states expected: what the expectation is, and what it saves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching
from exactcover.backends.automaton import count
from exactcover.backends.automaton.sweep import expected_bits, narrowest
from exactcover.backends.heuristics.orders import narrow_orders
from exactcover.backends.node import ROOT
from exactcover.backends.open_board import OpenBoard
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import COMPILED
from tests.helpers.small_problems import langford

big = pytest.mark.skipif(not COMPILED, reason="too big a count without a compiler")


def dominoes(*sides: int) -> Puzzle:
    """Any number of them in a box."""
    one, other = (0,) * len(sides), (1, *(0,) * (len(sides) - 1))
    cells = list(product(*map(range, sides)))
    lattice = get_lattice({2: "square", 3: "cubic", 4: "hypercubic"}.get(len(sides), "") or (
        f"hypercubic-{len(sides)}"
    ))  # fmt: skip
    return Puzzle(lattice, Region(cells), (Piece("D", [one, other], 0, None),), True)


def plain_states(images: list[set[int]], order: list[int]) -> float:
    """The sum over the cells taken next, one by one; in the plainest of Python."""
    total = 0.0
    for step in range(len(order)):
        taken, bits = set(order[:step]), 0.0
        for cell in order[step:]:
            its = [image for image in images if cell in image]
            part = sum(bool(image & taken) for image in its) / max(1, len(its))
            bits += (4 * part * (1 - part)) ** 0.25
        total += 2**bits
    return float(np.log2(total))


@given(data=st.data())
def test_what_is_expected(data: st.DataObject) -> None:
    n_cells = data.draw(st.integers(1, 7))
    cell = st.integers(0, n_cells - 1)
    images = [{one} for one in range(n_cells)]
    images += data.draw(st.lists(st.sets(cell, min_size=1), max_size=8))
    problem = Problem.from_options([sorted(image) for image in images])
    board = OpenBoard.of(problem, None, ROOT)
    assert board.n_cells == n_cells
    order = data.draw(st.permutations(range(n_cells)))
    [found] = expected_bits([np.array(order)], board.owner, board.bits)
    assert found == pytest.approx(plain_states(images, order))


@pytest.mark.parametrize("name", ["pentominoes_1s_18x5", "PT12", "pentominoes_10x6"])
def test_pentominoes_go_by_the_narrowest_frontier(name: str) -> None:
    """A staircase has fewer cells in its frontier, and more states: they reach far beyond it."""
    model = ec.read(name).model
    layout = model.layout
    wanted = narrow_orders(layout.positions, layout.adjacent, 1)[0]
    board = OpenBoard.of(model.problem, layout, ROOT)
    assert board.place[narrowest(board, layout)].tolist() == wanted.tolist()


@big
@pytest.mark.parametrize(
    ("sides", "many"),
    [
        ((8, 8), 12_988_816),
        ((3, 3, 3, 2), 1_847_888_479),
        ((2, 2, 2, 2, 2), 589_185),
        pytest.param((2, 2, 2, 2, 2, 2), 16_332_454_526_976, marks=pytest.mark.slow),
    ],
)
def test_dominoes_in_boxes_of_many_dimensions(sides: tuple[int, ...], many: int) -> None:
    """By the narrowest frontier, a sweep, they have two to twelve times the states."""
    model = dominoes(*sides).model
    counting = count(model.problem, model.layout, Branching())
    assert counting.run() == many
    most = {(8, 8): 1_000, (3, 3, 3, 2): 50_000, (2,) * 5: 6_000, (2,) * 6: 7_000_000}
    assert counting.states < most[sides]


def test_a_problem_without_cells() -> None:
    problem = langford(4)
    order = narrowest(OpenBoard.of(problem, None, ROOT), None)
    assert sorted(order.tolist()) == list(range(order.size))
    assert count(problem, None, Branching()).run() == 2
