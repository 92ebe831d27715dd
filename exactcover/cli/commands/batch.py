"""`batch`: many puzzles in one call, a line of JSON for each; or the rows of a list, judged."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, MISTAKE, STOPPED, say, watch
from exactcover.cli.files import file_option, folder_option, opened_file, replacing
from exactcover.cli.progress import Progress
from exactcover.cli.reports import json_line, quantity

if TYPE_CHECKING:
    from exactcover.formats.lists import RowList
    from exactcover.runs.batches.answering import Answering


Record = dict[str, Any]
Write = Callable[[Record], object]

OF_LISTS = ("verify", "directory")
OF_PUZZLES = ("first", "limit")
"""Options for a list, and for puzzles."""


@dataclass(frozen=True)
class BatchOptions(opt.WithProgress, opt.Plugged, opt.Strict, opt.Strategic, opt.Few):
    time_limit: float | None = opt.limit_option(help="Stop after S seconds for each puzzle.")
    workers: int = opt.integer(
        "--workers", most=1024, default=1, help="Solve puzzles side by side in N processes."
    )
    verify: bool = opt.flag(
        "--verify", help="A list: count each row once more, by another method, and compare."
    )
    directory: Path | None = folder_option(
        "--dir", required=False,
        help="A list: keep finished rows in this folder. The same command goes on there after a "
        "crash, and counts only the others.",
    )  # fmt: skip
    output: Path | None = file_option(
        "-o", "--output", endings=(".csv", ".jsonl"),
        help="Write the lines or rows to FILE instead; .csv or .jsonl.",
    )  # fmt: skip
    form: str | None = opt.choice(
        "--format", of=("csv", "jsonl"),
        help="Write a table or lines. Default: by the ending of FILE, else jsonl.",
    )  # fmt: skip
    as_json: bool = opt.flag("--json", hidden=True, help="JSON lines, as by default.")

    @property
    def row_format(self) -> str:
        """The format of what is written."""
        if self.form is not None:
            return self.form
        return "jsonl" if self.output is None else self.output.suffix.lower()[1:]

    def asked(self) -> dict[str, Any]:
        """The part of the question that is the same about puzzles and rows."""
        names = ("counted", "strategy", "time_limit", "plugins")
        return {name: getattr(self, name) for name in names}

    @contextmanager
    def opened_rows(self, columns: Iterable[str]) -> Iterator[Write]:
        """A function that writes records as lines, or as rows with these columns, each at once. So
        a reader can follow a long batch, and what is done survives Ctrl-C."""
        file = nullcontext(sys.stdout)
        with file if self.output is None else opened_file(replacing(self.output)) as stream:
            table = csv.writer(stream, lineterminator="\n")
            as_table = self.row_format == "csv"
            if as_table:
                table.writerow(columns)

            def write(record: Record) -> None:
                if as_table:
                    table.writerow([_cell(record.get(name)) for name in columns])
                else:
                    stream.write(json_line(record) + "\n")
                stream.flush()

            yield write


COLUMNS = (
    "name", "file", "title", "status", "stopped_by", "solutions", "counted", "fits", "nofits",
    "seconds", "compiling", "strategy", "pieces", "cells", "images", "images_per_cell",
    "fits_per_solution", "fits_to_first", "depth", "warning", "reason", "error", "digest",
    "provenance",
)  # fmt: skip
"""The columns of a table of puzzles."""


def _row(record: Record) -> Record:
    """The row of a table that has the record of a puzzle."""
    from exactcover.formats.shipped import short_name

    place = record["puzzle"]
    standard_input = place.partition("#")[0] == "-"
    return {
        **record,
        "name": place if standard_input else short_name(place),
        "file": None if standard_input else place,
        "digest": record.get("provenance", {}).get("digest"),
    }


def _cell(value: object) -> str:
    """A value as the text of a cell: empty for none, `true` and `false`, JSON for a list or a
    table."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)


@opt.puzzle_command(BatchOptions)
def batch(puzzles: tuple[str, ...], options: BatchOptions) -> int:
    """Count the solutions of many puzzles, and measure how hard each is: a line of JSON for each.

    A PUZZLE may be a folder: all puzzles in it and in the folders in it. Standard input, -, may
    hold many puzzles one after the other and need not end: each is solved as it comes.

    Or a PUZZLE alone is a list: a .csv file, or a .jsonl file of rows. Each row has a
    puzzle in the columns pieces and region, or names one in the column file. The rows are counted
    and compared with the column expected, and printed with the results. Exit status 3 with
    --strict if a number differs.

    With --output FILE.csv, or --format csv, the answer is a table with a row for each puzzle.
    """
    if (listed := _list(puzzles, options)) is not None:
        return _count_rows(listed, options)
    from exactcover.runs.batches import Batching
    from exactcover.runs.batches.batching import Question

    lines = Lines(options.strict)
    progress = Progress("batch")
    batching = Batching(
        puzzles,
        Question(limit=options.limit, strict=options.strict, **options.asked()),
        workers=options.workers,
        stream=_standard_input(),
        pulse=lambda: progress.tell(lines.so_far),
    )

    def take(record: dict[str, Any]) -> None:
        progress.clear()
        lines.print(record)
        progress.tell(lines.so_far)

    as_table = options.row_format == "csv"
    with progress, batching, options.opened_rows(COLUMNS) as write:
        lines.write = (lambda record: write(_row(record))) if as_table else write
        _take_all(batching, take)
    return lines.end()


def _take_all(records: Answering[Any], take: Callable[[dict[str, Any]], object]) -> None:
    """Take each record as it comes."""
    for record in records:
        if watch.pressed:  # other packages turn an interrupt into errors of their own
            raise KeyboardInterrupt
        take(record)


@dataclass
class Lines:
    """The lines that are printed, and what there was.

    write    writes a record
    puzzles  how many
    failed   how many of them cannot be read or solved
    stopped  how many a limit stopped before the answer was complete
    wrong    how many have another number of solutions than their file says
    """

    strict: bool
    write: Write = lambda _: None
    puzzles: int = 0
    failed: int = 0
    stopped: int = 0
    wrong: int = 0

    @property
    def so_far(self) -> str:
        """The counts so far, for the report of progress."""
        return f"{self.puzzles:,} puzzles, {self.failed:,} failed"

    def print(self, record: dict[str, Any]) -> None:
        """Print a record."""
        self.puzzles += 1
        if "warning" in record:
            self.wrong += 1
            say(f"warning: {record['puzzle']}: {record['warning']}")
        self.failed += record["status"] == "error"
        self.stopped += record.get("stopped_by") in ("time", "memory")
        self.write(record)

    def end(self) -> int:
        """The exit status; failures are reported."""
        if self.failed:
            say(f"{self.failed:,} of {self.puzzles:,} puzzles failed")
        return _status(self.strict and self.wrong, self.failed, self.stopped)


# -- lists -----------------------------------------------------------------------------------------


def _list(puzzles: tuple[str, ...], options: BatchOptions) -> RowList | None:
    """The list that the command is given; None: it is given puzzles."""
    from exactcover.formats.lists import is_list, read_list

    lists = [place for place in puzzles if is_list(place)]
    if not lists:
        if name := opt.first_given(options, OF_LISTS):
            raise click.UsageError(f"{name} is for a list of puzzles, such as a .csv")
        return None
    if len(puzzles) > 1:
        raise click.UsageError(f"{lists[0]} is a list, which must be the only PUZZLE")
    if name := opt.first_given(options, OF_PUZZLES):
        raise click.UsageError(f"{name} is for puzzles, not for a list: {lists[0]}")
    return read_list(lists[0])


def _count_rows(listed: RowList, options: BatchOptions) -> int:
    """Count the rows of a list; return the exit status."""
    from exactcover.runs.batches.rows import ListBatching, RowQuestion

    verdicts = Verdicts(len(listed.rows), options.strict)
    progress = Progress("batch")
    batching = ListBatching(
        listed,
        RowQuestion(verify=options.verify, **options.asked()),
        workers=options.workers,
        directory=options.directory,
        pulse=lambda: progress.tell(verdicts.so_far),
    )
    with (
        progress,
        batching,
        options.opened_rows(batching.columns) as write,
    ):

        def take(record: Record) -> None:
            progress.clear()
            write(record)
            verdicts.add(record)
            progress.tell(verdicts.so_far)

        try:
            _take_all(batching, take)
        finally:
            if batching.reused:
                before = quantity(batching.reused, "row")
                say(f"{before} of an earlier run taken from {options.directory}")
    return verdicts.end()


@dataclass
class Verdicts:
    """The verdicts on the rows of a list so far.

    total    how many rows the list has
    unasked  how many rows were counted without an expected number
    wrong    the names of rows with another number than expected
    unequal  the names of rows for which two engines differ
    """

    total: int
    strict: bool
    done: int = 0
    agree: int = 0
    unasked: int = 0
    failed: int = 0
    stopped: int = 0
    wrong: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)

    @property
    def so_far(self) -> str:
        """The verdicts so far, for the report of progress."""
        return (
            f"{self.done:,} of {self.total:,} rows, {len(self.wrong) + len(self.unequal):,} differ"
        )

    def add(self, record: dict[str, Any]) -> None:
        """Note a row, and report what is wrong with it."""
        name, status, note = record["name"], record["status"], record["note"]
        self.done += 1
        self.agree += record["agrees"] is True
        self.unasked += record["agrees"] is None and status in ("complete", "impossible")
        self.failed += status == "error"
        self.stopped += status in ("limit", "unverified")
        if status == "error":
            say(f"{name}: {record['error']}")
        elif status == "different":
            self.unequal.append(name)
            say(f"warning: {name}: {record['engine']} finds {record['found']:,}, but {note}")
        elif record["agrees"] is False:
            self.wrong.append(name)
            because = f"; {note}" if note else ""
            least = "at least " * (status == "limit")
            expected = int(str(record["expected"]).replace(",", ""))
            found = f"found {least}{record['found']:,}"
            say(f"warning: {name}: expected {expected:,}, {found}{because}")

    def end(self) -> int:
        """Report the whole; return the exit status."""
        differ = [*self.wrong, *self.unequal]
        parts = [f"{self.agree:,} as expected", f"{len(differ):,} different"]
        if self.unasked:
            shown = parts if self.agree or differ else []
            parts = [*shown, f"{self.unasked:,} counted without an expected number"]
        parts += [f"{self.stopped:,} not finished"] * (self.stopped > 0)
        say(
            f"{quantity(self.done, 'row')}: {', '.join(parts)}"
            + ": " * bool(differ)
            + ", ".join(differ)
        )
        if self.failed:
            say(f"{self.failed:,} of {self.total:,} rows failed")
        different = self.unequal or (self.strict and self.wrong)
        return _status(different, self.failed, self.stopped)


def _status(different: object, failed: int, stopped: int) -> int:
    """The exit status of a batch: a contradiction weighs most, then a mistake, then a limit."""
    if different:
        return DIFFERENT
    return MISTAKE if failed else STOPPED if stopped else DONE


def _standard_input() -> BinaryIO:
    """Standard input, read through a buffer of its own: Python ends without waiting for it."""
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # replaced by Python code
        return sys.stdin.buffer
    return open(number, "rb", closefd=False)
