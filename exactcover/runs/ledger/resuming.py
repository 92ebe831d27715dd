"""A long run: it begins in a directory, and goes on from there after whatever stopped it.

    with Run.begin("folder", documents) as run:         # or Run.open("folder")
        run.go_on()

A run takes the waiting tasks with the largest shares first and gives each some patience. A task
that is not done by then hands back the bundles that it has not begun, which become tasks of their
own. So at the end, when little is left, no task keeps one worker busy for long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Self

from exactcover.base.values.conventions import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats import Document
from exactcover.runs.executors import Executor, InProcess
from exactcover.runs.jobs import BundleOutcome, Portion, SearchJob, share_of
from exactcover.runs.ledger.damage import mend
from exactcover.runs.ledger.ledger import Begun, Ledger, Terms
from exactcover.runs.ledger.ledger_file import path_in
from exactcover.runs.ledger.lock import Holder, Lock
from exactcover.runs.ledger.parts import check_part, part_of
from exactcover.runs.ledger.standing import Standing, standing_of
from exactcover.runs.ledger.terms import Prepared, difference, like, prepared, prepared_again
from exactcover.search.result import Result
from exactcover.search.strategy import Strategy

LONGEST, SHORTEST = 5.0, 0.1
"""The most and the fewest seconds that a task may take before it hands back what is left."""

TASKS_LEFT = 20
"""A task may take this part of the work that is left for each worker."""

AHEAD = 2
"""How many tasks each worker has, with the one that it searches."""

WAIT = 0.1
"""Seconds to wait for the workers before looking whether the run is to stop."""


class Run:
    """The runs of a directory, one for each puzzle. It has the directory until it is closed.

    puzzles  the run of each puzzle, in their order
    mended   the names of what was damaged in its ledger, and is searched again
    stopped  whether `stop` was called
    """

    def __init__(self, folder: Path, lock: Lock, ledger: Ledger) -> None:
        self.folder, self._lock, self._ledger = folder, lock, ledger
        self.stopped = False
        self.mended = mend(ledger, _begun_again)
        self.puzzles = [PuzzleRun(self, ledger, number) for number in ledger.runs()]

    @classmethod
    def begin(
        cls,
        folder: str | Path,
        documents: Iterable[Document],
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        keep: bool = True,
        part: tuple[int, int] = (1, 1),
    ) -> Self:
        """Begin a run in a directory, or go on with it if it is the same.

        folder     the directory; it is made if it is not there
        documents  the puzzles, as `formats.read_puzzles` reads them
        counted    what counts as one solution, as in `solve`. Default: None, "rotations" for a
                   puzzle
        strategy   how to search. Default: None, chosen for each puzzle, or as in the ledger
        keep       whether solutions are kept, not only counted. Default: True
        part       which part of how many is searched here. Default: (1, 1), the whole tree

        Raises `LedgerError` if the directory has another run.
        """
        check_part(*part)
        folder = Path(folder)
        wanted = [
            prepared(one, counted=counted, strategy=strategy, keep=keep, parts=part[1])
            for one in documents
        ]
        names = [one.terms.puzzle for one in wanted]
        for name in names:
            if names.count(name) > 1:
                raise ExactCoverError(f"{name}: a run has each puzzle once, and this one is twice")
        with ExitStack() as opened:
            lock = opened.enter_context(Lock(folder))
            if not path_in(folder).exists():
                _create(folder, wanted, part)
            ledger = opened.enter_context(Ledger.open(folder, write=True, mend=True))
            run = cls(folder, lock, ledger)
            run._check(wanted, part[0], strategy_named=strategy is not None)
            opened.pop_all()  # the run closes them
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The run in a directory; raises `LedgerError` if there is none, or it is damaged."""
        folder = Path(folder)
        Ledger.open(folder, check=False).close()  # before anything is made there
        with ExitStack() as opened:
            lock = opened.enter_context(Lock(folder))
            ledger = opened.enter_context(Ledger.open(folder, write=True, mend=True))
            run = cls(folder, lock, ledger)
            opened.pop_all()  # the run closes them
        return run

    def _check(self, wanted: list[Prepared], part: int, *, strategy_named: bool) -> None:
        """Raise `LedgerError` unless the ledger has these runs, and no others."""
        there = {one.terms.puzzle: one for one in self.puzzles}
        asked = {one.terms.puzzle: one for one in wanted}
        if asked.keys() != there.keys():
            raise LedgerError(
                f"{self.folder}: the ledger has a run of {', '.join(there)}, not of "
                f"{', '.join(asked)}: give another --dir, or resume this one"
            )
        for name, one in there.items():
            same = like(asked[name], one.terms, strategy_named=strategy_named)
            does, how = difference(same.terms, one.terms)
            if does:
                raise LedgerError(
                    f"{self.folder}: {name}: the ledger {does}: {how}; or give another --dir"
                )
            if part not in self._ledger.parts(one.number):
                raise LedgerError(
                    f"{self.folder}: the ledger does not have part {part} of {one.terms.parts}: "
                    "give another --dir"
                )
            one.prepared = same

    def go_on(
        self,
        executor: Executor[Portion, BundleOutcome] | None = None,
        *,
        time_limit: float | None = None,
    ) -> list[Standing]:
        """Search until all is done, the time is over, or `stop` is called.

        executor    who searches; it is not closed. Default: None, the calling thread
        time_limit  seconds, for all puzzles together. Default: None, no limit
        """
        until = None if time_limit is None else monotonic() + time_limit
        workers: Executor[Portion, BundleOutcome] = executor or InProcess()
        return [one.go_on(workers, until=until) for one in self.puzzles]

    def stop(self) -> None:
        """Search no further; any thread or signal handler may call it."""
        self.stopped = True

    def tell(self, workers: int) -> None:
        """Let `status` in other processes say how many workers search."""
        self._lock.tell(workers)

    def close(self) -> None:
        """Let others have the directory. All that is finished is in the ledger already."""
        self._ledger.close()
        self._lock.free()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _create(folder: Path, wanted: list[Prepared], part: tuple[int, int]) -> None:
    """A new ledger, with the first tasks of each run."""
    with Ledger.created(folder) as ledger, ledger.writing():
        for one in wanted:
            row = ledger.add_part(ledger.add_run(one.terms), part[0])
            ledger.begin_part(row, part_of(one.plan, one.strategy, *part))


def _begun_again(terms: Terms, number: int) -> Begun:
    """A part of a run whose tasks are lost."""
    made = prepared_again(terms)
    return part_of(made.plan, made.strategy, number, terms.parts)


class PuzzleRun:
    """The run of one puzzle.

    number    its number in the ledger
    prepared  what is made from its terms; None: it is made when the search begins
    workers   how many workers search
    """

    kept = None  # it lists solutions, and keeps no states

    def __init__(self, run: Run, ledger: Ledger, number: int) -> None:
        self._run, self._ledger, self.number = run, ledger, number
        self.terms = ledger.runs()[number]
        self.prepared: Prepared | None = None
        self.workers = 0
        self._totals = ledger.totals(number)
        self._late = False

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
        here = Holder.here(self.workers)
        return Standing(self.terms, self._totals, (), {}, here).result

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
        if self._totals.tasks_waiting and not self.terms.reason:
            self._search(executor, until, shown)
        return self.standing()

    def standing(self) -> Standing:
        """How far it is, from the ledger."""
        stopped_by = "time" if self._late else ""
        return standing_of(self._ledger, self.number, stopped_by=stopped_by)

    def _search(
        self,
        executor: Executor[Portion, BundleOutcome],
        until: float | None,
        shown: Callable[[PuzzleRun], object] | None,
    ) -> None:
        made = self.prepared or prepared_again(self.terms)
        executor.start(SearchJob.of(made.plan, made.strategy))
        submitted: dict[int, float] = {}  # the shares of tasks
        while not self._run.stopped:
            if executor.number != self.workers:  # those of a cluster come and go
                self.workers = executor.number
                self._run.tell(self.workers)
            room = AHEAD * max(1, self.workers) - len(submitted)
            if room > 0:
                for task, bundle in self._ledger.waiting(self.number, room, submitted):
                    portion = Portion(bundle, self._patience(until), self.terms.keep)
                    executor.submit(task, portion)
                    submitted[task] = share_of(bundle)
            if not submitted:
                return
            if until is not None and monotonic() >= until:
                self._late = True
                return
            for task, outcome in executor.finished(WAIT):
                share = submitted.pop(task)
                if self._ledger.finish(task, outcome):
                    self._totals = self._totals.after(share, outcome)
            if shown is not None:
                shown(self)

    def _patience(self, until: float | None) -> float:
        """The seconds that a task may take now."""
        left = self._totals.seconds_left
        if left is None:
            return SHORTEST
        most = LONGEST
        if until is not None:  # what is not finished by then is lost
            most = min(most, (until - monotonic()) / (AHEAD + 1))
        return max(min(left / (TASKS_LEFT * max(1, self.workers)), most), SHORTEST)
