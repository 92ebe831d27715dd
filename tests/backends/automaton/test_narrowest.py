"""The order of fewest states expected: what the expectation is, and what it saves."""

from __future__ import annotations

from itertools import product

import pytest

from exactcover.backends import Branching
from exactcover.backends.automaton.sweep import narrowest
from exactcover.backends.node import ROOT
from exactcover.backends.open_board import OpenBoard
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.automaton_counts import count, to_the_end, total
from tests.helpers.small_problems import langford


def dominoes(*sides: int) -> Puzzle:
    """Any number of them in a box."""
    one, other = (0,) * len(sides), (1, *(0,) * (len(sides) - 1))
    cells = list(product(*map(range, sides)))
    lattice = get_lattice({2: "square", 3: "cubic", 4: "hypercubic"}.get(len(sides), "") or (
        f"hypercubic-{len(sides)}"
    ))  # fmt: skip
    return Puzzle(lattice, Region(cells), (Piece("D", [one, other], 0, None),), True)


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
    assert to_the_end(counting) == many
    most = {(8, 8): 1_000, (3, 3, 3, 2): 50_000, (2,) * 5: 6_000, (2,) * 6: 7_000_000}
    assert counting.states < most[sides]


def test_a_problem_without_cells() -> None:
    problem = langford(4)
    order = narrowest(OpenBoard.of(problem, None, ROOT), None)
    assert sorted(order.tolist()) == list(range(order.size))
    assert total(problem, None, Branching()) == 2
