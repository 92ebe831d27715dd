"""`batch`: many puzzles in one call, a line of JSON for each; or the rows of a list, judged."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, MISTAKE, STOPPED, say, screen, watch, worse
from exactcover.cli.files import opened_file
from exactcover.cli.progress import Progress
from exactcover.cli.reports import json_line, quantity
from exactcover.formats.shipped import short_name
from exactcover.runs.batches import Question, begin_batch
from exactcover.runs.rows import columns_of

Record = dict[str, Any]


@contextmanager
def _opened_rows(
    output: Path | None, columns: Sequence[str]
) -> Iterator[Callable[[Record], object]]:
    """A function that writes records as lines, or as rows with these columns, each at once. So a
    reader can follow a long batch, and what is done survives Ctrl-C."""
    with nullcontext(sys.stdout) if output is None else opened_file(output) as stream:
        table = None
        if output is not None and output.suffix.lower() == ".csv":
            table = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
            table.writeheader()

        def write(record: Record) -> None:
            if table is None:
                stream.write(json_line(record) + "\n")
            else:
                row = _row(record) if columns is COLUMNS else record
                table.writerow({name: _cell(value) for name, value in row.items()})
            stream.flush()

        yield write


COLUMNS = (
    "name", "file", "title", "status", "stopped_by", "solutions", "counted", "counted_as",
    "fits", "nofits", "seconds", "compiling", "strategy", "pieces", "cells", "images",
    "images_per_cell", "fits_per_solution", "fits_to_first", "depth", "warning", "reason",
    "error", "digest", "provenance",
)  # fmt: skip
"""The columns of a table of puzzles."""


def _row(record: Record) -> Record:
    """The row of a table that has the record of a puzzle."""
    place, origin = record["puzzle"], record.get("provenance", {})
    standard_input = place.partition("#")[0] == "-"
    return {
        **record,
        "name": place if standard_input else short_name(place),
        "file": None if standard_input else place,
        "digest": origin.get("digest"),
        "counted_as": origin.get("counted_as"),
    }


def _cell(value: object) -> str:
    """A value as the text of a cell: empty for none, `true` and `false`, JSON for a list or a
    table."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)


@opt.command()
@opt.puzzles
@opt.few
@opt.threads(help="Solve puzzles side by side in N processes.", default=1)
@opt.folder("--dir", "directory", help="A list: keep finished rows; go on there.")
@opt.output(endings=(".csv", ".jsonl"), help="Write a table, or the lines.")
@opt.strict
@click.option("--json", is_flag=True, hidden=True, expose_value=False)
@opt.progress
@opt.plugins
@opt.question
def batch(
    puzzles: tuple[str, ...],
    workers: int,
    directory: Path | None,
    output: Path | None,
    strict: bool,
    **asked: Any,
) -> int:
    """Solve many puzzles: a line of JSON for each.

    It has the number of solutions and measures how hard the puzzle is. A PUZZLE may be a folder
    with all below it, or -, standard input, which need not end. Or a PUZZLE alone is a list, a .csv
    file: its rows have pieces and a region, or a file, are counted, and compared with the column
    expected. --output FILE.csv makes a table.
    """
    progress = Progress("batch")

    def pulse() -> None:
        progress.tell(answers.so_far)

    places = puzzles[0] if len(puzzles) == 1 else puzzles
    # A buffer of its own: Python ends without waiting for standard input.
    stream = open(0, "rb", closefd=False)  # noqa: SIM115
    records, listed, finished = begin_batch(
        places, Question(strict=strict, **asked), directory, workers, pulse, stream
    )
    columns = COLUMNS if listed is None else columns_of(listed)
    answers = Outcomes(strict, None if listed is None else len(listed.rows))
    with progress, closing(records), _opened_rows(output, columns) as write:
        try:
            for record in records:
                if watch.pressed:  # other packages turn an interrupt into errors of their own
                    raise KeyboardInterrupt
                screen.clear()
                write(record)
                answers.add(record)
                progress.tell(answers.so_far)
        finally:
            if finished is not None and finished.used:
                before = quantity(finished.used, "row")
                say(f"{before} of an earlier run taken from {directory}")
    answers.report()
    return answers.status


EXPECTED, UNASKED = "as expected", "counted without an expected number"
DIFFERS, UNFINISHED, FAILED = "different", "not finished", "failed"
WEIGHTS = {UNFINISHED: STOPPED, FAILED: MISTAKE}


class Outcomes:
    """The ends of the puzzles of a batch, or of the rows of a list.

    strict  another number of solutions than is stated is an error
    rows    how many rows the list has; None: there are puzzles
    """

    def __init__(self, strict: bool, rows: int | None) -> None:
        self._rows, self._weights = rows, WEIGHTS | {DIFFERS: DIFFERENT * strict}
        self._ends = dict.fromkeys((EXPECTED, UNASKED, UNFINISHED, FAILED, DIFFERS), 0)
        self._wrong: list[str] = []  # the names of those with another number than is stated
        self.status = DONE

    @property
    def so_far(self) -> str:
        """The counts so far, for the report of progress."""
        done, failed, differ = sum(self._ends.values()), self._ends[FAILED], self._ends[DIFFERS]
        of = "puzzles" if self._rows is None else f"of {self._rows:,} rows"
        return f"{done:,} {of}, {failed:,} failed, {differ:,} differ"

    def add(self, record: Record) -> None:
        """Note a record, and report what is wrong with it."""
        name, warning = record.get("puzzle", record.get("name")), record.get("warning", "")
        stopped = record["status"] == "limit" and record.get("stopped_by") != "solutions"
        end = UNFINISHED if stopped else EXPECTED if record.get("agrees") else UNASKED
        if record.get("agrees") is False:
            expected = int(str(record["expected"]).replace(",", ""))
            found = f"{'at least ' * stopped}{record['found']:,}"
            note = f"; {record['note']}" if record["note"] else ""
            warning = f"expected {expected:,}, found {found}{note}"
        if record["status"] == "error":
            end = FAILED
            if self._rows is not None:
                say(f"{name}: {record['error']}")
        elif warning:
            end = DIFFERS
            self._wrong.append(str(name))
            say(f"warning: {name}: {warning}")
        self._ends[end] += 1
        self.status = worse(self.status, self._weights.get(end, DONE))

    def report(self) -> None:
        """Report the whole."""
        done, failed = sum(self._ends.values()), self._ends[FAILED]
        if self._rows is not None:
            said = ", ".join(f"{many:,} {end}" for end, many in self._ends.items() if many)
            names = f": {', '.join(self._wrong)}" if self._wrong else ""
            say(f"{quantity(done, 'row')}: {said or 'none'}{names}")
        elif failed:
            say(f"{failed:,} of {done:,} puzzles failed")
