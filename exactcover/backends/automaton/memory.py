"""How much memory a count may take, and how large it would become.

Tables grow outside the kernels, and each that grows asks here first. What will not fit is said
early, from how fast the levels grow, so that another way can be taken before the memory is full.
"""

from __future__ import annotations

import os
from math import exp, log

from exactcover.errors import TooLarge

SHARE = 2
"""Where nothing else is said, one part of so many of the free memory is taken."""

DEFAULT = 1 << 32
"""So many bytes are taken to be free where the system does not say."""

MANY = 1 << 17
"""Nothing is foretold before there are so many states."""

EARLIEST = 4
"""And not before one part of so many of the levels is made: the first ones rise too steeply."""

GRACE = 4.0
"""What is foretold is wrong by less than this factor, or it is not believed."""


def free_memory() -> int:
    """The bytes of memory that are free, as far as the system says."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system without these names
        return DEFAULT


class Memory:
    """The bytes that may be taken, and those that are.

    A table is taken before it is made, and given back when it is dropped.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = free_memory() // SHARE if limit is None else limit
        self.taken = 0
        self.most = 0

    def take(self, size: int, what: str, so_far: int, expected: float | None = None) -> None:
        """Take so many bytes for a table; raises `TooLarge`, which says what is there so far."""
        if not self.has(size):
            raise self.refusal(what, so_far, expected)
        self.taken += size
        self.most = max(self.most, self.taken)

    def has(self, size: int) -> bool:
        """Whether so many bytes could be taken."""
        return self.taken + size <= self.limit

    def give(self, size: int) -> None:
        """Give bytes back."""
        self.taken -= size

    def foretell(self, what: str, sizes: list[int], levels: int, each: float) -> float:
        """How many states there will be; raises `TooLarge` where they cannot fit.

        sizes   how many there are in each level so far
        levels  how many levels there will be
        each    the bytes that one takes
        """
        expected = expected_states(sizes, levels)
        far_enough = sum(sizes) >= MANY and EARLIEST * len(sizes) > levels
        if far_enough and expected * each > GRACE * self.limit:
            raise self.refusal(what, sum(sizes), expected)
        return expected

    def refusal(self, what: str, so_far: int, expected: float | None) -> TooLarge:
        """The error that says how large it would become."""
        return TooLarge(what, so_far, self.limit, expected)


def expected_states(sizes: list[int], levels: int) -> float:
    """How many states all levels will have, from those so far.

    The numbers rise ever more slowly up to the middle and fall as they rose. How fast they rise is
    taken from the last levels. Levels without states are left out: where all pieces have five
    cells only every fifth has any.
    """
    full = [size for size in sizes if size]
    here, middle = len(full) - 1, levels * len(full) / len(sizes) / 2
    so_far = float(sum(full))
    back = max(1, len(full) // 4)
    if here >= middle or len(full) < 2 * back + 1:
        return so_far
    recent, before = sum(full[-back:]), sum(full[-2 * back : -back])
    slope = max(0.0, log(recent / before) / back)
    left = middle - here
    rising = (
        recent / back * exp(min(500.0, slope * (step - step * step / (2 * left))))
        for step in range(1, int(left) + 1)
    )
    return 2 * (so_far + sum(rising))
