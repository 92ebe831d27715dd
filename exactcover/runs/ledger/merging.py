"""Ledgers of one puzzle joined: each has some parts of the tree, and the joined one has them all.

A part is taken as a whole, with its tasks and solutions. If two ledgers have the same part, the one
that has searched more of it counts, and the other does not. So nothing counts twice, however often
and in whatever order ledgers are merged. A part that is not done yet is taken too: it can be
resumed where it was, or in the joined ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactcover.errors import LedgerError
from exactcover.runs.ledger.ledger import AT_ONCE, RESULTS, Ledger
from exactcover.runs.ledger.ledger_file import path_in
from exactcover.runs.ledger.lock import Lock
from exactcover.runs.ledger.resuming import Standing, standing_of


def merge(folders: Sequence[str | Path], into: str | Path) -> list[Standing]:
    """Join the ledgers of one run that was searched in parts.

    folders  the directories of the parts; they are not changed
    into     the directory of the joined ledger; it may have some parts already

    Returns how far the joined run is, for each puzzle: `missing` are the parts that no ledger has.

    Raises `LedgerError` if the ledgers are not of the same puzzles, strategy, convention and number
    of parts, or if two of them count the same part otherwise.
    """
    if not folders:
        raise LedgerError("there is nothing to merge: name the directories of some parts")
    target = Path(into)
    with Ledger.open(folders[0]) as first:
        terms = first.runs().values()
    with Lock(target):
        if not path_in(target).exists():
            with Ledger.created(target) as made, made.writing():
                for one in terms:
                    made.add_run(one)
        with Ledger.open(target, write=True) as joined:
            for folder in folders:
                if Path(folder).resolve() != target.resolve():
                    with Ledger.open(folder) as source, source.unchanging():
                        _take(joined, source)
            return [standing_of(joined, run) for run in joined.runs()]


def _take(joined: Ledger, source: Ledger) -> None:
    """Take from a ledger the parts of which it has searched more."""
    runs = _same_runs(joined, source)
    with joined.writing():
        for run, there in runs.items():
            for number in source.parts(there):
                if _is_better(joined, run, source, there, number):
                    _remove_part(joined, run, number)
                    _copy_part(joined, run, source, there, number)


def _same_runs(joined: Ledger, source: Ledger) -> dict[int, int]:
    """The runs of a ledger beside those of another; raises `LedgerError` if they differ."""
    mine = {terms.puzzle: (run, terms) for run, terms in joined.runs().items()}
    its = {terms.puzzle: (run, terms) for run, terms in source.runs().items()}
    if mine.keys() != its.keys():
        raise LedgerError(
            f"{source.path}: it has a run of {', '.join(its)}, and {joined.path} of "
            f"{', '.join(mine)}: only ledgers of the same puzzles can be merged"
        )
    for puzzle, (_, terms) in its.items():
        if why := terms.difference(mine[puzzle][1])[0]:
            raise LedgerError(
                f"{source.path}: {puzzle}: it {why}, unlike {joined.path}: only parts of one run "
                "can be merged"
            )
    return {run: its[puzzle][0] for puzzle, (run, _) in mine.items()}


def _is_better(joined: Ledger, run: int, source: Ledger, there: int, number: int) -> bool:
    """Whether the source has more of a part; raises `LedgerError` if both counts are final and
    differ."""
    if number not in joined.parts(run):
        return True
    mine, its = joined.totals(run, number), source.totals(there, number)
    if not mine.tasks_waiting and not its.tasks_waiting and mine.solutions != its.solutions:
        raise LedgerError(
            f"part {number} has {mine.solutions:,} solutions in {joined.path} and "
            f"{its.solutions:,} in {source.path}: one of them is wrong; search the part again"
        )
    return its.left < mine.left or (bool(mine.tasks_waiting) and not its.tasks_waiting)


COPIED = ("share", "state", "bundle", *RESULTS)
"""The columns of a task that are the same in every ledger."""


def _remove_part(joined: Ledger, run: int, number: int) -> None:
    """Remove a part with its tasks and solutions, if it is there."""
    tasks = "SELECT id FROM task WHERE run = ? AND part = ?"
    joined.do(f"DELETE FROM batch WHERE task IN ({tasks})", run, number)
    joined.do("DELETE FROM task WHERE run = ? AND part = ?", run, number)


def _copy_part(joined: Ledger, run: int, source: Ledger, there: int, number: int) -> None:
    """Copy a part of the source, its tasks and solutions under new numbers."""
    [(more,)] = joined.rows("SELECT coalesce(max(id), 0) FROM task")
    for task, parent, *copied in source.rows(
        f"SELECT id, parent, {', '.join(COPIED)} FROM task WHERE run = ? AND part = ? ORDER BY id",
        there,
        number,
    ):
        above = None if parent is None else more + parent
        values = dict(zip(COPIED, copied, strict=True))
        joined.insert("task", id=more + task, run=run, part=number, parent=above, **values)
    [(first, last)] = source.rows("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM batch")
    for at in range(first, last + 1, AT_ONCE):
        for task, solutions, size, options in source.rows(
            "SELECT task, batch.solutions, size, options FROM batch JOIN task ON task.id = task "
            "WHERE run = ? AND part = ? AND batch.id BETWEEN ? AND ? ORDER BY batch.id",
            there,
            number,
            at,
            at + AT_ONCE - 1,
        ):
            joined.insert(
                "batch", task=more + task, solutions=solutions, size=size, options=options
            )
    joined.seal("task", "run = ? AND part = ?", run, number)
