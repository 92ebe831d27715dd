"""Checksums of the rows of a ledger, and which rows are damaged.

Each row has the CRC-32 of its columns, as SQL computes it (`SUMS`). A task has three: of its place
in the tree, of its bundle, and of its results, which its solutions belong to. So a task with
damaged results is searched again from its bundle, and a task that is lost is handed back again by
its parent. The bundle of a done task is read only for that, so damage there alone is harmless.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from exactcover.errors import LedgerError


def _raw(*columns: str) -> str:
    """Columns of texts and blobs in SQL, as what they are and their bytes, which may be no text."""
    return ", ".join(f"typeof({column}), CAST({column} AS BLOB)" for column in columns)


_TEXTS = ("puzzle", "form", "text", "counted", "strategy", "reason", "problem", "plan", "version")

SUMS = {
    "run": {"crc": f"crc(id, keep, parts, options, width, {_raw(*_TEXTS)})"},
    "part": {"crc": "crc(id, run, number)"},
    "task": {
        "crc": "crc(id, part, parent)",
        "bundle_crc": f"crc(share, {_raw('bundle')})",
        "result_crc": "crc(state, solutions, fits, nofits, seconds, compiling, handed, "
        f"{_raw('symmetric')}, (SELECT sum(crc(solutions, size, {_raw('options')})) FROM batch "
        "WHERE batch.task = task.id))",
    },
}
"""The checksums in each table, by their columns."""

NO_BUNDLE = f"bundle_crc IS NOT {SUMS['task']['bundle_crc']}"

LOST = (
    f"SELECT id FROM task WHERE crc IS NOT {SUMS['task']['crc']} "
    "OR parent NOT IN (SELECT id FROM task) "
    f"OR ((state = 0 OR parent IS NULL) AND {NO_BUNDLE})"
)
"""Tasks that the ledger does not say enough of: only their parents can hand them back."""

AGAIN = (
    "SELECT id FROM task LEFT JOIN (SELECT parent AS above, count(*) AS children FROM task GROUP "
    f"BY parent) ON above = id WHERE result_crc IS NOT {SUMS['task']['result_crc']} "
    "OR handed != coalesce(children, 0)"
)
"""Tasks whose results are damaged, or do not go with what they handed back."""

SHOWN = 10
"""The most damaged tasks that a message names."""


def crc(*values: object) -> int:
    """CRC-32 of values with a zero byte between them: blobs as they are, NULL as nothing, numbers
    and texts as Python writes them."""
    return crc32(
        b"\0".join(
            value if isinstance(value, bytes) else b"" if value is None else str(value).encode()
            for value in values
        )
    )


def damaged(connection: sqlite3.Connection) -> list[str]:
    """The names of what is damaged, and can be searched again."""
    tasks = connection.execute(
        f"SELECT task.id, puzzle FROM ({LOST} UNION {AGAIN}) AS bad JOIN task ON task.id = bad.id "
        "LEFT JOIN part ON part.id = part LEFT JOIN run ON run.id = run ORDER BY task.id"
    )
    names = [f"task {task}" + (f" of {puzzle}" if puzzle else "") for task, puzzle in tasks]
    empty = "SELECT puzzle, number FROM part JOIN run ON run.id = run WHERE part.id NOT IN (SELECT "
    for puzzle, number in connection.execute(f"{empty}part FROM task)"):
        names.append(f"part {number} of {puzzle}")
    return names


def told(names: Sequence[str], is_: str, are: str) -> str:
    """Names in a sentence, with the verb that goes with them."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more} {is_ if len(names) == 1 else are}"


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if something is damaged that can be searched again."""
    if names := damaged(connection):
        raise LedgerError(
            f"{path}: {told(names, 'is', 'are')} damaged: `exactcover run resume {path.parent}` "
            "searches again what is lost"
        )


def check_terms(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if the ledger does not say any more what is searched."""
    for table in ("run", "part"):
        sql = f"SELECT id FROM {table} WHERE crc IS NOT {SUMS[table]['crc']}"
        for (number,) in connection.execute(sql):
            raise LedgerError(
                f"{path}: the row of {table} {number} is damaged: take a copy of it, or begin again"
            )
