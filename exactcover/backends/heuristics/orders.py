"""Fixed orders of cells, from the places of the cells.

| name | the next cell is |
|---|---|
| `f` | the first one, as the puzzle numbers them |
| `x`, `y`, `z`, `w` | the one with the least x, y, z, w |
| `X`, `Y`, `Z`, `W` | the one with the greatest |
| `xyz` | the one with the least sum of coordinates |
| `l@a,b,c` | the one with the least a x + b y + c z |
| `R`, `R@x,y,z` | the farthest from the centre, or from this point |
| `a`, `a@degrees`, `a@degrees,x,y` | the one with the least angle round the centre, or round this
                                     point, from this angle on, against the clock |
| `A`, ... | the one with the greatest |
| `random` | drawn by lot before the search, by a seed |
| `narrow` | the one in the order with the narrowest frontier, see `frontier` |

Coordinates are those of the cells' centres in space, so every order has a meaning in every lattice,
and in any number of dimensions. The centre is the middle of the box round all cells. Ties go to the
first cell in `f`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from exactcover.backends.arrays import Long, Reals
from exactcover.backends.heuristics.base import AXES, NUMBER
from exactcover.backends.heuristics.frontier import narrow_order
from exactcover.base.values.products import dot
from exactcover.errors import StrategyError
from exactcover.problem import Layout

Points = Reals
Values = Reals
Order = Long

BY_LAYOUT = ("random", "narrow")
"""Orders that do not follow from positions alone."""

DIGITS = 9
"""Values that agree in this many decimals are a tie."""


def fixed_order(text: str, positions: Points) -> Order:
    """The cells in the order of this name: int64 [cells]; raises `StrategyError`."""
    values = _values(text, positions)
    return np.argsort(np.round(values, DIGITS), kind="stable").astype(np.int64)


def tied_ranks(text: str, positions: Points) -> Order:
    """The rank of each cell in the order of this name, the same for ties: int64 [cells]."""
    values = np.round(_values(text, positions), DIGITS)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


@lru_cache(maxsize=32)
def cell_order(text: str, layout: Layout, seed: int = 0) -> Order:
    """The cells of a layout in the order of this name: int64 [cells]; raises `StrategyError`."""
    if text == "narrow":
        return narrow_order(layout.positions, layout.adjacent)
    if text == "random":
        return random_order(layout.n_cells, seed)
    return fixed_order(text, layout.positions)


def random_order(many: int, seed: int) -> Order:
    """The numbers below `many` in a random order, the same for the same seed."""
    return np.random.Generator(np.random.PCG64(seed)).permutation(many)


def is_fixed_order(text: str) -> bool:
    """Whether this is the name of a fixed order, for cells in some dimension."""
    name, _, arguments = text.partition("@")
    if arguments:
        return name in ORDERS and all(map(NUMBER.fullmatch, arguments.split(",")))
    axes = (name.lower() in AXES and len(name) == 1) or name in ("xy", "xyz", "xyzw")
    return "@" not in text and (name in BARE or axes)


def _values(text: str, positions: Points) -> Values:
    """The value by which the order sorts the cells."""
    if not is_fixed_order(text) or text in BY_LAYOUT:
        raise StrategyError(
            f"{text!r} is no order of cells: f, x, X, xyz, l@a,b,c, R, R@x,y, a, a@degrees, A are"
        )
    name, _, written = text.partition("@")
    arguments = np.array([float(word) for word in written.split(",")] if written else [])
    if name in ORDERS:
        return ORDERS[name](text, positions, arguments)
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


BARE = ("f", "R", "a", "A", *BY_LAYOUT)

ORDERS: dict[str, Callable[[str, Points, Values], Values]] = {
    "l": _linear,
    "R": _distance,
    "a": _angle,
    "A": lambda text, positions, arguments: -_angle(text, positions, arguments),
}
