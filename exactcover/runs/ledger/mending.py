"""Search again the damaged tasks of a ledger, and only those.

Damaged rows of tasks are removed, and so is everything below them. A task that has lost its results
waits again; one that has lost a child waits again too, as it alone can hand that child back. A part
that has lost its root begins again.
"""

from __future__ import annotations

from exactcover.runs.ledger.checksums import AGAIN, LOST, NO_BUNDLE
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.parts import part_of
from exactcover.runs.ledger.terms import prepared_again


def mend(ledger: Ledger) -> list[str]:
    """Let what is damaged wait again; return its names."""
    names = ledger.damaged()
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
            made = prepared_again(terms)
            ledger.begin_part(part, terms, part_of(made.plan, made.strategy, number, terms.parts))
    return names


def _wait_again(ledger: Ledger, task: int) -> None:
    """Let a task wait again, without what it handed back; a root is removed, as is one without its
    bundle."""
    ledger.do(f"DELETE FROM task WHERE id = ? AND (parent IS NULL OR {NO_BUNDLE})", task)
    ledger.do(
        "UPDATE task SET state = 0, solutions = NULL, fits = NULL, nofits = NULL, seconds = NULL, "
        "compiling = NULL, symmetric = NULL, handed = 0 WHERE id = ?",
        task,
    )
    ledger.do("DELETE FROM batch WHERE task = ?", task)
    ledger.do("DELETE FROM task WHERE parent = ?", task)
    ledger.seal("task", task)
