"""Many puzzles, solved one by one or side by side, and a record of each as soon as it is known.

The record has the solutions of a puzzle, and how hard they are to find. All measures of difficulty
are numbers of choices, never seconds: the same puzzle with the same strategy gives the same numbers
on every machine. `docs/checks.md` says how to read them. A puzzle that cannot be read or solved
gives a record too, so that the others go on.
"""

from __future__ import annotations

import io
import traceback
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from exactcover.backends.base import Slice
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import Document, Refused
from exactcover.formats.files import Text
from exactcover.formats.lists import is_list, read_list
from exactcover.formats.shipped import Found, texts_at
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.runs.batches.answering import (
    Pulse,
    Record,
    answered,
    counted_in_slices,
    failure_words,
    nothing,
)
from exactcover.runs.batches.rows import AskedRow, FinishedRows, counted_rows, filled, row_record
from exactcover.runs.executors import Doing, Work
from exactcover.search.begun import Begun, begin_listing
from exactcover.search.clock import BATCH
from exactcover.search.counting.counts import Counting
from exactcover.search.counting.stored import ENDED, compared
from exactcover.search.result import Result
from exactcover.search.session import Session, checked_limit, checked_time_limit
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable
from exactcover.trust.provenance import provenance_of

DIGITS = 3
"""The decimals of a measure that is a quotient."""


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
        checked_time_limit(self.time_limit)
        checked_limit(self.limit)
        if self.strategy is not None:
            object.__setattr__(self, "strategy", Strategy.of(self.strategy))

    def begin(self) -> Doing[Found | AskedRow, list[Record]]:
        """Return what gives the records of a task."""
        return lambda task: iter(([*self.records(task, nothing)],))

    def lost(self, task: Found | AskedRow, reason: str) -> list[Record]:
        """The record of a puzzle that has ended its process."""
        if isinstance(task, tuple):
            return [filled(task[0], {"status": "error", "error": reason})]
        return [_failure(task.name, reason)]

    def records(self, task: Found | AskedRow, pulse: Pulse) -> Iterator[Record]:
        """The records of a row, or of what was found at a place: one, or as many as the text has
        puzzles."""
        if isinstance(task, tuple):
            strategy = None if self.strategy is None else Strategy.of(self.strategy)
            yield row_record(task, pulse, self.counted, strategy, self.time_limit)
            return
        try:
            with within(self.time_limit):
                entries = [*task.entries()] if isinstance(task, Text) else [task]
        except Exception as error:
            yield _failed(task.name, error)
            return
        if not entries:
            yield _failure(task.name, "no puzzle here")
        for entry in entries:
            if isinstance(entry, Refused):
                yield _failure(entry.name, str(entry.error))
                continue
            try:
                record = self._measured(entry, pulse)
            except Exception as error:
                record = _failed(entry.name, error)
            yield record

    def _measured(self, document: Document, pulse: Pulse) -> Record:
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
            result = counted_in_slices(measuring, pulse)
            record = _record(document, measuring, result)
        if not self.strict:
            return record

        def run(counting: Counting) -> None:
            while counting.step():
                pulse()

        known, whole = {result.counted: result.solutions}, result.status in ENDED
        return record | compared(document, known, whole, self.time_limit, run)


def _failure(name: str, error: str) -> Record:
    """The record of a puzzle that cannot be read or solved."""
    return {"puzzle": name, "status": "error", "error": error}


def _failed(name: str, error: Exception) -> Record:
    record = _failure(name, failure_words(error))
    if isinstance(error, ExactCoverError | MemoryError):
        return record
    return record | {"traceback": "".join(traceback.format_exception(error))}


class Measuring(Session):
    """A search that notes how many options it had chosen when it found its first solution.

    With a limit it stops at the very solution that reaches it. So its fits do not depend on how far
    a slice of the search happens to go.

    fits_to_first  None: no solution is found yet
    """

    fits_to_first: int | None = None

    def _make(self) -> Begun:
        return begin_listing(self.subject, self.strategy, tally=self._tally, team=self._team)

    def _advance(self, *, keep: bool, most: int = BATCH) -> Slice:
        if self.fits_to_first is not None:
            return super()._advance(keep=keep or self.limit is not None, most=most)
        made = super()._advance(keep=True, most=1)
        if self._sum.found:
            self.fits_to_first = self._sum.fits
        return made


def _record(document: Document, measuring: Measuring, result: Result) -> Record:
    record: Record = {"puzzle": document.name}
    if document.title:
        record["title"] = document.title
    record |= result.record()
    if result.stopped_by:
        record["stopped_by"] = result.stopped_by
    if result.reason:
        record["reason"] = result.reason
    origin = {"provenance": provenance_of(document, result)}
    if measuring.late and "subject" not in vars(measuring):
        # The time was over before the placements were made.
        return record | dict.fromkeys(MEASURES) | origin
    problem, model = measuring.problem, measuring.model
    pieces = None if model is None else model.pieces
    cells = problem.primary if model is None else len(model.free)
    return record | {
        "pieces": pieces,
        "cells": cells,
        "images": problem.n_options,
        "images_per_cell": _quotient(problem.n_options, cells),
        "fits_per_solution": _quotient(result.fits, result.solutions),
        "fits_to_first": measuring.fits_to_first,
        "depth": None if pieces is None else _depth(result, pieces),
        **origin,
    }


MEASURES = (
    "pieces", "cells", "images",
    "images_per_cell", "fits_per_solution", "fits_to_first", "depth",
)  # fmt: skip


def _depth(result: Result, pieces: int) -> float | None:
    """The mean share of the pieces that are in place after a fit.

    None: there are no fits, or the engine does not count them by the number of pieces left.
    """
    rows = result.by_remaining
    placed = sum(row.fits * (pieces - row.remaining + 1) for row in rows)
    return _quotient(placed, pieces * sum(row.fits for row in rows))


def _quotient(one: int, other: int) -> float | None:
    return round(one / other, DIGITS) if other else None


# -- the batch -----------------------------------------------------------------------------------


def answered_puzzles(
    puzzles: Iterable[Solvable | Document | str | Path],
    asked: Question,
    *,
    workers: int = 1,
    stream: BinaryIO | None = None,
    pulse: Pulse = nothing,
) -> Generator[Record]:
    """The records of puzzles, as they are known.

    stream  what the place `-` stands for; None: nothing
    """
    found = _found(puzzles, io.BytesIO() if stream is None else stream)
    return answered(found, asked, workers, pulse)


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
    if isinstance(puzzles, str | Path):
        if is_list(str(puzzles)):
            if limit is not None:
                raise ExactCoverError("limit is for puzzles: the rows of a list are counted whole")
            finished = None if directory is None else FinishedRows(Path(directory))
            return counted_rows(read_list(puzzles), asked, finished, workers=workers)
        puzzles = [puzzles]
    if directory is not None:
        raise ExactCoverError("directory is for a list, a CSV file")
    return answered_puzzles(puzzles, asked, workers=workers)


def _found(
    puzzles: Iterable[Solvable | Document | str | Path], stream: BinaryIO
) -> Iterator[Found]:
    """The puzzles, or where each is to be read."""
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
