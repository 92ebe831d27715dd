"""Fixed orders of cells: what each name means."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactcover.backends import get_backend
from exactcover.backends.heuristics.orders import tied_ranks
from exactcover.backends.tasks import check_heuristic
from exactcover.errors import StrategyError

GRID = np.array(list(product(range(3), range(4))), float)


def cells(text: str, positions: np.ndarray = GRID) -> list[tuple[float, ...]]:
    order = np.argsort(tied_ranks(text, positions), kind="stable")
    return [tuple(positions[cell].tolist()) for cell in order]


def test_axes() -> None:
    assert cells("f") == cells("x") == sorted(map(tuple, GRID.tolist()))
    assert cells("y") == sorted(cells("f"), key=lambda cell: cell[1])
    assert cells("X") == sorted(cells("f"), key=lambda cell: -cell[0])
    assert cells("xy") == cells("l@1,1") == sorted(cells("f"), key=sum)


def test_linear() -> None:
    assert cells("l@1,-2.5") == sorted(cells("f"), key=lambda cell: cell[0] - 2.5 * cell[1])
    assert cells("l@-1") == cells("X")


def test_radial() -> None:
    assert set(cells("R")[:4]) == {(0, 0), (0, 3), (2, 0), (2, 3)}
    assert cells("R@0,0")[0] == (2, 3)
    assert cells("R@0,0")[-1] == (0, 0)


def test_angles() -> None:
    square = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], float)
    assert cells("a", square) == cells("f", square)
    assert cells("a@90", square) == [(-1, 1), (-1, -1), (1, -1), (1, 1)]
    assert cells("a@45", square)[0] == (1, 1)
    assert cells("A", square) == cells("f", square)[::-1]
    assert cells("a@0,5,5", square)[0] == (-1, -1) or len(cells("a@0,5,5", square)) == 4


def test_every_order_has_every_cell() -> None:
    for text in ("f", "x", "Y", "xy", "l@3,1", "R", "R@9,9", "a", "a@200", "A@3,0,0"):
        assert sorted(cells(text)) == sorted(map(tuple, GRID.tolist()))


@pytest.mark.parametrize("text", ["", "q", "ff", "x@1", "l@", "l@a", "a@x", "xz", "e", "s"])
def test_what_is_no_order(text: str) -> None:
    with pytest.raises(StrategyError):
        check_heuristic("automaton", get_backend("automaton").capabilities, text)


@pytest.mark.parametrize("text", ["z", "xyz", "l@1,2,3", "R@1", "a@0,1"])
def test_the_dimension_is_looked_at(text: str) -> None:
    with pytest.raises(StrategyError):
        tied_ranks(text, GRID)
