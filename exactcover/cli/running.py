"""`run`, `run resume`, `run status` and `run merge`: long runs that keep a ledger."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.commands import WithParts
from exactcover.cli.console import (
    INTERRUPTED,
    counting_options,
    emit,
    json_option,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.ends import DONE, exit_status, stopped_words
from exactcover.cli.figures import duration
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.outputs import OUTPUTS, Output, needs, opened
from exactcover.cli.pictures import Look
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.reports import against_stored
from exactcover.cli.workers import MOST, executor_of, where_options
from exactcover.cli.writing import file_option, folder_option
from exactcover.errors import ExactCoverError
from exactcover.values.conventions import COUNTED_AS, Convention

if TYPE_CHECKING:
    from exactcover.ledger.ledger import Ledger, Terms
    from exactcover.ledger.resuming import Run
    from exactcover.ledger.standing import Standing
    from exactcover.runs.executors import Executor
    from exactcover.runs.jobs import Outcome, Portion

PART = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")

Command = Callable[..., Any]

directory_argument = click.argument(
    "directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path)
)


def working_options(command: Command) -> Command:
    """The options of the commands that search."""
    for option in (
        click.option(
            "--workers", metavar="N", type=click.IntRange(min=1, max=MOST),
            help="Search with N threads, which share the tree. Default: one for each free "
            "processor.",
        ),
        *where_options,
        click.option(
            "--time-limit", metavar="S", type=click.FloatRange(min=0),
            help="Stop after S seconds; `run resume` goes on.",
        ),
        plugin_option,
        progress_option,
        json_option,
    )[::-1]:  # fmt: skip
        command = option(command)
    return command


def _part(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, int]:
    """The part that `2/4` names."""
    read = PART.fullmatch(text)
    if read is None:
        raise click.BadParameter(f"{text!r}: write I/N, as in 2/4: part 2 of 4")
    return int(read[1]), int(read[2])


@click.command(cls=WithParts)
@puzzle_argument
@folder_option(
    "--dir", "directory",
    help="The folder of the ledger; it is made if it is not there. A run that is there already "
    "goes on if it is the same.",
)  # fmt: skip
@counting_options("What counts as one solution, as in `solve`. Default: 'rotations'.")
@click.option(
    "--strategy", metavar="TEXT", help="How to search, as in `solve`. Default: chosen for you."
)
@click.option("--no-solutions", is_flag=True, help="Count solutions without keeping them.")
@click.option(
    "--part", metavar="I/N", default="1/1", callback=_part,
    help="Search only part I of N, for machines that share nothing; `run merge` joins the parts.",
)  # fmt: skip
@working_options
def run(
    puzzles: tuple[str, ...],
    directory: Path,
    counted: Convention | None,
    strategy: str | None,
    no_solutions: bool,
    part: tuple[int, int],
    workers: int | None,
    processes: bool,
    cluster: str | None,
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Search for long, with a ledger that survives whatever stops the search.

    All that is finished is in DIR/ledger.sqlite. `run resume DIR` goes on from there after Ctrl-C,
    a crash or a power cut, also on another machine or with another number of workers.
    """
    from exactcover.ledger import Run

    began = Run.begin(
        directory,
        read_all(puzzles, together=True),
        counted=counted,
        strategy=strategy,
        keep=not no_solutions,
        part=part,
    )
    executor = executor_of(workers, processes=processes, cluster=cluster)
    return _go_on(began, executor, time_limit, as_json)


@click.command()
@directory_argument
@working_options
def resume(
    directory: Path,
    workers: int | None,
    processes: bool,
    cluster: str | None,
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Go on with a run that was stopped."""
    from exactcover.ledger import Run

    executor = executor_of(workers, processes=processes, cluster=cluster)
    return _go_on(Run.open(directory), executor, time_limit, as_json)


@click.command()
@directory_argument
@file_option(
    "--solutions", "output", endings=OUTPUTS, needs=needs,
    help="Write the solutions so far to FILE, in an order that does not depend on the workers; "
    ".txt, .json, .jsonl or .parquet.",
)  # fmt: skip
@json_option
def status(directory: Path, output: Path | None, as_json: bool) -> None:
    """Say how far a run is, also while it goes on."""
    from exactcover.ledger import standings

    if output is not None:
        _write_solutions(directory, output)
    for standing in standings(directory):
        _tell(standing, as_json)


@click.command()
@click.argument("directories", metavar="DIR...", nargs=-1, required=True)
@folder_option("--into", help="The folder of the joined ledger; it may have some parts already.")
@json_option
def merge(directories: tuple[str, ...], into: Path, as_json: bool) -> None:
    """Join the ledgers of a run that was searched in parts.

    No part counts twice, however often it is merged.
    """
    from exactcover.ledger.merging import merge as merged

    for standing in merged(directories, into):
        _tell(standing, as_json)


# -- searching ------------------------------------------------------------------------------------


def _go_on(
    run: Run,
    working: AbstractContextManager[Executor[Portion, Outcome]],
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Search until all is done or something stops it; report it, and return the exit status."""
    from exactcover.ledger.ledger_file import network_disk

    until = None if time_limit is None else monotonic() + time_limit
    end = DONE
    if kind := network_disk(run.folder):
        click.echo(
            f"exactcover: {run.folder} is on a network disk ({kind}): a local disk is faster, and "
            "lets `run status` read while the run writes",
            err=True,
        )
    if run.mended:
        from exactcover.ledger.checksums import told

        words = f"{told(run.mended, 'was', 'were')} damaged, and what is lost is searched again"
        click.echo(f"exactcover: {run.folder}: {words}", err=True)
    with run, working as executor:
        for one in run.puzzles:
            progress = Progress(one.name)
            with stopping_on_interrupt(run):
                one.go_on(executor, until=until, shown=progress.show)
            progress.clear()
            standing = one.standing()
            _tell(standing, as_json, time_limit)
            if standing.status in ("complete", "impossible"):
                from exactcover.ledger.terms import document_of

                file = document_of(one.terms)
                against_stored(file, standing.result, time_limit, silent=as_json)
            end = max(end, exit_status(standing.result.stopped_by))
            if run.stopped:
                end = INTERRUPTED
                break
        if end != DONE:
            click.echo(f"exactcover: to go on: exactcover run resume {run.folder}", err=True)
    return end


# -- reports --------------------------------------------------------------------------------------


def _tell(standing: Standing, as_json: bool, time_limit: float | None = None) -> None:
    """Report a run: an object, or a line."""
    if as_json:
        emit(standing.record())
        return
    terms, totals = standing.terms, standing.totals
    noun = "solution" if totals.solutions == 1 else "solutions"
    line = f"{terms.puzzle}: {totals.solutions:,} {noun} ({COUNTED_AS[terms.counted]})"
    if standing.status == "impossible":
        click.echo(f"{line}: {terms.reason}")
        return
    if standing.status == "complete":
        click.echo(line)
        return
    parts = [f"{line} so far"]
    if terms.parts > 1:
        parts.append(_parts_words(standing))
    if standing.status != "part":
        parts.append(
            f"{totals.done:.2%} searched in {duration(totals.seconds)} of work, "
            f"{totals.tasks_done:,} tasks done, {totals.tasks_waiting:,} waiting"
        )
    if standing.status == "searching" and standing.at_work is not None:
        many = standing.at_work.workers
        left = "" if standing.left is None else f", about {duration(standing.left)} left"
        parts.append(f"{many} {'worker' if many == 1 else 'workers'} at work{left}")
    elif standing.status == "limit":
        parts.append(stopped_words("time", seconds=time_limit))
    elif standing.status == "interrupted":
        parts.append("nobody works on it")
    click.echo("; ".join(parts))


def _parts_words(standing: Standing) -> str:
    """Which parts there are."""
    missing = standing.missing
    if not missing:
        return f"all {standing.terms.parts} parts"
    if len(standing.parts) == 1:
        return f"part {standing.parts[0]} of {standing.terms.parts}"
    words = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
    noun = "part" if len(missing) == 1 else "parts"
    return f"{noun} {words} of {standing.terms.parts} missing"


# -- solutions ------------------------------------------------------------------------------------


def _write_solutions(directory: Path, output: Path) -> None:
    """Write the solutions of a ledger to a file, sorted by their option numbers."""
    from exactcover.ledger.ledger import Ledger

    with Ledger.open(directory) as ledger, ledger.unchanging():
        without = [one.puzzle for one in ledger.runs().values() if not one.keep]
        if without:
            raise ExactCoverError(
                f"{directory}: solutions of {', '.join(without)} were counted, not kept: the run "
                "began with --no-solutions"
            )
        with opened(output, Look(None, "never")) as file:
            for run, terms in ledger.runs().items():
                _list(ledger, run, terms, file)


def _list(ledger: Ledger, run: int, terms: Terms, file: Output) -> None:
    """Write the solutions of one run."""
    from exactcover.ledger.listing import in_order
    from exactcover.ledger.standing import standing_of
    from exactcover.ledger.terms import document_of, subject_of
    from exactcover.search.result import Solution

    subject = subject_of(terms)
    sink = file.sink(document_of(terms))
    for options in in_order(ledger, run):
        sink.add(Solution(options, subject.problem, subject.model))
    sink.close(standing_of(ledger, run).record())
