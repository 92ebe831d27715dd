"""The ledger of a long run: written by one process, readable by any at any time.

Each finished task is written in one transaction: its results, its solutions, and the tasks that
it handed back. The commit is on the disk before the outcome is handed out. So after a crash every
task is either done with all that belongs to it, or it waits; a task that is finished twice counts
once.

The nodes of a task are few. Their bytes, one behind the other, are packed by zlib. Unpacked, all
numbers are little-endian:

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
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from exactcover.backends.node import Node
from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger_file import (
    COPY,
    RESULTS,
    RUN,
    SEALED,
    checksum,
    created,
    faults_told,
    opened,
    path_in,
)
from exactcover.runs.ledger.terms import Begun, Terms
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
    def open(cls, folder: str | Path, *, write: bool = False, check: bool = True) -> Self:
        """The ledger of a directory; raises `LedgerError` if it is none or damaged.

        write  whether it is to be changed
        check  whether all of it is read, to see that nothing is missing or damaged
        """
        path = path_in(folder)
        ledger = cls(opened(path, write=write, check=check), path)
        try:
            ledger.terms = ledger._terms()
        except BaseException:
            ledger.close()
            raise
        return ledger

    def _terms(self) -> Terms:
        rows = self.rows(f"SELECT {', '.join(RUN)} FROM run")
        if len(rows) != 1 or not self.parts():
            what = "the part of the tree" if len(rows) == 1 else "the row of the run"
            raise LedgerError(f"{self.path}: it is damaged ({what} is missing): {COPY}")
        return Terms(**dict(zip(RUN, rows[0], strict=True)))

    @classmethod
    @contextmanager
    def created(cls, folder: str | Path) -> Iterator[Self]:
        """A new ledger, which has its name only once all in here is written."""
        path = path_in(folder)
        with created(path) as connection:
            yield cls(connection, path)

    def close(self) -> None:
        """Close the file. What is committed is safe without it."""
        self._connection.close()

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
        """Read the ledger in here as it is now; a run that goes on waits with its next commit."""
        self.do("BEGIN")
        try:
            yield
        finally:
            self.do("ROLLBACK")

    def do(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Execute a statement; changes are made within `writing`."""
        with faults_told(self.path):
            return self._connection.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """The rows that a query gives."""
        with faults_told(self.path):
            return self._connection.execute(sql, values).fetchall()

    def insert(self, table: str, **values: object) -> int:
        """Insert a row, within `writing`; return its number."""
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        number = self.do(sql, *values.values()).lastrowid
        assert number is not None
        return number

    def seal(self, table: str, where: str, *values: object) -> None:
        """Write the checksums of rows, within `writing`, after all that they are of."""
        for *sealed, _ in self.rows(f"{SEALED[table]} WHERE {where}", *values):
            self.do(f"UPDATE {table} SET crc = ? WHERE rowid = ?", checksum(sealed), sealed[0])

    # -- what is to be done ---------------------------------------------------------------------

    def begin(self, terms: Terms, part: int = 1, begun: Begun | None = None) -> None:
        """Write the row of the run; and, if it is there, a part with what has been done of it."""
        self.terms = terms
        with self.writing():
            self.insert("run", **asdict(terms))
            self.seal("run", "true")
            if begun is not None:
                nodes, outcome = begun
                task = self._add_task(part, None, nodes)
                if outcome is not None:
                    self.finish(task, outcome)

    def parts(self) -> list[int]:
        """Which parts of the tree are in this ledger."""
        rows = self.rows("SELECT DISTINCT part FROM task WHERE parent IS NULL ORDER BY part")
        return [part for (part,) in rows]

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
        [(part, state)] = self.rows("SELECT part, state FROM task WHERE id = ?", task)
        if state == DONE:
            return False
        made = outcome.made
        symmetric = json.dumps(dict(made.symmetric), ensure_ascii=False)
        self.do(
            f"UPDATE task SET state = ?, nodes = NULL, {' = ?, '.join(RESULTS)} = ? WHERE id = ?",
            DONE, made.found, made.fits, made.nofits, outcome.seconds, outcome.compiling,
            symmetric, task,
        )  # fmt: skip
        for nodes in outcome.rest:
            self._add_task(part, task, nodes)
        options = made.options.astype(self.terms.number)
        bounds = pairwise(made.starts.tolist())
        rows = ((task, options[begin:end].tobytes()) for begin, end in bounds)
        with faults_told(self.path):
            self._connection.executemany("INSERT INTO solution VALUES (?, ?)", rows)
        self.seal("task", "id = ?", task)
        return True

    def _add_task(self, part: int, parent: int | None, nodes: Nodes) -> int:
        task = self.insert(
            "task", part=part, parent=parent, share=share_of(nodes),
            nodes=nodes_bytes(nodes),
        )  # fmt: skip
        self.seal("task", "id = ?", task)
        return task

    def totals(self, part: int = 0) -> Totals:
        """Sums over all tasks, or over those of a part."""
        [row] = self.rows(
            "SELECT coalesce(sum(solutions), 0), coalesce(sum(fits), 0), coalesce(sum(nofits), 0), "
            "total(seconds), total(compiling), "
            "coalesce(sum(state), 0), coalesce(sum(1 - state), 0), "
            "total(CASE WHEN parent IS NULL THEN share END), "
            "total(CASE WHEN state = 0 THEN share END) "
            "FROM task WHERE ? IN (part, 0)",
            part,
        )
        return Totals(*row)

    def symmetric(self) -> dict[str, int]:
        """How many solutions have each group of symmetries."""
        rows = self.rows("SELECT symmetric FROM task WHERE state = 1 AND symmetric != '{}'")
        counted: Counter[str] = Counter()
        for (text,) in rows:
            counted.update(json.loads(text))
        return dict(sorted(counted.items()))

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """The solutions that are there now, sorted by their option numbers.

        SQLite copies and sorts them in a temporary file, so the memory does not grow, and a run
        that goes on does not wait for whoever reads them.
        """
        self.do("DROP TABLE IF EXISTS temp.found")
        self.do("CREATE TEMP TABLE found AS SELECT options FROM solution ORDER BY options")
        for (raw,) in self.do("SELECT options FROM temp.found ORDER BY rowid"):
            yield tuple(np.frombuffer(raw, self.terms.number).tolist())


# -- tasks --------------------------------------------------------------------------------------


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
