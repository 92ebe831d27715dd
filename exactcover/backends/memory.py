"""The memory that a count may take, and how many states it will have.

Tables grow outside the kernels, and each reserves its memory here first. The growth of the levels
shows early that a count will not fit, so that the caller can try another way before the memory is
full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.base.machine import free_memory
from exactcover.errors import TooLarge

ScalarT = TypeVar("ScalarT", bound=np.generic)

ADVICE = "allow more memory, or list the solutions with fila"

NODES, STATES = "the nodes of the automaton", "the states of the count"

GRACE = 4.0
"""An estimate counts only if it exceeds the memory by more than this factor."""


class Memory:
    """The bytes that may be taken, by default half of those that are free, and those taken.

    The bytes of a table are taken before it is made, and given back when it is dropped.

    advice  what can be done if something does not fit
    what    what is being made, and `made`, how many so far, for the error
    most    the most bytes taken at once, for tests
    """

    def __init__(self, limit: int | None = None, advice: str = ADVICE) -> None:
        self.limit = free_memory() // 2 if limit is None else limit
        self.advice = advice
        self.what, self.made = NODES, 0
        self.taken = self.most = 0

    @classmethod
    def by(cls, settings: Mapping[str, str], advice: str = ADVICE) -> Memory:
        """The memory that the setting `memory` allows."""
        return cls(int(settings["memory"]) << 20 if "memory" in settings else None, advice)

    def has(self, size: int) -> bool:
        """Whether this many bytes could be taken."""
        return self.taken + size <= self.limit

    def take(self, size: int) -> None:
        """Take this many bytes; raises `TooLarge`, which says how far the count is."""
        if not self.has(size):
            raise TooLarge(self.what, self.made, self.limit, None, self.advice)
        self.taken += size
        self.most = max(self.most, self.taken)

    def give(self, size: int) -> None:
        """Give bytes back."""
        self.taken -= size

    def zeros(self, size: int, dtype: type[ScalarT]) -> npt.NDArray[ScalarT]:
        """A table of zeros."""
        self.take(size * np.dtype(dtype).itemsize)
        return np.zeros(size, dtype)

    def copy(self, values: npt.NDArray[ScalarT]) -> npt.NDArray[ScalarT]:
        """A table with these values."""
        self.take(values.nbytes)
        return values.copy()

    def drop(self, *tables: npt.NDArray[Any]) -> None:
        """Give tables back."""
        self.taken -= sum(table.nbytes for table in tables)

    def foretell(
        self, sizes: Sequence[int], levels: int, each: float, held: int, ahead: int = 0
    ) -> None:
        """Raise `TooLarge` if the states still to come cannot fit.

        sizes   the states of each level so far, of the levels in all
        each    the bytes of a state
        held    the levels in memory at once
        ahead   further levels of which a part is made
        """
        rising = [*sizes, *coming(sizes, levels / 2 - len(sizes))]
        if 3 * (len(sizes) + ahead) > levels and sum(rising[-held:]) * each > GRACE * self.limit:
            expected = 2 * sum(rising)
            raise TooLarge(self.what, self.made, self.limit, expected, self.advice)


FEWEST = 5
"""The fewest levels whose states are compared with those of as many levels before."""


def coming(sizes: Sequence[int], left: float) -> list[float]:
    """The expected sizes of the next levels, up to the largest; none if that cannot be said yet.

    They rise as the last third of the levels did, at first, and ever more slowly: by a rate that
    falls as the square of the way to the largest does. Single levels say little: if all pieces have
    five cells, only every fifth level has states.

    left  how many levels there are up to the largest
    """
    back = max(FEWEST, len(sizes) // 3)
    recent, before = sum(sizes[-back:]), sum(sizes[-2 * back : -back])
    if len(sizes) < 2 * back or not (before and recent):
        return []
    rate = max(0.0, log(recent / before) / back)
    last = recent / back * exp(min(300.0, rate * back / 2))
    ways = (1 - (1 - step / left) ** 3 for step in range(1, int(left) + 1))
    return [last * exp(min(300.0, rate * left / 3 * way)) for way in ways]


def share_done(ways: Sequence[Sequence[int]], levels: int, before: float) -> float:
    """The share of a count that is done, by its own growth; 0 while that cannot be said.

    The first levels rise too steeply to say anything.

    ways    the states of each level so far, forward only or from both ends, of the levels in all
    before  what was done before, in states
    """
    made = sum(map(len, ways))
    if 3 * made < levels:
        return 0.0
    if len(ways) == 1:  # they fall as they rose
        rising = [*ways[0], *coming(ways[0], levels / 2 - made)]
        rest = sum(rising[made:]) + sum(rising[: max(0, levels - len(rising))])
    else:
        rest = sum(sum(coming(sizes, (levels - made) / 2)) for sizes in ways)
    done = before + sum(map(sum, ways))
    return done / (done + rest)
