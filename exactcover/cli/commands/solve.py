"""`solve` and `count`: solutions, printed or written to files, and their number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

import exactcover as ec
from exactcover.base.text.names import escaped
from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, INTERRUPTED, STOPPED, exit_status, say
from exactcover.cli.files import ON_ONE_SHEET, GivenPuzzles, Target, save_solutions
from exactcover.cli.progress import Progress
from exactcover.cli.reports import (
    Printer,
    by_remaining,
    end_words,
    parts_text,
    quantity,
    solutions,
)
from exactcover.cli.searches import run_further, run_search, step_by_step
from exactcover.cli.solution_files import LINES, Sink, draw_solution, written
from exactcover.errors import TooLarge

if TYPE_CHECKING:
    from exactcover.base.values import Convention
    from exactcover.formats import Document
    from exactcover.show.palette import Wish

OF_A_SEARCH = ("limit", "time_limit", "strategy", "stats", "workers", "processes", "cluster")
"""Options that mean nothing where solutions are drawn at random."""

LEVELS_SHOWN = 8
"""The number of tree levels shown where a search stops."""


@opt.command()
@opt.puzzles
@opt.few
@opt.whole("--random", help="Draw N solutions at random from all.")
@opt.seed(help="Of the choices of --random and --first.")
@opt.memory(help="With --random: limit. Default: half of the free.")
@opt.stats
@opt.quiet
@opt.color
@opt.output(LINES, ".jsonl", help="Lines of JSON: a file, .jsonl, or a folder.")
@opt.flag("--with-solutions", help="With --json: solutions in the object.")
@opt.picture(f"up to {ON_ONE_SHEET} solutions", pages=True)
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
    elif seed is not None and asked["limit"] != 1:
        raise click.UsageError("--seed goes with --first or --random")
    if with_solutions and not report.as_json:
        raise click.UsageError("--with-solutions goes with --json")
    drawn = None if quiet or report.as_json else color
    sink = Sink(output, drawn, keep=with_solutions, picture=ON_ONE_SHEET if picture else 0)

    def answer(document: Document) -> int:
        _note_oddities(document, asked["counted"])
        if random is not None:
            return _draw(document, random, seed, memory, sink, report)
        solving = _solving(document, seed, **asked)
        sink.begin(document)
        own_seed = seed or 0 if asked["limit"] == 1 else None
        shown = Report(document, solving, report, asked["stats"], asked["time_limit"])
        return _searched(replace(shown, sink=sink, seed=own_seed))

    with closing(sink):
        status = GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)
    if picture is not None:
        save_solutions(sink.pictured, picture)
    return status


def _solving(
    document: Document,
    seed: int | None,
    stats: bool,
    workers: opt.Workers,
    limit: int | None,
    strategy: str | None,
    **asked: Any,
) -> ec.Solving:
    """The search for solutions."""
    from exactcover.runs import Finding

    if limit == 1 and not (strategy or stats or workers.processes or workers.cluster):
        return Finding(document.content, workers=workers.number, seed=seed or 0, **asked)
    asked |= {"strategy": strategy, "tally": stats, "team": workers.team(limited=limit is not None)}
    return ec.Solving(document.content, limit=limit, **asked)


def _note_oddities(document: Document, counted: Convention | None = None) -> None:
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
    from exactcover.search.clock import Clock
    from exactcover.search.counting.sampling import all_solutions

    clock = Clock()
    try:
        with clock.running(), Progress(document.name).ticking("counting solutions"):
            model, problem = document.model, document.problem
            made = all_solutions(document.content, memory=memory)
    except TooLarge as error:
        report({"puzzle": document.name, "status": "limit", "counted": "all"})
        say(escaped(str(error)))
        return STOPPED
    drawn: list[ec.Solution] = []
    with clock.running(), Progress(document.name) as progress:
        for chosen in made.samples(number, seed):
            drawn.append(ec.Solution(chosen, problem, model))
            progress.tell(f"{len(drawn):,} of {number:,} drawn")
    sink.begin(document)
    for position, solution in enumerate(drawn, 1):
        sink.add(solution, position)
    record: dict[str, Any] = (
        {"puzzle": document.name}
        | sink.record
        | {
            "status": "complete" if made.count else "impossible",
            "solutions": made.count,
            "counted": "all",
            "seconds": round(clock.working, 6),
            "compiling": round(clock.compiling, 6),
        }
    )
    line = f"{document.name}: {len(drawn):,} drawn from {quantity(made.count, 'solution')}"
    if model is not None and model.reason:
        record["reason"] = model.reason
        line += f": {model.reason}"
    report.with_origin(
        document, record, [line],
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
    if memory is not None and asked["strategy"]:
        raise click.UsageError(
            "--memory is for counts that list nothing: with --strategy say it there, as in "
            "'automaton:narrow memory=2000'"
        )
    if memory is not None and limit is not None:
        raise click.UsageError("--memory is for counts of all solutions: leave out --limit")

    def answer(document: Document) -> int:
        _note_oddities(document, asked["counted"])
        team = workers.team(limited=limit is not None)
        counting = ec.Counting(
            document.content, limit=limit, memory=memory, tally=stats, team=team, **asked
        )
        return _searched(Report(document, counting, report, stats, asked["time_limit"], strict))

    return GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)


# -- searching, and the report --------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """The report of a search.

    strict  a number of the file that is wrong is an error, and all are compared
    sink    takes the solutions. Default: None, they are only counted
    seed    of what is drawn at random. Default: None, nothing is
    """

    document: Document
    solving: ec.Solving | ec.Counting
    printer: Printer
    stats: bool
    time_limit: float | None
    strict: bool = False
    sink: Sink | None = None
    seed: int | None = None

    def __call__(self, too_large: TooLarge | None = None) -> int:
        """Report the search, and where it stopped if it was interrupted; return the exit status.

        too_large  the limit of memory that ended the search. Default: None, none did
        """

        document, solving, result = self.document, self.solving, self.solving.result
        if too_large is not None:
            say(str(too_large))
            result = replace(result, status="limit", stopped_by="memory")
        elif result.status == "searching":  # a step that cannot be interrupted is broken off
            result = replace(result, status="interrupted")
        record = self._record(result)
        if result.status == "interrupted":
            position = [[branch + 1, branches] for branch, branches in solving.position]
            record |= {"progress": round(solving.progress, 6), "position": position}
            say(_where(document, solving.progress, position))
        if (best := partial_packing(solving)) is not None:
            record["best"] = written(best)
            if self.sink is not None and self.sink.color is not None:
                pieces = quantity(len(best.options), "piece")
                draw_solution(f"# --- BEST PARTIAL PACKING: {pieces} ---", best, self.sink.color)
        if not self.printer.as_json:
            self.printer({}, self._lines(result, 0 if too_large is None else too_large.limit))
        if self.strict:
            record |= _against_stored(document, result, self.time_limit)
        self.printer.with_origin(
            document, record,
            solutions=result.solutions, whole=result.whole,
            seed=self.seed, workers=solving.workers,
        )  # fmt: skip
        end = exit_status(result.stopped_by, result.status)
        return DIFFERENT if end != INTERRUPTED and "warning" in record else end

    def _record(self, result: ec.Result) -> dict[str, Any]:
        """The report for a script."""
        record: dict[str, Any] = {"puzzle": self.document.name}
        record |= ({} if self.sink is None else self.sink.record) | result.record()
        record |= {key: said for key in ("reason", "why") if (said := getattr(result, key))}
        if self.stats:
            if result.symmetric:
                record["symmetries"] = dict(result.symmetric)
            record["filters"] = [asdict(applied) for applied in result.applied]
            record["by_remaining"] = [asdict(row) for row in result.by_remaining]
        return record

    def _lines(self, result: ec.Result, memory: int) -> Iterator[str]:
        """The report for a person."""
        from exactcover.search.judge import NO_SYMMETRY

        limits = {"seconds": self.time_limit, "solutions": result.solutions, "memory": memory}
        found = solutions(result.solutions, result.counted, self.document)
        yield f"{self.document.name}: {found}{end_words(result, **limits)}"
        if result.why:
            yield f"  by {result.strategy}: {result.why}"
        if not self.stats:
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


def _searched(shown: Report) -> int:
    """Search, hand each solution to the sink, and report; return the exit status."""

    def work(solving: ec.Solving | ec.Counting, progress: Progress) -> None:
        if not isinstance(solving, ec.Solving) or not shown.sink:
            step_by_step(solving, progress)
            return
        solving.between = progress.show
        for number, solution in enumerate(solving, 1):
            began = perf_counter()
            progress.clear()
            shown.sink.add(solution, number)
            progress.show(solving)
            solving.elapse(perf_counter() - began)

    try:
        return run_search(shown.document.name, shown.solving, shown, work)
    except TooLarge as error:
        return shown(error)


def _against_stored(
    document: Document, result: ec.Result, time_limit: float | None
) -> dict[str, Any]:
    """Compare the numbers of the file with the result; return the comparison for a script.

    A person reads it on standard error.
    """
    from exactcover.problem.filters.built_in import BUILT_IN
    from exactcover.search.counting.stored import compared, notes

    if time_limit is not None:
        time_limit = max(0.0, time_limit - result.seconds - result.compiling)
    found = compared(
        document, {result.counted: result.solutions}, result.whole, time_limit,
        partial(run_further, document.name),
    )  # fmt: skip
    if "warning" in found:
        filters = ec.Strategy.of(result.strategy).filters if result.strategy else ()
        built_in = {one.name for one in BUILT_IN}
        for own in dict.fromkeys(one.name for one in filters if one.name not in built_in):
            found["warning"] += f"; the filter {own} of your own may restrict the puzzle"
        say(f"warning: {document.name}: {found['warning']}")
    for note in notes(document, found):
        say(f"{document.name}: {note}")
    return found


def _where(document: Document, progress: float, position: list[list[int]]) -> str:
    """Where in the tree a search was interrupted: its share, and the branches of the top levels."""
    if not (position or progress):
        return f"{document.name}: interrupted before the search"
    levels = ", ".join(f"{branch} of {branches}" for branch, branches in position[:LEVELS_SHOWN])
    below = len(position) - LEVELS_SHOWN
    more = f", and {below} levels below" if below > 0 else ""
    branch = f", in branch {levels}{more}" if position else ""
    return f"{document.name}: interrupted at {progress:.2%}{branch}"


def partial_packing(solving: ec.Solving | ec.Counting) -> ec.Solution | None:
    """The best partial packing of a search for one solution that has none; None: there is none."""
    found: ec.Solution | None = getattr(solving, "best", None)
    return None if solving.result.solutions else found
