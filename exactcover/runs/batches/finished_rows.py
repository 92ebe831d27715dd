"""The finished rows of a list, in a folder: a run that was killed goes on behind them.

The folder has a file `rows.jsonl`, to which each finished row is appended and written through to
the disk. A row is known by its puzzle's digest and the question, so a list may be sorted, or get
further rows and other expected numbers, between two runs. A line that a crash cut off is left out,
and its row counted again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger_file import Lock

NAME = "rows.jsonl"


class FinishedRows:
    """The results of finished rows by their keys. One run at a time has the folder.

    used     how many results of earlier runs were taken
    damaged  how many lines cannot be read
    """

    def __init__(self, folder: Path) -> None:
        self._lock = Lock(folder)
        self.used = self.damaged = 0
        self._known: dict[str, dict[str, Any]] = {}
        path = folder / NAME
        try:
            self._file = path.open("a+b")
            self._read()
        except OSError as error:
            self._lock.free()
            raise LedgerError(f"{path}: {error.strerror}") from None

    def take(self, key: str) -> dict[str, Any] | None:
        """The results of a row; None: it is not finished."""
        found = self._known.get(key)
        self.used += key in self._before
        return found

    def keep(self, key: str, results: dict[str, Any]) -> None:
        """Keep the results of a row, on the disk before this returns."""
        if key in self._known:
            return
        self._known[key] = results
        line = json.dumps({"key": key, "results": results}, ensure_ascii=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let another run have the folder."""
        self._file.close()
        self._lock.free()

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):  # a crash cut it off
                self.damaged += 1
                break
            whole += len(line)
            try:
                said = json.loads(line)
                self._known[said["key"]] = dict(said["results"])
            except (ValueError, TypeError, KeyError):
                self.damaged += 1
        self._before = frozenset(self._known)
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)
