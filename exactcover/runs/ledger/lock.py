"""The lock of a directory: one run at a time, and the system frees it however a run ends.

It is on a file beside the ledger, which says who has it, for `status` and for the message of a
second run. The file stays when the run ends, and then means nothing.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Self

from exactcover.errors import LedgerError

LOCK = "ledger.lock"

GRACE = 1.0
"""Seconds to wait for the lock; a `status` holds it for a moment."""


@dataclass(frozen=True)
class Holder:
    """Who works on a directory: the process and its machine."""

    process: int
    host: str

    @classmethod
    def here(cls) -> Holder:
        """This process."""
        return cls(os.getpid(), socket.gethostname())


class Lock:
    """The lock of a directory; `with` frees it. Raises `LedgerError` if another process has it."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise LedgerError(
                f"{path}: {error.strerror}: a run needs a folder in which it can write"
            ) from None
        try:
            latest = monotonic() + GRACE
            while not _took(self._file):
                if monotonic() > latest:
                    who = _holder(self._file)
                    raise LedgerError(
                        f"{folder}: process {who.process} on {who.host} works on it: stop that run "
                        "first"
                    )
                sleep(0.02)
        except BaseException:
            self._file.close()
            raise
        _write(self._file, json.dumps(asdict(Holder.here())))

    def free(self) -> None:
        """Let others have it."""
        if not self._file.closed:
            _write(self._file, "")
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()


def holder(folder: Path) -> Holder | None:
    """Who works on a directory now; None: nobody."""
    try:
        file = (folder / LOCK).open("r+", encoding="utf-8")
    except OSError:  # there is none, or on a disk that cannot be written nobody works
        return None
    with file:
        return None if _took(file) else _holder(file)


def _holder(file: IO[str]) -> Holder:
    file.seek(0)
    try:
        return Holder(**json.loads(file.read()))
    except (ValueError, TypeError):  # it is about to write
        return Holder(0, "an unknown machine")


def _write(file: IO[str], text: str) -> None:
    """Say who has the lock. A full disk has no room for it; the lock holds all the same."""
    try:
        file.seek(0)
        file.truncate()
        file.write(text)
        file.flush()
    except OSError:
        return


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
