"""`solve` and `count`: solutions, printed or written to files, and their number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click

import exactcover as ec
from exactcover.base.text import escaped
from exactcover.base.values import Convention
from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, INTERRUPTED, exit_status, say, screen
from exactcover.cli.files import ON_ONE_SHEET, GivenPuzzles, Target, save_solutions
from exactcover.cli.progress import Progress, run_further, run_search, step_by_step
from exactcover.cli.reports import (
    LINES,
    Printer,
    Sink,
    by_remaining,
    draw_solution,
    end_words,
    parts_text,
    quantity,
    solutions,
    written,
)
from exactcover.errors import TooLarge
from exactcover.formats import Document
from exactcover.runs import Finding
from exactcover.search.clock import Clock
from exactcover.search.counting.stored import compared, notes
from exactcover.search.judge import NO_SYMMETRY
from exactcover.show.palette import Wish

OF_A_SEARCH = ("limit", "time_limit", "strategy", "stats", "workers", "processes", "cluster")
"""Options that mean nothing where solutions are drawn at random."""


@opt.command()
@opt.puzzles
@opt.few
@opt.whole("--random", help="Draw N solutions at random from all.")
@opt.seed(help="Of the choices of --random and --first.")
@opt.memory(help="With --random: limit. Default: half of the free.")
@opt.stats
@opt.quiet
@opt.color
@opt.output(endings=LINES, in_folder=".jsonl", help="Lines of JSON: .jsonl, or a folder.")
@opt.flag("--with-solutions", help="With --json: solutions in the object.")
@opt.picture(help=f"Also draw up to {ON_ONE_SHEET} solutions: .svg, .png, .html.")
@opt.usual
@opt.question
@opt.workers
def solve(
    puzzles: tuple[str, ...],
    report: Printer,
    output: Target | None,
    picture: Path | None,
    color: Wish,
    with_solutions: bool,
    quiet: bool,
    random: int | None,
    memory: int | None,
    seed: int | None,
    stats: bool,
    workers: opt.Workers,
    limit: int | None,
    strategy: str | None,
    **asked: Any,
) -> int:
    """Find solutions and print them, or draw some at random."""
    if random is not None:
        name = opt.given(*OF_A_SEARCH)
        if (counted := asked["counted"]) not in (None, "all"):
            name = f"--counted {counted}"
        if name:
            raise click.UsageError(f"--random draws from all solutions: leave out {name}")
        with_solutions |= report.as_json and output is None
    elif memory is not None:
        raise click.UsageError("--memory goes with --random")
    elif seed is not None and limit != 1:
        raise click.UsageError("--seed goes with --first or --random")
    if with_solutions and not report.as_json:
        raise click.UsageError("--with-solutions goes with --json")
    drawn = None if quiet or report.as_json else color
    sink = Sink(output, drawn, keep=with_solutions, picture=ON_ONE_SHEET if picture else 0)

    def answer(document: Document) -> int:
        _note_oddities(document, asked["counted"])
        if random is not None:
            return _draw(document, random, seed, memory, sink, report)
        if limit == 1 and not (strategy or stats or workers.processes or workers.cluster):
            search: ec.Solving = Finding(
                document.content, workers=workers.number, seed=seed or 0, **asked
            )
        else:
            team = workers.team(limited=limit is not None)
            search = ec.Solving(
                document.content, strategy=strategy, limit=limit, tally=stats, team=team, **asked
            )
        sink.begin(document)
        own_seed = seed or 0 if limit == 1 else None
        return _searched(document, search, report, stats=stats, sink=sink, seed=own_seed)

    with closing(sink):
        status = GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)
    if picture is not None:
        save_solutions(sink.pictured, picture)
        if (shown := len(sink.pictured)) < sink.taken:
            say(
                f"{picture} has the first {shown} of {sink.taken:,} solutions; "
                "`exactcover draw --solutions N` draws more"
            )
    return status


def _note_oddities(document: Document, counted: Convention | None) -> None:
    """Report which pieces that can move are not connected, as a letter of a drawing may be wrong,
    and that a plain problem has no symmetries, if the options name some."""
    if document.puzzle is None:
        if counted not in (None, "all"):
            say(f"{document.name}: a plain problem has no symmetries, so all its solutions count")
    elif in_parts := document.puzzle.in_parts:
        say(escaped(f"{document.name}: {parts_text(in_parts)}; each moves as one piece"))


def _draw(
    document: Document,
    number: int,
    seed: int | None,
    memory: int | None,
    sink: Sink,
    report: Printer,
) -> int:
    """Draw solutions at random, and report them."""
    from exactcover.search.counting.sampling import all_solutions

    clock = Clock()
    with clock.running(), Progress(document.name).ticking("counting solutions"):
        model, problem = document.model, document.problem
        made = all_solutions(document.content, memory=memory)
    drawn: list[ec.Solution] = []
    with clock.running(), Progress(document.name) as progress:
        for chosen in made.samples(number, seed):
            drawn.append(ec.Solution(chosen, problem, model))
            progress.tell(f"{len(drawn):,} of {number:,} drawn")
    sink.begin(document)
    for position, solution in enumerate(drawn, 1):
        sink.add(solution, position)
    reason = "" if model is None else model.reason
    record = sink.record | {
        "status": "complete" if made.count else "impossible",
        "solutions": made.count,
        "counted": "all",
        "seconds": clock.working,
        "compiling": clock.compiling,
        "reason": reason,
    }
    line = f"{document.name}: {len(drawn):,} drawn from {quantity(made.count, 'solution')}"
    report(
        record, [f"{line}{': ' * bool(reason)}{reason}"], document,
        seed=seed, solutions=made.count, whole=True, strategies=("diagram",),
    )  # fmt: skip
    return DONE


# -- counting -------------------------------------------------------------------------------------


@opt.command()
@opt.puzzles
@opt.limit
@opt.memory(help="Limit of counting by states. Default: half of the free.")
@opt.strict
@opt.stats
@opt.usual
@opt.question
@opt.workers
def count(
    puzzles: tuple[str, ...],
    report: Printer,
    workers: opt.Workers,
    limit: int | None,
    memory: int | None,
    stats: bool,
    strict: bool,
    **asked: Any,
) -> int:
    """Count the solutions.

    They are not listed where that takes less work. A list of puzzles, a .csv file, is for `batch`.
    """
    if memory is not None and (name := opt.given("strategy", "limit", "stats")):
        raise click.UsageError(
            f"--memory is for counts that list nothing: leave out {name}; a strategy says it "
            "itself, as in 'automaton:narrow memory=2000'"
        )

    def answer(document: Document) -> int:
        _note_oddities(document, asked["counted"])
        team = workers.team(limited=limit is not None)
        counting = ec.Counting(
            document.content, limit=limit, memory=memory, tally=stats, team=team, **asked
        )
        return _searched(document, counting, report, stats=stats, strict=strict)

    return GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)


# -- searching, and the report --------------------------------------------------------------------


def _searched(
    document: Document,
    search: ec.Solving | ec.Counting,
    printer: Printer,
    *,
    stats: bool,
    strict: bool = False,
    sink: Sink | None = None,
    seed: int | None = None,
) -> int:
    """Search, hand each solution to the sink, and report; return the exit status.

    strict  a number of the file that is wrong is an error, and all are compared
    sink    takes the solutions. Default: None, they are only counted
    seed    of what is drawn at random. Default: None, nothing is
    """
    sink = sink or Sink(None, None)

    def work(search: Any, progress: Progress) -> None:
        if not sink:
            step_by_step(search, progress)
            return
        search.between = progress.show
        for number, solution in enumerate(search, 1):
            began = perf_counter()
            screen.clear()
            sink.add(solution, number)
            progress.show(search)
            search.elapse(perf_counter() - began)

    def report(too_large: TooLarge | None = None) -> int:
        result = search.result
        if too_large is not None:
            say(str(too_large))
            result = replace(result, status="limit", stopped_by="memory")
        elif result.status == "searching":  # a step that cannot be interrupted is broken off
            result = replace(result, status="interrupted")
        record = sink.record | result.record() | {"reason": result.reason, "why": result.why}
        if stats:
            record |= {"symmetries": dict(result.symmetric)} if result.symmetric else {}
            record["filters"] = [applied._asdict() for applied in result.applied]
            record["by_remaining"] = [row._asdict() for row in result.by_remaining]
        if result.status == "interrupted":
            position = [[branch + 1, branches] for branch, branches in search.position]
            record |= {"progress": round(search.progress, 6), "position": position}
            say(f"{document.name}: interrupted at {search.progress:.2%}")
        if isinstance(search, Finding) and (best := search.best) and not result.solutions:
            record["best"] = written(best)
            if sink.color is not None:
                pieces = quantity(len(best.options), "piece")
                draw_solution(f"# --- BEST PARTIAL PACKING: {pieces} ---", best, sink.color)
        memory = 0 if too_large is None else too_large.limit
        told = lines(document, result, stats, seconds=search.time_limit, memory=memory)
        if not printer.as_json:
            printer({}, told)
        if strict:
            record |= _against_stored(document, result, search.time_limit)
        printer(
            record, (), document,
            solutions=result.solutions, whole=result.whole, seed=seed, workers=search.workers,
        )  # fmt: skip
        end = exit_status(result.stopped_by, result.status)
        return DIFFERENT if end != INTERRUPTED and "warning" in record else end

    try:
        return run_search(document.name, search, report, work)
    except TooLarge as error:
        return report(error)


def lines(document: Document, result: ec.Result, stats: bool, **limits: Any) -> Iterator[str]:
    """The report for a person."""
    end = end_words(result, solutions=result.solutions, **limits)
    yield f"{document.name}: {solutions(result.solutions, result.counted, document)}{end}"
    if result.why:
        yield f"  by {result.strategy}: {result.why}"
    if not stats:
        return
    if result.symmetric.keys() - {NO_SYMMETRY}:
        for group, number in result.symmetric.items():
            yield f"  {number:,} with {group}"
    for applied in result.applied:
        note = f" ({applied.note})" if applied.note else ""
        yield f"  {applied.filter}: {applied.removed:,} options removed{note}"
    yield from by_remaining(result.by_remaining)
    yield (
        f"  {result.fits:,} fits, {result.nofits:,} no-fits, {result.seconds:.3f} s, "
        f"strategy {result.strategy}"
    )


def _against_stored(
    document: Document, result: ec.Result, time_limit: float | None
) -> dict[str, Any]:
    """Compare the numbers of the file with the result; return the comparison for a script.

    A person reads it on standard error.
    """
    if time_limit is not None:
        time_limit = max(0.0, time_limit - result.seconds - result.compiling)
    found = compared(
        document, {result.counted: result.solutions}, result.whole, time_limit,
        partial(run_further, document.name),
    )  # fmt: skip
    if "warning" in found:
        say(f"warning: {document.name}: {found['warning']}")
    for note in notes(document, found):
        say(f"{document.name}: {note}")
    return found
