"""Ledgers of one run joined: each has some parts of the tree, and the joined one has them all.

A part is taken as a whole, with its tasks and solutions. If two ledgers have the same part, the one
that has searched more of it counts, and the other does not. So nothing counts twice, however often
and in whatever order ledgers are merged. A part that is not done yet is taken too: it can be
resumed where it was, or in the joined ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger import RESULTS, Ledger
from exactcover.runs.ledger.ledger_file import path_in
from exactcover.runs.ledger.lock import locked
from exactcover.runs.ledger.resuming import Standing, standing_of

COPIED = ", ".join(("share", "state", "nodes", *RESULTS))
"""The columns of a task that are the same in every ledger."""


def merge(folders: Sequence[str | Path], into: str | Path) -> Standing:
    """Join the ledgers of one run that was searched in parts.

    folders  the directories of the parts; they are not changed
    into     the directory of the joined ledger; it may have some parts already

    Returns how far the joined run is: `missing` are the parts that no ledger has.

    Raises `LedgerError` if the ledgers are not of the same puzzle, strategy, convention and number
    of parts, or if two of them count the same part otherwise.
    """
    if not folders:
        raise LedgerError("there is nothing to merge: name the directories of some parts")
    target = Path(into)
    with locked(target):
        if not path_in(target).exists():
            with closing(Ledger.open(folders[0])) as first, Ledger.created(target) as made:
                made.begin(first.terms)
                _take(made, first)
        with closing(Ledger.open(target, write=True)) as joined:
            for folder in folders:
                if Path(folder).resolve() != target.resolve():
                    with closing(Ledger.open(folder)) as source:
                        _take(joined, source)
            return standing_of(joined)


def _take(joined: Ledger, source: Ledger) -> None:
    """Take from a ledger the parts of which it has searched more."""
    if why := source.terms.difference(joined.terms).partition(": ")[0]:
        raise LedgerError(
            f"{source.path}: it {why}, unlike {joined.path}: only parts of one run can be merged"
        )
    joined.do("ATTACH ? AS source", f"{source.path.absolute().as_uri()}?mode=ro")
    try:
        with joined.writing():
            for part in source.parts():
                if _is_better(joined, source, part):
                    _copy(joined, part)
    finally:
        joined.do("DETACH source")


def _is_better(joined: Ledger, source: Ledger, part: int) -> bool:
    """Whether the source has more of a part; raises `LedgerError` if both counts are final and
    differ."""
    if part not in joined.parts():
        return True
    mine, its = joined.totals(part), source.totals(part)
    if not mine.tasks_waiting and not its.tasks_waiting and mine.solutions != its.solutions:
        raise LedgerError(
            f"part {part} has {mine.solutions:,} solutions in {joined.path} and "
            f"{its.solutions:,} in {source.path}: one of them is wrong; search the part again"
        )
    return its.left < mine.left or (bool(mine.tasks_waiting) and not its.tasks_waiting)


def _copy(joined: Ledger, part: int) -> None:
    """Copy a part of the source, its tasks and solutions under new numbers, in place of its own."""
    joined.do("DELETE FROM batch WHERE task IN (SELECT id FROM task WHERE part = ?)", part)
    joined.do("DELETE FROM task WHERE part = ?", part)
    [(more,)] = joined.rows("SELECT coalesce(max(id), 0) FROM task")
    joined.do(
        f"INSERT INTO task (id, part, parent, {COPIED}) SELECT id + ?, part, parent + ?, {COPIED} "
        "FROM source.task WHERE part = ? ORDER BY id",
        more, more, part,
    )  # fmt: skip
    joined.do(
        "INSERT INTO batch (task, solutions, size, options) "
        "SELECT task + ?, one.solutions, size, options FROM source.batch AS one "
        "JOIN source.task AS its ON its.id = task WHERE part = ? ORDER BY one.id",
        more, part,
    )  # fmt: skip
    joined.seal("task", "part = ?", part)
