"""The cell order with the narrowest frontier.

The window automaton takes the cells in a fixed order and remembers the filled cells after the first
open one. Its number of states is the number of ways to fill the *frontier*: the open cells beside
the cells that have been taken. So the order decides whether a count takes a second or a year. A
long board is swept along its length, a ring around, a graph without places by its own distances.
The best of many orders is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.backends.heuristics.candidates import Neighbours, Order, Points, candidates
from exactcover.base.patience import patiently

Value = TypeVar("Value")

DIGITS = 9
"""Costs that agree in this many decimals are a tie."""

CELLS, PAIRS = 0.75, 0.5
"""The weights of a cell of the frontier, and of a pair of neighbours across it."""


def narrow_order(positions: Points, adjacent: Neighbours) -> Order:
    """The cells in the order with the narrowest frontier found: int64 [cells].

    positions  float64 [cells, any]: the places of the cells; without columns if they have none
    adjacent   compressed rows over cells: the cells beside each

    Ties go to the order tried first: a sweep.
    """
    orders = list(patiently(candidates(positions, adjacent)))
    return _least(orders, [frontier_cost(order, adjacent) for order in patiently(orders)], 1)[0]


def narrow_orders(positions: Points, adjacent: Neighbours, many: int) -> list[Order]:
    """The narrowest orders found, `many` by each of two measures; narrowest first.

    An engine chooses from them by the pieces. A staircase suits small pieces better than large
    ones, so orders with few cells in the frontier are included, even with many pairs.
    """
    orders = list(patiently(candidates(positions, adjacent)))
    costs = [frontier_cost(order, adjacent) for order in patiently(orders)]
    widths = [log_of_states(frontier_widths(order, adjacent)) for order in patiently(orders)]
    numbers = range(len(orders))
    chosen = {*_least(numbers, costs, many), *_least(numbers, widths, many)}
    some = sorted(chosen)
    return [orders[number] for number in _least(some, [costs[n] for n in some], len(some))]


def _least(values: Sequence[Value], costs: Sequence[float], many: int) -> list[Value]:
    """At most `many` values, those of least cost first; ties keep their order."""
    ranked = sorted(range(len(values)), key=lambda number: round(costs[number], DIGITS))
    return [values[number] for number in ranked[:many]]


def frontier_widths(order: Order, adjacent: Neighbours) -> npt.NDArray[np.int64]:
    """How many open cells are beside the cells taken, after each cell: int64 [cells]."""
    rank, owner = _ranks(order, adjacent)
    reached = rank.copy()  # the time when a neighbour is taken, or the cell itself
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
    """An estimate of the number of states, on a scale of powers of two that only compares orders.

    A staircase has as few cells beside it as a straight edge, and twice the pairs. It has more
    states than the edge, but fewer than the pairs suggest. The weights were fitted to automata of
    boxes.
    """
    widths = CELLS * frontier_widths(order, adjacent) + PAIRS * frontier_pairs(order, adjacent)
    return log_of_states(widths)


def log_of_states(bits: npt.NDArray[np.number]) -> float:
    """The binary logarithm of the number of all states: of a sum of powers of two, one for each
    step."""
    if not bits.size:
        return 0.0
    most = float(bits.max())
    return most + float(np.log2(np.exp2(bits - most).sum()))


def _ranks(
    order: Order, adjacent: Neighbours
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The time when each cell is taken, and the owner of each entry of the compressed rows."""
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    return rank, np.repeat(np.arange(order.size), np.diff(adjacent[0]))
