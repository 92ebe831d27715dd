"""The record of each puzzle of a batch, and of the failures among them.

A record is what a line of JSON holds. A puzzle that cannot be read or solved gives a record too, so
that the others go on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactcover.base.patience import within
from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError
from exactcover.formats import Document, Refused
from exactcover.formats.files import Text
from exactcover.formats.splitting import Found

Record = dict[str, Any]
"""The figures of one puzzle, by the keys that `docs/batches.md` lists."""


def nothing() -> None:
    """Called between slices where nobody watches."""


@dataclass(frozen=True)
class Question:
    """The question about each puzzle, as for `solve`: the work of the processes of a batch.

    strict   whether the numbers in a file are compared however long it takes
    plugins  files of heuristics and filters that each worker loads
    """

    counted: Convention | None = None
    strategy: str | None = None
    limit: int | None = None
    time_limit: float | None = None
    strict: bool = False
    plugins: tuple[Path, ...] = ()
    tries = 1

    def begin(self) -> Callable[[Found], Iterator[list[Record]]]:
        """Load the plug-ins; return what gives the records of a puzzle."""
        from exactcover.backends.heuristics import load_plugin

        for file in self.plugins:
            load_plugin(file)
        return self._records

    def _records(self, found: Found) -> Iterator[list[Record]]:
        yield [*self.records(found, nothing)]

    def records(self, found: Found, pulse: Callable[[], object]) -> Iterator[Record]:
        """The records of what was found at a place: one, or as many as the text has puzzles."""
        return records_of(found, self, pulse)

    def lost(self, found: Found, reason: str) -> list[Record]:
        """The record of a puzzle that has ended its process."""
        return [failure(found.name, reason)]


def failure(name: str, error: str) -> Record:
    """The record of a puzzle that cannot be read or solved."""
    return {"puzzle": name, "status": "error", "error": error}


def records_of(found: Found, asked: Question, pulse: Callable[[], object]) -> Iterator[Record]:
    """The records of what was found at a place: one, or as many as the text has puzzles."""
    try:
        entries = _entries(found, asked.time_limit)
    except Exception as error:
        yield _failed(found.name, error)
        return
    if not entries:
        yield failure(found.name, "no puzzle here")
    for entry in entries:
        yield _record(entry, asked, pulse)


def _entries(found: Found, time_limit: float | None) -> list[Document | Refused]:
    if not isinstance(found, Text):
        return [found]
    with within(time_limit):
        return [*found.entries()]


def _record(entry: Document | Refused, asked: Question, pulse: Callable[[], object]) -> Record:
    from exactcover.runs.batches.difficulty import measured

    if isinstance(entry, Refused):
        return failure(entry.name, str(entry.error))
    try:
        return measured(
            entry,
            pulse,
            counted=asked.counted,
            strategy=asked.strategy,
            limit=asked.limit,
            time_limit=asked.time_limit,
            strict=asked.strict,
        )
    except Exception as error:
        return _failed(entry.name, error)


def _failed(name: str, error: Exception) -> Record:
    """The record of a puzzle for which this was raised."""
    record = failure(name, failure_words(error))
    if isinstance(error, ExactCoverError | MemoryError):
        return record
    return record | {"traceback": "".join(traceback.format_exception(error))}


def failure_words(error: Exception) -> str:
    """The message of an error, for the record of a puzzle that failed."""
    if isinstance(error, ExactCoverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "memory ran out"
    return f"a fault of the program: {type(error).__name__}: {error}"
