"""A long run: it begins in a directory, and goes on from there after whatever stopped it.

    with Run.begin("folder", document) as run:         # or Run("folder")
        run.go_on()

Workers share the tasks of a run as those of any search (`Frontier`), the largest first. What they
hand back become tasks of their own.

Ledgers of one run that was searched in parts can be merged. A part is taken as a whole, with its
tasks and solutions. If two ledgers have the same part, the one that has searched more of it counts,
and the other does not. So nothing counts twice, however often and in whatever order ledgers are
merged. A part that is not done yet is taken too: it can be resumed where it was, or in the joined
ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Self

from exactcover.base.values import Convention
from exactcover.errors import LedgerError
from exactcover.formats import Document
from exactcover.puzzle.digest import digest
from exactcover.runs.frontier import Frontier, SharingTeam
from exactcover.runs.ledger.ledger import Ledger, Totals
from exactcover.runs.ledger.ledger_file import (
    RESULTS,
    has_ledger,
    is_locked,
    locked,
    require_ledger,
)
from exactcover.runs.ledger.terms import Terms, check_part, part_of, prepared
from exactcover.runs.teams import Threads
from exactcover.runs.workers import Nodes, SearchOutcome
from exactcover.search.clock import Shared
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy


@dataclass(frozen=True)
class Standing:
    """How far a run is.

    parts      the parts of the tree in this ledger, of `terms.parts`
    at_work    whether it goes on now
    stopped_by `time` if a time limit has just stopped it
    """

    terms: Terms
    totals: Totals
    parts: list[int]
    at_work: bool = False
    stopped_by: str = ""

    @property
    def missing(self) -> tuple[int, ...]:
        """The parts that are not in this ledger."""
        return tuple(n for n in range(1, self.terms.parts + 1) if n not in self.parts)

    @property
    def status(self) -> str:
        """`complete`, `impossible`, `searching`, `limit` or `interrupted`; `part` if parts of the
        tree are missing, and all others are done."""
        if self.terms.reason:
            return "impossible"
        if not self.totals.tasks_waiting:
            return "part" if self.missing else "complete"
        if self.at_work:
            return "searching"
        return "limit" if self.stopped_by else "interrupted"

    @property
    def result(self) -> Result:
        """The same as the result of a search."""
        totals = self.totals
        return Result(
            status="interrupted" if self.status == "part" else self.status,
            solutions=totals.solutions,
            counted=self.terms.counted,
            fits=totals.fits,
            nofits=totals.nofits,
            seconds=totals.seconds,
            compiling=totals.compiling,
            strategy=self.terms.strategy,
            reason=self.terms.reason,
            stopped_by=self.stopped_by,
        )

    def record(self) -> dict[str, Any]:
        """The same for a script."""
        totals = self.totals
        record: dict[str, Any] = {
            "puzzle": self.terms.puzzle,
            **self.result.record(),
            "status": self.status,
            "done": round(totals.done, 6),
            "tasks_done": totals.tasks_done,
            "tasks_waiting": totals.tasks_waiting,
        }
        if self.terms.reason:
            record["reason"] = self.terms.reason
        if self.terms.parts > 1:
            record |= {"parts": self.terms.parts, "missing": list(self.missing)}
        return record


def standing(folder: str | Path) -> Standing:
    """How far the run in a directory is; it changes nothing there.

    folder  the directory of a run

    Raises `LedgerError` if there is no ledger, or if it is damaged.
    """
    at_work = is_locked(Path(folder))
    with closing(Ledger.open(folder)) as ledger:
        ledger.do("BEGIN")  # as it is now; a run that goes on waits with its next commit
        return Standing(ledger.terms, ledger.totals(), ledger.parts(), at_work)


class Run(Shared, Frontier):
    """The run of a directory, which it has until it is closed; all that is finished is in the
    ledger before that.

    folder  the directory

    Raises `LedgerError` if there is no run, or it is damaged.
    """

    kept = None  # it lists solutions, and keeps no states

    def __init__(self, folder: str | Path) -> None:
        Shared.__init__(self)
        Frontier.__init__(self)
        self.folder, self._late = Path(folder), False
        require_ledger(folder)  # before anything is made there
        with ExitStack() as opened:
            opened.enter_context(locked(self.folder))
            self._ledger = opened.enter_context(closing(Ledger.open(folder, write=True)))
            self._opened = opened.pop_all()
        self.terms, self._parts = self._ledger.terms, self._ledger.parts()
        self._totals = self._ledger.totals()
        self.seconds = self._totals.seconds

    @classmethod
    def begin(
        cls,
        folder: str | Path,
        document: Document,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        part: tuple[int, int] = (1, 1),
    ) -> Self:
        """Begin a run in a directory, or go on with it if it is the same.

        folder    the directory; it is made if it is not there
        document  the puzzle, one of those that `formats.read_puzzle` reads
        counted   what counts as one solution, as in `solve`. Default: None, as in the ledger, or
                  "rotations" for a puzzle
        strategy  how to search. Default: None, as in the ledger, or chosen for the puzzle
        part      which part of how many is searched here. Default: (1, 1), the whole tree

        Raises `LedgerError` if the directory has another run.
        """
        number, parts = part
        check_part(number, parts)
        new = None
        if not has_ledger(folder):
            new = prepared(document, counted=counted, strategy=strategy, parts=parts)
            with locked(Path(folder)):
                Ledger.create(folder, new, number, *part_of(new.job, parts, number))
        asked = {
            "puzzle": document.name,
            "digest": digest(document.content),
            "counted": counted,
            "strategy": None if strategy is None else str(Strategy.of(strategy)),
            "parts": parts,
        }
        with ExitStack() as failing:
            run = cls(folder)
            failing.callback(run.close)
            does = run.terms.difference(asked)
            if not does and number not in run._parts:
                does = f"does not have part {number} of {parts}"
            if does:
                raise LedgerError(
                    f"{folder}: the ledger {does}: `exactcover run resume` goes on with it; or "
                    "give another --dir"
                )
            run.terms = new or run.terms  # the new ones have their work already
            _ = run.terms.job  # raises if it is other work now
            failing.pop_all()
        return run

    # -- figures ------------------------------------------------------------------------------

    @property
    def found(self) -> int:
        """Solutions of finished tasks."""
        return self._totals.solutions

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        return self._totals.done

    @property
    def result(self) -> Result:
        """The sums of the finished tasks."""
        return self.standing().result

    def standing(self) -> Standing:
        """How far it is."""
        late = "time" if self._late else ""
        return Standing(self.terms, self._totals, self._parts, stopped_by=late)

    # -- going on -----------------------------------------------------------------------------

    def go_on(
        self,
        team: SharingTeam | None = None,
        *,
        time_limit: float | None = None,
        shown: Callable[[Run], object] = lambda run: None,
    ) -> Standing:
        """Search until all is done, the time is over, or `stop` is called.

        team        who searches. Default: None, one thread
        time_limit  seconds. Default: None, no limit
        shown       called again and again on the way
        """
        self._late = False
        self._until = inf if time_limit is None else monotonic() + time_limit
        self._open.clear()
        if self._totals.tasks_waiting:
            with closing((team or Threads(1)).executor(self.terms.job)) as self._executor:
                while self._totals.tasks_waiting and not self._stopped and not self._late:
                    self._exchange(keep=True)
                    shown(self)
                    self._late = monotonic() >= self._until and self._totals.tasks_waiting > 0
        return self.standing()

    def _take(self, most: int) -> list[tuple[int, Nodes]]:
        return self._ledger.waiting(most, self._open)

    def _finish(self, done: list[tuple[int, SearchOutcome]], *, keep: bool) -> None:
        totals = self._totals
        with self._ledger.writing():  # one commit for all that has come in meanwhile
            for task, outcome in done:
                self._ledger.finish(task, outcome)
                totals = totals.after(self._open[task], outcome)
        self._totals, self.seconds = totals, totals.seconds

    def _let_go(self) -> None:
        """Let others have the directory."""
        self._opened.close()


# -- merging --------------------------------------------------------------------------------------

COPIED = f"share, state, nodes, {RESULTS}"
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
        if not has_ledger(target):
            with closing(Ledger.open(folders[0])) as first:
                first.copy_to(target)
        with closing(Ledger.open(target, write=True)) as joined:
            for folder in folders:
                if Path(folder).resolve() != target.resolve():
                    with closing(Ledger.open(folder)) as source:
                        _take(joined, source)
            return Standing(joined.terms, joined.totals(), joined.parts())


def _take(joined: Ledger, source: Ledger) -> None:
    """Take from a ledger the parts of which it has searched more."""
    if why := source.terms.difference(asdict(joined.terms)):
        raise LedgerError(
            f"{source.path}: it {why}, unlike {joined.path}: only parts of one run can be merged"
        )
    joined.do("ATTACH ? AS source", f"{source.path.absolute().as_uri()}?mode=ro")
    try:
        with joined.writing():
            for part in source.parts():
                mine, its = joined.totals(part), source.totals(part)
                both_done = not mine.tasks_waiting and not its.tasks_waiting
                if part not in joined.parts():
                    _copy(joined, part)
                elif both_done and mine.solutions != its.solutions:
                    raise LedgerError(
                        f"part {part} has {mine.solutions:,} solutions in {joined.path} and "
                        f"{its.solutions:,} in {source.path}: one of them is wrong; search the "
                        "part again"
                    )
                elif (its.tasks_waiting > 0, its.left) < (mine.tasks_waiting > 0, mine.left):
                    _copy(joined, part)
    finally:
        joined.do("DETACH source")


def _copy(joined: Ledger, part: int) -> None:
    """Copy a part of the source, its tasks under new numbers, in place of its own."""
    joined.do("DELETE FROM task WHERE part = ?", part)
    [(more,)] = joined.rows("SELECT coalesce(max(id), 0) FROM task")
    joined.do(
        f"INSERT INTO task (id, part, parent, {COPIED}) SELECT id + ?, part, parent + ?, {COPIED} "
        "FROM source.task WHERE part = ? ORDER BY id",
        more, more, part,
    )  # fmt: skip
    joined.seal("task", "part = ?", part)
