"""The rows of a list, counted and compared with the numbers that are expected.

A row is counted as `count` does, by states where that takes less work, since a list of published
numbers asks for no measure of difficulty. With `verify` it is counted once more by another method.
Whatever is wrong with a row is in its record, and the others go on.

Finished rows may be kept in a folder, so that a run that was killed goes on behind them: each is a
line of `rows.jsonl`, written through to the disk. A row is known by its puzzle's digest and the
question, so a list may be sorted, or get further rows and other expected numbers, between two runs.
A line that a crash cut off is left out, and its row counted again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_flag
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats import Document
from exactcover.formats.lists import ListRow, RowList, read_list
from exactcover.puzzle import Puzzle
from exactcover.puzzle.digest import digest
from exactcover.runs.batches.answering import (
    Answering,
    Asked,
    Record,
    counted_in_slices,
    failure_words,
    nothing,
)
from exactcover.runs.ledger.lock import locked
from exactcover.search.counting.counts import Counting
from exactcover.search.result import Result
from exactcover.search.subject import counted_as
from exactcover.trust.provenance import engines, provenance_of
from exactcover.trust.verification.second import second_count

RESULTS = (
    "found", "agrees", "status", "engine", "second_engine", "second_found", "seconds",
    "compiling", "note", "error", "digest", "provenance",
)  # fmt: skip
"""The columns that a row gets; columns of the list with these names are replaced."""

LATTICE_FILE = ".toml"

SETTLED = ("complete", "impossible", "different")
"""The states of a row that is finished: it is not counted again."""


@dataclass(frozen=True)
class AskedRow:
    """A row to count.

    known  the results of an earlier run; None: it must be counted
    """

    row: ListRow
    known: Record | None = None


@dataclass(frozen=True, kw_only=True)
class RowQuestion(Asked[AskedRow]):
    """The question about each row.

    verify  whether each row is counted by a second method
    """

    verify: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("verify", self.verify)

    def records(self, task: AskedRow, pulse: Callable[[], object]) -> Iterator[Record]:
        """The record of a row."""
        row = task.row
        try:
            results = self._counted(row, pulse) if task.known is None else task.known
            yield self._record(row, results)
        except Exception as error:
            yield self._record(row, {"status": "error", "error": failure_words(error)})

    def lost(self, task: AskedRow, reason: str) -> list[Record]:
        """The record of a row that has ended its process."""
        return [self._record(task.row, {"status": "error", "error": reason})]

    def _record(self, row: ListRow, results: Record) -> Record:
        """The columns of the row, and the results behind them, all of them."""
        made = dict.fromkeys(RESULTS) | {key: results.get(key) for key in RESULTS}
        made["agrees"] = _agrees(row.expected, made)
        kept = {name: value for name, value in row.columns.items() if name not in RESULTS}
        kept = {"name": row.name} | kept | {"name": row.name}
        if made["provenance"] is not None:
            # Of a row with the same puzzle, perhaps.
            made["provenance"] = made["provenance"] | _place(row)
            kept["counted"] = made["provenance"]["counted"]
        return kept | made

    def key(self, digest: str, counted: Convention) -> str:
        """The name of the count of a row: its puzzle and the question, not its place or name."""
        verified = "verified" if self.verify else "once"
        return f"{digest} {counted} {verified} {self.strategy or 'chosen'}"

    def _counted(self, row: ListRow, pulse: Callable[[], object]) -> Record:
        document = row.document()
        with document.faults_placed():
            counting = Counting(
                document.content,
                counted=row.counted or self.counted,
                strategy=self.strategy,
                time_limit=self.time_limit,
            )
        with counting:
            result = counted_in_slices(counting, pulse)
        record: Record = {
            "found": result.solutions,
            "status": result.status,
            "engine": _engines(result.strategy),
            "seconds": round(result.seconds, 6),
            "compiling": round(result.compiling, 6),
            "note": result.reason or None,
            "provenance": provenance_of(document, result) | _place(row),
        }
        if self.verify and result.status in SETTLED:
            self._verify(document, result, record, pulse)
        record["digest"] = record["provenance"]["digest"]
        return record

    def _verify(
        self, document: Document, first: Result, record: Record, pulse: Callable[[], object]
    ) -> None:
        """Count once more, and put the outcome into the record."""
        second = second_count(
            document.content,
            first.strategy,
            counted=first.counted,
            time_limit=self.time_limit,
            pulse=pulse,
        )
        if second is None:
            record |= {"status": "unverified", "note": "no other engine came to the end"}
            return
        record["second_engine"] = _engines(second.strategy)
        record["second_found"] = second.solutions
        record["compiling"] = round(first.compiling + second.compiling, 6)
        origin = record["provenance"]
        origin["engines"] |= dict(engines(second.strategy))
        origin["second"] = {
            "strategy": second.strategy,
            "solutions": second.solutions,
            "seconds": round(second.seconds, 6),
            "compiling": round(second.compiling, 6),
        }
        if second.solutions != first.solutions:
            record["status"] = "different"
            record["note"] = f"{second.strategy} finds {second.solutions:,}"


def _place(row: ListRow) -> Record:
    """Where the puzzle of a row is stated, as keys of a provenance."""
    said: Record = {"puzzle": row.name}
    if not row.keys:
        return said | {"file": row.place}
    lattice = str(row.keys.get("lattice", ""))
    # A lattice of a file is stated with the puzzle: the file may be gone one day.
    return said if lattice.endswith(LATTICE_FILE) else said | {"given": dict(row.keys)}


def _engines(strategy: str) -> str:
    return "+".join(dict(engines(strategy)))


def _agrees(expected: int | None, record: Record) -> bool | None:
    """Whether the number found is the one expected; None: nothing is expected, or known."""
    found = record["found"]
    if expected is None or found is None or record["status"] == "different":
        return None
    if record["status"] == "limit":
        return False if found > expected else None
    return bool(found == expected)


NAME = "rows.jsonl"


class FinishedRows:
    """The results of finished rows by their keys. One run at a time has the folder.

    used  how many results of earlier runs were taken
    """

    def __init__(self, folder: Path) -> None:
        self._lock = ExitStack()
        self._lock.enter_context(locked(folder))
        self.used = 0
        self._known: dict[str, Record] = {}
        path = folder / NAME
        try:
            self._file = path.open("a+b")
            self._read()
        except OSError as error:
            self._lock.close()
            raise LedgerError(f"{path}: {error.strerror}") from None

    def take(self, key: str) -> Record | None:
        """The results of a row; None: it is not finished."""
        found = self._known.get(key)
        self.used += key in self._before
        return found

    def keep(self, key: str, results: Record) -> None:
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
        self._lock.close()

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):  # a crash cut it off
                break
            whole += len(line)
            with suppress(ValueError, TypeError, KeyError):
                said = json.loads(line)
                self._known[said["key"]] = dict(said["results"])
        self._before = frozenset(self._known)
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)


class ListBatching(Answering[AskedRow]):
    """A list under way: an iterator over the records of its rows, as they are counted.

    path       the file of the list, or a list that has been read
    asked      the question about each row
    directory  a folder in which finished rows are kept; None: they are not
    pulse      called many times a second while it works
    """

    def __init__(
        self,
        path: str | Path | RowList,
        asked: RowQuestion | None = None,
        *,
        workers: int = 1,
        directory: Path | None = None,
        pulse: Callable[[], object] = nothing,
    ) -> None:
        self._asked = asked or RowQuestion()
        self.list = path if isinstance(path, RowList) else read_list(path)
        self._finished = None if directory is None else FinishedRows(directory)
        super().__init__(self._tasks(), self._asked, workers=workers, pulse=pulse)

    @property
    def reused(self) -> int:
        """How many rows an earlier run in the folder has finished."""
        return 0 if self._finished is None else self._finished.used

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of all records, in their order."""
        kept = [name for name in self.list.columns if name not in RESULTS]
        return tuple(dict.fromkeys(["name", *kept, "counted", *RESULTS]))

    def __next__(self) -> Record:
        """The next record; that of a finished row is in the folder before."""
        record = super().__next__()
        if self._finished is not None and record["status"] in SETTLED:
            key = self._asked.key(record["digest"], record["provenance"]["counted"])
            self._finished.keep(key, {name: record[name] for name in RESULTS})
        return record

    def _let_go(self) -> None:
        super()._let_go()
        if self._finished is not None:
            self._finished.close()

    def _tasks(self) -> Iterator[AskedRow]:
        for row in self.list.rows:
            yield AskedRow(row, self._known(row))

    def _known(self, row: ListRow) -> Record | None:
        if self._finished is None:
            return None
        try:
            content = row.document().content
            name = digest(content)
        except ExactCoverError:
            return None  # the worker reports it
        way = counted_as(row.counted or self._asked.counted, puzzle=isinstance(content, Puzzle))
        return self._finished.take(self._asked.key(name, way))
