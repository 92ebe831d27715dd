"""The rows of a list with their results, and those that an earlier run has finished.

Finished rows may be kept in a folder, so that a run that was killed goes on behind them: in an
SQLite database, as a ledger is. A row is known by its puzzle's digest and the question, so a list
may be sorted, or get further rows and other expected numbers, between two runs.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError
from exactcover.formats.lists import ListRow, RowList
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.runs.ledger.ledger_file import GRACE, connected, faults_told, locked
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


NAME = "rows.sqlite"
TABLE = "CREATE TABLE IF NOT EXISTS finished (key TEXT PRIMARY KEY, results TEXT)"


class FinishedRows:
    """The results of the finished rows of one question. One run at a time has the folder.

    asked  the question

    used  how many rows an earlier run in the folder has finished
    """

    def __init__(self, folder: Path, asked: Question) -> None:
        self.used, self._asked, self._path = 0, asked, folder / NAME
        with ExitStack() as opened, faults_told(self._path):
            opened.enter_context(locked(folder))
            self._file = opened.enter_context(closing(connected(self._path, "rwc", GRACE)))
            self._file.execute(TABLE)
            kept = self._file.execute("SELECT key, results FROM finished")
            self._known: dict[str, Record] = {key: json.loads(results) for key, results in kept}
            self.close = opened.pop_all().close
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
        with faults_told(self._path):
            row = key, json.dumps(results)
            self._file.execute("INSERT INTO finished VALUES (?, ?)", row)

    def _key(self, digest: str, counted: Convention) -> str:
        return f"{digest} {counted} {self._asked.strategy or 'chosen'}"


def columns_of(listed: RowList) -> tuple[str, ...]:
    """The columns of all records of a list, in their order."""
    kept = [name for name in listed.columns if name not in RESULTS]
    return tuple(dict.fromkeys(["name", *kept, "counted", "counted_as", *RESULTS]))
