"""Tables in files that are mapped into memory, for tables that are too large for memory.

The files have no names if the system supports that, so a count always leaves no files behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from exactcover.errors import StrategyError

AnyArray = npt.NDArray[Any]


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


def mapped(folder: Path, size: int, dtype: npt.DTypeLike) -> AnyArray:
    """A table of zeros in its own file, which is removed with the table."""
    whole = size * np.dtype(dtype).itemsize
    with writing(folder), open_file(folder) as file:
        allocate(file, whole)
        return np.asarray(np.memmap(file, dtype, "r+", shape=(size,)))


def allocate(file: IO[bytes], size: int) -> None:
    """Give a file its size, with room on the disk: none can be requested once it is mapped."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    zeros = bytes(1 << 20)
    for begin in range(0, size, len(zeros)):
        file.write(zeros[: size - begin])
    file.flush()


def on_file(table: AnyArray) -> bool:
    """Whether a table is in a file."""
    base = table.base
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)
