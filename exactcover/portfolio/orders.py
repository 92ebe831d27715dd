"""Macro orders: the orders in which packers fill a board, confined regions first.

A packer that fills a board from one side leaves a compact rest. Which side is best depends on the
board, so there are several orders, and a race decides between them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exactcover.heuristics.orders import cell_order
from exactcover.problem.layout import Layout

Order = npt.NDArray[np.int64]

DIGITS = 6


def macro_orders(layout: Layout) -> list[Order]:
    """Distinct orders of the cells, those that are best on most boards first."""
    found: dict[bytes, Order] = {}
    for order in _orders(layout):
        found.setdefault(order.tobytes(), order)
    return [*found.values()]


def _orders(layout: Layout) -> Iterator[Order]:
    places = layout.positions
    if not len(places):
        return
    extent = np.ptp(places, axis=0)
    axes = np.argsort(-extent, kind="stable").tolist()
    longest = axes[0]
    for sign in (1, -1):  # from one end of the longest axis to the other, or back
        yield _by(sign * places[:, longest], *(places[:, axis] for axis in axes[1:]))
    yield cell_order("narrow", layout)
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    away = places - middle
    yield cell_order("R", layout)  # far from the centre first
    yield _by(-_steps_from(layout, int((away**2).sum(axis=1).argmin())))  # arms first
    yield _by(-np.abs(away[:, longest]), *(places[:, axis] for axis in axes[1:]))  # both ends first
    if len(axes) > 1:
        turn = np.arctan2(away[:, axes[1]], away[:, longest])
        yield _by(turn, (away**2).sum(axis=1))
        yield _by(places[:, axes[1]], places[:, longest])


def _by(*values: npt.NDArray[np.float64]) -> Order:
    """The cells by the first of these values; ties by the next."""
    return np.lexsort([np.round(value, DIGITS) for value in values][::-1]).astype(np.int64)


def _steps_from(layout: Layout, cell: int) -> npt.NDArray[np.float64]:
    """How many steps from cell to cell lead from one of them to each; unreached ones are last."""
    starts, beside = layout.adjacent
    steps = np.full(layout.n_cells, -1.0)
    steps[cell] = 0
    front = [cell]
    while front:
        following = []
        for one in front:
            for other in beside[starts[one] : starts[one + 1]].tolist():
                if steps[other] < 0:
                    steps[other] = steps[one] + 1
                    following.append(other)
        front = following
    return steps
