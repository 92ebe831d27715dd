"""The ledger of a long run: written by one process, readable by any at any time.

Each finished task is written in one transaction: its results, its solutions, and the tasks that
it handed back. The commit is on the disk before the outcome is handed out. So after a crash every
task is either done with all that belongs to it, or it waits; a task that is finished twice counts
once.

The nodes and the solutions of a task are bytes, packed by zlib. Solutions are big-endian numbers,
see `solutions_bytes`. Nodes stand one behind the other, with little-endian numbers:

    int32    pieces left; -1: it is the whole tree
    float64  its share of the whole tree
    uint32   how many options are chosen, then their numbers in the order of choice: uint32 each
    uint8    1: a bit per option follows, 1 where it may be chosen besides; 0: all may be

The bits fill whole bytes, the highest bit first.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from exactcover.backends.base import Slice
from exactcover.backends.node import Node
from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger_file import (
    COPY,
    RESULTS,
    SUMS,
    TABLES,
    faults_told,
    opened,
    path_in,
    require_ledger,
)
from exactcover.runs.ledger.ledger_file import check as check_file
from exactcover.runs.ledger.terms import Terms
from exactcover.runs.workers import Nodes, SearchOutcome, share_of

DONE = 1
"""The state of a task with results; one that waits has 0."""


class Totals(NamedTuple):
    """Sums over tasks.

    whole, left  the shares of the tree that all of them have, and that is not searched
    """

    solutions: int
    fits: int
    nofits: int
    seconds: float
    compiling: float
    tasks_done: int
    tasks_waiting: int
    whole: float
    left: float

    @property
    def done(self) -> float:
        """The searched share of what they have, 0 to 1."""
        if not self.tasks_waiting:
            return 1.0
        return min(max(1.0 - self.left / self.whole, 0.0), 1.0) if self.whole else 0.0

    def after(self, share: float, outcome: SearchOutcome) -> Totals:
        """The sums once a waiting task with this share is done: to sum up millions takes long."""
        return self._replace(
            solutions=self.solutions + outcome.made.found,
            fits=self.fits + outcome.made.fits,
            nofits=self.nofits + outcome.made.nofits,
            seconds=self.seconds + outcome.seconds,
            compiling=self.compiling + outcome.compiling,
            tasks_done=self.tasks_done + 1,
            tasks_waiting=self.tasks_waiting - 1 + len(outcome.rest),
            left=self.left - share + sum(map(share_of, outcome.rest)),
        )


class Ledger:
    """An open ledger, which its owner closes.

    terms  the subject of the run and its strategy, once they are written
    """

    terms: Terms

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self.path = connection, path

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The ledger of a directory; raises `LedgerError` if it is none or damaged."""
        path = path_in(folder)
        require_ledger(folder)
        with ExitStack() as opening, faults_told(path):
            # A file that cannot be written is opened to be read. If a crash has left a journal, the
            # first reader restores the last commit from it.
            ledger = opening.enter_context(closing(cls(opened(path, "rw"), path)))
            check_file(ledger._connection, path)
            rows = ledger.rows("SELECT terms FROM run")
            if len(rows) != 1 or not ledger.rows("SELECT id FROM task WHERE parent IS NULL"):
                raise LedgerError(f"{path}: it is damaged (the run or its tree is missing): {COPY}")
            ledger.terms = Terms(**json.loads(rows[0][0]))
            opening.pop_all()
        return ledger

    @classmethod
    def create(
        cls, folder: str | Path, terms: Terms, nodes: Nodes, done: SearchOutcome | None
    ) -> None:
        """Write a new ledger: a run, what it is to search, and what has been done of that, if
        anything.

        It is one transaction, so a run that is broken off while it begins leaves an empty file.
        """
        path = path_in(folder)
        with (
            faults_told(path),
            closing(cls(opened(path, "rwc"), path)) as ledger,
            ledger._connection as connection,  # which commits, or rolls back
        ):
            connection.executescript(f"BEGIN; {TABLES}")
            ledger.do("INSERT INTO run (terms) VALUES (?)", json.dumps(asdict(terms)))
            ledger.seal("run", "true")
            task = ledger._add_task(None, nodes)
            if done is not None:
                ledger.finish(task, done)

    def close(self) -> None:
        """Close the file. What is committed is safe without it."""
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all in here is written, or nothing."""
        with faults_told(self.path), self._connection:  # which commits, or rolls back
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def do(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Execute a statement; changes are made within `writing`."""
        with faults_told(self.path):
            return self._connection.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """The rows that a query gives."""
        with faults_told(self.path):
            return self._connection.execute(sql, values).fetchall()

    def seal(self, table: str, where: str, *values: object) -> None:
        """Write the checksums of rows, within `writing`, after all that they are of."""
        self.do(f"UPDATE {table} SET crc = {SUMS[table]} WHERE {where}", *values)

    # -- what is to be done ---------------------------------------------------------------------

    def waiting(self, most: int, besides: Collection[int] = ()) -> list[tuple[int, Nodes]]:
        """The waiting tasks with the largest shares, up to a number, besides those given."""
        # A partial index holds the waiting tasks by their shares, the largest first.
        tasks = self.rows(
            "SELECT id, nodes FROM task WHERE state = 0 ORDER BY share DESC, id LIMIT ?",
            most + len(besides),
        )
        fresh = [one for one in tasks if one[0] not in besides][:most]
        return [(number, nodes_of(raw, self.terms.options)) for number, raw in fresh]

    # -- what is done ---------------------------------------------------------------------------

    def finish(self, task: int, outcome: SearchOutcome) -> bool:
        """Write what a task came to, within `writing`; False: it was done before, and nothing is
        changed."""
        [(state,)] = self.rows("SELECT state FROM task WHERE id = ?", task)
        if state == DONE:
            return False
        made = outcome.made
        self.do(
            f"UPDATE task SET state = ?, ({RESULTS}) = (?, ?, ?, ?, ?, ?), nodes = NULL "
            "WHERE id = ?",
            DONE, made.found, made.fits, made.nofits, outcome.seconds, outcome.compiling,
            solutions_bytes(made), task,
        )  # fmt: skip
        for nodes in outcome.rest:
            self._add_task(task, nodes)
        self.seal("task", "id = ?", task)
        return True

    def _add_task(self, parent: int | None, nodes: Nodes) -> int:
        task = self.do(
            "INSERT INTO task (parent, share, nodes) VALUES (?, ?, ?)",
            parent, share_of(nodes), nodes_bytes(nodes),
        ).lastrowid  # fmt: skip
        assert task is not None
        self.seal("task", "id = ?", task)
        return task

    def totals(self) -> Totals:
        """Sums over all tasks."""
        [row] = self.rows(
            "SELECT coalesce(sum(solutions), 0), coalesce(sum(fits), 0), coalesce(sum(nofits), 0), "
            "total(seconds), total(compiling), "
            "coalesce(sum(state), 0), coalesce(sum(1 - state), 0), "
            "total(CASE WHEN parent IS NULL THEN share END), "
            "total(CASE WHEN state = 0 THEN share END) FROM task"
        )
        return Totals(*row)

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """The solutions that are there now, sorted by their option numbers.

        SQLite sorts them in a temporary file, so the memory does not grow, and a run that goes on
        does not wait for whoever reads them.
        """
        self.do("DROP TABLE IF EXISTS temp.listed")
        self.do("CREATE TEMP TABLE listed (options BLOB)")
        for (raw,) in self.do("SELECT found FROM task WHERE solutions > 0"):
            with faults_told(self.path):
                self._connection.executemany("INSERT INTO listed VALUES (?)", solutions_of(raw))
        for (raw,) in self.do("SELECT options FROM listed ORDER BY options"):
            yield tuple(np.frombuffer(raw, NUMBER).tolist())


# -- as bytes -------------------------------------------------------------------------------------

NUMBER = ">u4"
"""The type of an option number: big-endian, so that bytes compare as the numbers do."""


def solutions_bytes(made: Slice) -> bytes:
    """The solutions of a slice as bytes: how many there are, their lengths, their options."""
    numbers = [len(made)], np.diff(made.starts), made.options
    return zlib.compress(np.concatenate(numbers).astype(NUMBER).tobytes(), 1)


def solutions_of(raw: bytes) -> Iterator[tuple[bytes]]:
    """The options of each of the solutions that the bytes hold, as a row."""
    many, *_ = numbers = np.frombuffer(zlib.decompress(raw), NUMBER)
    ends = numbers[1 : many + 1].cumsum()[:-1]
    return ((one.tobytes(),) for one in np.split(numbers[many + 1 :], ends))


def nodes_bytes(nodes: Nodes) -> bytes:
    """Nodes as bytes."""
    return zlib.compress(b"".join(node.to_bytes() for node in nodes), 1)


def nodes_of(raw: bytes, options: int) -> Nodes:
    """The nodes that the bytes hold, of a problem with this number of options."""
    plain, nodes, at = zlib.decompress(raw), list[Node](), 0
    while at < len(plain):
        node, at = Node.from_bytes(plain, options, at)
        nodes.append(node)
    return (*nodes,)
