"""How long making something may take: a deadline that slow loops look at.

Setting up a search takes longer than the search itself for some puzzles: images, symmetries,
filters and tables of a region in six dimensions take minutes. Whoever has a time limit, a search or
the command line, works `within` it. A loop that may take long goes through its values `patiently`,
or calls `check` in each round, and raises `TimeUp` once the time is over. Without a deadline both
do nothing.

The deadline belongs to the thread, or the asyncio task, that set it. It is not passed on as an
argument, since most functions between the one that sets it and the loop have no use for it; see
`docs/decisions/0022-deadline-while-setting-up.md`.
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
"""Seconds that setting up may take whatever the limit: a small puzzle is set up even within 0 s, so
that what is known without a search, such as a bound, is told."""

_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


@contextmanager
def within(seconds: float | None, spent: float = 0.0, *, least: float = LEAST) -> Iterator[None]:
    """Work that must be done within a time limit, and before any deadline that holds already.

    `spent` seconds of the limit are over; a limit below `least` counts as that.
    """
    if seconds is None:
        yield
        return
    rest = max(seconds, least) - spent
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
    """Seconds until the deadline; infinite where there is none."""
    return _deadline.get() - monotonic()


def patiently(values: Iterable[Value]) -> Iterator[Value]:
    """The values, with a look at the deadline before each."""
    for value in values:
        check()
        yield value
