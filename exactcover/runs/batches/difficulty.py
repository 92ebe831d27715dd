"""How hard a puzzle is, measured by the search that counts its solutions.

All measures are numbers of choices, never seconds: the same puzzle with the same strategy gives the
same numbers on every machine. `docs/batches.md` says how to read them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from exactcover.backends.base import Batch
from exactcover.errors import TooLarge
from exactcover.formats import Document
from exactcover.search.counting.counts import Counting
from exactcover.search.counting.stored import Numbers, compared, record_of
from exactcover.search.driver import BATCH
from exactcover.search.planned import PlannedSearch, SubjectSearch
from exactcover.search.result import Result
from exactcover.search.underway import Underway
from exactcover.trust.provenance import of_result

DIGITS = 3
"""The decimals of a measure that is a quotient."""


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


def measured(
    document: Document, pulse: Callable[[], object], *, strict: bool, **asked: Any
) -> dict[str, Any]:
    """The record of a puzzle: its solutions, and how hard they are to find.

    pulse   called after each slice of the search
    strict  the numbers in its file are compared however long it takes
    asked   `counted`, `strategy`, `limit` and `time_limit`, as for `solve`
    """
    with document.faults_placed():
        measuring = Measuring(document.content, tally=True, **asked)
    result = measuring.result
    try:
        while measuring.step():
            pulse()
        result = measuring.result
    except TooLarge as error:
        result = replace(measuring.result, status="limit", stopped_by="memory", reason=str(error))
    with measuring:  # frees the memory
        record = _record(document, measuring, result)
    if not (document.counts or document.assemblies):
        return record

    def run(counting: Counting, step: Callable[[], bool]) -> None:
        while step():
            pulse()

    numbers = Numbers.of(document, result, run, time_limit=asked["time_limit"], strict=strict)
    return record | record_of(compared(document, numbers))


def _record(document: Document, measuring: Measuring, result: Result) -> dict[str, Any]:
    record: dict[str, Any] = {"puzzle": document.name}
    if document.title:
        record["title"] = document.title
    record |= result.record()
    if result.stopped_by:
        record["stopped_by"] = result.stopped_by
    if result.reason:
        record["reason"] = result.reason
    origin = {"provenance": of_result(document.content, result, name=document.name)}
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
