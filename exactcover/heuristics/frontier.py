"""The cell order with the narrowest frontier.

An engine that takes the cells in a fixed order and remembers what lies ahead of the first open cell
- the window automaton - has as many states as there are ways to fill the *frontier*: the open cells
beside the cells that have been taken. So the order decides whether a count takes a second or a
year. A long board is swept along its length, a ring round, a graph without places by its own
distances; the best of many orders is taken, and which it was does not matter afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.heuristics.candidates import Neighbours, Order, Points, candidates
from exactcover.patience import patiently

Value = TypeVar("Value")

DIGITS = 9
"""Costs that agree in so many decimals are a tie."""

CELLS, PAIRS = 0.75, 0.5
"""What a cell of the frontier counts, and a pair of neighbours across it."""


def narrow_order(positions: Points, adjacent: Neighbours) -> Order:
    """The cells in the order with the narrowest frontier found: int64 [cells].

    positions  float64 [cells, any]: where the cells lie; of no columns where they lie nowhere
    adjacent   compressed rows over cells: the cells beside each

    Of equally narrow orders the first one tried is taken: a sweep.
    """
    orders = list(patiently(candidates(positions, adjacent)))
    return _least(orders, [frontier_cost(order, adjacent) for order in patiently(orders)], 1)[0]


def narrow_orders(positions: Points, adjacent: Neighbours, many: int) -> list[Order]:
    """The orders with the narrowest frontiers found, so many of each of two kinds; narrowest first.

    They are for an engine that knows the pieces, to choose from: small ones do not mind a staircase
    as large ones do, so orders with few cells in the frontier are among them, however many pairs.
    """
    orders = list(patiently(candidates(positions, adjacent)))
    costs = [frontier_cost(order, adjacent) for order in patiently(orders)]
    widths = [log_of_states(frontier_widths(order, adjacent)) for order in patiently(orders)]
    numbers = range(len(orders))
    chosen = {*_least(numbers, costs, many), *_least(numbers, widths, many)}
    some = sorted(chosen)
    return [orders[number] for number in _least(some, [costs[n] for n in some], len(some))]


def _least(values: Sequence[Value], costs: Sequence[float], many: int) -> list[Value]:
    """So many values, those of least cost first; of the same cost as they came."""
    ranked = sorted(range(len(values)), key=lambda number: round(costs[number], DIGITS))
    return [values[number] for number in ranked[:many]]


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
    return log_of_states(widths)


def log_of_states(bits: npt.NDArray[np.number]) -> float:
    """The binary logarithm of the sum of so many powers of two: of all states, bits at a step."""
    if not bits.size:
        return 0.0
    most = float(bits.max())
    return most + float(np.log2(np.exp2(bits - most).sum()))


def _ranks(
    order: Order, adjacent: Neighbours
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """When each cell is taken, and whose each entry of the compressed rows is."""
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    return rank, np.repeat(np.arange(order.size), np.diff(adjacent[0]))
