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
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, MISTAKE, STOPPED, say, watch
from exactcover.cli.files import NewFile, NewFolder, opened_file
from exactcover.cli.progress import Progress
from exactcover.cli.reports import json_line, quantity

if TYPE_CHECKING:
    from exactcover.formats.lists import RowList


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
    from exactcover.formats.shipped import short_name

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
@click.option(
    "--dir",
    "directory",
    type=NewFolder(),
    metavar="DIR",
    help="A list: keep finished rows; go on there.",
)
@click.option(
    "-o",
    "--output",
    type=NewFile((".csv", ".jsonl")),
    metavar="FILE",
    help="Write a table, or the lines.",
)
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
    from exactcover.runs.batches.batching import Question, answered_puzzles
    from exactcover.runs.batches.rows import FinishedRows, RowQuestion, columns_of, counted_rows

    progress = Progress("batch")
    answers: Outcomes
    finished: FinishedRows | None = None

    def pulse() -> None:
        progress.tell(answers.so_far)

    if (listed := _list(puzzles)) is not None:
        answers = Verdicts(strict, total=len(listed.rows))
        rows = RowQuestion(**asked)
        if directory is not None:
            finished = FinishedRows(directory)
        records = counted_rows(listed, rows, finished, workers=workers, pulse=pulse)
        columns = columns_of(listed)
    else:
        answers, columns = Outcomes(strict), COLUMNS
        question = Question(limit=limit, strict=strict, **asked)
        stream = _standard_input()
        records = answered_puzzles(puzzles, question, workers=workers, stream=stream, pulse=pulse)
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
    from exactcover.formats.lists import is_list, read_list

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


# -- what there was --------------------------------------------------------------------------------


@dataclass
class Outcomes:
    """How many puzzles of a batch were solved, failed or stopped.

    done     how many puzzles there were
    failed   how many of them cannot be read or solved
    stopped  how many a limit stopped before the answer was complete
    wrong    the names of those with another number of solutions than is stated
    """

    strict: bool
    done: int = 0
    failed: int = 0
    stopped: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def so_far(self) -> str:
        """The counts so far, for the report of progress."""
        return f"{self.done:,} puzzles, {self.failed:,} failed"

    def add(self, record: Record) -> None:
        """Note a record, and report what is wrong with it."""
        self.done += 1
        self.failed += record["status"] == "error"
        self.stopped += record.get("stopped_by") in ("time", "memory")
        if "warning" in record:
            self.wrong.append(record["puzzle"])
            say(f"warning: {record['puzzle']}: {record['warning']}")

    def end(self) -> int:
        """Print failures; return the exit status."""
        if self.failed:
            say(f"{self.failed:,} of {self.done:,} puzzles failed")
        return self.status

    @property
    def status(self) -> int:
        """The exit status: a contradiction weighs most, then a mistake, then a limit."""
        if self.strict and self.wrong:
            return DIFFERENT
        return MISTAKE if self.failed else STOPPED if self.stopped else DONE


@dataclass
class Verdicts(Outcomes):
    """The verdicts on the rows of a list so far.

    total    how many rows the list has
    agree    how many have the expected number
    unasked  how many rows were counted without an expected number
    """

    total: int = 0
    agree: int = 0
    unasked: int = 0

    @property
    def so_far(self) -> str:
        """The verdicts so far, for the report of progress."""
        return f"{self.done:,} of {self.total:,} rows, {len(self.wrong):,} differ"

    def add(self, record: Record) -> None:
        """Note a row, and report what is wrong with it."""
        name, status, note = record["name"], record["status"], record["note"]
        self.done += 1
        self.agree += record["agrees"] is True
        self.unasked += record["agrees"] is None and status in ("complete", "impossible")
        self.failed += status == "error"
        self.stopped += status == "limit"
        if status == "error":
            say(f"{name}: {record['error']}")
        elif record["agrees"] is False:
            self.wrong.append(name)
            least, because = "at least " * (status == "limit"), f"; {note}" if note else ""
            expected = int(str(record["expected"]).replace(",", ""))
            say(
                f"warning: {name}: expected {expected:,}, found {least}{record['found']:,}{because}"
            )

    def end(self) -> int:
        """Print the whole; return the exit status."""
        parts = [f"{self.agree:,} as expected", f"{len(self.wrong):,} different"]
        if self.unasked:
            shown = parts if self.agree or self.wrong else []
            parts = [*shown, f"{self.unasked:,} counted without an expected number"]
        parts += [f"{self.stopped:,} not finished"] * (self.stopped > 0)
        names = f": {', '.join(self.wrong)}" if self.wrong else ""
        say(f"{quantity(self.done, 'row')}: {', '.join(parts)}{names}")
        if self.failed:
            say(f"{self.failed:,} of {self.total:,} rows failed")
        return self.status


def _standard_input() -> BinaryIO:
    """Standard input, read through a buffer of its own: Python ends without waiting for it."""
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # replaced by Python code
        return sys.stdin.buffer
    return open(number, "rb", closefd=False)
