"""The lock of a directory: one run at a time, and the system frees it however a run ends.

It is a transaction that is never ended, on an empty database beside the ledger.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from exactcover.errors import LedgerError

LOCK = "lock.sqlite"

GRACE, GLANCE = 1.0, 0.1
"""Seconds that a run waits for the lock, and a `status`, which holds it for a moment."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Have a directory in here; raises `LedgerError` if another process has it."""
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(closing(connected(folder / LOCK, "rwc", GRACE)))
            lock.execute("BEGIN IMMEDIATE")
        except (OSError, sqlite3.Error) as error:
            why = f"{error}: a run needs a folder in which it can write"
            if "locked" in str(error):
                why = "another run works on it: stop that run first"
            raise LedgerError(f"{folder}: {why}") from None
        yield


def is_locked(folder: Path) -> bool:
    """Whether a run works on a directory now."""
    with suppress(sqlite3.Error), closing(connected(folder / LOCK, "rw", GLANCE)) as lock:
        try:
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            return "locked" in str(error)  # on a disk that cannot be written nobody works
    return False


def connected(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """A connection without transactions of its own, which any thread may close."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
