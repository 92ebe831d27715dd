"""`run`, `run resume`, `run status` and `run merge`: a long run that keeps a ledger."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import click

import exactcover as ec
from exactcover.base.values import Convention
from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, exit_status, say, watch
from exactcover.cli.files import FilePath, opened_file, read_all
from exactcover.cli.progress import Progress
from exactcover.cli.reports import Printer, duration, quantity, solutions, stopped_words
from exactcover.cli.searches import run_search
from exactcover.cli.solution_files import LINES, write_line
from exactcover.runs import Run, Standing, standing
from exactcover.runs import merge as merged
from exactcover.runs.ledger.ledger import Ledger
from exactcover.runs.ledger.resuming import standing_of

PART = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")

directory_argument = click.argument("directory", metavar="DIR", type=FilePath(file_okay=False))


def _part(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, int]:
    """The part that `2/4` names."""
    read = PART.fullmatch(text)
    if read is None:
        raise click.BadParameter(f"{text!r}: write I/N, as in 2/4: part 2 of 4")
    return int(read[1]), int(read[2])


working = opt.together(opt.usual, opt.time_limit(), opt.workers)
"""The options of the commands that search with a ledger."""


@opt.command()
@opt.puzzles
@opt.folder("--dir", "directory", required=True, help="The folder of the ledger.")
@click.option("--part", metavar="I/N", default="1/1", callback=_part,
              help="Only part I; see `run merge`.")  # fmt: skip
@opt.counted
@opt.strategy
@working
def run(
    puzzles: tuple[str, ...],
    directory: Path,
    counted: Convention | None,
    strategy: str | None,
    part: tuple[int, int],
    **working: Any,
) -> int:
    """Search for long, with a ledger that survives a crash.

    All that is finished is in DIR/ledger.sqlite. `run resume DIR` goes on from there after Ctrl-C,
    a crash or a power cut, also on another machine or with another number of workers.
    """
    documents = read_all(puzzles)
    if len(documents) != 1:
        raise click.UsageError(
            f"these are {len(documents):,} puzzles, and a run has one: give each its own --dir"
        )
    began = Run.begin(directory, documents[0], counted=counted, strategy=strategy, part=part)
    return _go_on(began, **working)


@opt.command()
@directory_argument
@working
def resume(directory: Path, **working: Any) -> int:
    """Go on with a run that was stopped."""
    return _go_on(Run.open(directory), **working)


@opt.command()
@directory_argument
@opt.file("--solutions", endings=LINES, help="Write the solutions so far: .jsonl.")
@opt.json
def status(directory: Path, solutions: Path | None, report: Printer) -> None:
    """Say how far a run is, also while it goes on."""
    if solutions is not None:
        with closing(Ledger.open(directory)) as ledger, opened_file(solutions) as stream:
            subject, document = ledger.terms.subject(), ledger.terms.document
            for number, options in enumerate(ledger.solutions(), 1):  # sorted by their options
                solution = ec.Solution(options, subject.problem, subject.model)
                write_line(stream, document, number, solution)
    _report(standing(directory), report)


@opt.command()
@click.argument("directories", metavar="DIR...", nargs=-1, required=True, type=FilePath())
@opt.folder("--into", required=True, help="The folder of the joined ledger; it may have parts.")
@opt.json
def merge(directories: tuple[str, ...], into: Path, report: Printer) -> None:
    """Join the ledgers of a run that was searched in parts.

    No part counts twice, however often it is merged.
    """
    _report(merged(directories, into), report)


# -- searching ------------------------------------------------------------------------------------


def _go_on(run: Run, report: Printer, time_limit: float | None, workers: opt.Workers) -> int:
    """Search until all is done or something stops it; report it, and return the exit status."""
    with run:

        def report_it() -> int:
            if current_thread() is main_thread():
                so_far = run.standing()
            else:  # it is broken off; a connection belongs to its thread
                with closing(Ledger.open(run.folder, check=False)) as ledger:
                    so_far = standing_of(ledger)
            _report(so_far, report, time_limit, run.workers)
            end = INTERRUPTED if watch.pressed else exit_status(so_far.result.stopped_by)
            if end != DONE:
                say(f"to go on: exactcover run resume {run.folder}")
            return end

        def work(_: Run, progress: Progress) -> None:
            run.go_on(workers.all(), time_limit=time_limit, shown=progress.show)

        return run_search(run.terms.puzzle, run, report_it, work)


# -- reports --------------------------------------------------------------------------------------


def _report(
    standing: Standing, report: Printer, time_limit: float | None = None, workers: int = 0
) -> None:
    """Report how far a run is.

    workers  how many have searched. Default: 0, not known
    """
    result = standing.result
    report.with_origin(
        standing.terms.document,
        standing.record(),
        [_line(standing, time_limit)],
        solutions=result.solutions,
        whole=result.whole,
        workers=workers or None,
    )


def _line(standing: Standing, time_limit: float | None) -> str:
    """How far a run is, for a person."""
    terms, totals = standing.terms, standing.totals
    line = f"{terms.puzzle}: {solutions(totals.solutions, terms.counted, terms.document)}"
    if standing.status == "impossible":
        return f"{line}: {terms.reason}"
    if standing.status == "complete":
        return line
    parts = [f"{line} so far"]
    if terms.parts > 1:
        missing = standing.missing
        words = f"all {terms.parts} parts"
        if missing and len(standing.parts) == 1:
            words = f"part {standing.parts[0]} of {terms.parts}"
        elif missing:
            listed = ", ".join(map(str, missing[:10])) + ", ..." * (len(missing) > 10)
            words = f"part{'s' * (len(missing) > 1)} {listed} of {terms.parts} missing"
        parts.append(words)
    if standing.status != "part":
        parts.append(
            f"{totals.done:.2%} searched in {duration(totals.seconds)} of work, "
            f"{quantity(totals.tasks_done, 'task')} done, {totals.tasks_waiting:,} waiting"
        )
    ends = {
        "searching": f"{standing.at_work} at work",
        "limit": stopped_words("time", seconds=time_limit),
        "interrupted": "nobody at work",
    }
    return "; ".join([*parts, *filter(None, [ends.get(standing.status)])])
