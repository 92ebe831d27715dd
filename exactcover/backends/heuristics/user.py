"""A user's own heuristic: a function that rates one cell becomes one that a kernel calls.

The kernel calls a *chooser* once at each node, which compares the ratings of all cells. A chooser
is compiled for its heuristic when a search first needs it, and never cached on disk. Its type is
the same for all, a pointer to a function, so a kernel that takes one is compiled and cached once.
"""

from __future__ import annotations

import dis
import inspect
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from exactcover.backends.arrays import Flags, Long, Reals
from exactcover.backends.heuristics.base import Heuristic, Rate
from exactcover.base.text.names import one_of
from exactcover.errors import StrategyError
from exactcover.problem import Layout

UNLIMITED = 1 << 40
"""More copies than can be placed."""

SIGNATURE = "def name(cell, state) that returns a number"


class State(NamedTuple):
    """The state of a search that a heuristic reads. Cells and shapes have the puzzle's numbers.

    open         bool [cells]: whether the cell is yet to be filled
    fits         int64 [cells]: how many images fit an open cell, if the heuristic is made with
                 `fits=True`
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
    """Raise `StrategyError` unless the function takes a cell and a state, and reads fields that
    this has; the fits are there only for those that ask for them."""
    try:
        inspect.signature(rate).bind(0, None)
    except TypeError as error:
        raise StrategyError(f"heuristic {name!r}: {error}; it must be {SIGNATURE}") from None
    read = _fields_read(rate)
    for field in read.difference(State._fields):
        hint = one_of(State._fields, field)
        raise StrategyError(f"heuristic {name!r}: a state has no field {field!r}; {hint}")
    if "fits" in read and not fits:
        raise StrategyError(
            f"heuristic {name!r} reads state.fits, which is not counted: add fits=True, as in "
            f'@exactcover.heuristic("{name}", "...", fits=True)'
        )


def _fields_read(rate: Rate) -> set[str]:
    """The fields that a function in Python reads from its second argument."""
    code = getattr(rate, "__code__", None)
    if code is None or code.co_argcount < 2:
        return set()
    state = code.co_varnames[1]
    fields, on_top = set(), False
    for step in dis.get_instructions(code):
        if on_top and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            fields.add(step.argval)
        # Some versions of Python load two variables in one step: the last is on top.
        loaded = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
        on_top = step.opname.startswith("LOAD_FAST") and loaded == state
    return fields


@cache
def chooser(heuristic: Heuristic) -> Any:
    """The function that finds the open cell with the least rating; it returns -1 on an error."""
    from numba import cfunc, types
    from numba.core import config

    from exactcover.base.compiled import jit

    assert heuristic.rate is not None
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return _chooser_of(heuristic.rate)
    _check_imports(heuristic.name, heuristic.rate)
    rate: Any = jit(cache=False, error_model="numpy")(heuristic.rate)
    choose = _chooser_of(rate)
    state = _state_type(types)
    try:
        rate.compile((types.int64, state))
        _check_returned(heuristic.name, rate.nopython_signatures[-1].return_type)
        return cfunc(types.int64(state))(choose)
    except StrategyError:
        raise
    except Exception as error:  # numba fails in many ways on code that it does not support
        lines = [line for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if "nopython" not in line), type(error).__name__)
        raise StrategyError(
            f"heuristic {heuristic.name!r} cannot be compiled: {reason.strip()}; it must be "
            f"{SIGNATURE}, in terms that numba supports, from the fields of a State: "
            f"{', '.join(State._fields)}"
        ) from error


def rating_failed(name: str) -> StrategyError:
    """The error where a heuristic raised one."""
    return StrategyError(
        f"heuristic {name!r} raised an exception at a state of the search: it must return a number "
        "for every open cell"
    )


def _check_imports(name: str, rate: Rate) -> None:
    """Raise `StrategyError` if the function imports a module: compiled code cannot."""
    code = getattr(rate, "__code__", None)
    if code is not None and any(s.opname == "IMPORT_NAME" for s in dis.get_instructions(code)):
        raise StrategyError(
            f"heuristic {name!r} cannot be compiled: it imports a module inside its function; "
            "import it at the top of the file"
        )


def _check_returned(name: str, returned: Any) -> None:
    """Raise `StrategyError` unless the compiled function returns a number."""
    from numba import types

    returned = types.unliteral(returned)  # type: ignore[no-untyped-call]
    if isinstance(returned, types.Number | types.Boolean):
        return
    what = f"a value of another kind ({returned})"
    if isinstance(returned, types.NoneType):
        what = "nothing, perhaps a `return` is missing"
    elif isinstance(returned, types.Optional):
        what = "nothing in some cases, perhaps a `return` is missing"
    elif isinstance(returned, types.UnicodeType):
        what = "text"
    raise StrategyError(
        f"heuristic {name!r} cannot be compiled: it returns {what}; it must be {SIGNATURE}"
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
