"""The rows of a list, counted and compared with the numbers that are expected.

A row is counted as `count` does, by states where that takes less work, since a list of published
numbers asks for no measure of difficulty. Whatever is wrong with a row is in its record, and the
others go on.

Finished rows may be kept in a folder, so that a run that was killed goes on behind them: each is a
line of `rows.jsonl`, written through to the disk. A row is known by its puzzle's digest and the
question, so a list may be sorted, or get further rows and other expected numbers, between two runs.
A line that a crash cut off is left out, and its row counted again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats.lists import ListRow, RowList
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.runs.batches.answering import (
    Pulse,
    Record,
    answered,
    counted_in_slices,
    failure_words,
    nothing,
)
from exactcover.runs.ledger.lock import locked
from exactcover.search.counting.counts import Counting
from exactcover.search.subject import counted_as
from exactcover.trust.provenance import engines, provenance_of

if TYPE_CHECKING:
    from exactcover.runs.batches.batching import Question
    from exactcover.search.strategy import Strategy

RESULTS = (
    "found", "agrees", "status", "engine", "seconds", "compiling", "note", "error", "digest",
    "provenance",
)  # fmt: skip
"""The columns that a row gets; columns of the list with these names are replaced."""

LATTICE_FILE = ".toml"

SETTLED = ("complete", "impossible")
"""The states of a row that is finished: it is not counted again."""


AskedRow = tuple[ListRow, Record | None]
"""A row to count, and its results of an earlier run; None: it must be counted."""


def row_record(
    task: AskedRow,
    pulse: Pulse,
    counted: Convention | None,
    strategy: Strategy | None,
    time_limit: float | None,
) -> Record:
    """The record of a row, by the question of its list."""
    row, known = task
    try:
        if known is not None:
            return filled(row, known)
        document = row.document()
        with document.faults_placed():
            counting = Counting(
                document.content,
                counted=row.counted or counted,
                strategy=strategy,
                time_limit=time_limit,
            )
        with counting:
            result = counted_in_slices(counting, pulse)
        origin = provenance_of(document, result) | _place(row)
    except Exception as error:
        return filled(row, {"status": "error", "error": failure_words(error)})
    return filled(
        row,
        {
            "found": result.solutions,
            "status": result.status,
            "engine": "+".join(dict(engines(result.strategy))),
            "seconds": round(result.seconds, 6),
            "compiling": round(result.compiling, 6),
            "note": result.reason or None,
            "digest": origin["digest"],
            "provenance": origin,
        },
    )


def filled(row: ListRow, results: Record) -> Record:
    """The columns of the row, and the results behind them, all of them."""
    made = dict.fromkeys(RESULTS) | {key: results.get(key) for key in RESULTS}
    made["agrees"] = _agrees(row.expected, made)
    kept = {name: value for name, value in row.columns.items() if name not in RESULTS}
    kept = {"name": row.name} | kept | {"name": row.name}
    if made["provenance"] is not None:
        # Of a row with the same puzzle, perhaps.
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
    """The results of finished rows by their keys. One run at a time has the folder.

    used  how many rows an earlier run in the folder has finished
    """

    def __init__(self, folder: Path) -> None:
        self.used, self._known = 0, dict[str, Record]()
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

    def take(self, key: str) -> Record | None:
        """The results of a row; None: it is not finished."""
        self.used += key in self._before
        return self._known.get(key)

    def keep(self, key: str, results: Record) -> None:
        """Keep the results of a row, on the disk before this returns."""
        if key in self._known:
            return
        self._known[key] = results
        line = json.dumps({"key": key, "results": results}, ensure_ascii=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def columns_of(listed: RowList) -> tuple[str, ...]:
    """The columns of all records of a list, in their order."""
    kept = [name for name in listed.columns if name not in RESULTS]
    return tuple(dict.fromkeys(["name", *kept, "counted", "counted_as", *RESULTS]))


def counted_rows(
    listed: RowList,
    asked: Question,
    finished: FinishedRows | None = None,
    *,
    workers: int = 1,
    pulse: Pulse = nothing,
) -> Generator[Record]:
    """The records of the rows of a list, as they are counted.

    finished  the rows of an earlier run; each row is kept there before its record is handed out. It
              is closed at the end
    """
    if finished is None:
        return answered(((row, None) for row in listed.rows), asked, workers, pulse)
    tasks = ((row, _known(row, asked, finished)) for row in listed.rows)
    return _kept(answered(tasks, asked, workers, pulse), asked, finished)


def _known(row: ListRow, asked: Question, finished: FinishedRows) -> Record | None:
    try:
        content = row.document().content
        name = digest(content)
    except ExactCoverError:
        return None  # the worker reports it
    way = counted_as(row.counted or asked.counted, puzzle=isinstance(content, Puzzle))
    return finished.take(_key(name, way, asked))


def _key(digest: str, counted: Convention, asked: Question) -> str:
    """The name of the count of a row: its puzzle and the question, not its place or name."""
    return f"{digest} {counted} {asked.strategy or 'chosen'}"


def _kept(records: Generator[Record], asked: Question, finished: FinishedRows) -> Generator[Record]:
    with closing(finished), closing(records):
        for record in records:
            if record["status"] in SETTLED:
                key = _key(record["digest"], record["provenance"]["counted"], asked)
                finished.keep(key, {name: record[name] for name in RESULTS})
            yield record
