"""The damaged rows of a ledger: noticed by checksums, and searched again where that is possible.

A task has a checksum of its place in the tree, of its bundle and of its results (`SUMS`). So a task
with damaged results is searched again from its bundle, and a task that is lost is handed back again
by its parent. The bundle of a done task is read only for that, so damage there alone is harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactcover.errors import LedgerError
from exactcover.runs.ledger.schema import RESULTS, SUMS
from exactcover.runs.ledger.terms import part_of

if TYPE_CHECKING:
    from exactcover.runs.ledger.ledger import Ledger
    from exactcover.runs.ledger.ledger_file import LedgerFile


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


def in_words(names: Sequence[str], is_: str, are: str) -> str:
    """Names in a sentence, with the verb that goes with them."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more} {is_ if len(names) == 1 else are}"


def check_rows(ledger: LedgerFile, *, mend: bool) -> None:
    """Raise `LedgerError` if rows are damaged.

    mend  whether damage is allowed that can be searched again
    """
    path = ledger.path
    for table in ("run", "part"):
        sql = f"SELECT id FROM {table} WHERE crc IS NOT {SUMS[table]['crc']}"
        for (number,) in ledger.rows(sql):
            raise LedgerError(
                f"{path}: the row of {table} {number} is damaged: take a copy of it, or begin again"
            )
    if not mend and (names := _damaged(ledger)):
        raise LedgerError(
            f"{path}: {in_words(names, 'is', 'are')} damaged: `exactcover run resume "
            f"{path.parent}` searches again what is lost"
        )


def mend(ledger: Ledger) -> list[str]:
    """Let damaged tasks wait again, without all that is below them; return their names.

    A lost task lets its parent wait again, as that alone can hand it back. The first task of a part
    is made again.
    """
    names = _damaged(ledger)
    if not names:
        return names
    with ledger.writing():
        ledger.do("PRAGMA defer_foreign_keys = ON")  # tasks name their parents
        while True:
            if ledger.rows(f"{LOST} LIMIT 1"):
                ledger.do(f"DELETE FROM task WHERE id IN ({LOST})")
            elif again := ledger.rows(AGAIN):
                for (task,) in again:
                    _wait_again(ledger, task)
            else:
                break
        ledger.do("DELETE FROM batch WHERE task NOT IN (SELECT id FROM task)")
        empty = "SELECT id, run, number FROM part WHERE id NOT IN (SELECT part FROM task)"
        for part, run, number in ledger.rows(empty):
            terms = ledger.runs()[run]
            ledger.begin_part(part, part_of(terms.job, terms.parts, number))
    return names


def _damaged(ledger: LedgerFile) -> list[str]:
    """The names of what is damaged, and can be searched again."""
    tasks = ledger.rows(
        f"SELECT task.id, puzzle FROM ({LOST} UNION {AGAIN}) AS bad JOIN task ON task.id = bad.id "
        "LEFT JOIN part ON part.id = part LEFT JOIN run ON run.id = run ORDER BY task.id"
    )
    parts = ledger.rows(
        "SELECT puzzle, number FROM part JOIN run ON run.id = run "
        "WHERE part.id NOT IN (SELECT part FROM task)"
    )
    return [
        *(f"task {task}" + (f" of {puzzle}" if puzzle else "") for task, puzzle in tasks),
        *(f"part {number} of {puzzle}" for puzzle, number in parts),
    ]


def _wait_again(ledger: Ledger, task: int) -> None:
    """Let a task wait again, without what it handed back; a root is removed, as is one without its
    bundle."""
    ledger.do(f"DELETE FROM task WHERE id = ? AND (parent IS NULL OR {NO_BUNDLE})", task)
    nothing = ", ".join(f"{column} = NULL" for column in RESULTS)
    ledger.do(f"UPDATE task SET state = 0, {nothing}, handed = 0 WHERE id = ?", task)
    ledger.do("DELETE FROM batch WHERE task = ?", task)
    ledger.do("DELETE FROM task WHERE parent = ?", task)
    ledger.seal("task", task)
