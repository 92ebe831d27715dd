"""A long run: it begins in a directory, and goes on from there after whatever stopped it.

    with Run.begin("folder", documents) as run:         # or Run.open("folder")
        run.go_on()

Workers share the bundles of a run as those of any search (`Sharing`), the largest first. What they
hand back become tasks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Self

from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats import Document
from exactcover.runs.executors import Executor, thread_pool
from exactcover.runs.jobs import Bundle, BundleOutcome, BundleTotals, Portion
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.ledger_file import path_in
from exactcover.runs.ledger.lock import Holder, Lock, holder
from exactcover.runs.ledger.terms import Terms, check_part, part_of, prepared
from exactcover.runs.pooled import Sharing
from exactcover.search.driver import Shared
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy


@dataclass(frozen=True)
class Standing:
    """How far the run of one puzzle is.

    parts      the parts of the tree in this ledger, of `terms.parts`
    symmetric  how many of the solutions have each group of symmetries
    at_work    who searches now; None: nobody
    stopped_by `time` if a time limit has just stopped it
    """

    terms: Terms
    totals: BundleTotals
    parts: tuple[int, ...]
    symmetric: dict[str, int]
    at_work: Holder | None = None
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
        if self.at_work is not None:
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
            symmetric=self.symmetric,
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
        if self.symmetric:
            record["symmetries"] = self.symmetric
        return record


def standing_of(
    ledger: Ledger, run: int, at_work: Holder | None = None, stopped_by: str = ""
) -> Standing:
    """How far one run of a ledger is."""
    return Standing(
        terms=ledger.runs()[run],
        totals=ledger.totals(run),
        parts=tuple(ledger.parts(run)),
        symmetric=ledger.symmetric(run),
        at_work=at_work,
        stopped_by=stopped_by,
    )


def standings(folder: str | Path) -> list[Standing]:
    """How far the runs in a directory are; it changes nothing there.

    folder  the directory of a run

    Raises `LedgerError` if there is no ledger, or if it is damaged.
    """
    at_work = holder(Path(folder))
    # The run that is going on has read all of it when it began.
    with Ledger.open(folder, check=at_work is None) as ledger, ledger.unchanging():
        return [standing_of(ledger, run, at_work) for run in ledger.runs()]


class Run(Shared):
    """The runs of a directory, one for each puzzle. It has the directory until it is closed; all
    that is finished is in the ledger before that.

    puzzles  the run of each puzzle, in their order
    """

    def __init__(
        self,
        folder: Path,
        wanted: list[Terms] | None = None,
        part: tuple[int, int] = (1, 1),
    ) -> None:
        super().__init__()
        self.folder = folder
        with ExitStack() as opened:
            opened.enter_context(Lock(folder))
            if wanted is not None and not path_in(folder).exists():
                _create(folder, wanted, part)
            self._ledger = opened.enter_context(Ledger.open(folder, write=True))
            runs = self._ledger.runs()
            self.puzzles = [PuzzleRun(self, self._ledger, number) for number in runs]
            if wanted is not None:
                self._check(wanted, part[0])
            self._opened = opened.pop_all()

    @classmethod
    def begin(
        cls,
        folder: str | Path,
        documents: Iterable[Document],
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        part: tuple[int, int] = (1, 1),
    ) -> Self:
        """Begin a run in a directory, or go on with it if it is the same.

        folder     the directory; it is made if it is not there
        documents  the puzzles, as `formats.read_puzzles` reads them
        counted    what counts as one solution, as in `solve`. Default: None, "rotations" for a
                   puzzle
        strategy   how to search. Default: None, chosen for each puzzle, or as in the ledger
        part       which part of how many is searched here. Default: (1, 1), the whole tree

        Raises `LedgerError` if the directory has another run.
        """
        check_part(*part)
        folder = Path(folder)
        there: dict[str, Terms] = {}
        if path_in(folder).exists():
            with Ledger.open(folder, check=False) as ledger:
                there = {terms.puzzle: terms for terms in ledger.runs().values()}
        wanted = [
            prepared(
                one, counted=counted, strategy=strategy, parts=part[1],
                there=there.get(one.name),
            )
            for one in documents
        ]  # fmt: skip
        names = [terms.puzzle for terms in wanted]
        for name in names:
            if names.count(name) > 1:
                raise ExactCoverError(f"{name}: a run has each puzzle once, and this one is twice")
        return cls(folder, wanted, part)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The run in a directory; raises `LedgerError` if there is none, or it is damaged."""
        folder = Path(folder)
        Ledger.open(folder, check=False).close()  # before anything is made there
        return cls(folder)

    def _check(self, wanted: list[Terms], part: int) -> None:
        """Raise `LedgerError` unless the ledger has these runs, and no others."""
        there = {one.terms.puzzle: one for one in self.puzzles}
        asked = {terms.puzzle: terms for terms in wanted}
        if asked.keys() != there.keys():
            raise LedgerError(
                f"{self.folder}: the ledger has a run of {', '.join(there)}, not of "
                f"{', '.join(asked)}: give another --dir, or resume this one"
            )
        for name, one in there.items():
            does, how = one.terms.difference(asked[name])
            if does:
                raise LedgerError(
                    f"{self.folder}: {name}: the ledger {does}: {how}; or give another --dir"
                )
            if part not in self._ledger.parts(one.number):
                raise LedgerError(
                    f"{self.folder}: the ledger does not have part {part} of {one.terms.parts}: "
                    "give another --dir"
                )
            one.terms = asked[name]

    def go_on(
        self,
        executor: Executor[Portion, BundleOutcome] | None = None,
        *,
        time_limit: float | None = None,
    ) -> list[Standing]:
        """Search until all is done, the time is over, or `stop` is called.

        executor    who searches; it is not closed. Default: None, one thread
        time_limit  seconds, for all puzzles together. Default: None, no limit
        """
        until = None if time_limit is None else monotonic() + time_limit
        workers: Executor[Portion, BundleOutcome] = executor or thread_pool(1)
        try:
            return [one.go_on(workers, until=until) for one in self.puzzles]
        finally:
            if executor is None:
                workers.close()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    def _let_go(self) -> None:
        """Let others have the directory."""
        self._opened.close()


def _create(folder: Path, wanted: list[Terms], part: tuple[int, int]) -> None:
    """A new ledger, with the first tasks of each run."""
    with Ledger.created(folder) as ledger, ledger.writing():
        for terms in wanted:
            run = ledger.add_run(terms)
            ledger.begin_part(run, part[0], part_of(terms.job, terms.parts, part[0]))


class PuzzleRun(Sharing[int]):
    """The run of one puzzle.

    number  its number in the ledger
    terms   those that it began with now, which have its work already, or those of the ledger
    """

    kept = None  # it lists solutions, and keeps no states

    def __init__(self, run: Run, ledger: Ledger, number: int) -> None:
        self._run, self._ledger, self.number = run, ledger, number
        self.terms = ledger.runs()[number]
        self._late = False
        super().__init__(ledger.totals(number))

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
        return Standing(self.terms, self._totals, (), {}, Holder.here()).result

    def go_on(
        self,
        executor: Executor[Portion, BundleOutcome],
        *,
        until: float | None = None,
        shown: Callable[[PuzzleRun], object] | None = None,
    ) -> Standing:
        """Search this puzzle until it is done, the time is over, or the run is stopped.

        until  the time when it is to stop, of `time.monotonic`
        shown  called again and again on the way
        """
        self._executor, self._until = executor, inf if until is None else until
        self._open.clear()
        if self._totals.tasks_waiting:
            executor.start(self.terms.job)
        while self._totals.tasks_waiting and not self._run.stopped:
            if monotonic() >= self._until:
                self._late = True
                break
            self._exchange(keep=True)
            if shown is not None:
                shown(self)
        return self.standing()

    def _next(self, most: int) -> list[tuple[int, Bundle]]:
        return self._ledger.waiting(self.number, most, self._open)

    def _taking_in(self) -> AbstractContextManager[None]:
        return self._ledger.writing()  # one commit for all that has come in meanwhile

    def _take_in(self, key: int, outcome: BundleOutcome, *, keep: bool) -> None:
        self._ledger.finish(key, outcome)

    def standing(self) -> Standing:
        """How far it is, from the ledger."""
        stopped_by = "time" if self._late else ""
        return standing_of(self._ledger, self.number, stopped_by=stopped_by)
