"""The memory that a count may take, and how many states it will have.

Tables grow outside the kernels, and each reserves its memory here first. The growth of the levels
shows early that a count will not fit, so that the caller can try another way before the memory is
full.
"""

from __future__ import annotations

import os
from itertools import accumulate
from math import exp, log
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import FREELY, Ask
from exactcover.errors import TooLarge

AnyArray = npt.NDArray[Any]

ScalarT = TypeVar("ScalarT", bound=np.generic)

SHARE = 2
"""By default a count may take the free memory divided by this number."""

DEFAULT = 1 << 32
"""The assumed bytes of free memory on a system that does not report them."""

ADVICE = "allow more memory, or list the solutions with fila"
"""Advice where a count does not fit."""

MANY = 1 << 17
"""The least number of states for refusing a count."""

EARLIEST = 4
"""An estimate needs one in this many levels: the first levels rise too steeply."""

GRACE = 4.0
"""An estimate counts only if it exceeds the memory by more than this factor."""


def free_memory() -> int:
    """The bytes of free memory that the system reports."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system without these names
        return DEFAULT


class Memory:
    """The bytes that may be taken, and those that are taken.

    The bytes of a table are taken before it is made, and given back when it is dropped.

    advice  what can be done if something does not fit
    ask     asked once, before more than `FREELY` is taken; None: that is allowed
    """

    def __init__(
        self,
        limit: int | None = None,
        advice: str = ADVICE,
        ask: Ask | None = None,
    ) -> None:
        self.limit = free_memory() // SHARE if limit is None else limit
        self.advice = advice
        self.taken = 0
        self.most = 0
        self.ask = ask

    def emptied(self) -> Memory:
        """The same bounds, with nothing taken."""
        return Memory(self.limit, self.advice, self.ask)

    def has(self, size: int) -> bool:
        """Whether this many bytes could be taken."""
        return self.taken + size <= self.limit

    def take(self, size: int, what: str, so_far: int) -> None:
        """Take this many bytes for a table; raises `TooLarge`, which says how far the count is."""
        if not self.has(size):
            raise self.refusal(what, so_far)
        if self.ask is not None and self.taken + size > FREELY:
            if not self.ask():
                raise TooLarge(what, so_far, FREELY)
            self.ask = None
        self.taken += size
        self.most = max(self.most, self.taken)

    def give(self, size: int) -> None:
        """Give bytes back."""
        self.taken -= size

    def table(
        self, size: int, dtype: type[ScalarT], what: str, so_far: int
    ) -> npt.NDArray[ScalarT]:
        """A table of zeros."""
        self.take(size * np.dtype(dtype).itemsize, what, so_far)
        return np.zeros(size, dtype)

    def copy(self, values: npt.NDArray[ScalarT], what: str, so_far: int) -> npt.NDArray[ScalarT]:
        """A table with these values."""
        table = self.table(values.size, values.dtype.type, what, so_far)
        table[:] = values
        return table

    def drop(self, table: AnyArray) -> None:
        """Give a table back."""
        self.give(table.nbytes)

    def foretell(
        self, what: str, sizes: list[int], levels: int, each: float, held: int | None = None
    ) -> None:
        """Raise `TooLarge` if the states still to come cannot fit.

        sizes   the states of each level so far
        levels  how many levels there will be
        each    the bytes of a state
        held    the levels in memory at once; None: all of them
        """
        if sum(sizes) < MANY or EARLIEST * len(sizes) <= levels:
            return
        expected = expected_sizes(sizes, levels)
        many = len(expected) if held is None else max(1, held * len(expected) // levels)
        if most_at_once(expected, many) * each > GRACE * self.limit:
            raise self.refusal(what, sum(sizes), sum(expected))

    def refusal(self, what: str, so_far: int, expected: float | None = None) -> TooLarge:
        """The error that says how much memory the count would need."""
        return TooLarge(what, so_far, self.limit, expected, self.advice)


def expected_sizes(sizes: list[int], levels: int) -> list[float]:
    """The expected number of states of each level, from the levels so far.

    The numbers rise ever more slowly up to the middle, and fall as they rose. The last levels give
    the rate of the rise. Levels without states are ignored: if all pieces have five cells, only
    every fifth level has states.
    """
    full = [float(size) for size in sizes if size]
    here, middle = len(full) - 1, levels * len(full) / len(sizes) / 2
    back = max(1, len(full) // 4)
    if here >= middle or len(full) < 2 * back + 1:
        return full
    recent, before = sum(full[-back:]), sum(full[-2 * back : -back])
    slope = max(0.0, log(recent / before) / back)
    left = middle - here
    rising = full + [
        recent / back * exp(min(500.0, slope * (step - step * step / (2 * left))))
        for step in range(1, int(left) + 1)
    ]
    return rising + rising[::-1]


def most_at_once(levels: list[float], held: int) -> float:
    """The most states of `held` levels in a row; 0 if there are no levels."""
    sums = [0.0, *accumulate(levels)]
    return max(sums[at] - sums[max(0, at - held)] for at in range(len(sums)))
