"""Orders of cells that may keep the frontier narrow: sweeps, distances, and orders by the graph.

The best of them is chosen in `frontier`. A box is swept along its length, or slab by slab. A
staircase from corner to corner suits small pieces. So does the distance from a corner, which is the
same in a cube of many dimensions. Other regions use the graph of neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt

from exactcover.base.values.products import dot

Points = npt.NDArray[np.float64]
Order = npt.NDArray[np.int64]
Neighbours = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
Lists = list[list[int]]

DIGITS = 9
"""Coordinates that agree in this many decimals are a tie."""

ROOTS = 3
"""The number of cells tried as the start of an order by the graph."""

GREEDY = 1500
"""With more cells than this, the greedy order takes too long to find."""

FEW = 4
"""In more dimensions than this, not all orders of axes and not all diagonals are tried."""

CORNERS = 3
"""Corners differ in this many of the axes."""


def candidates(positions: Points, adjacent: Neighbours) -> Iterator[Order]:
    """Orders of the cells, each int64 [cells] and all different; the first is by their numbers.

    positions  float64 [cells, any]: the places of the cells; without columns if they have none
    adjacent   compressed rows over cells: the cells beside each
    """
    seen: set[bytes] = set()
    for one in _orders(positions, adjacent):
        order = one.astype(np.int64)
        if order.tobytes() not in seen:
            seen.add(order.tobytes())
            yield order


def _orders(positions: Points, adjacent: Neighbours) -> Iterator[Order]:
    yield np.arange(len(positions))
    axes = np.round(positions, DIGITS).T
    if axes.size:
        yield from _sweeps(axes)
        yield from _slabs(axes)
        yield from _diagonals(axes)
        yield from _distances(axes)
    yield from _by_graph(adjacent, len(positions))


# -- by places: float64 [axes, cells] -------------------------------------------------------------


def _sweeps(axes: Points) -> Iterator[Order]:
    """Along each axis, ties by the others in every order; in many dimensions in two orders."""
    numbers = range(len(axes))
    if len(axes) <= FEW:
        several: Iterator[tuple[int, ...]] = permutations(numbers)
    else:
        rest = {axis: [other for other in numbers if other != axis] for axis in numbers}
        several = ((axis, *others) for axis in numbers for others in (rest[axis], rest[axis][::-1]))
    for some in several:
        yield np.lexsort(axes[list(some)[::-1]])


def _slabs(axes: Points) -> Iterator[Order]:
    """Along each axis, and from corner to corner within each slab."""
    for axis in range(len(axes)) if len(axes) > 2 else ():
        within = np.round(axes.sum(axis=0) - axes[axis], DIGITS)
        yield np.lexsort((*axes[::-1], within, axes[axis]))


def _diagonals(axes: Points) -> Iterator[Order]:
    """Along each diagonal of two axes or more."""
    dimension = len(axes)
    for many in range(2, dimension + 1):
        every = dimension <= FEW or many in (2, dimension)
        for some in combinations(range(dimension), many):
            for signs in product((1, -1) if every else (1,), repeat=many - 1):
                along = np.round(dot(axes[list(some)].T, np.array((1.0, *signs))), DIGITS)
                yield np.lexsort((*axes[::-1], along))


def _distances(axes: Points) -> Iterator[Order]:
    """The farthest from a corner of the box first, or the nearest; the farthest from its centre."""
    low, high = axes.min(axis=1), axes.max(axis=1)
    ends = [(least, most) for least, most in zip(low, high, strict=True)]
    ends[CORNERS:] = [(least, least) for least in low[CORNERS:]]
    points = dict.fromkeys(product(*ends))
    for point in points:
        away = np.round(((axes.T - np.array(point)) ** 2).sum(axis=1), DIGITS)
        yield np.lexsort((*axes[::-1], -away))
        yield np.lexsort((*axes[::-1], away))
    centre = (low + high) / 2
    yield np.lexsort((*axes[::-1], -np.round(((axes.T - centre) ** 2).sum(axis=1), DIGITS)))


# -- by the graph ---------------------------------------------------------------------------------


def _by_graph(adjacent: Neighbours, n_cells: int) -> Iterator[Order]:
    starts, others = (numbers.tolist() for numbers in adjacent)
    near = [others[starts[cell] : starts[cell + 1]] for cell in range(n_cells)]
    for root in _ends(near):
        order = _breadth_first(near, root)
        yield np.array(order, np.int64)
        yield np.array(order[::-1], np.int64)
        if n_cells <= GREEDY:
            yield np.array(_greedy(near, root), np.int64)


def _ends(near: Lists) -> list[int]:
    """Cells at the edge of the graph: each the farthest from the one before."""
    if not near:
        return []
    found = [min(range(len(near)), key=lambda cell: len(near[cell]))]
    for _ in range(ROOTS - 1):
        away = _breadth_first(near, found[-1])[-1]
        if away in found:
            break
        found.append(away)
    return found


def _breadth_first(near: Lists, root: int) -> list[int]:
    """Cuthill and McKee's order: cell by cell, its new neighbours, those with few of them first."""
    order: list[int] = []
    seen = [False] * len(near)
    for start in (root, *range(len(near))):
        if seen[start]:
            continue
        seen[start] = True
        at = len(order)
        order.append(start)
        while at < len(order):
            order += _new(near, order[at], seen)
            at += 1
    return order


def _new(near: Lists, cell: int, seen: list[bool]) -> list[int]:
    """The neighbours of a cell that were not seen yet, and now are."""
    new = [other for other in near[cell] if not seen[other]]
    for other in new:
        seen[other] = True
    return sorted(new, key=lambda other: len(near[other]))


def _greedy(near: Lists, root: int) -> list[int]:
    """Always the cell of the frontier that adds least to it; ties go to the one longest there."""
    taken, fresh = [False] * len(near), [len(cells) for cells in near]
    order: list[int] = []
    seen = [False] * len(near)
    frontier: dict[int, None] = {}  # in the order in which they came

    def see(cell: int) -> None:
        if not seen[cell]:
            seen[cell] = True
            for other in near[cell]:
                fresh[other] -= 1

    for start in (root, *range(len(near))):
        if taken[start]:
            continue
        see(start)
        frontier[start] = None
        while frontier:
            cell = min(frontier, key=fresh.__getitem__)
            del frontier[cell]
            taken[cell] = True
            order.append(cell)
            for other in near[cell]:
                if not seen[other]:
                    see(other)
                    frontier[other] = None
    return order
