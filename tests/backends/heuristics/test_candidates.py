"""Candidates for a narrow order: each a permutation, on every lattice; and good ones among them."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from exactcover.backends.heuristics.frontier import (
    candidates,
    frontier_cost,
    frontier_widths,
    log_of_states,
    narrow_order,
    narrow_orders,
)
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.lattices import Lattice, get_lattice
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells

Board = tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]
"""Where cells lie, and which are neighbours."""


def board(lattice: Lattice, cells: np.ndarray) -> Board:
    region = CellSet.of(lattice, cells)
    return lattice.positions(region.cells), neighbour_graph(region)


def some_board(lattice: Lattice) -> Board:
    """A small one that is no box."""
    cells = some_cells(lattice, 3 if lattice.dimension < 4 else 2)
    return board(lattice, cells[np.arange(len(cells)) % 7 != 3])


def cube(dimension: int) -> Board:
    """Of side 2."""
    name = "hypercubic" if dimension == 4 else f"hypercubic-{dimension}"
    return board(get_lattice(name), np.array(list(product(range(2), repeat=dimension))))


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_every_cell_once_and_no_order_twice(lattice: Lattice) -> None:
    positions, adjacent = some_board(lattice)
    orders = list(candidates(positions, adjacent))
    assert orders[0].tolist() == list(range(len(positions)))
    for order in orders:
        assert order.dtype == np.int64
        assert sorted(order.tolist()) == orders[0].tolist()
    assert len({tuple(order.tolist()) for order in orders}) == len(orders) > 1
    assert [order.tolist() for order in candidates(positions, adjacent)] == [
        order.tolist() for order in orders
    ]


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_the_narrowest_come_first(lattice: Lattice) -> None:
    """They begin with `narrow_order`, and have the order with fewest cells in its frontier."""
    positions, adjacent = some_board(lattice)
    orders = narrow_orders(positions, adjacent, 3)
    assert 3 <= len(orders) <= 6
    assert orders[0].tolist() == narrow_order(positions, adjacent).tolist()
    costs = [frontier_cost(order, adjacent) for order in orders]
    assert all(one <= next_one + 1e-8 for one, next_one in pairwise(costs))

    def width(order: np.ndarray) -> float:
        return log_of_states(frontier_widths(order, adjacent))

    least = min(map(width, candidates(positions, adjacent)))
    assert min(map(width, orders)) == pytest.approx(least)


@pytest.mark.parametrize("dimension", [4, 5, 6])
def test_a_cube_by_the_distance_from_a_corner(dimension: int) -> None:
    """Layer by layer, as many coordinates are 1: no wider than two layers, where a sweep has half
    the cube before it. There are not as many candidates as ways to name the axes.
    """
    positions, adjacent = cube(dimension)
    orders = list(candidates(positions, adjacent))
    assert len(orders) < 200
    by_layers = [
        order
        for order in narrow_orders(positions, adjacent, 8)
        if all(one <= other for one, other in pairwise(positions[order].sum(axis=1)))
    ]
    assert by_layers
    assert frontier_widths(by_layers[0], adjacent).max() < 2 ** (dimension - 1)


def test_no_cells_and_no_places() -> None:
    nothing = np.zeros((0, 0)), (np.zeros(1, np.int64), np.zeros(0, np.int64))
    assert [order.size for order in narrow_orders(*nothing, 3)] == [0]
    _, adjacent = cube(4)
    for order in candidates(np.zeros((16, 0)), adjacent):
        assert sorted(order.tolist()) == list(range(16))
