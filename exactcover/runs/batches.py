"""Batches: many puzzles, or the rows of a list, in one call, and a record of each.

The record has the solutions of a puzzle, and how hard they are to find. All measures of difficulty
are numbers of choices, never seconds: the same puzzle with the same strategy gives the same numbers
on every machine. `docs/checks.md` says how to read them. A puzzle that cannot be read or solved
gives a record too, so that the others go on.

One worker is this process; several are processes of their own, since of a small puzzle only a
hundredth of the time is search, which releases the interpreter lock. The calling process cuts the
stream into texts and reads none of them, so it keeps some fifty workers busy. Each process has one
puzzle at a time, so if it is killed, only that puzzle fails.
"""

from __future__ import annotations

import io
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Semaphore, Thread
from typing import BinaryIO

from exactcover.backends.base import Slice
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice, check_seconds, check_whole
from exactcover.errors import ExactCoverError, FormatError, TooLarge
from exactcover.formats import Document, Refused
from exactcover.formats.files import Text
from exactcover.formats.lists import ListRow, RowList, is_list, read_list
from exactcover.formats.shipped import Found, texts_at
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.runs.executors import Doing, Work
from exactcover.runs.processes import process_pool
from exactcover.runs.rows import FinishedRows, Record, filled
from exactcover.search.clock import BATCH
from exactcover.search.counting.counts import Counting
from exactcover.search.counting.stored import compared
from exactcover.search.result import Result
from exactcover.search.session import Session
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable
from exactcover.trust.provenance import engines, provenance_of

AHEAD = 4
"""The most tasks for each worker that are taken before their records are handed out."""

Pulse = Callable[[], object]
"""Called many times a second between slices of work."""

AskedRow = tuple[ListRow, Record | None]
"""A row to count, and its results of an earlier run; None: it must be counted."""


def nothing() -> None:
    """The pulse where nobody watches."""


@dataclass(frozen=True, kw_only=True)
class Question(Work[Found | AskedRow, list[Record]]):
    """The question about each puzzle, as for `solve`, or each row of a list, as for `count`: the
    work of the processes of a batch.

    strict  whether the numbers in a file are compared
    """

    counted: Convention | None = None
    strategy: Strategy | str | None = None
    limit: int | None = None
    time_limit: float | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.counted is not None:
            check_choice("counted", self.counted, CONVENTIONS)
        check_seconds("time_limit", self.time_limit)
        check_whole("limit", self.limit, least=0)
        if self.strategy is not None:
            object.__setattr__(self, "strategy", Strategy.of(self.strategy))

    def begin(self) -> Doing[Found | AskedRow, list[Record]]:
        """Return what gives the records of a task."""
        return lambda task: iter(([*self.records(task, nothing)],))

    def lost(self, task: Found | AskedRow, reason: str) -> list[Record]:
        """The record of a puzzle that has ended its process."""
        if isinstance(task, tuple):
            return [filled(task[0], {"status": "error", "error": reason})]
        return [_failed(task.name, ExactCoverError(reason))]

    def records(self, task: Found | AskedRow, pulse: Pulse) -> Iterator[Record]:
        """The records of a row, or of what was found at a place: one, or as many as the text has
        puzzles."""
        if isinstance(task, tuple):
            row, known = task
            yield filled(row, known or self._counted(row, pulse))
            return
        try:
            with within(self.time_limit):
                entries = [*task.entries()] if isinstance(task, Text) else [task]
            if not entries:
                raise FormatError("no puzzle here")
        except Exception as error:
            yield _failed(task.name, error)
            return
        for entry in entries:
            try:
                if isinstance(entry, Refused):
                    raise entry.error
                record = self._measured(entry, pulse)
            except Exception as error:
                record = _failed(entry.name, error)
            yield record

    def _measured(self, document: Document, pulse: Pulse) -> Record:
        """The record of a puzzle."""
        with document.faults_placed():
            measuring = Measuring(
                document.content,
                counted=self.counted,
                strategy=self.strategy,
                limit=self.limit,
                time_limit=self.time_limit,
                tally=True,
            )
        with measuring:  # which frees the memory
            result = _ended(measuring, pulse)
            record = _record(document, measuring, result)
        if not self.strict:
            return record

        def run(counting: Counting) -> None:
            while counting.step():
                pulse()

        known, whole = {result.counted: result.solutions}, result.whole
        return record | compared(document, known, whole, self.time_limit, run)

    def _counted(self, row: ListRow, pulse: Pulse) -> Record:
        """The results of a row. It is counted as by `count`, by states where that takes less work,
        since a list of published numbers asks for no measure of difficulty."""
        try:
            document = row.document()
            with document.faults_placed():
                counting = Counting(
                    document.content,
                    counted=row.counted or self.counted,
                    strategy=self.strategy,
                    time_limit=self.time_limit,
                )
            with counting:
                result = _ended(counting, pulse)
            origin = provenance_of(document, result)
        except Exception as error:
            return {"status": "error", "error": _words(error)}
        return {
            "found": result.solutions,
            "status": result.status,
            "engine": "+".join(engines(result.strategy)),
            "seconds": round(result.seconds, 6),
            "compiling": round(result.compiling, 6),
            "note": result.reason or None,
            "digest": origin["digest"],
            "provenance": origin,
        }


def _ended(search: Session, pulse: Pulse) -> Result:
    """The outcome of a search that goes on to its end; where memory ran out, with the reason."""
    try:
        while search.step():
            pulse()
    except TooLarge as error:
        return replace(search.result, status="limit", stopped_by="memory", reason=str(error))
    return search.result


def _words(error: Exception) -> str:
    """The message of an error, for the record of a puzzle that failed."""
    if isinstance(error, ExactCoverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "memory ran out"
    return f"a fault of the program: {type(error).__name__}: {error}"


def _failed(name: str, error: Exception) -> Record:
    """The record of a puzzle that cannot be read or solved."""
    record: Record = {"puzzle": name, "status": "error", "error": _words(error)}
    if isinstance(error, ExactCoverError | MemoryError):
        return record
    return record | {"traceback": "".join(traceback.format_exception(error))}


class Measuring(Solving):
    """A search that notes how many options it had chosen when it found its first solution.

    With a limit it stops at the very solution that reaches it. So its fits do not depend on how far
    a slice of the search happens to go.

    fits_to_first  None: no solution is found yet
    """

    fits_to_first: int | None = None

    def _advance(self, *, keep: bool, most: int = BATCH) -> Slice:
        if self.fits_to_first is not None:
            return super()._advance(keep=keep or self.limit is not None, most=most)
        made = super()._advance(keep=True, most=1)
        if self._sum.found:
            self.fits_to_first = self._sum.fits
        return made


def _record(document: Document, measuring: Measuring, result: Result) -> Record:
    """The figures of a puzzle, by the keys that `docs/checks.md` lists."""
    record: Record = {"puzzle": document.name}
    if document.title:
        record["title"] = document.title
    record |= result.record()
    record |= {key: said for key in ("stopped_by", "reason") if (said := getattr(result, key))}
    pieces = cells = images = None
    if "subject" in vars(measuring) or not measuring.late:  # else there are no placements yet
        problem, model = measuring.problem, measuring.model
        pieces = None if model is None else model.pieces
        cells = problem.primary if model is None else len(model.free)
        images = problem.n_options
    return record | {
        "pieces": pieces,
        "cells": cells,
        "images": images,
        "images_per_cell": _quotient(images, cells),
        "fits_per_solution": _quotient(result.fits, result.solutions),
        "fits_to_first": measuring.fits_to_first,
        "depth": _depth(result, pieces),
        "provenance": provenance_of(document, result),
    }


def _depth(result: Result, pieces: int | None) -> float | None:
    """The mean share of the pieces that are in place after a fit.

    None: there are no fits, or the engine does not count them by the number of pieces left.
    """
    if pieces is None:
        return None
    rows = result.by_remaining
    placed = sum(row.fits * (pieces - row.remaining + 1) for row in rows)
    return _quotient(placed, pieces * sum(row.fits for row in rows))


def _quotient(one: int | None, other: int | None) -> float | None:
    return round(one / other, 3) if one is not None and other else None


# -- the batch -----------------------------------------------------------------------------------


def batch(
    puzzles: Iterable[Solvable | str | Path] | str | Path,
    *,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    directory: str | Path | None = None,
) -> Generator[Record]:
    """Count the solutions of many puzzles, and measure how hard each is.

        >>> import exactcover as ec
        >>> for record in ec.batch(["pentominoes_20x3", "no_such_puzzle", "somacube"]):
        ...     print(record["puzzle"], record["status"], record.get("solutions"))
        square/pentominoes_20x3 complete 2
        no_such_puzzle error None
        cubic/somacube complete 480

    puzzles     an iterable of puzzles: each a Puzzle, a Problem, lists of items, the path of a file
                or a folder, or the name of a shipped puzzle. It may be endless; with several
                workers another thread reads it. Or one path, also of a list, a CSV file: see
                `docs/checks.md`
    counted     what counts as one solution: "rotations", "reflections" or "all", see `solve`.
                Default: None, "rotations" for a puzzle
    strategy    how to search: a Strategy or its text. Fits of different puzzles can be compared if
                they are searched by one strategy. Default: None, chosen for each puzzle
    limit       stop after this number of solutions of each puzzle. Default: None, find all
    time_limit  stop after this number of seconds for each puzzle. Default: None, no limit
    workers     how many processes solve puzzles side by side. Records then come as puzzles are
                solved. Default: 1, this process alone
    directory   of a list: a folder in which finished rows are kept, so that a later call does not
                count them again. Default: None

    The records are dictionaries with the keys that `docs/checks.md` lists. A puzzle that cannot be
    read or solved gives a record with the status "error", and the others go on.
    """
    asked = Question(counted=counted, strategy=strategy, time_limit=time_limit, limit=limit)
    return begin_batch(puzzles, asked, directory, workers)[0]


def begin_batch(
    puzzles: Iterable[Solvable | str | Path] | str | Path,
    asked: Question,
    directory: str | Path | None,
    workers: int,
    pulse: Pulse = nothing,
    stream: BinaryIO | None = None,
) -> tuple[Generator[Record], RowList | None, FinishedRows | None]:
    """The records of puzzles, as they are solved; of a list also the list, and its finished rows.

    stream  what the place `-` stands for; None: nothing
    """
    check_whole("workers", workers, least=1, optional=False)
    if not isinstance(puzzles, str | Path) or not is_list(str(puzzles)):
        if directory is not None:
            raise ExactCoverError("directory is for a list, a CSV file")
        places = [puzzles] if isinstance(puzzles, str | Path) else puzzles
        return answered(found(places, stream), asked, workers, pulse), None, None
    if asked.limit is not None:
        raise ExactCoverError("limit is for puzzles: the rows of a list are counted whole")
    listed = read_list(puzzles)
    finished = None if directory is None else FinishedRows(Path(directory), asked)
    tasks = ((row, None if finished is None else finished.take(row)) for row in listed.rows)
    records = answered(tasks, asked, workers, pulse)
    return records if finished is None else _kept(records, finished), listed, finished


def found(
    puzzles: Iterable[Solvable | Document | str | Path], stream: BinaryIO | None = None
) -> Iterator[Found]:
    """The puzzles, or where each is to be read.

    stream  what the place `-` stands for; None: nothing
    """
    stream = stream or io.BytesIO()
    for number, puzzle in enumerate(puzzles, 1):
        if isinstance(puzzle, str | Path):
            yield from texts_at([str(puzzle)], stream)
        elif isinstance(puzzle, Document | Refused):
            yield puzzle
        elif isinstance(puzzle, Puzzle):
            yield Document(puzzle.name or str(number), puzzle)
        else:
            try:
                yield Document(str(number), Problem.of(puzzle))
            except ExactCoverError as error:
                yield Refused(str(number), FormatError(str(error)))


def _kept(records: Generator[Record], finished: FinishedRows) -> Generator[Record]:
    """Records, each of which is kept in the folder before it is handed out."""
    with closing(finished), closing(records):
        for record in records:
            finished.keep(record)
            yield record


def answered(
    tasks: Iterator[Found] | Iterator[AskedRow],
    work: Question,
    workers: int = 1,
    pulse: Pulse = nothing,
) -> Generator[Record]:
    """The records of tasks as they are done; `close` ends the workers.

    tasks  may never end; with several workers another thread takes them, as many as the workers can
           do before their records are handed out
    """
    if workers > 1:
        return _side_by_side(tasks, work, workers, pulse)
    return (one for task in tasks for one in work.records(task, pulse))


def _side_by_side(
    tasks: Iterator[Found] | Iterator[AskedRow], work: Question, workers: int, pulse: Pulse
) -> Generator[Record]:
    pool = process_pool(work, workers)
    room = Semaphore(AHEAD * workers)
    ended: list[tuple[int, BaseException | None]] = []  # how many tasks there were, and an error

    def submit() -> None:
        taken, raised = 0, None
        try:
            while room.acquire() and not pool.closed and (task := next(tasks, None)) is not None:
                taken += 1
                pool.submit(taken, task)
        except BaseException as error:  # the thread that iterates raises it
            raised = error
        ended.append((taken, raised))

    try:
        Thread(target=submit, name="puzzles", daemon=True).start()
        done = 0
        while not ended or done < ended[0][0]:
            answers = pool.finished()
            for _, records in answers:
                done += 1
                room.release()
                yield from records
            if not answers:
                pulse()
        if ended[0][1] is not None:
            raise ended[0][1]
    finally:
        pool.close()
        room.release()  # the thread sees the end
