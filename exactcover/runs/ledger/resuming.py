"""A long run: it begins in a directory, and goes on from there after whatever stopped it.

    with Run.begin("folder", documents) as run:         # or Run.open("folder")
        run.go_on()

A run takes the waiting tasks with the largest shares first and gives each some patience. A task
that is not done by then hands back the bundles that it has not begun, which become tasks of their
own. So at the end, when little is left, no task keeps one worker busy for long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Self

from exactcover.base.values.conventions import Convention
from exactcover.errors import ExactCoverError, LedgerError
from exactcover.formats import Document
from exactcover.runs.executors import Executor, InProcess
from exactcover.runs.jobs import Job, Outcome, Portion
from exactcover.runs.ledger.ledger import Ledger, share_of
from exactcover.runs.ledger.ledger_file import path_in
from exactcover.runs.ledger.lock import Holder, Lock
from exactcover.runs.ledger.mending import mend
from exactcover.runs.ledger.parts import check_part, part_of
from exactcover.runs.ledger.standing import Standing, seconds_left, standing_of
from exactcover.runs.ledger.terms import Prepared, differences, like, prepared, prepared_again
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
    """

    def __init__(self, folder: Path, lock: Lock, ledger: Ledger) -> None:
        self.folder, self._lock, self._ledger = folder, lock, ledger
        self._stopped = False
        self.mended = mend(ledger)
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
        lock = Lock(folder)
        try:
            if not path_in(folder).exists():
                _create(folder, wanted, part)
            run = cls(folder, lock, Ledger.open(folder, write=True, mend=True))
        except BaseException:
            lock.free()
            raise
        try:
            run._check(wanted, part[0], strategy_named=strategy is not None)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The run in a directory; raises `LedgerError` if there is none, or it is damaged."""
        folder = Path(folder)
        Ledger.open(folder, check=False).close()  # before anything is made there
        lock = Lock(folder)
        try:
            return cls(folder, lock, Ledger.open(folder, write=True, mend=True))
        except BaseException:
            lock.free()
            raise

    def _check(self, wanted: list[Prepared], part: int, *, strategy_named: bool) -> None:
        """Raise `LedgerError` unless the ledger has these runs, and no others."""
        there = {one.name: one for one in self.puzzles}
        asked = {one.terms.puzzle: one for one in wanted}
        if asked.keys() != there.keys():
            raise LedgerError(
                f"{self.folder}: the ledger has a run of {', '.join(there)}, not of "
                f"{', '.join(asked)}: give another --dir, or resume this one"
            )
        for name, one in there.items():
            same = like(asked[name], one.terms, strategy_named=strategy_named)
            if why := differences(same.terms, one.terms):
                raise LedgerError(f"{self.folder}: {why}; or give another --dir")
            if part not in self._ledger.parts(one.number):
                raise LedgerError(
                    f"{self.folder}: the ledger does not have part {part} of {one.terms.parts}: "
                    "give another --dir"
                )
            one.prepare(same)

    def go_on(
        self, executor: Executor[Portion, Outcome] | None = None, *, time_limit: float | None = None
    ) -> list[Standing]:
        """Search until all is done, the time is over, or `stop` is called.

        executor    who searches; it is not closed. Default: None, the calling thread
        time_limit  seconds, for all puzzles together. Default: None, no limit
        """
        until = None if time_limit is None else monotonic() + time_limit
        workers: Executor[Portion, Outcome] = executor or InProcess()
        return [one.go_on(workers, until=until) for one in self.puzzles]

    def stop(self) -> None:
        """Search no further; any thread or signal handler may call it."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

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
    with Ledger.created(folder) as ledger:
        for one in wanted:
            ledger.add(one.terms, {part[0]: part_of(one.plan, one.strategy, *part)})


class PuzzleRun:
    """The run of one puzzle.

    number  its number in the ledger
    """

    def __init__(self, run: Run, ledger: Ledger, number: int) -> None:
        self._run, self._ledger, self.number = run, ledger, number
        self.terms = ledger.runs()[number]
        self._totals = ledger.totals(number)
        self._prepared: Prepared | None = None
        self._workers = 0
        self._late = False

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self.terms.puzzle

    @property
    def found(self) -> int:
        """Solutions of finished tasks."""
        return self._totals.solutions

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        return self._totals.done

    @property
    def workers(self) -> int:
        """How many workers search."""
        return self._workers

    @property
    def kept(self) -> None:
        """No states: a run lists solutions."""

    @property
    def result(self) -> Result:
        """The sums of the finished tasks."""
        here = Holder.here(self._workers)
        return Standing(self.terms, self._totals, (), {}, here).result

    def prepare(self, made: Prepared) -> None:
        """Take what is made from the terms, so that it need not be made again."""
        self._prepared = made

    def go_on(
        self,
        executor: Executor[Portion, Outcome],
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
        executor: Executor[Portion, Outcome],
        until: float | None,
        shown: Callable[[PuzzleRun], object] | None,
    ) -> None:
        made = self._prepared or prepared_again(self.terms)
        executor.start(Job.of(made.plan, made.strategy, keep=self.terms.keep))
        submitted: set[int] = set()
        while not self._run.stopped:
            self._count_workers(executor)
            room = AHEAD * max(1, self._workers) - len(submitted)
            if room > 0:
                for task, bundle in self._ledger.waiting(self.number, room, submitted):
                    executor.submit(task, Portion(bundle, self._patience(until)))
                    submitted.add(task)
            if not submitted:
                return
            if until is not None and monotonic() >= until:
                self._late = True
                return
            for task, outcome in executor.finished(WAIT):
                submitted.discard(task)
                self._finish(task, outcome)
            if shown is not None:
                shown(self)

    def _count_workers(self, executor: Executor[Portion, Outcome]) -> None:
        """Note how many workers there are; those of a cluster come and go."""
        if executor.number != self._workers:
            self._workers = executor.number
            self._run.tell(self._workers)

    def _patience(self, until: float | None) -> float:
        """The seconds that a task may take now."""
        left = seconds_left(self._totals)
        if left is None:
            return SHORTEST
        most = LONGEST
        if until is not None:  # what is not finished by then is lost
            most = min(most, (until - monotonic()) / (AHEAD + 1))
        return max(min(left / (TASKS_LEFT * max(1, self._workers)), most), SHORTEST)

    def _finish(self, task: int, outcome: Outcome) -> None:
        """Write what a task came to, and count it."""
        share = self._ledger.share(task)
        if not self._ledger.finish(task, outcome):
            return
        before = self._totals
        self._totals = replace(
            before,
            solutions=before.solutions + outcome.found,
            fits=before.fits + outcome.fits,
            nofits=before.nofits + outcome.nofits,
            seconds=before.seconds + outcome.seconds,
            compiling=before.compiling + outcome.compiling,
            tasks_done=before.tasks_done + 1,
            tasks_waiting=before.tasks_waiting - 1 + len(outcome.rest),
            left=before.left - share + sum(map(share_of, outcome.rest)),
        )
