"""The ledger of a long run: one SQLite file, written by one process, readable by any at any time.

Each finished task is one transaction: its results, its solutions, and the bundles that it handed
back. The commit is on the disk before the next one begins. So after a crash every task is either
done with all that belongs to it, or it waits; and a task that is finished twice counts once.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch
from exactcover.base.values.conventions import Convention
from exactcover.errors import LedgerError
from exactcover.formats.files import FormatName
from exactcover.runs.jobs import Bundle, Outcome
from exactcover.runs.ledger.bundles import bundle_bytes, bundle_of
from exactcover.runs.ledger.checksums import SUMS, damaged
from exactcover.runs.ledger.ledger_file import (
    create,
    faults_told,
    open_ledger,
    path_in,
    put_in_place,
)
from exactcover.runs.ledger.schema import DONE, WAITING

ROW = 3_900
"""The most bytes of solutions in a row, so that a row fits a page of the file."""


@dataclass(frozen=True)
class Terms:
    """The subject of a run and its strategy: a row of the table `run`; see the schema."""

    puzzle: str
    form: FormatName
    text: str
    counted: Convention
    strategy: str
    keep: bool
    parts: int
    options: int
    width: int
    reason: str
    problem: str
    plan: str
    version: str


@dataclass(frozen=True)
class Totals:
    """Sums over the tasks of a run.

    whole, left  the shares of the tree that all its parts have, and that is not searched
    """

    solutions: int = 0
    fits: int = 0
    nofits: int = 0
    seconds: float = 0.0
    compiling: float = 0.0
    tasks_done: int = 0
    tasks_waiting: int = 0
    whole: float = 0.0
    left: float = 0.0

    @property
    def done(self) -> float:
        """The share of the ledger's parts that is searched, 0 to 1."""
        if not self.tasks_waiting:
            return 1.0
        return min(max(1.0 - self.left / self.whole, 0.0), 1.0) if self.whole else 0.0


Rows = npt.NDArray[np.integer[Any]]
"""Solutions of one size, a row for each: their option numbers, ascending."""

NAMES = [field.name for field in fields(Terms)]


class Ledger:
    """An open ledger; `with` closes it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self.path = connection, path

    @classmethod
    def open(
        cls, folder: str | Path, *, write: bool = False, check: bool = True, mend: bool = False
    ) -> Self:
        """The ledger in a directory; raises `LedgerError` if it is none or damaged.

        mend  whether damage that `mending` can repair is allowed
        """
        return cls(open_ledger(folder, write=write, check=check, mend=mend), path_in(folder))

    @classmethod
    @contextmanager
    def created(cls, folder: str | Path) -> Iterator[Self]:
        """A new ledger, which has its name only once all in here is written."""
        connection, made = create(folder)
        ledger = cls(connection, path_in(folder))
        try:
            yield ledger
        except BaseException:
            ledger.close()
            made.unlink(missing_ok=True)
            raise
        put_in_place(connection, made)

    def close(self) -> None:
        """Close the file. What is committed is safe without it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what is to be done ---------------------------------------------------------------------

    def add(self, terms: Terms, parts: Mapping[int, tuple[Bundle, Outcome | None]]) -> int:
        """Add a run and its first tasks; return its number.

        parts  the number of each part: what it is, and what has been done of it already, with the
               bundles that are left
        """
        with self.writing():
            run = self.add_terms(terms)
            for number, begun in parts.items():
                self.begin_part(self.add_part(run, number), terms, begun)
        return run

    def add_terms(self, terms: Terms) -> int:
        """Add the row of a run, within `writing`; return its number."""
        marks = ", ".join("?" * len(NAMES))
        sql = f"INSERT INTO run ({', '.join(NAMES)}) VALUES ({marks})"
        run = self.inserted(sql, astuple(terms))
        self.seal("run", run)
        return run

    def add_part(self, run: int, number: int) -> int:
        """Add the row of a part, within `writing`; return its number in the table."""
        part = self.inserted("INSERT INTO part (run, number) VALUES (?, ?)", (run, number))
        self.seal("part", part)
        return part

    def begin_part(self, part: int, terms: Terms, begun: tuple[Bundle, Outcome | None]) -> None:
        """Add the first task of a part, within `writing`, with what has been done of it."""
        bundle, outcome = begun
        task = self._add_task(part, None, bundle, terms.options)
        if outcome is not None:
            self._finish(task, outcome)

    def runs(self) -> dict[int, Terms]:
        """The runs by their numbers."""
        rows = self.rows(f"SELECT id, {', '.join(NAMES)} FROM run ORDER BY id")
        named = ((number, dict(zip(NAMES, row, strict=True))) for number, *row in rows)
        return {number: Terms(**row | {"keep": bool(row["keep"])}) for number, row in named}

    def parts(self, run: int) -> list[int]:
        """Which parts of a run are in this ledger."""
        rows = self.rows("SELECT number FROM part WHERE run = ? ORDER BY number", run)
        return [number for (number,) in rows]

    def waiting(
        self, run: int, most: int, besides: Collection[int] = ()
    ) -> list[tuple[int, Bundle]]:
        """The waiting tasks with the largest shares, up to a number, besides those given."""
        # A partial index holds the waiting tasks of each part by their shares, the largest first.
        numbers = self.rows(
            "SELECT task.id FROM part JOIN task ON task.part = part.id "
            "WHERE run = ? AND state = 0 ORDER BY share DESC, task.id LIMIT ?",
            run,
            most + len(besides),
        )
        fresh = [number for (number,) in numbers if number not in besides][:most]
        return [(number, self._bundle(number)) for number in fresh]

    def _bundle(self, task: int) -> Bundle:
        [(raw, options)] = self.rows(
            "SELECT bundle, options FROM task JOIN part ON part.id = task.part "
            "JOIN run ON run.id = part.run WHERE task.id = ?",
            task,
        )
        return bundle_of(raw, options)

    # -- what is done ---------------------------------------------------------------------------

    def share(self, task: int) -> float:
        """How much of the whole tree a task is."""
        [(share,)] = self.rows("SELECT share FROM task WHERE id = ?", task)
        return float(share)

    def finish(self, task: int, outcome: Outcome) -> bool:
        """Write what a task came to; False: it was done before, and nothing is changed."""
        with self.writing():
            states = self.rows("SELECT state FROM task WHERE id = ?", task)
            if not states:
                raise LedgerError(f"{self.path}: there is no task {task}")
            if states == [(DONE,)]:
                return False
            self._finish(task, outcome)
        return True

    def _finish(self, task: int, outcome: Outcome) -> None:
        [(part, options, width, keep)] = self.rows(
            "SELECT task.part, options, width, keep FROM task JOIN part ON part.id = task.part "
            "JOIN run ON run.id = part.run WHERE task.id = ?",
            task,
        )
        self.do(
            "UPDATE task SET state = ?, solutions = ?, fits = ?, nofits = ?, seconds = ?, "
            "compiling = ?, symmetric = ?, handed = ? WHERE id = ?",
            DONE, outcome.found, outcome.fits, outcome.nofits, outcome.seconds,
            outcome.compiling, json.dumps(dict(outcome.symmetric), ensure_ascii=False),
            len(outcome.rest), task,
        )  # fmt: skip
        for bundle in outcome.rest:
            self._add_task(part, task, bundle, options)
        if keep:
            rows = ((task, *row) for row in _packed(outcome.solutions, width))
            self._connection.executemany(
                "INSERT INTO batch (task, solutions, size, options) VALUES (?, ?, ?, ?)", rows
            )
        self.seal("task", task)

    def _add_task(self, part: int, parent: int | None, bundle: Bundle, options: int) -> int:
        task = self.inserted(
            "INSERT INTO task (part, parent, share, state, bundle) VALUES (?, ?, ?, ?, ?)",
            (part, parent, share_of(bundle), WAITING, bundle_bytes(bundle, options)),
        )
        self.seal("task", task)
        return task

    def totals(self, run: int, part: int | None = None) -> Totals:
        """Sums over the tasks of a run, or of one of its parts."""
        [row] = self.rows(
            "SELECT coalesce(sum(solutions), 0), coalesce(sum(fits), 0), coalesce(sum(nofits), 0), "
            "total(seconds), total(compiling), "
            "coalesce(sum(state), 0), coalesce(sum(1 - state), 0), "
            "total(CASE WHEN parent IS NULL THEN share END), "
            "total(CASE WHEN state = 0 THEN share END) "
            "FROM part JOIN task ON task.part = part.id WHERE run = ? AND ? IN (number, 0)",
            run,
            part or 0,
        )
        return Totals(*row)

    def symmetric(self, run: int) -> Mapping[str, int]:
        """How many solutions have each group of symmetries."""
        rows = self.rows(
            "SELECT symmetric FROM part JOIN task ON task.part = part.id "
            "WHERE run = ? AND state = 1 AND symmetric != '{}'",
            run,
        )
        counted: Counter[str] = Counter()
        for (text,) in rows:
            counted.update(json.loads(text))
        return dict(sorted(counted.items()))

    def solutions(self, run: int) -> Iterator[Rows]:
        """The solutions, in the order in which their tasks were finished."""
        rows = self.each(
            "SELECT width, batch.solutions, size, batch.options "
            "FROM run JOIN part ON part.run = run.id JOIN task ON task.part = part.id "
            "JOIN batch ON batch.task = task.id WHERE run.id = ? ORDER BY batch.id",
            run,
        )
        for width, solutions, size, blob in rows:
            yield np.frombuffer(blob, f"<u{width}").reshape(solutions, size)

    # -- SQLite, for other modules too -----------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all in here is written, or nothing."""
        with faults_told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """Read the ledger in here as it is now, whatever a run writes meanwhile."""
        with faults_told(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def rows(self, sql: str, *values: object) -> list[Any]:
        """The rows that a query gives."""
        with faults_told(self.path):
            return self._connection.execute(sql, values).fetchall()

    def each(self, sql: str, *values: object) -> Iterator[Any]:
        """The rows one by one, for those that may not fit into memory."""
        with faults_told(self.path):
            yield from self._connection.execute(sql, values)

    def do(self, sql: str, *values: object) -> None:
        """Change rows, within `writing`."""
        self._connection.execute(sql, values)

    def damaged(self) -> list[str]:
        """The names of what is damaged, and can be searched again."""
        with faults_told(self.path):
            return damaged(self._connection)

    def seal(self, table: str, row: int) -> None:
        """Write the checksums of a row, within `writing`, after all that they are of."""
        sums = ", ".join(f"{column} = {sql}" for column, sql in SUMS[table].items())
        self.do(f"UPDATE {table} SET {sums} WHERE rowid = ?", row)

    def inserted(self, sql: str, values: Sequence[object]) -> int:
        """Insert a row, within `writing`; return its number."""
        number = self._connection.execute(sql, values).lastrowid
        assert number is not None
        return number


def share_of(bundle: Bundle) -> float:
    """How much of the whole tree a bundle is."""
    return sum(subtree.share for subtree in bundle)


def _packed(batch: Batch, width: int) -> Iterator[tuple[int, int, bytes]]:
    """The solutions as rows: how many, the size of each, their options."""
    sizes = np.diff(batch.starts)
    for size in np.unique(sizes).tolist():
        first = batch.starts[:-1][sizes == size]
        listed = batch.options[first[:, None] + np.arange(size)].astype(f"<u{width}")
        at_once = max(1, ROW // max(1, size * width))
        for begin in range(0, len(listed), at_once):
            rows = listed[begin : begin + at_once]
            yield len(rows), size, rows.tobytes()
