"""`batch`: many puzzles in one call, a line of JSON for each; or the rows of a list, judged."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, MISTAKE, STOPPED, say, watch
from exactcover.cli.files import opened_file
from exactcover.cli.progress import Progress
from exactcover.cli.reports import json_line, quantity
from exactcover.formats.lists import RowList, is_list, read_list
from exactcover.formats.shipped import short_name
from exactcover.runs.batches import Question, answered, counted_rows, found
from exactcover.runs.rows import FinishedRows, columns_of

Record = dict[str, Any]


@contextmanager
def _opened_rows(
    output: Path | None, columns: Iterable[str]
) -> Iterator[Callable[[Record], object]]:
    """A function that writes records as lines, or as rows with these columns, each at once. So a
    reader can follow a long batch, and what is done survives Ctrl-C."""
    as_table = output is not None and output.suffix.lower() == ".csv"
    file = nullcontext(sys.stdout)
    with file if output is None else opened_file(output) as stream:
        table = csv.writer(stream, lineterminator="\n")
        if as_table:
            table.writerow(columns)

        def write(record: Record) -> None:
            if as_table:
                row = _row(record) if columns is COLUMNS else record
                table.writerow([_cell(row.get(name)) for name in columns])
            else:
                stream.write(json_line(record) + "\n")
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
@opt.file("-o", "--output", endings=(".csv", ".jsonl"), help="Write a table, or the lines.")
@opt.strict
@click.option("--json", is_flag=True, hidden=True, expose_value=False)
@opt.progress
@opt.plugins
@opt.question
def batch(
    puzzles: tuple[str, ...],
    limit: int | None,
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
    finished: FinishedRows | None = None

    def pulse() -> None:
        progress.tell(answers.so_far)

    listed = _list(puzzles)
    question = Question(limit=limit, strict=strict, **asked)
    answers = Outcomes(strict, None if listed is None else len(listed.rows))
    if listed is not None:
        if directory is not None:
            finished = FinishedRows(directory, question)
        records = counted_rows(listed, question, finished, workers=workers, pulse=pulse)
        columns = columns_of(listed)
    else:
        columns = COLUMNS
        records = answered(found(puzzles, _standard_input()), question, workers, pulse)
    with progress, closing(records), _opened_rows(output, columns) as write:
        try:
            for record in records:
                if watch.pressed:  # other packages turn an interrupt into errors of their own
                    raise KeyboardInterrupt
                progress.clear()
                write(record)
                answers.add(record)
                progress.tell(answers.so_far)
        finally:
            if finished is not None and finished.used:
                before = quantity(finished.used, "row")
                say(f"{before} of an earlier run taken from {directory}")
    return answers.end()


def _list(puzzles: tuple[str, ...]) -> RowList | None:
    """The list that the command is given; None: it is given puzzles."""
    lists = [place for place in puzzles if is_list(place)]
    if not lists:
        if name := opt.given("directory"):
            raise click.UsageError(f"{name} is for a list of puzzles, such as a .csv")
        return None
    if len(puzzles) > 1:
        raise click.UsageError(f"{lists[0]} is a list, which must be the only PUZZLE")
    if name := opt.given("limit"):
        raise click.UsageError(f"{name} is for puzzles, not for a list: {lists[0]}")
    return read_list(lists[0])


@dataclass
class Outcomes:
    """The ends of the puzzles of a batch, or of the rows of a list.

    rows     how many rows the list has; None: there are puzzles
    done     how many there were
    failed   how many of them cannot be read or solved
    stopped  how many a limit stopped before the answer was complete
    agree    how many rows have the expected number
    wrong    the names of those with another number of solutions than is stated
    """

    strict: bool
    rows: int | None
    done: int = 0
    failed: int = 0
    stopped: int = 0
    agree: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def so_far(self) -> str:
        """The counts so far, for the report of progress."""
        if self.rows is None:
            return f"{self.done:,} puzzles, {self.failed:,} failed"
        return f"{self.done:,} of {self.rows:,} rows, {len(self.wrong):,} differ"

    def add(self, record: Record) -> None:
        """Note a record, and report what is wrong with it."""
        name, warning = record.get("puzzle", record.get("name")), record.get("warning", "")
        stopped = record["status"] == "limit" and record.get("stopped_by") != "solutions"
        failed, agrees = record["status"] == "error", record.get("agrees")
        if agrees is False:
            expected = int(str(record["expected"]).replace(",", ""))
            found = f"{'at least ' * stopped}{record['found']:,}"
            note = f"; {record['note']}" if record["note"] else ""
            warning = f"expected {expected:,}, found {found}{note}"
        self.done += 1
        self.failed += failed
        self.stopped += stopped
        self.agree += agrees is True
        if failed and self.rows is not None:
            say(f"{name}: {record['error']}")
        elif warning:
            self.wrong.append(str(name))
            say(f"warning: {name}: {warning}")

    def end(self) -> int:
        """Report the whole; return the exit status: a contradiction weighs most, then a mistake."""
        if self.rows is not None:
            unasked = self.done - self.agree - len(self.wrong) - self.failed - self.stopped
            parts = {
                "as expected": self.agree,
                "different": len(self.wrong),
                "counted without an expected number": unasked,
                "not finished": self.stopped,
            }
            always = () if unasked and not self.agree and not self.wrong else ("as", "different")
            said = [f"{n:,} {what}" for what, n in parts.items() if n or what.startswith(always)]
            names = f": {', '.join(self.wrong)}" if self.wrong else ""
            say(f"{quantity(self.done, 'row')}: {', '.join(said)}{names}")
        if self.failed:
            of = "puzzles" if self.rows is None else "rows"
            say(f"{self.failed:,} of {self.rows or self.done:,} {of} failed")
        if self.strict and self.wrong:
            return DIFFERENT
        return MISTAKE if self.failed else STOPPED if self.stopped else DONE


def _standard_input() -> BinaryIO:
    """Standard input, read through a buffer of its own: Python ends without waiting for it."""
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # replaced by Python code
        return sys.stdin.buffer
    return open(number, "rb", closefd=False)
