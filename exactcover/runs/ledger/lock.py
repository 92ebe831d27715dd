"""The lock of a directory: one run at a time, and the system frees it however a run ends.

It is a transaction that is never ended, on a database beside the ledger. Who has it is written
there before, for `status` and for the message of a second run; when the run has ended, that means
nothing.
"""

from __future__ import annotations

import os
import socket
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
    path = folder / LOCK
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(closing(connected(path, "rwc", GRACE)))
            lock.execute("CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, name TEXT)")
            name = f"process {os.getpid()} on {socket.gethostname()}"
            lock.execute("INSERT OR REPLACE INTO holder VALUES (1, ?)", [name])
            lock.execute("BEGIN IMMEDIATE")
        except (OSError, sqlite3.Error) as error:
            if who := holder(folder):
                raise LedgerError(f"{folder}: {who} works on it: stop that run first") from None
            raise LedgerError(
                f"{path}: {error}: a run needs a folder in which it can write"
            ) from None
        yield


def holder(folder: Path) -> str:
    """Who works on a directory now, such as `process 7 on nova`; empty: nobody."""
    with suppress(sqlite3.Error), closing(connected(folder / LOCK, "rw", GLANCE)) as lock:
        try:
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):  # on a disk that cannot be written nobody works
                for (name,) in lock.execute("SELECT name FROM holder"):
                    return str(name)
    return ""


def connected(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    """A connection without transactions of its own, which any thread may close."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
