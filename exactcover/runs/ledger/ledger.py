"""The ledger of a long run: one SQLite file, written by one process, readable by any at any time.

Each finished task is one transaction: its results, its solutions, and the bundles that it handed
back. The commit is on the disk before the next one begins. So after a crash every task is either
done with all that belongs to it, or it waits; and a task that is finished twice counts once.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch
from exactcover.base.values import Convention
from exactcover.errors import LedgerError
from exactcover.formats.files import FormatName
from exactcover.runs.jobs import Bundle, BundleOutcome, share_of
from exactcover.runs.ledger.damage import check_rows
from exactcover.runs.ledger.ledger_file import (
    created,
    faults_told,
    open_ledger,
    path_in,
)
from exactcover.runs.ledger.schema import DONE, RESULTS, SUMS, bundle_bytes, bundle_of
from exactcover.search.driver import seconds_left

ROW = 3_900
"""The most bytes of solutions in a row, so that a row fits a page of the file."""

SORTED = np.dtype(">u4")
"""Numbers whose bytes sort as they do."""


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
class RunTotals:
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

    @property
    def seconds_left(self) -> float | None:
        """The seconds of work that are left, if the rest is like what is done; None: nothing is.

        The largest shares are searched first. Many of them have few nodes, so there are often more.
        """
        if not self.tasks_waiting:
            return 0.0
        return seconds_left(self.seconds, self.whole - self.left, self.left)

    def after(self, share: float, outcome: BundleOutcome) -> RunTotals:
        """The sums once a waiting task with this share is done."""
        return RunTotals(
            solutions=self.solutions + outcome.found,
            fits=self.fits + outcome.fits,
            nofits=self.nofits + outcome.nofits,
            seconds=self.seconds + outcome.seconds,
            compiling=self.compiling + outcome.compiling,
            tasks_done=self.tasks_done + 1,
            tasks_waiting=self.tasks_waiting - 1 + len(outcome.rest),
            whole=self.whole,
            left=self.left - share + sum(map(share_of, outcome.rest)),
        )


Begun = tuple[Bundle, BundleOutcome | None]
"""A part: its subtrees, and what has been done of them already."""

Rows = npt.NDArray[np.integer[Any]]
"""Solutions of one size, a row for each: their option numbers, ascending."""


class Ledger:
    """An open ledger; `with` closes it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self.path = connection, path

    @classmethod
    def open(
        cls, folder: str | Path, *, write: bool = False, check: bool = True, mend: bool = False
    ) -> Self:
        """The ledger in a directory; raises `LedgerError` if it is none or damaged.

        check  whether all of it is read, to see that nothing is missing or damaged
        mend   whether damage is allowed that can be searched again
        """
        opened = open_ledger(folder, write=write, check=check, mend=mend)
        ledger = cls(opened, path_in(folder))
        try:
            if check:
                check_rows(ledger, mend=mend)
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    @contextmanager
    def created(cls, folder: str | Path) -> Iterator[Self]:
        """A new ledger, which has its name only once all in here is written."""
        with created(folder) as connection:
            yield cls(connection, path_in(folder))

    def close(self) -> None:
        """Close the file. What is committed is safe without it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what is to be done ---------------------------------------------------------------------

    def add_run(self, terms: Terms) -> int:
        """Add the row of a run, within `writing`; return its number."""
        return self.insert("run", **asdict(terms))

    def add_part(self, run: int, number: int) -> int:
        """Add the row of a part, within `writing`; return its number in the table."""
        return self.insert("part", run=run, number=number)

    def begin_part(self, part: int, begun: Begun) -> None:
        """Add the first task of a part, within `writing`, with what has been done of it."""
        bundle, outcome = begun
        task = self._add_task(part, None, bundle)
        if outcome is not None:
            self._finish(task, outcome)

    def runs(self) -> dict[int, Terms]:
        """The runs by their numbers."""
        names = [field.name for field in fields(Terms)]
        rows = self.rows(f"SELECT id, {', '.join(names)} FROM run ORDER BY id")
        named = ((number, dict(zip(names, row, strict=True))) for number, *row in rows)
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
        [(part, raw)] = self.rows("SELECT part, bundle FROM task WHERE id = ?", task)
        return bundle_of(raw, self._of_run("options", part))

    def _of_run(self, column: str, part: int) -> int:
        """A number in the row of the run that a part belongs to."""
        sql = f"SELECT {column} FROM part JOIN run ON run.id = run WHERE part.id = ?"
        [(number,)] = self.rows(sql, part)
        return int(number)

    # -- what is done ---------------------------------------------------------------------------

    def finish(self, task: int, outcome: BundleOutcome) -> bool:
        """Write what a task came to; False: it was done before, and nothing is changed."""
        with self.writing():
            states = self.rows("SELECT state FROM task WHERE id = ?", task)
            if not states:
                raise LedgerError(f"{self.path}: there is no task {task}")
            if states == [(DONE,)]:
                return False
            self._finish(task, outcome)
        return True

    def _finish(self, task: int, outcome: BundleOutcome) -> None:
        [(part,)] = self.rows("SELECT part FROM task WHERE id = ?", task)
        symmetric = json.dumps(dict(outcome.symmetric), ensure_ascii=False)
        columns = ("state", *RESULTS, "handed")
        self.do(
            f"UPDATE task SET {', '.join(f'{column} = ?' for column in columns)} WHERE id = ?",
            DONE, outcome.found, outcome.fits, outcome.nofits, outcome.seconds, outcome.compiling,
            symmetric, len(outcome.rest), task,
        )  # fmt: skip
        for bundle in outcome.rest:
            self._add_task(part, task, bundle)
        if self._of_run("keep", part):
            for solutions, size, blob in _packed(outcome.solutions, self._of_run("width", part)):
                self.insert("batch", task=task, solutions=solutions, size=size, options=blob)
        self.seal("task", task)

    def _add_task(self, part: int, parent: int | None, bundle: Bundle) -> int:
        raw = bundle_bytes(bundle, self._of_run("options", part))
        return self.insert("task", part=part, parent=parent, share=share_of(bundle), bundle=raw)

    def totals(self, run: int, part: int | None = None) -> RunTotals:
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
        return RunTotals(*row)

    def symmetric(self, run: int) -> dict[str, int]:
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

    def insert(self, table: str, **values: object) -> int:
        """Insert a row, within `writing`, with its checksums; return its number."""
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        number = self._connection.execute(sql, (*values.values(),)).lastrowid
        assert number is not None
        self.seal(table, number)
        return number

    def seal(self, table: str, row: int) -> None:
        """Write the checksums of a row, within `writing`, after all that they are of."""
        if table in SUMS:
            sums = ", ".join(f"{column} = {sql}" for column, sql in SUMS[table].items())
            self.do(f"UPDATE {table} SET {sums} WHERE rowid = ?", row)


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


def in_order(ledger: Ledger, run: int) -> Iterator[tuple[int, ...]]:
    """The solutions of a run, sorted by their option numbers, whatever workers found them when.

    SQLite sorts them, in a temporary file if there are many, so the memory does not grow with them.
    """
    with closing(sqlite3.connect("")) as sorted_, faults_told(ledger.path):
        sorted_.execute("CREATE TABLE solution (options BLOB)")
        for rows in ledger.solutions(run):
            keys = ((row.tobytes(),) for row in rows.astype(SORTED))
            sorted_.executemany("INSERT INTO solution VALUES (?)", keys)
        for (key,) in sorted_.execute("SELECT options FROM solution ORDER BY options"):
            yield tuple(np.frombuffer(key, SORTED).tolist())
