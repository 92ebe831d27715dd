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
from contextlib import closing
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch
from exactcover.runs.jobs import Bundle, BundleOutcome, BundleTotals, share_of
from exactcover.runs.ledger.ledger_file import LedgerFile, faults_told
from exactcover.runs.ledger.schema import DONE, RESULTS, bundle_bytes, bundle_of
from exactcover.runs.ledger.terms import Begun, Terms

ROW = 3_900
"""The most bytes of solutions in a row, so that a row fits a page of the file."""

SORTED = np.dtype(">u4")
"""Numbers whose bytes sort as they do."""


Rows = npt.NDArray[np.integer[Any]]
"""Solutions of one size, a row for each: their option numbers, ascending."""


class Ledger(LedgerFile):
    """An open ledger; `with` closes it."""

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
        [(options,)] = self.rows(
            "SELECT options FROM part JOIN run ON run.id = run WHERE part.id = ?", part
        )
        task = self._add_task(part, None, bundle, options)
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
        tasks = self.rows(
            "SELECT task.id, bundle, options FROM run JOIN part ON part.run = run.id "
            "JOIN task ON task.part = part.id WHERE run.id = ? AND state = 0 "
            "ORDER BY share DESC, task.id LIMIT ?",
            run,
            most + len(besides),
        )
        fresh = [one for one in tasks if one[0] not in besides][:most]
        return [(number, bundle_of(raw, options)) for number, raw, options in fresh]

    # -- what is done ---------------------------------------------------------------------------

    def finish(self, task: int, outcome: BundleOutcome) -> bool:
        """Write what a task came to; False: it was done before, and nothing is changed."""
        with self.writing():
            if self.rows("SELECT state FROM task WHERE id = ?", task) == [(DONE,)]:
                return False
            self._finish(task, outcome)
        return True

    def _finish(self, task: int, outcome: BundleOutcome) -> None:
        [(part, options, width, keep)] = self.rows(
            "SELECT part, options, width, keep FROM task JOIN part ON part.id = part "
            "JOIN run ON run.id = run WHERE task.id = ?",
            task,
        )
        symmetric = json.dumps(dict(outcome.symmetric), ensure_ascii=False)
        columns = ("state", *RESULTS, "handed")
        self.do(
            f"UPDATE task SET {', '.join(f'{column} = ?' for column in columns)} WHERE id = ?",
            DONE, outcome.found, outcome.fits, outcome.nofits, outcome.seconds, outcome.compiling,
            symmetric, len(outcome.rest), task,
        )  # fmt: skip
        for bundle in outcome.rest:
            self._add_task(part, task, bundle, options)
        for solutions, size, blob in _packed(outcome.solutions, width) if keep else ():
            self.insert("batch", task=task, solutions=solutions, size=size, options=blob)
        self.seal("task", task)

    def _add_task(self, part: int, parent: int | None, bundle: Bundle, options: int) -> int:
        raw = bundle_bytes(bundle, options)
        return self.insert("task", part=part, parent=parent, share=share_of(bundle), bundle=raw)

    def totals(self, run: int, part: int | None = None) -> BundleTotals:
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
        return BundleTotals(*row)

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
