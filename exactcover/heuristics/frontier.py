"""The cell order with the narrowest frontier.

An engine that takes the cells in a fixed order and remembers what lies ahead of the first open cell
- the window automaton - has as many states as there are ways to fill the *frontier*: the open cells
beside the cells that have been taken. So the order decides whether a count takes a second or a
year. A long board is swept along its length, a ring round, a graph without places by its own
distances; the best of many orders is taken, and which it was does not matter afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Order = npt.NDArray[np.int64]
Neighbours = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
Lists = list[list[int]]

DIGITS = 9
"""Coordinates that agree in so many decimals are a tie."""

ROOTS = 3
"""So many cells are tried as the start of an order by the graph."""

CELLS, PAIRS = 0.75, 0.5
"""What a cell of the frontier counts, and a pair of neighbours across it."""

GREEDY = 1500
"""With more cells than these the greedy order takes too long to find."""


def narrow_order(positions: Points, adjacent: Neighbours) -> Order:
    """The cells in the order with the narrowest frontier found: int64 [cells].

    positions  float64 [cells, any]: where the cells lie; of no columns where they lie nowhere
    adjacent   compressed rows over cells: the cells beside each

    Tried are sweeps along axes and diagonals, breadth first from cells at the edge (reverse
    Cuthill-McKee), and greedily the cell that adds least to the frontier. Of equally narrow orders
    the first one tried is taken: a sweep.
    """
    n_cells = len(positions)
    best, least = np.arange(n_cells), np.inf
    for order in _orders(positions, adjacent):
        cost = frontier_cost(order, adjacent)
        if cost < least - 1e-9:
            best, least = order, cost
    return best.astype(np.int64)


def frontier_widths(order: Order, adjacent: Neighbours) -> npt.NDArray[np.int64]:
    """How many open cells are beside the cells taken, after each cell: int64 [cells]."""
    rank, owner = _ranks(order, adjacent)
    reached = rank.copy()  # when a neighbour is taken, or the cell itself
    np.minimum.at(reached, owner, rank[adjacent[1]])
    change = np.bincount(reached, minlength=rank.size) - np.bincount(rank, minlength=rank.size)
    return np.cumsum(change)


def frontier_pairs(order: Order, adjacent: Neighbours) -> npt.NDArray[np.int64]:
    """How many pairs of neighbours are a cell taken and an open one, after each cell."""
    rank, owner = _ranks(order, adjacent)
    taken, other = rank[owner], rank[adjacent[1]]
    across = taken < other
    opened = np.bincount(taken[across], minlength=rank.size)
    return np.cumsum(opened - np.bincount(other[across], minlength=rank.size))


def frontier_cost(order: Order, adjacent: Neighbours) -> float:
    """How many states there are, on a scale of powers of two that only compares orders.

    A staircase has as few cells beside it as a straight edge, and twice the pairs; it has more
    states, if less than the pairs would have it. The weights were fitted to automata of boxes.
    """
    widths = CELLS * frontier_widths(order, adjacent) + PAIRS * frontier_pairs(order, adjacent)
    if not widths.size:
        return 0.0
    widest = float(widths.max())
    return widest + float(np.log2(np.exp2(widths - widest).sum()))


def _ranks(
    order: Order, adjacent: Neighbours
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """When each cell is taken, and whose each entry of the compressed rows is."""
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    return rank, np.repeat(np.arange(order.size), np.diff(adjacent[0]))


def _orders(positions: Points, adjacent: Neighbours) -> Iterator[Order]:
    yield np.arange(len(positions))
    yield from _sweeps(positions)
    yield from _by_graph(adjacent, len(positions))


# -- sweeps ---------------------------------------------------------------------------------------


def _sweeps(positions: Points) -> Iterator[Order]:
    """Along each axis, ties by the other axes in every order, and along each diagonal."""
    axes = np.round(positions, DIGITS).T
    if not len(axes):
        return
    for several in permutations(range(len(axes))):
        yield np.lexsort(axes[list(several)[::-1]])
    for many in range(2, len(axes) + 1):
        for some in combinations(range(len(axes)), many):
            for signs in product((1, -1), repeat=many - 1):
                along = np.round(axes[list(some)].T @ np.array((1, *signs)), DIGITS)
                yield np.lexsort((*axes[::-1], along))


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
    """Always the cell of the frontier that adds least to it, of these the one longest there."""
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
