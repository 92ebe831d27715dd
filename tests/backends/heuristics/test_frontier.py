"""The narrowest order: a permutation, of the widths it says, and narrow where one knows how."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.heuristics.orders import (
    CELLS,
    PAIRS,
    Neighbours,
    Order,
    candidates,
    frontier,
    log_of_states,
    narrow_orders,
)
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.lattices import Lattice, get_lattice
from tests.helpers.examples import some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells


def grid(*sides: int) -> tuple[np.ndarray, Neighbours]:
    """A box of cells and their neighbours, in an order that is of no use."""
    cells = sorted(product(*map(range, sides)), key=lambda cell: hash((7, *cell)))
    at = {cell: number for number, cell in enumerate(cells)}
    near = [
        [
            at[beside]
            for axis, step in product(range(len(sides)), (-1, 1))
            if (beside := (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])) in at
        ]
        for cell in cells
    ]
    return np.array(cells, float), rows(near)


def rows(near: list[list[int]]) -> Neighbours:
    starts = np.cumsum([0, *map(len, near)])
    return starts, np.array([other for others in near for other in others], np.int64)


def plain_beside(order: Order, adjacent: Neighbours) -> Iterator[list[int]]:
    """For each step the open cells beside the cells taken, once for every cell they are beside."""
    starts, others = adjacent
    for many in range(1, order.size + 1):
        taken = set(order[:many].tolist())
        beside = [int(o) for cell in taken for o in others[starts[cell] : starts[cell + 1]]]
        yield [cell for cell in beside if cell not in taken]


@st.composite
def graphs(draw: st.DrawFn) -> Neighbours:
    n_cells = draw(st.integers(0, 7))
    near: list[list[int]] = [[] for _ in range(n_cells)]
    for one, other in permutations(range(n_cells), 2):
        if one < other and draw(st.booleans()):
            near[one].append(other)
            near[other].append(one)
    return rows(near)


@given(adjacent=graphs())
def test_every_cell_once_and_widths_as_counted(adjacent: Neighbours) -> None:
    n_cells = adjacent[0].size - 1
    order = narrow_orders(np.zeros((n_cells, 0)), adjacent, 1)[0]
    assert order.dtype == np.int64
    assert sorted(order.tolist()) == list(range(n_cells))
    beside = list(plain_beside(order, adjacent))
    widths, pairs = frontier(order, adjacent)
    assert widths.tolist() == [len(set(cells)) for cells in beside]
    assert pairs.tolist() == [len(cells) for cells in beside]


@pytest.mark.parametrize(
    ("sides", "width"), [((18, 5), 5), ((5, 18), 5), ((6, 10), 6), ((10, 3, 2), 6), ((2, 5, 2), 4)]
)
def test_a_box_is_swept_along_its_length(sides: tuple[int, ...], width: int) -> None:
    positions, adjacent = grid(*sides)
    order = narrow_orders(positions, adjacent, 1)[0]
    widths, pairs = frontier(order, adjacent)
    assert widths.max() == width
    if len(sides) == 2:
        assert pairs.max() == width + 1  # straight, no staircase


# -- the candidates --------------------------------------------------------------------------------

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


@pytest.mark.parametrize("lattice", some(EVERY, one_in=3), ids=name_of)
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


@pytest.mark.parametrize("lattice", some(EVERY, one_in=3, first=1), ids=name_of)
def test_the_narrowest_come_first(lattice: Lattice) -> None:
    """They begin with the one of least cost, with the order of fewest cells in its frontier."""
    positions, adjacent = some_board(lattice)
    orders = narrow_orders(positions, adjacent, 3)
    assert 3 <= len(orders) <= 6

    def cost(order: np.ndarray) -> float:
        cells, pairs = frontier(order, adjacent)
        return round(log_of_states(CELLS * cells + PAIRS * pairs), 9)

    def width(order: np.ndarray) -> float:
        return log_of_states(frontier(order, adjacent)[0])

    assert orders[0].tolist() == min(candidates(positions, adjacent), key=cost).tolist()
    assert all(cost(one) <= cost(next_one) for one, next_one in pairwise(orders))

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
    assert frontier(by_layers[0], adjacent)[0].max() < 2 ** (dimension - 1)
