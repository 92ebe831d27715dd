"""`solve` and `count`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.best import draw_best
from exactcover.cli.console import (
    INTERRUPTED,
    Command,
    counting_options,
    failing_alone,
    json_option,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
    strict_option,
)
from exactcover.cli.drawing import ON_ONE_SHEET, picture_file, save_solutions
from exactcover.cli.ends import DONE, worse
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.outputs import OUTPUTS, Output, Sink, TextSink, needs, object_on, opened
from exactcover.cli.pictures import look_of, picture_options
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.reports import record_of_search, report
from exactcover.cli.workers import team_of, workers_options
from exactcover.cli.writing import Target, output_option
from exactcover.errors import TooLarge
from exactcover.values.conventions import Convention

if TYPE_CHECKING:
    from exactcover.counting.counts import Counting
    from exactcover.formats import Document
    from exactcover.search.planned import Team
    from exactcover.search.result import Solution
    from exactcover.search.solving import Solving

LARGEST_SEED = (1 << 63) - 1

UNIQUE = ("rotations", "reflections")
"""The values of `--unique`, the old word for `--counted`."""


@dataclass(frozen=True)
class Switches:
    """The switches that `solve` and `count` share."""

    strategy: str | None
    time_limit: float | None
    counted: Convention | None
    symmetries: bool
    stats: bool
    as_json: bool
    workers: int | None = None
    processes: bool = False
    cluster: str | None = None
    in_order: bool = False
    with_solutions: bool = False
    strict: bool = False
    cache: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.symmetries and self.counted == "all":
            raise click.UsageError(
                "--symmetries are those of solutions counted up to rotations or reflections: "
                "leave out --all"
            )
        if self.with_solutions and not self.as_json:
            raise click.UsageError("--with-solutions goes with --json")
        if self.cluster is not None and self.processes:
            raise click.UsageError("--cluster and --processes are two ways: give one of them")
        if self.cluster not in (None, "local") and self.workers is not None:
            raise click.UsageError("--workers goes with --cluster local: a cluster has its own")

    def asked(self, limit: int | None = None) -> dict[str, Any]:
        """The arguments of a search that the switches ask for; it ends after `limit` solutions."""
        return {
            "counted": self.counted,
            "strategy": self.strategy,
            "time_limit": self.time_limit,
            "tally": self.stats,
            "team": self._team(limit),
            "cache": self.cache,
        }

    @property
    def by_portfolio(self) -> bool:
        """Whether a portfolio may search for one solution: nothing asks for another search."""
        plainly = self.strategy or self.symmetries or self.stats or self.in_order
        return not (plainly or self.processes or self.cluster)

    def _team(self, limit: int | None) -> Team | None:
        """Who searches; None: the main thread alone.

        Which solutions several workers find first is chance, so nobody gets them without asking.
        """
        return team_of(
            self.workers,
            processes=self.processes,
            cluster=self.cluster,
            in_order=self.in_order,
            limited=limit is not None,
        )


class SearchCommand(click.Command):
    """A command whose `--unique`, the old word for `--counted`, may stand without its argument."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [*_unique_completed(args)])


def _unique_completed(args: list[str]) -> Iterator[str]:
    """The arguments, `--unique` without a way of counting made `--unique=rotations`."""
    for word, following in zip_longest(args, args[1:]):
        alone = word == "--unique" and following not in UNIQUE
        yield "--unique=rotations" if alone else word


def search_options(command: Command) -> Command:
    """Add the switches of `Switches` to a command."""
    for option in (
        counting_options(
            "What counts as one solution: 'rotations' (the default): solutions that are "
            "rotations of each other, within what the pieces may do, count once; 'reflections': "
            "mirror images count once too, where the set of pieces has each piece's mirror image; "
            "'all': every solution counts. A plain problem has no symmetries: all count.",
        ),
        click.option("--unique", type=click.Choice(UNIQUE), hidden=True),
        click.option("--symmetries", is_flag=True, help="Say which symmetries the solutions have."),
        click.option(
            "--strategy",
            metavar="TEXT",
            help="How to search: filters, then BACKEND:HEURISTIC, as in 'redundancy; volume; "
            "dlx:s'. Chosen for you if you do not say.",
        ),
        click.option(
            "--time-limit", metavar="S", type=click.FloatRange(min=0), help="Stop after S seconds."
        ),
        click.option(
            "--no-cache",
            "cache",
            is_flag=True,
            default=True,
            flag_value=False,
            help="Do not use the strategy that `tune` found best.",
        ),
        *workers_options,
        plugin_option,
        progress_option,
        click.option("--stats", is_flag=True, help="Say what filters and search did."),
        json_option,
    )[::-1]:
        command = option(command)
    return command


@click.command(cls=SearchCommand)
@puzzle_argument
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="Stop after N solutions.")
@click.option("--first", is_flag=True, help="Stop after one solution.")
@click.option(
    "--seed", metavar="N", type=click.IntRange(min=0, max=LARGEST_SEED),
    help="With --first: repeat the random choices of a run. Default: 0.",
)  # fmt: skip
@click.option(
    "--in-order", is_flag=True, help="Several workers: the order of solutions is that of one."
)
@click.option("-q", "--quiet", is_flag=True, help="Do not print solutions.")
@click.option(
    "--with-solutions", is_flag=True, help="With --json, put the solutions into the object."
)
@output_option(
    OUTPUTS, ".txt", needs=needs,
    help="Write the solutions to FILE instead; .txt, .json, .jsonl or .parquet. A folder, or a "
    "name without an ending, gets a .txt file a puzzle.",
)  # fmt: skip
@picture_file(f"the solutions, up to {ON_ONE_SHEET} on a sheet", pages=True)
@picture_options
@search_options
def solve(
    puzzles: tuple[str, ...],
    limit: int | None,
    first: bool,
    quiet: bool,
    output: Target | None,
    picture: Path | None,
    **options: Any,
) -> int:
    """Find solutions and print them."""
    if first and limit is not None:
        raise click.UsageError("--first is --limit 1: give one of the two")
    limit = 1 if first else limit
    if options["seed"] is not None and limit != 1:
        raise click.UsageError("--seed goes with --first")
    look = look_of(options)
    switches = Switches(**options)
    drawn: list[Solution] | None = None if picture is None else []
    file: Output | None = None
    status = DONE
    with ExitStack() as closing:
        for document in read_all(puzzles, switches.time_limit):
            with failing_alone(document):
                solving = _solving(document, switches, limit)
                if output is not None and (file is None or output.in_folder):
                    # After a puzzle is read, so that a slip leaves the file as it was.
                    closing.close()
                    file = closing.enter_context(opened(output.file_of(document), look))
                sinks: list[Sink] = [] if file is None else [file.sink(document)]
                if file is None and not quiet and not switches.as_json:
                    sinks.append(TextSink(sys.stdout, look))
                if switches.with_solutions:
                    sinks.append(object_on(sys.stdout, document))

                def last_words(*run: Any) -> None:
                    report(*run)
                    closing.close()

                last = partial(last_words, document, solving, switches, sinks)
                end = _listed(document, solving, switches, sinks, last, drawn)
                status = max(status, end)
                if end == INTERRUPTED:
                    break
    if picture is not None and drawn is not None:
        save_solutions(drawn, picture)
    return status


@click.command(cls=SearchCommand)
@puzzle_argument
@click.option(
    "--memory", metavar="MIB", type=click.IntRange(min=1),
    help="Memory limit for counting by states, in MiB. Default: half of the free memory.",
)  # fmt: skip
@click.option(
    "--spill", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, writable=True),
    help="Folder for states that do not fit in memory; temporary files are removed.",
)  # fmt: skip
@strict_option
@search_options
def count(puzzles: tuple[str, ...], memory: int | None, spill: str | None, **options: Any) -> int:
    """Count the solutions, without listing them where that takes less work."""
    switches = Switches(**options)
    if (memory is not None or spill is not None) and (switches.strategy or switches.symmetries):
        raise click.UsageError(
            "--memory and --spill are for counts that list nothing: with --strategy say it there, "
            "as in 'automaton:narrow memory=2000 spill=FOLDER'; --symmetries lists"
        )
    status = DONE
    for document in read_all(puzzles, switches.time_limit):
        with failing_alone(document):
            solving = _counting(document, switches, memory, spill)
            progress = Progress(document.name)
            too_large = None
            try:
                with stopping_on_interrupt(solving, partial(report, document, solving, switches)):
                    notices = 0
                    # The symmetries of solutions are those of solutions handed out.
                    step = partial(_hand_out, solving) if switches.symmetries else solving.step
                    while step():
                        progress.show(solving)
                        notices = _give_notice(document, solving, progress, notices)
            except TooLarge as error:
                too_large = error
            progress.clear()
            end = report(document, solving, switches, too_large=too_large)
            if end == INTERRUPTED:
                return end
            status = worse(status, end)
    return status


# -- searching ------------------------------------------------------------------------------------


def _solving(document: Document, switches: Switches, limit: int | None) -> Solving:
    from exactcover.search.solving import Solving, find_one

    _note_symmetries(document, switches)
    with document.faults_placed():
        if limit == 1 and switches.by_portfolio:
            from exactcover.portfolio import Finding

            return Finding(
                document.content,
                counted=switches.counted,
                time_limit=switches.time_limit,
                workers=switches.workers,
                seed=switches.seed or 0,
            )
        if limit == 1 and not switches.symmetries:
            return find_one(document.content, **switches.asked(limit))
        return Solving(document.content, limit=limit, **switches.asked(limit))


def _counting(
    document: Document, switches: Switches, memory: int | None, spill: str | None
) -> Solving | Counting:
    """The count; the symmetries of solutions are known only if they are listed."""
    from exactcover.counting.counts import Counting

    if switches.symmetries:
        return _solving(document, switches, None)
    _note_symmetries(document, switches)
    with document.faults_placed():
        return Counting(document.content, memory=memory, spill=spill, **switches.asked())


def _hand_out(solving: Solving | Counting) -> bool:
    """Take the next solution; return whether there was one."""
    from exactcover.search.solving import Solving

    assert isinstance(solving, Solving)
    return next(solving, None) is not None


def _give_notice(
    document: Document, solving: Solving | Counting, progress: Progress, given: int
) -> int:
    """Say what is new to know about a search; return how many notices are given by now."""
    for notice in (notices := solving.notices)[given:]:
        progress.clear()
        click.echo(f"exactcover: {document.name}: {notice}", err=True)
    return len(notices)


def _note_symmetries(document: Document, switches: Switches) -> None:
    """Report that a plain problem has no symmetries, if the options name some."""
    if document.puzzle is None and switches.counted not in (None, "all"):
        click.echo(
            f"exactcover: {document.name}: a plain problem has no symmetries, so all its solutions "
            "count",
            err=True,
        )


def _listed(
    document: Document,
    solving: Solving,
    switches: Switches,
    sinks: Sequence[Sink],
    last_words: Callable[[], object],
    drawn: list[Solution] | None,
) -> int:
    """List the solutions and report the result; return the exit status."""
    try:
        _list_solutions(document, solving, sinks, last_words, drawn)
    except TooLarge as error:
        return report(document, solving, switches, sinks, too_large=error)
    except BaseException:
        # The output must be valid JSON however the run ends.
        record = record_of_search(document, solving.result, switches) | {"status": "interrupted"}
        for sink in sinks:
            if sink.begun:
                sink.close(record)
        raise
    for sink in sinks:
        if isinstance(sink, TextSink):
            draw_best(solving, sink)
    return report(document, solving, switches, sinks)


def _list_solutions(
    document: Document,
    solving: Solving,
    sinks: Sequence[Sink],
    last_words: Callable[[], object],
    drawn: list[Solution] | None,
) -> None:
    """Go through the solutions and write each into the sinks.

    drawn  takes the first of them, for a picture; None: there is none
    """
    progress = Progress(document.name)
    solving.between = progress.show
    on_terminal = any(isinstance(sink, TextSink) for sink in sinks)
    with stopping_on_interrupt(solving, last_words):
        if not sinks and drawn is None:
            notices = 0
            while solving.step():
                progress.show(solving)
                notices = _give_notice(document, solving, progress, notices)
        else:
            for solution in solving:
                began = perf_counter()
                if on_terminal:
                    progress.clear()
                for sink in sinks:
                    sink.add(solution)
                if drawn is not None and len(drawn) < ON_ONE_SHEET:
                    drawn.append(solution)
                progress.show(solving)
                solving.elapse(perf_counter() - began)
    progress.clear()
