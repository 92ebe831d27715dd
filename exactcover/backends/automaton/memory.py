"""The memory that a count may take, and how many states it will have.

Tables grow outside the kernels, and each reserves its memory here first. The growth of the levels
shows early that a count will not fit, so that the caller can try another way before the memory is
full.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, log
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.base.machine import free_memory
from exactcover.errors import TooLarge

AnyArray = npt.NDArray[Any]

ScalarT = TypeVar("ScalarT", bound=np.generic)

SHARE = 2
"""By default a count may take the free memory divided by this number."""

ADVICE = "allow more memory, or list the solutions with fila"
"""Advice where a count does not fit."""

MANY = 1 << 17
"""The least number of states for refusing a count."""

EARLIEST = 3
"""An estimate needs one in this many levels: the first levels rise too steeply."""

FEWEST = 5
"""The fewest levels whose states are compared with those of as many levels before."""

LARGEST = 300.0
"""The largest power of e in an estimate."""

GRACE = 4.0
"""An estimate counts only if it exceeds the memory by more than this factor."""


class Memory:
    """The bytes that may be taken, and those that are taken.

    The bytes of a table are taken before it is made, and given back when it is dropped.

    advice  what can be done if something does not fit
    """

    def __init__(self, limit: int | None = None, advice: str = ADVICE) -> None:
        self.limit = free_memory() // SHARE if limit is None else limit
        self.advice = advice
        self.taken = 0
        self.most = 0

    def emptied(self) -> Memory:
        """The same bounds, with nothing taken."""
        return Memory(self.limit, self.advice)

    def has(self, size: int) -> bool:
        """Whether this many bytes could be taken."""
        return self.taken + size <= self.limit

    def take(self, size: int, what: str, so_far: int) -> None:
        """Take this many bytes for a table; raises `TooLarge`, which says how far the count is."""
        if not self.has(size):
            raise self.refusal(what, so_far)
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


def expected_sizes(sizes: Sequence[int], levels: int) -> list[float]:
    """The expected sizes of all levels, from those so far: they fall as they rose to the middle."""
    rising = [*map(float, sizes), *risen(sizes, levels / 2 - len(sizes))]
    return rising + rising[: max(0, levels - len(rising))][::-1]


def risen(sizes: Sequence[int], left: float) -> list[float]:
    """The expected sizes of the next levels, up to the largest.

    They rise as the last third of the levels did, at first, and ever more slowly: by a rate that
    falls as the square of the way to the largest does. Single levels say little, since levels
    without states lie between the others: if all pieces have five cells, only every fifth level
    has states.

    left  how many levels there are up to the largest
    """
    back = max(FEWEST, len(sizes) // 3)
    recent, before = sum(sizes[-back:]), sum(sizes[-2 * back : -back])
    if len(sizes) < 2 * back or not (before and recent):
        return []
    rate = max(0.0, log(recent / before) / back)
    last = recent / back * exp(min(LARGEST, rate * back / 2))
    ways = (1 - (1 - step / left) ** 3 for step in range(1, int(left) + 1))
    return [last * exp(min(LARGEST, rate * left / 3 * way)) for way in ways]


def most_at_once(levels: list[float], held: int) -> float:
    """The most states of `held` levels in a row; 0 if there are no levels."""
    sums = [0.0, *accumulate(levels)]
    return max(sums[at] - sums[max(0, at - held)] for at in range(len(sums)))
