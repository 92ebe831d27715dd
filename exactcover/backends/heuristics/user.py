"""A user's own heuristic: a function that rates one cell becomes one that a kernel calls.

The kernel calls a *chooser* once at each node, which compares the ratings of all cells. A chooser
is compiled for its heuristic when a search first needs it, and never cached on disk. Its type is
the same for all, a pointer to a function, so a kernel that takes one is compiled and cached once.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from exactcover.backends.arrays import Flags, Long, Reals
from exactcover.backends.heuristics.base import Heuristic, Rate
from exactcover.errors import StrategyError
from exactcover.problem import Layout

UNLIMITED = 1 << 40
"""More copies than can be placed."""

SIGNATURE = "def name(cell, state) that returns a number"


class State(NamedTuple):
    """The state of a search that a heuristic reads. Cells and shapes have the puzzle's numbers.

    open         bool [cells]: whether the cell is yet to be filled
    fits         int64 [cells]: how many placements fit an open cell, if the heuristic is made
                 with `fits=True`
    left         int64 [shapes]: how many more of each shape may be placed
    remaining    how many pieces are left to place
    positions    float64 [cells, dimensions]: where the centre of each cell lies
    near_starts  int64 [cells + 1]: where the neighbours of each cell begin in `near`
    near         int64: the cells that share a side, cell after cell
    arguments    float64: the user's numbers after the @
    """

    open: Flags
    fits: Long
    left: Long
    remaining: int | np.int64
    positions: Reals
    near_starts: Long
    near: Long
    arguments: Reals


def state_of(
    layout: Layout, arguments: tuple[float, ...]
) -> tuple[Flags, Long, Long, Reals, Long, Long, Reals]:
    """The arrays of a `State` in their order, without `remaining`, before a search."""
    starts, near = layout.adjacent
    return (
        np.zeros(layout.n_cells, bool),
        np.zeros(layout.n_cells, np.int64),
        np.where(layout.shape_item < 0, UNLIMITED, 0).astype(np.int64),
        np.ascontiguousarray(layout.positions, np.float64),
        starts.astype(np.int64),
        near.astype(np.int64),
        np.array(arguments, np.float64),
    )


def check_function(name: str, rate: Rate, *, fits: bool) -> None:
    """Raise `StrategyError` unless the function takes a cell and a state; the fits are there only
    for those that ask for them."""
    try:
        inspect.signature(rate).bind(0, None)
    except TypeError as error:
        raise StrategyError(f"heuristic {name!r}: {error}; it must be {SIGNATURE}") from None
    code = getattr(rate, "__code__", None)
    if code is not None and "fits" in code.co_names and not fits:
        raise StrategyError(
            f"heuristic {name!r} reads state.fits, which is not counted: add fits=True, as in "
            f'@exactcover.heuristic("{name}", "...", fits=True)'
        )


@cache
def chooser(heuristic: Heuristic) -> Any:
    """The function that finds the open cell with the least rating; it returns -1 on an error."""
    from numba import cfunc, types
    from numba.core import config

    from exactcover.base.compiled import jit

    assert heuristic.rate is not None
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return _chooser_of(heuristic.rate)
    rate: Any = jit(cache=False, error_model="numpy")(heuristic.rate)
    choose = _chooser_of(rate)
    state = _state_type(types)
    try:
        rate.compile((types.int64, state))
        returned = types.unliteral(rate.nopython_signatures[-1].return_type)  # type: ignore[no-untyped-call]
        if not isinstance(returned, types.Number | types.Boolean):
            raise TypeError(f"it returns {returned}, perhaps a `return` is missing")
        return cfunc(types.int64(state))(choose)
    except Exception as error:  # numba fails in many ways on code that it does not support
        lines = [line for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if "nopython" not in line), type(error).__name__)
        code = heuristic.rate.__code__
        line = getattr(getattr(error, "loc", None), "line", code.co_firstlineno)
        raise StrategyError(
            f"{code.co_filename}:{line}: heuristic {heuristic.name!r} cannot be compiled: "
            f"{reason.strip()}; it must be {SIGNATURE}, in terms that numba supports, from the "
            f"fields of a State: {', '.join(State._fields)}"
        ) from error


def rating_failed(name: str) -> StrategyError:
    """The error where a heuristic raised one."""
    return StrategyError(
        f"heuristic {name!r} raised an exception at a state of the search: it must return a number "
        "for every open cell"
    )


def _chooser_of(rate: Any) -> Any:
    def choose(state: State) -> int:
        chosen, least = -1, 0.0
        try:
            for cell in range(state.open.size):
                if state.open[cell]:
                    rating = float(rate(cell, state))
                    if chosen < 0 or rating < least:
                        chosen, least = cell, rating
        except Exception:  # a user's function may fail in any way; the search reports it
            chosen = -1
        return chosen

    return choose


def _state_type(types: Any) -> Any:
    flags, longs, reals, points = (
        types.Array(number, many, "C")
        for number, many in (
            (types.boolean, 1), (types.int64, 1), (types.float64, 1), (types.float64, 2),
        )
    )  # fmt: skip
    fields = [flags, longs, longs, types.int64, points, longs, longs, reals]
    return types.NamedTuple(fields, State)
