"""The rows of a list with their results, and those that an earlier run has finished.

Finished rows may be kept in a folder, so that a run that was killed goes on behind them: each is a
line of `rows.jsonl`, written through to the disk. A row is known by its puzzle's digest and the
question, so a list may be sorted, or get further rows and other expected numbers, between two runs.
A line that a crash cut off is left out, and its row counted again.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats.lists import ListRow, RowList
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.runs.ledger.lock import locked
from exactcover.search.subject import counted_as

if TYPE_CHECKING:
    from exactcover.runs.batches import Question

Record = dict[str, Any]
"""The figures of one puzzle, by the keys that `docs/checks.md` lists."""

RESULTS = (
    "found", "agrees", "status", "engine", "seconds", "compiling", "note", "error", "digest",
    "provenance",
)  # fmt: skip
"""The columns that a row gets; columns of the list with these names are replaced."""

LATTICE_FILE = ".toml"


def filled(row: ListRow, results: Record) -> Record:
    """The columns of the row, and the results behind them, all of them."""
    made = dict.fromkeys(RESULTS) | {key: results.get(key) for key in RESULTS}
    made["agrees"] = _agrees(row.expected, made)
    kept = {name: value for name, value in row.columns.items() if name not in RESULTS}
    kept = {"name": row.name} | kept | {"name": row.name}
    if made["provenance"] is not None:
        made["provenance"] = made["provenance"] | _place(row)
        kept |= {name: made["provenance"][name] for name in ("counted", "counted_as")}
    return kept | made


def _place(row: ListRow) -> Record:
    """Where the puzzle of a row is stated, as keys of a provenance."""
    said: Record = {"puzzle": row.name}
    if not row.keys:
        return said | {"file": row.place}
    lattice = str(row.keys.get("lattice", ""))
    # A lattice of a file is stated with the puzzle: the file may be gone one day.
    return said if lattice.endswith(LATTICE_FILE) else said | {"given": dict(row.keys)}


def _agrees(expected: int | None, record: Record) -> bool | None:
    """Whether the number found is the one expected; None: nothing is expected, or known."""
    found = record["found"]
    if expected is None or found is None:
        return None
    if record["status"] == "limit":
        return False if found > expected else None
    return bool(found == expected)


NAME = "rows.jsonl"


class FinishedRows:
    """The results of the finished rows of one question. One run at a time has the folder.

    asked  the question

    used  how many rows an earlier run in the folder has finished
    """

    def __init__(self, folder: Path, asked: Question) -> None:
        self.used, self._asked, self._known = 0, asked, dict[str, Record]()
        path = folder / NAME
        with ExitStack() as opened:
            opened.enter_context(locked(folder))
            try:
                self._file = opened.enter_context(path.open("a+b"))
                self._file.seek(0)
                whole = self._file.read().rpartition(b"\n")[0]  # a crash may cut the last line off
                self._file.truncate(len(whole) + bool(whole))
            except OSError as error:
                raise LedgerError(f"{path}: {error.strerror}") from None
            self.close = opened.pop_all().close
        for line in whole.splitlines():
            with suppress(ValueError, TypeError, KeyError):
                said = json.loads(line)
                self._known[said["key"]] = dict(said["results"])
        self._before = frozenset(self._known)

    def take(self, row: ListRow) -> Record | None:
        """The results of a row; None: it is not finished, or cannot be read."""
        try:
            content = row.document().content
            name = digest(content)
        except ExactCoverError:
            return None
        way = counted_as(row.counted or self._asked.counted, puzzle=isinstance(content, Puzzle))
        key = self._key(name, way)
        self.used += key in self._before
        return self._known.get(key)

    def keep(self, record: Record) -> None:
        """Keep the results of a row if it is finished, on the disk before this returns."""
        if record["status"] not in ("complete", "impossible"):
            return
        key = self._key(record["digest"], record["provenance"]["counted"])
        if key in self._known:
            return
        results = self._known[key] = {name: record[name] for name in RESULTS}
        line = json.dumps({"key": key, "results": results}, ensure_ascii=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _key(self, digest: str, counted: Convention) -> str:
        return f"{digest} {counted} {self._asked.strategy or 'chosen'}"


def columns_of(listed: RowList) -> tuple[str, ...]:
    """The columns of all records of a list, in their order."""
    kept = [name for name in listed.columns if name not in RESULTS]
    return tuple(dict.fromkeys(["name", *kept, "counted", "counted_as", *RESULTS]))
