"""Fixed orders of cells, from the places of the cells; `base` says which there are.

Coordinates are those of the cells' centres in space, so every order has a meaning in every lattice,
and in any number of dimensions. The centre is the middle of the box round all cells. Ties go to the
first cell in `f`.

The number of states of the window automaton is the number of ways to fill the *frontier*: the open
cells beside the cells that have been taken. So the order decides whether a count takes a second or
a year. The narrowest of many orders is taken, see `candidates`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Long, Reals
from exactcover.backends.heuristics.base import AXES, divided, get_heuristic
from exactcover.base.patience import patiently
from exactcover.base.values.products import dot
from exactcover.errors import StrategyError
from exactcover.problem import Layout

Points = Reals
Values = Reals
Order = Long
Neighbours = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
Lists = list[list[int]]

BY_LAYOUT = ("random", "narrow")
"""Orders that do not follow from positions alone."""

DIGITS = 9
"""Values, costs and coordinates that agree in this many decimals are a tie."""

ROOTS = 3
"""The number of cells tried as the start of an order by the graph."""

GREEDY = 1500
"""With more cells than this, the greedy order takes too long to find."""

FEW = 4
"""In more dimensions than this, not all orders of axes and not all diagonals are tried."""

CORNERS = 3
"""Corners differ in this many of the axes."""

CELLS, PAIRS = 0.75, 0.5
"""The weights of a cell of the frontier, and of a pair of neighbours across it, fitted to boxes.

A staircase has as few cells beside it as a straight edge, and twice the pairs. It has more states
than the edge, but fewer than the pairs suggest."""


def tied_ranks(text: str, positions: Points) -> Order:
    """The rank of each cell in the order of this name, the same for ties: int64 [cells].

    Raises `StrategyError`.
    """
    values = np.round(_values(text, positions), DIGITS)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


@lru_cache(maxsize=32)
def cell_order(text: str, layout: Layout, seed: int = 0) -> Order:
    """The cells of a layout in the order of this name: int64 [cells]; raises `StrategyError`."""
    if text == "narrow":
        return narrow_orders(layout.positions, layout.adjacent, 1)[0]
    if text == "random":
        return random_order(layout.n_cells, seed)
    return np.argsort(tied_ranks(text, layout.positions), kind="stable")


def random_order(many: int, seed: int) -> Order:
    """The numbers below `many` in a random order, the same for the same seed."""
    return np.random.Generator(np.random.PCG64(seed)).permutation(many)


def _values(text: str, positions: Points) -> Values:
    """The value by which the order sorts the cells."""
    name, written = divided(text)
    if name in ORDERS:
        return ORDERS[name](text, positions, np.array(get_heuristic(name).values(written)))
    if name == "f":
        return np.arange(len(positions), dtype=np.float64)
    dimension = positions.shape[1]
    if AXES.find(name[-1].lower()) >= dimension:
        raise StrategyError(f"{text!r}: the cells lie in {dimension} dimensions")
    factors = np.zeros(dimension)
    factors[[AXES.index(letter) for letter in name.lower()]] = 1 if name.islower() else -1
    return dot(positions, factors)


def _linear(text: str, positions: Points, factors: Values) -> Values:
    dimension = positions.shape[1]
    if not 1 <= factors.size <= dimension:
        raise StrategyError(f"{text!r}: l takes up to {dimension} factors, one for each dimension")
    return dot(positions[:, : factors.size], factors)


def _distance(text: str, positions: Points, centre: Values) -> Values:
    """Minus the square of the distance from the centre."""
    away = positions - _centre(text, positions, centre, positions.shape[1])
    return -np.asarray((away**2).sum(axis=1))


def _angle(text: str, positions: Points, arguments: Values) -> Values:
    """The angle from the reference on, in parts of a full turn."""
    if positions.shape[1] < 2:
        raise StrategyError(f"{text!r}: the cells lie on a line, so there are no angles")
    start = arguments[0] if arguments.size else 0.0
    away = positions[:, :2] - _centre(text, positions, arguments[1:], 2)
    turns = (np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) - start / 360) % 1
    return np.asarray(np.where(turns > 1 - 1e-9, 0.0, turns))


def _centre(text: str, positions: Points, given: Values, dimension: int) -> Values:
    if given.size not in (0, dimension):
        raise StrategyError(f"{text!r}: the centre needs {dimension} coordinates")
    if given.size:
        return given
    place = positions[:, :dimension]
    if not len(place):
        return np.zeros(dimension)
    return np.asarray((place.min(axis=0) + place.max(axis=0)) / 2)


ORDERS: dict[str, Callable[[str, Points, Values], Values]] = {
    "l": _linear,
    "R": _distance,
    "a": _angle,
    "A": lambda text, positions, arguments: -_angle(text, positions, arguments),
}


# -- the narrowest frontier ------------------------------------------------------------------------


def narrow_orders(positions: Points, adjacent: Neighbours, many: int) -> list[Order]:
    """The cells in the narrowest orders found, `many` by each of two measures; narrowest first.

    positions  float64 [cells, any]: the places of the cells; without columns if they have none
    adjacent   compressed rows over cells: the cells beside each

    An engine chooses from them by the pieces. A staircase suits small pieces better than large
    ones, so orders with few cells in the frontier are included, even with many pairs. Ties go to
    the order tried first: a sweep.
    """
    orders = list(patiently(candidates(positions, adjacent)))
    costs, widths = [], []
    for order in patiently(orders):
        cells, pairs = frontier(order, adjacent)
        costs.append(round(log_of_states(CELLS * cells + PAIRS * pairs), DIGITS))
        widths.append(round(log_of_states(cells), DIGITS))
    by_cost, by_width = (np.argsort(one, kind="stable")[:many] for one in (costs, widths))
    chosen = np.union1d(by_cost, by_width).tolist()
    return [orders[number] for number in sorted(chosen, key=costs.__getitem__)]


def frontier(order: Order, adjacent: Neighbours) -> tuple[Long, Long]:
    """How many open cells are beside the cells taken, after each cell, and how many pairs of
    neighbours are a cell taken and an open one: int64 [cells]."""
    cells = order.size
    rank = np.empty(cells, np.int64)  # the time when each cell is taken
    rank[order] = np.arange(cells)
    owner = np.repeat(rank, np.diff(adjacent[0]))
    other = rank[adjacent[1]]
    reached = rank.copy()  # the time when a neighbour is taken, or the cell itself
    np.minimum.at(reached, order[owner], other)
    across = owner < other
    opened = np.bincount(reached, minlength=cells) - 1
    joined = np.bincount(owner[across], minlength=cells)
    return np.cumsum(opened), np.cumsum(joined - np.bincount(other[across], minlength=cells))


def log_of_states(bits: npt.NDArray[np.number]) -> float:
    """The binary logarithm of the number of all states: of a sum of powers of two, one for each
    step."""
    if not bits.size:
        return 0.0
    most = float(bits.max())
    return most + float(np.log2(np.exp2(bits - most).sum()))


# -- the orders compared ---------------------------------------------------------------------------


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
        order = breadth_first(near, root)
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
        away = breadth_first(near, found[-1])[-1]
        if away in found:
            break
        found.append(away)
    return found


def breadth_first(near: Lists, root: int) -> list[int]:
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
