"""`run`, `run resume` and `run status`: a long run that keeps a ledger."""

from __future__ import annotations

import heapq
import re
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click

import exactcover as ec
from exactcover.base.text import joined
from exactcover.base.values import Convention
from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, exit_status, say, watch
from exactcover.cli.files import FilePath, opened_file, read_one
from exactcover.cli.progress import Progress, run_search
from exactcover.cli.reports import (
    LINES,
    Printer,
    duration,
    quantity,
    solutions,
    stopped_words,
    write_line,
)
from exactcover.runs import Run, Standing, Threads, standing
from exactcover.runs.ledger.ledger import Ledger

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
@click.argument("puzzle")
@opt.folder("--dir", "directory", required=True, help="The folder of the ledger.")
@click.option("--part", metavar="I/N", default="1/1", callback=_part,
              help="Only part I; see `run status`.")  # fmt: skip
@opt.counted
@opt.strategy
@working
def run(
    puzzle: str,
    directory: Path,
    counted: Convention | None,
    strategy: str | None,
    part: tuple[int, int],
    **working: Any,
) -> int:
    """Search for long, with a ledger that survives a crash.

    All that is finished is in DIR/ledger.sqlite. `run resume DIR` goes on from there after Ctrl-C,
    a crash or a power cut, also on another machine or with another number of workers. `run status
    DIR` says how far it is, and adds up the ledgers of parts.
    """
    began = Run.begin(directory, read_one(puzzle), counted=counted, strategy=strategy, part=part)
    return _go_on(began, **working)


@opt.command()
@directory_argument
@working
def resume(directory: Path, **working: Any) -> int:
    """Go on with a run that was stopped."""
    return _go_on(Run(directory), **working)


@opt.command()
@click.argument("directories", metavar="DIR...", nargs=-1, required=True,
                type=FilePath(file_okay=False))  # fmt: skip
@opt.file("--solutions", endings=LINES, help="Write the solutions so far: .jsonl.")
@opt.json
def status(directories: tuple[Path, ...], solutions: Path | None, report: Printer) -> None:
    """Say how far a run is, also while it goes on; add up its parts.

    Name the directories of all parts of a run that was searched in parts.
    """
    so_far = standing(*directories)
    if solutions is not None:
        with ExitStack() as opened:
            ledgers = [opened.enter_context(closing(Ledger.open(one))) for one in directories]
            subject, document = so_far.terms.job.plan.subject, so_far.terms.document
            stream = opened.enter_context(opened_file(solutions))
            listed = heapq.merge(*(ledger.solutions() for ledger in ledgers))  # each is sorted
            for number, options in enumerate(listed, 1):
                solution = ec.Solution(options, subject.problem, subject.model)
                write_line(stream, document, number, solution)
    _report(so_far, report)


def _go_on(run: Run, report: Printer, time_limit: float | None, workers: opt.Workers) -> int:
    """Search until all is done or something stops it; report it, and return the exit status."""
    with run:

        def report_it() -> int:
            so_far = run.standing()
            _report(so_far, report, time_limit, run.workers)
            end = INTERRUPTED if watch.pressed else exit_status(so_far.result.stopped_by)
            if end != DONE:
                say(f"to go on: exactcover run resume {run.folder}")
            return end

        def work(_: Run, progress: Progress) -> None:
            team = workers.named() or Threads(workers.number)
            progress.resume(run)
            run.go_on(team, time_limit=time_limit, shown=progress.show)

        return run_search(run.terms.puzzle, run, report_it, work)


def _report(
    standing: Standing, report: Printer, time_limit: float | None = None, workers: int = 0
) -> None:
    """Report how far a run is.

    workers  how many have searched. Default: 0, not known
    """
    result = standing.result
    report(
        standing.record(), [_line(standing, time_limit)], standing.terms.document,
        solutions=result.solutions, whole=result.whole, workers=workers or None,
    )  # fmt: skip


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
        parts.append(f"part {joined(map(str, standing.parts), ', ')} of {terms.parts}")
    if standing.status != "part":
        parts.append(
            f"{totals.done:.2%} searched in {duration(totals.seconds)} of work, "
            f"{quantity(totals.tasks_done, 'task')} done, {totals.tasks_waiting:,} waiting"
        )
    ends = {
        "searching": "a run is at work",
        "limit": stopped_words("time", seconds=time_limit),
        "interrupted": "nobody at work",
    }
    return "; ".join([*parts, *filter(None, [ends.get(standing.status)])])
