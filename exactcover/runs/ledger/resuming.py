"""A long run: it begins in a directory, and goes on from there after whatever stopped it.

    with Run.begin("folder", document) as run:         # or Run("folder")
        run.go_on()

Workers share the tasks of a run as those of any search (`Frontier`), the largest first. What they
hand back become tasks of their own.

A part of a tree is a run of its own, in a directory of its own. `standing` adds up those of several
parts.
"""

from __future__ import annotations

from collections.abc import Callable
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
from exactcover.runs.ledger.ledger_file import has_ledger, is_locked, locked, require_ledger
from exactcover.runs.ledger.terms import Terms, check_part, part_of, prepared
from exactcover.runs.teams import Threads
from exactcover.runs.workers import Nodes, SearchOutcome
from exactcover.search.clock import Shared
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy


@dataclass(frozen=True)
class Standing:
    """How far a run is.

    parts      the parts of the tree that are summed up, of `terms.parts`
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
        """The other parts of the tree."""
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


def standing(*folders: str | Path) -> Standing:
    """How far the run in a directory is, or all parts of a run; it changes nothing there.

    folders  the directory of a run, or of each of its parts

    Raises `LedgerError` if there is no ledger, if it is damaged, or if they are not different parts
    of one run.
    """
    found: dict[int, Path] = {}
    totals: list[Totals] = []
    terms, at_work = None, False
    for folder in map(Path, folders):
        at_work |= is_locked(folder)
        with closing(Ledger.open(folder)) as ledger:
            totals.append(ledger.totals())
            its = ledger.terms
        terms = terms or its
        if why := its.difference(asdict(terms) | {"part": None}):
            raise LedgerError(
                f"{folder}: it {why}, unlike {found[terms.part]}: only parts of one run are added "
                "up"
            )
        if its.part in found:
            raise LedgerError(f"part {its.part} is in {found[its.part]} and in {folder}: name one")
        found[its.part] = folder
    if terms is None:
        raise LedgerError("name the directory of a run")
    summed = Totals(*(sum(figures) for figures in zip(*totals, strict=True)))
    return Standing(terms, summed, sorted(found), at_work)


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
            self._ledger = opened.enter_context(closing(Ledger.open(folder)))
            self._opened = opened.pop_all()
        self.terms = self._ledger.terms
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
        check_part(*part)
        new = None
        if not has_ledger(folder):
            new = prepared(document, counted=counted, strategy=strategy, part=part)
            with locked(Path(folder)):
                Ledger.create(folder, new, *part_of(new))
        asked = {
            "puzzle": document.name,
            "digest": digest(document.content),
            "counted": counted,
            "strategy": None if strategy is None else str(Strategy.of(strategy)),
            "part": part[0],
            "parts": part[1],
        }
        with ExitStack() as failing:
            run = cls(folder)
            failing.callback(run.close)
            if does := run.terms.difference(asked):
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
        return Standing(self.terms, self._totals, [self.terms.part], stopped_by=late)

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
