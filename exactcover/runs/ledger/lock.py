"""The lock of a directory: one run at a time, and the system frees it however a run ends.

It is on a file beside the ledger, which says who has it, for `status` and for the message of a
second run. The file stays when the run ends, and then means nothing.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from exactcover.errors import LedgerError

LOCK = "ledger.lock"

GRACE = 1.0
"""Seconds to wait for the lock; a `status` holds it for a moment."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Have a directory in here; raises `LedgerError` if another process has it."""
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8", errors="replace")
    except OSError as error:
        raise LedgerError(
            f"{path}: {error.strerror}: a run needs a folder in which it can write"
        ) from None
    with file:
        latest = monotonic() + GRACE
        while not _took(file):
            if monotonic() > latest:
                raise LedgerError(f"{folder}: {_holder(file)} works on it: stop that run first")
            sleep(0.02)
        _write(file, f"process {os.getpid()} on {socket.gethostname()}")
        yield


def holder(folder: Path) -> str:
    """Who works on a directory now, such as `process 7 on nova`; empty: nobody."""
    try:
        file = (folder / LOCK).open("r+", encoding="utf-8", errors="replace")
    except OSError:  # there is none, or on a disk that cannot be written nobody works
        return ""
    with file:
        return "" if _took(file) else _holder(file)


def _holder(file: IO[str]) -> str:
    file.seek(0)
    return file.read() or "another process"  # it is about to write


def _write(file: IO[str], text: str) -> None:
    """Say who has the lock. A full disk has no room for it; the lock holds all the same."""
    with suppress(OSError):
        file.seek(0)
        file.truncate()
        file.write(text)
        file.flush()


if sys.platform == "win32":
    import msvcrt

    def _took(file: IO[str]) -> bool:
        """Take the lock, on a byte behind all that the file says; False: another has it."""
        file.seek(1 << 20)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _took(file: IO[str]) -> bool:
        """Take the lock; False: another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise LedgerError(f"{file.name}: it cannot be locked: {error.strerror}") from None
        return True
