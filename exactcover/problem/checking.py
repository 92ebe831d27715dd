"""Checks of a problem, with messages that name the option and the item.

Arrays are checked as a whole, so that a problem with a million options is checked quickly. Lists
and names from a user are checked in `stating`, where they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError

if TYPE_CHECKING:
    from exactcover.problem.problem import Problem

IntArray = npt.NDArray[np.int32]
"""An array of numbers of options, items, cells or shapes."""

MAX_COUNT = 1_000_000_000
"""The largest multiplicity: kernels keep the rest of each item's multiplicity in 32 bits."""


def check(problem: Problem) -> None:
    """Raise a `ProblemError` unless the arrays of the problem belong together."""
    _check_shapes(problem)
    _check_entries(problem)
    _check_multiplicities(problem)


def whole_numbers(values: npt.ArrayLike, name: str) -> IntArray:
    """`values` as a read-only int32 array of one dimension."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ProblemError(f"{name} must have one dimension, not {array.ndim}")
    if array.size and array.dtype.kind not in "iu":
        raise ProblemError(f"{name} must be whole numbers, not {array.dtype}")
    if _outside(array, -MAX_COUNT, MAX_COUNT):
        raise ProblemError(f"{name} must lie within +-{MAX_COUNT}")
    out = array.astype(np.int32, copy=True)
    out.setflags(write=False)
    return out


def numbers(costs: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Costs as a new array."""
    try:
        return np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ProblemError("every cost must be a number") from None
    except OverflowError:
        raise ProblemError("every cost must be a finite number, of at most 308 digits") from None


def check_costs(costs: npt.NDArray[np.float64], options: int) -> None:
    """Raise a `ProblemError` unless each option has a finite cost."""
    if costs.shape != (options,):
        raise ProblemError(f"{costs.size:,} costs for {options:,} options: one each is needed")
    if not np.isfinite(costs).all():
        raise ProblemError("every cost must be a finite number")


def _check_shapes(problem: Problem) -> None:
    if not 0 <= problem.primary <= len(problem.items):
        raise ProblemError(f"{problem.primary} primary items of {len(problem.items)} items")
    starts = problem.starts
    if starts.size == 0 or starts[0] != 0 or starts[-1] != problem.entries.size:
        raise ProblemError("starts must run from 0 to the number of entries")
    if (starts[1:] < starts[:-1]).any():
        raise ProblemError("starts must not decrease")
    for name, expected in (
        ("colours", problem.entries.size),
        ("low", problem.primary),
        ("high", problem.primary),
    ):
        if getattr(problem, name).size != expected:
            raise ProblemError(
                f"{name} has {getattr(problem, name).size} numbers, {expected} are needed"
            )
    if problem.costs is not None:
        check_costs(problem.costs, problem.n_options)
    if problem.option_names is not None and len(problem.option_names) != problem.n_options:
        raise ProblemError(f"{len(problem.option_names)} names for {problem.n_options:,} options")


def _check_entries(problem: Problem) -> None:
    entries, colours = problem.entries, problem.colours
    if entries.size == 0:
        return
    if _outside(entries, 0, problem.n_items - 1):
        outside = (entries < 0) | (entries >= problem.n_items)
        place = int(outside.argmax())
        raise ProblemError(
            f"option {_option_at(problem, place)} names item {entries[place]}; "
            f"items are 0..{problem.n_items - 1}"
        )
    rows = np.arange(problem.n_options) * problem.n_items
    codes = np.repeat(rows, problem.starts[1:] - problem.starts[:-1])
    codes += entries
    ordered = np.sort(codes)  # quicker than the order that puts them so
    if (ordered[1:] == ordered[:-1]).any():
        order = np.argsort(codes, kind="stable")
        place = int(order[np.flatnonzero(np.diff(codes[order]) == 0)[0]])
        raise ProblemError(
            f"option {problem.option_name(_option_at(problem, place))!r} names item "
            f"{problem.items[entries[place]]!r} twice"
        )
    if not colours.any():
        return
    wrong = (colours != 0) & (entries < problem.primary)
    if wrong.any():
        place = int(wrong.argmax())
        raise ProblemError(
            f"option {problem.option_name(_option_at(problem, place))!r} colours item "
            f"{problem.items[entries[place]]!r}, which is primary: only secondary items may be"
        )
    if colours.min() < 0:
        raise ProblemError("a colour must be 0 (none) or positive")


def _check_multiplicities(problem: Problem) -> None:
    low, high = problem.low, problem.high
    wrong = (low < 0) | (high < low)
    if wrong.any():
        item = int(wrong.argmax())
        raise ProblemError(
            f"item {problem.items[item]!r} is to be covered {low[item]}..{high[item]} "
            "times: a range must not be negative or run backwards"
        )


def _outside(array: npt.NDArray[np.integer], least: int, most: int) -> bool:
    """Whether any of these numbers is less or more."""
    if not array.size:
        return False
    return bool(np.minimum.reduce(array) < least or np.maximum.reduce(array) > most)


def _option_at(problem: Problem, entry: int) -> int:
    """The option that the entry with this number belongs to."""
    return int(np.searchsorted(problem.starts, entry, side="right")) - 1
