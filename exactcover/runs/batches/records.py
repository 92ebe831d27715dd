"""The record of each puzzle of a batch: its solutions, and how hard they are to find.

All measures of difficulty are numbers of choices, never seconds: the same puzzle with the same
strategy gives the same numbers on every machine. `docs/batches.md` says how to read them. A puzzle
that cannot be read or solved gives a record too, so that the others go on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from exactcover.backends.base import Batch
from exactcover.base.patience import within
from exactcover.errors import ExactCoverError, TooLarge
from exactcover.formats import Document, Refused
from exactcover.formats.files import Text
from exactcover.formats.shipped import Found
from exactcover.runs.batches.answering import Asked, Record, failure_words
from exactcover.search.counting.counts import Counting
from exactcover.search.counting.stored import Numbers, compared, record_of
from exactcover.search.driver import BATCH
from exactcover.search.planned import PlannedSearch, SubjectSearch
from exactcover.search.result import Result
from exactcover.search.underway import Underway, checked_limit
from exactcover.trust.provenance import provenance_of

DIGITS = 3
"""The decimals of a measure that is a quotient."""


@dataclass(frozen=True, kw_only=True)
class Question(Asked[Found]):
    """The question about each puzzle, as for `solve`.

    strict  whether the numbers in a file are compared however long it takes
    """

    limit: int | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_limit(self.limit)

    def records(self, task: Found, pulse: Callable[[], object]) -> Iterator[Record]:
        """The records of what was found at a place: one, or as many as the text has puzzles."""
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

    def lost(self, task: Found, reason: str) -> list[Record]:
        """The record of a puzzle that has ended its process."""
        return [_failure(task.name, reason)]

    def _measured(self, document: Document, pulse: Callable[[], object]) -> Record:
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
        if not (document.counts or document.assemblies):
            return record

        def run(_: Counting, step: Callable[[], bool]) -> None:
            while step():
                pulse()

        numbers = Numbers.of(document, result, run, time_limit=self.time_limit, strict=self.strict)
        return record | record_of(compared(document, numbers))


def _failure(name: str, error: str) -> Record:
    """The record of a puzzle that cannot be read or solved."""
    return {"puzzle": name, "status": "error", "error": error}


def _failed(name: str, error: Exception) -> Record:
    record = _failure(name, failure_words(error))
    if isinstance(error, ExactCoverError | MemoryError):
        return record
    return record | {"traceback": "".join(traceback.format_exception(error))}


def counted_in_slices(search: Underway, pulse: Callable[[], object]) -> Result:
    """The outcome of a search that goes on to its end; where memory ran out, with the reason."""
    try:
        while search.step():
            pulse()
    except TooLarge as error:
        return replace(search.result, status="limit", stopped_by="memory", reason=str(error))
    return search.result


class Measuring(Underway):
    """A search that notes how many options it had chosen when it found its first solution.

    With a limit it stops at the very solution that reaches it. So its fits do not depend on how far
    a slice of the search happens to go.

    fits_to_first  None: no solution is found yet
    """

    fits_to_first: int | None = None

    def _make(self) -> SubjectSearch:
        return PlannedSearch(self.subject, self.strategy, tally=self._tally, team=self._team)

    def _advance(self, *, keep: bool, most: int = BATCH) -> Batch:
        if self.fits_to_first is not None:
            return super()._advance(keep=keep or self.limit is not None, most=most)
        batch = super()._advance(keep=True, most=1)
        search = self._driver.search
        if search is not None and (report := search.report(brief=True)).found:
            self.fits_to_first = report.fits
        return batch


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
        # The time was over before the images were made.
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
