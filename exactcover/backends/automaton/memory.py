"""The memory that a count may take.

Tables grow outside the kernels, and each reserves its memory here first. If a folder is named,
large tables that are read in order are files in it instead, without names, mapped into memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import FREELY, Ask
from exactcover.errors import StrategyError, TooLarge

AnyArray = npt.NDArray[Any]

ScalarT = TypeVar("ScalarT", bound=np.generic)

SHARE = 2
"""By default a count may take the free memory divided by this number."""

DEFAULT = 1 << 32
"""The assumed bytes of free memory on a system that does not report them."""

WORTH_A_FILE = 1 << 20
"""Tables of fewer bytes stay in memory, since only a few files may be open."""

LIST = "or list the solutions with fila"

ADVICE = f"allow more memory, name a folder for what does not fit (spill=FOLDER), {LIST}"
"""Advice where a count does not fit."""


def free_memory() -> int:
    """The bytes of free memory that the system reports."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system without these names
        return DEFAULT


class Memory:
    """The bytes that may be taken, and those that are taken.

    The bytes of a table are taken before it is made, and given back when it is dropped.

    folder  where tables may become files; None: they all stay in memory
    advice  what can be done if something does not fit
    ask     asked once, before more than `FREELY` is taken; None: that is allowed
    """

    def __init__(
        self,
        limit: int | None = None,
        folder: Path | None = None,
        advice: str = ADVICE,
        ask: Ask | None = None,
    ) -> None:
        self.limit = free_memory() // SHARE if limit is None else limit
        self.folder = folder
        self.advice = advice if folder is None else f"allow more memory, {LIST}"
        self.taken = 0
        self.most = 0
        self.ask = ask

    def emptied(self) -> Memory:
        """The same bounds, with nothing taken."""
        return Memory(self.limit, self.folder, self.advice, self.ask)

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
        """A table of zeros to be filled and read in order; in a file if that is allowed."""
        size_in_bytes = size * np.dtype(dtype).itemsize
        if self.folder is not None and size_in_bytes >= WORTH_A_FILE:
            with writing(self.folder), open_file(self.folder) as file:
                allocate(file, size_in_bytes)
                return np.asarray(np.memmap(file, dtype, "r+", shape=(size,)))
        self.take(size_in_bytes, what, so_far)
        return np.zeros(size, dtype)

    def copy(self, values: npt.NDArray[ScalarT], what: str, so_far: int) -> npt.NDArray[ScalarT]:
        """A table with these values."""
        table = self.table(values.size, values.dtype.type, what, so_far)
        table[:] = values
        return table

    def drop(self, table: AnyArray) -> None:
        """Give a table back that may be in a file."""
        base = table.base
        while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
            base = base.base
        if not isinstance(base, np.memmap):
            self.give(table.nbytes)

    def refusal(self, what: str, so_far: int, expected: float | None = None) -> TooLarge:
        """The error that says how much memory the count would need."""
        return TooLarge(what, so_far, self.limit, expected, self.advice)


def open_file(folder: Path) -> IO[bytes]:
    """A new file without a name."""
    return TemporaryFile(dir=folder, prefix="exactcover-")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Report errors of writing a file with the folder's name."""
    try:
        yield
    except OSError as error:
        raise StrategyError(
            f"spill={folder}: {error.strerror or error}; name a folder on a disk with "
            "more room, which may be written"
        ) from error


def allocate(file: IO[bytes], size: int) -> None:
    """Give a file its size, with room on the disk: none can be requested once it is mapped."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    zeros = bytes(1 << 20)
    for begin in range(0, size, len(zeros)):
        file.write(zeros[: size - begin])
    file.flush()
