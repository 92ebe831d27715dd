"""A deadline for setting up a search: slow loops check it.

Setting up a search takes longer than the search itself for some puzzles: placements,
symmetries, filters and tables of a region in six dimensions take minutes. A search or a command
with a time limit works `within` it. A loop that may take long goes through its values `patiently`,
or calls `check` in each round. Both raise `TimeUp` once the time is over, and do nothing without a
deadline.

The deadline belongs to the thread, or the asyncio task, that set it. It is not an argument: some
forty functions lie between the one that sets it and the loops, cached properties cannot take one,
and a forgotten argument goes unnoticed. A timer signal would work in the main thread only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import TypeVar

from exactcover.errors import TimeUp

Value = TypeVar("Value")

LEAST = 1.0
"""The least number of seconds for setting up, with every limit. So a small puzzle is set up even
with a limit of 0 s, and results that need no search, for example a bound, are reported."""

_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


@contextmanager
def within(seconds: float | None, spent: float = 0.0, *, least: float = LEAST) -> Iterator[None]:
    """Run work within a time limit, and before any deadline that is set already.

    `spent` seconds of the limit have passed; a limit below `least` counts as `least`.
    """
    rest = inf if seconds is None else max(seconds, least) - spent
    token = _deadline.set(min(_deadline.get(), monotonic() + rest))
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Raise `TimeUp` once the deadline has passed."""
    if monotonic() >= _deadline.get():
        raise TimeUp


def left() -> float:
    """Seconds until the deadline; infinite if there is none."""
    return _deadline.get() - monotonic()


def patiently(values: Iterable[Value]) -> Iterator[Value]:
    """The values, with a check of the deadline before each."""
    for value in values:
        check()
        yield value
