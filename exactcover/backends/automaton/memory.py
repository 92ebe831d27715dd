"""The memory that a count may take, and an estimate of the memory that it needs.

Tables grow outside the kernels, and each reserves its memory here first. The growth of the levels
shows early that a count will not fit, so that the caller can try another way before the memory is
full. If a folder is named, large tables that are read in order are files in it instead.
"""

from __future__ import annotations

import os
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.files import mapped, on_file
from exactcover.backends.kinds import FREELY, Ask
from exactcover.errors import TooLarge

AnyArray = npt.NDArray[Any]

SHARE = 2
"""By default a count may take the free memory divided by this number."""

DEFAULT = 1 << 32
"""The assumed bytes of free memory on a system that does not report them."""

MANY = 1 << 17
"""The least number of states for an estimate."""

EARLIEST = 4
"""An estimate needs one in this many levels: the first levels rise too steeply."""

GRACE = 4.0
"""An estimate counts only if it exceeds the memory by more than this factor."""

WORTH_A_FILE = 1 << 20
"""Tables of fewer bytes stay in memory, since only a few files may be open."""


def free_memory() -> int:
    """The bytes of free memory that the system reports."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system without these names
        return DEFAULT


LIST = "or list the solutions with fila"

ADVICE = f"allow more memory, name a folder for what does not fit (spill=FOLDER), {LIST}"
"""Advice where a count does not fit."""


class Memory:
    """The bytes that may be taken, and those that are taken.

    The bytes of a table are taken before it is made, and given back when it is dropped.

    folder  where tables may become files; None: they all stay in memory
    advice  what can be done if something does not fit
    ask     asked once, before more than `FREELY` is taken; None: that is allowed
    """

    def __init__(
        self, limit: int | None = None, folder: Path | None = None, advice: str = ADVICE
    ) -> None:
        self.limit = free_memory() // SHARE if limit is None else limit
        self.folder = folder
        self.advice = advice if folder is None else f"allow more memory, {LIST}"
        self.taken = 0
        self.most = 0
        self.ask: Ask | None = None

    def take(self, size: int, what: str, so_far: int, expected: float | None = None) -> None:
        """Take this many bytes for a table; raises `TooLarge`, which says how far the count is."""
        if not self.has(size):
            raise self.refusal(what, so_far, expected)
        if self.ask is not None and self.taken + size > FREELY:
            if not self.ask():
                raise TooLarge(what, so_far, FREELY, expected)
            self.ask = None
        self.taken += size
        self.most = max(self.most, self.taken)

    def emptied(self) -> Memory:
        """The same bounds, with nothing taken."""
        memory = Memory(self.limit, self.folder, self.advice)
        memory.ask = self.ask
        return memory

    def has(self, size: int) -> bool:
        """Whether this many bytes could be taken."""
        return self.taken + size <= self.limit

    def give(self, size: int) -> None:
        """Give bytes back."""
        self.taken -= size

    def table(self, size: int, dtype: npt.DTypeLike, what: str, so_far: int) -> AnyArray:
        """A table of zeros to be filled and read in order; in a file if that is allowed."""
        size_in_bytes = size * np.dtype(dtype).itemsize
        if self.folder is not None and size_in_bytes >= WORTH_A_FILE:
            return mapped(self.folder, size, dtype)
        self.take(size_in_bytes, what, so_far)
        return np.zeros(size, dtype)

    def drop(self, table: AnyArray) -> None:
        """Give a table back that may be in a file."""
        if not on_file(table):
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
        far_enough = sum(sizes) >= MANY and EARLIEST * len(sizes) > levels
        if not far_enough or self.folder is not None:
            return
        expected = expected_sizes(sizes, levels)
        many = len(expected) if held is None else max(1, held * len(expected) // levels)
        at_once = max(sum(expected[at : at + many]) for at in range(len(expected)))
        if at_once * each > GRACE * self.limit:
            raise self.refusal(what, sum(sizes), sum(expected))

    def refusal(self, what: str, so_far: int, expected: float | None) -> TooLarge:
        """The error that says how much memory the count would need."""
        return TooLarge(what, so_far, self.limit, expected, self.advice)


def expected_total(sizes: list[int], levels: int) -> float:
    """The expected number of states of all levels. Beyond the middle they fall as they rose."""
    full = [size for size in sizes if size]
    expected = expected_sizes(sizes, levels)
    left = max(0, levels * len(full) // max(1, len(sizes)) - len(full))
    if len(expected) > len(full):
        return sum(expected)
    return sum(full) + float(sum(full[: min(left, len(full))]))


PLATEAU = 0.8
"""What the levels of nodes behind the middle have, on average, of the largest before: many ways
that have a start have no end, and are found to have none only at the last levels."""


def expected_nodes(sizes: list[int], levels: int) -> float:
    """The expected number of nodes of all levels, while they are made from the empty board."""
    full = [float(size) for size in sizes if size]
    rising = expected_sizes(sizes, levels)[: max(len(full), levels * len(full) // len(sizes) // 2)]
    left = levels * len(full) // len(sizes) - len(rising)
    recent = rising[-max(1, len(full) // 4) :]
    return sum(rising) + PLATEAU * left * sum(recent) / len(recent)


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
