"""`solve` and `count`: solutions, printed or written to files, and their number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from exactcover.base.text.names import escaped
from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, STOPPED, say, watch
from exactcover.cli.files import (
    ON_ONE_SHEET,
    GivenPuzzles,
    Target,
    output_option,
    picture_file,
    save_solutions,
)
from exactcover.cli.progress import Progress
from exactcover.cli.reports import emit, parts_text, quantity, with_origin
from exactcover.cli.searches import (
    best_of,
    let_finish,
    record_of_search,
    report_search,
    run_search,
    searching,
)
from exactcover.cli.solution_files import (
    OUTPUTS,
    JsonObject,
    Sink,
    SinkOf,
    TextSink,
    opened,
)
from exactcover.errors import TooLarge

if TYPE_CHECKING:
    from exactcover.base.values import Convention
    from exactcover.formats import Document
    from exactcover.search.planned import Team
    from exactcover.search.result import Solution
    from exactcover.search.solving import Solving

LARGEST_SEED = (1 << 63) - 1

HALF = "Default: half of the free memory."

OF_A_SEARCH = (
    "first", "limit", "time_limit", "strategy", "stats", "workers",
    "processes", "cluster",
)  # fmt: skip
"""Fields of the options that mean nothing where solutions are drawn at random."""


@dataclass(frozen=True)
class Switches(opt.SearchOptions, opt.Workers):
    """The options that `solve` and `count` share."""

    stats: bool = opt.flag(
        "--stats", help="Say what filters and search did, and which symmetries the solutions have."
    )

    def arguments(self, team: Team | None) -> dict[str, Any]:
        """The arguments of a search."""
        return {
            "counted": self.counted,
            "strategy": self.strategy,
            "time_limit": self.time_limit,
            "tally": self.stats,
            "team": team,
        }


@dataclass(frozen=True)
class SolveOptions(opt.TextLook, Switches, opt.Few):
    seed: int | None = opt.integer(
        "--seed", least=0, most=LARGEST_SEED,
        help="With --first: repeat the random choices of a run; 0 if you do not say. With "
        "--random: draw the same solutions again; others each time if you do not say.",
    )  # fmt: skip
    random: int | None = opt.integer(
        "--random",
        help="Draw N solutions at random from all of them, symmetric copies among them, each as "
        "likely as any other; one may be drawn twice. All are counted for that, not listed.",
    )
    memory: int | None = opt.integer(
        "--memory", metavar="MIB", help=f"With --random: memory limit for states, in MiB. {HALF}"
    )
    quiet: bool = opt.flag("-q", "--quiet", help="Do not print solutions.")
    with_solutions: bool = opt.flag(
        "--with-solutions", help="With --json, put the solutions into the object."
    )
    output: Target | None = output_option(
        OUTPUTS, ".txt",
        help="Write the solutions to FILE instead; .txt, .json or .jsonl. A folder, or a "
        "name without an ending, gets a .txt file a puzzle.",
    )  # fmt: skip
    picture: Path | None = picture_file(
        f"the solutions, up to {ON_ONE_SHEET} on a sheet", pages=True
    )

    def __post_init__(self) -> None:
        Switches.__post_init__(self)
        opt.Few.__post_init__(self)
        if self.random is not None:
            name = opt.first_given(self, OF_A_SEARCH)
            if self.counted not in (None, "all"):
                name = f"--counted {self.counted}"
            if name:
                raise click.UsageError(f"--random draws from all solutions: leave out {name}")
            if self.as_json and self.output is None:
                object.__setattr__(self, "with_solutions", True)
        elif self.memory is not None:
            raise click.UsageError("--memory goes with --random")
        if self.seed is not None and self.limit != 1 and self.random is None:
            raise click.UsageError("--seed goes with --first or --random")
        if self.with_solutions and not self.as_json:
            raise click.UsageError("--with-solutions goes with --json")

    @property
    def by_portfolio(self) -> bool:
        """Whether a portfolio may search for one solution: nothing asks for another search."""
        plainly = self.strategy or self.stats or self.processes or self.cluster
        return self.limit == 1 and not plainly


@opt.puzzle_command(SolveOptions)
def solve(puzzles: tuple[str, ...], options: SolveOptions) -> int:
    """Find solutions and print them, or draw some at random."""
    output, picture = options.output, options.picture
    drawn: list[Solution] | None = None if picture is None else []
    file: SinkOf | None = None
    with ExitStack() as closing:

        def sinks_of(document: Document) -> list[Sink]:
            nonlocal file
            if output is not None and (file is None or output.in_folder):
                # After a puzzle is read, so that a slip leaves the file as it was.
                closing.close()
                file = closing.enter_context(opened(output.file_of(document), options))
            sinks: list[Sink] = [] if file is None else [file(document)]
            if file is None and not options.quiet and not options.as_json:
                sinks.append(TextSink(sys.stdout, options))
            if options.with_solutions:
                sinks.append(JsonObject(sys.stdout, document))
            return sinks

        def answer(document: Document) -> int:
            if options.random is not None:
                return _draw(document, options, sinks_of, drawn)
            solving = _solving(document, options)
            sinks = sinks_of(document)
            report = partial(
                report_search,
                document,
                solving,
                options,
                sinks,
                emits=options.as_json and not options.with_solutions,
                seed=(options.seed or 0) if options.by_portfolio else None,
            )

            def last_words() -> None:
                report()
                closing.close()

            with watch.reporting():
                try:
                    _list_solutions(document, solving, sinks, last_words, drawn)
                except TooLarge as error:
                    return report(too_large=error)
                except BaseException:
                    # The output must be valid JSON however the run ends.
                    record = record_of_search(document, solving.result, options)
                    for sink in sinks:
                        if sink.begun:
                            sink.close(record | {"status": "interrupted"})
                    raise
                if (best := best_of(solving)) is not None:
                    pieces = quantity(len(best.options), "piece")
                    for sink in sinks:
                        if isinstance(sink, TextSink):
                            sink.add_partial(best, f"# --- BEST PARTIAL PACKING: {pieces} ---")
                end = report()
            return INTERRUPTED if watch.late else end

        status = GivenPuzzles(puzzles, options.time_limit).answer(answer)
    if picture is not None and drawn is not None:
        save_solutions(drawn, picture)
    return status


# -- searching ------------------------------------------------------------------------------------


def _solving(document: Document, options: SolveOptions) -> Solving:
    from exactcover.search.solving import Solving, find_one

    _note_oddities(document, options.counted)
    with document.faults_placed():
        if options.by_portfolio:
            from exactcover.runs.portfolio import Finding

            return Finding(
                document.content,
                counted=options.counted,
                time_limit=options.time_limit,
                workers=options.workers,
                seed=options.seed or 0,
            )
        limit = options.limit
        arguments = options.arguments(options.team(limited=limit is not None))
        if limit == 1:
            return find_one(document.content, **arguments)
        return Solving(document.content, limit=limit, **arguments)


def _note_oddities(document: Document, counted: Convention | None = None) -> None:
    """Report which pieces that can move are not connected, as a letter of a drawing may be wrong,
    and that a plain problem has no symmetries, if the options name some."""
    if document.puzzle is None:
        if counted not in (None, "all"):
            say(f"{document.name}: a plain problem has no symmetries, so all its solutions count")
        return
    with document.faults_placed():
        in_parts = document.puzzle.in_parts
    if in_parts:
        say(escaped(f"{document.name}: {parts_text(in_parts)}; each moves as one piece"))


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
    if not sinks and drawn is None:
        run_search(document.name, solving, last_words)
        return
    on_terminal = any(isinstance(sink, TextSink) for sink in sinks)
    with searching(document.name, solving, last_words) as progress:
        solving.between = progress.show
        for number, solution in enumerate(solving, 1):
            watch.handing = True
            if watch.pressed:
                let_finish()
            began = perf_counter()
            if on_terminal:
                progress.clear()
            for sink in sinks:
                sink.add(solution, number)
            if drawn is not None and len(drawn) < ON_ONE_SHEET:
                drawn.append(solution)
            progress.show(solving)
            solving.elapse(perf_counter() - began)
            watch.handing = False


# -- counting -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountOptions(opt.Strict, Switches):
    limit: int | None = opt.integer("--limit", least=0, help="Stop once N solutions are counted.")
    memory: int | None = opt.integer(
        "--memory", metavar="MIB", help=f"Memory limit for counting by states, in MiB. {HALF}"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory is not None and self.strategy:
            raise click.UsageError(
                "--memory is for counts that list nothing: with --strategy say it there, as in "
                "'automaton:narrow memory=2000'"
            )
        if self.memory is not None and self.limit is not None:
            raise click.UsageError("--memory is for counts of all solutions: leave out --limit")


@opt.puzzle_command(CountOptions)
def count(puzzles: tuple[str, ...], options: CountOptions) -> int:
    """Count the solutions, without listing them where that takes less work."""
    from exactcover.search.counting.counts import Counting

    def answer(document: Document) -> int:
        _note_oddities(document, options.counted)
        arguments = options.arguments(options.team(limited=options.limit is not None))
        with document.faults_placed():
            counting = Counting(
                document.content, limit=options.limit, memory=options.memory, **arguments
            )
        report = partial(
            report_search, document, counting, options, emits=options.as_json, strict=options.strict
        )
        with watch.reporting():
            try:
                run_search(document.name, counting, report)
            except TooLarge as error:
                return report(too_large=error)
            end = report()
        return INTERRUPTED if watch.late else end

    return GivenPuzzles(puzzles, options.time_limit).answer(answer)


# -- drawing at random ----------------------------------------------------------------------------


def _draw(
    document: Document,
    options: SolveOptions,
    sinks_of: Callable[[Document], list[Sink]],
    pictured: list[Solution] | None,
) -> int:
    """Draw solutions at random, and write them into the sinks; return the exit status.

    pictured  takes the first of them, for a picture; None: there is none
    """
    from exactcover.search.counting.sampling import all_solutions
    from exactcover.search.driver import Clock
    from exactcover.search.result import Solution

    assert options.random is not None
    _note_oddities(document)
    clock = Clock()
    with clock.running():
        model, problem = document.model, document.problem
    progress = Progress(document.name)
    try:
        with clock.running(), progress.ticking("counting solutions"):
            made = all_solutions(document.content, memory=options.memory)
    except TooLarge as error:
        if options.as_json:
            emit({"puzzle": document.name, "status": "limit", "counted": "all"})
        say(escaped(str(error)))
        return STOPPED
    drawn: list[Solution] = []
    with clock.running(), progress:
        for chosen in made.samples(options.random, options.seed):
            drawn.append(Solution(chosen, problem, model))
            progress.tell(f"{len(drawn):,} of {options.random:,} drawn")
    if pictured is not None:
        pictured.extend(drawn[: ON_ONE_SHEET - len(pictured)])
    reason = "" if model is None else model.reason
    record: dict[str, Any] = {
        "puzzle": document.name,
        "status": "complete" if made.count else "impossible",
        "solutions": made.count,
        "counted": "all",
        "seconds": round(clock.working, 6),
        "compiling": round(clock.compiling, 6),
    }
    if reason:
        record["reason"] = reason
    if options.as_json or options.output is not None:
        origin = {"solutions": made.count, "whole": True, "strategies": ("diagram",)}
        record = with_origin(record, document, seed=options.seed, **origin)
    for sink in sinks_of(document):
        try:
            for number, solution in enumerate(drawn, 1):
                sink.add(solution, number)
        finally:
            sink.close(record)
    if not options.as_json:
        why = f": {reason}" if reason else ""
        count = quantity(made.count, "solution")
        click.echo(f"{document.name}: {len(drawn):,} drawn from {count}{why}")
    elif not options.with_solutions:
        emit(record)
    return DONE
