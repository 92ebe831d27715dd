"""`solve` and `count`: solutions, printed or written to files, and their number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from exactcover.base.text.names import escaped
from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, INTERRUPTED, STOPPED, exit_status, say, watch
from exactcover.cli.files import ON_ONE_SHEET, GivenPuzzles, Target, save_solutions
from exactcover.cli.progress import Progress
from exactcover.cli.reports import (
    Printer,
    by_remaining,
    end_words,
    parts_text,
    quantity,
    solutions,
    with_origin,
)
from exactcover.cli.searches import run_search, searching
from exactcover.cli.solution_files import (
    OUTPUTS,
    JsonObject,
    Sink,
    SinkOf,
    TextSink,
    opened,
    written,
)
from exactcover.errors import TooLarge

if TYPE_CHECKING:
    from exactcover.base.values import Convention
    from exactcover.formats import Document
    from exactcover.search.counting.counts import Counting
    from exactcover.search.result import Result, Solution
    from exactcover.search.solving import Solving
    from exactcover.show.palette import Wish

LARGEST_SEED = (1 << 63) - 1

OF_A_SEARCH = (
    "first", "limit", "time_limit", "strategy", "stats", "workers", "processes", "cluster",
)  # fmt: skip
"""Options that mean nothing where solutions are drawn at random."""

stats = click.option("--stats", is_flag=True, help="Say what filters and search did.")


@opt.command()
@opt.puzzles
@opt.few
@click.option("--random", type=opt.Whole(), help="Draw N solutions at random from all.")
@click.option(
    "--seed", type=opt.Whole(0, LARGEST_SEED), help="Of the choices of --random and --first."
)
@opt.memory("With --random: limit. Default: half of the free.")
@stats
@opt.quiet
@opt.color
@opt.output(OUTPUTS, ".txt", help="A folder, or a file: .txt, .json, .jsonl.")
@click.option("--with-solutions", is_flag=True, help="With --json: solutions in the object.")
@opt.picture(f"up to {ON_ONE_SHEET} solutions", pages=True)
@opt.usual
@opt.question
@opt.workers
def solve(
    puzzles: tuple[str, ...],
    report: Printer,
    workers: opt.Workers,
    output: Target | None,
    picture: Path | None,
    color: Wish,
    with_solutions: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Find solutions and print them, or draw some at random."""
    _check(report, with_solutions, given)
    with_solutions |= given["random"] is not None and report.as_json and output is None
    drawn: list[Solution] | None = None if picture is None else []
    file: SinkOf | None = None
    with ExitStack() as closing:

        def sinks_of(document: Document) -> list[Sink]:
            nonlocal file
            if output is not None and (file is None or output.in_folder):
                # After a puzzle is read, so that a slip leaves the file as it was.
                closing.close()
                file = closing.enter_context(opened(output.file_of(document), color))
            sinks: list[Sink] = [] if file is None else [file(document)]
            if file is None and not quiet and not report.as_json:
                sinks.append(TextSink(sys.stdout, color))
            if with_solutions:
                sinks.append(JsonObject(sys.stdout, document))
            return sinks

        def answer(document: Document) -> int:
            emits = Printer(report.as_json and not with_solutions)
            if given["random"] is not None:
                return _draw(document, report, emits, sinks_of, drawn, given)
            solving, seed = _solving(document, workers, given)
            sinks = sinks_of(document)
            limits = given["stats"], given["time_limit"]
            shown = Shown(document, solving, report, emits, *limits, sinks=sinks, seed=seed)

            def last_words() -> None:
                shown.end()
                closing.close()

            with watch.reporting():
                try:
                    _list_solutions(document, solving, sinks, last_words, drawn)
                except TooLarge as error:
                    return shown.end(error)
                except BaseException:
                    # The output must be valid JSON however the run ends.
                    for sink in sinks:
                        if sink.begun:
                            sink.close(shown.record(solving.result) | {"status": "interrupted"})
                    raise
                if (best := best_of(solving)) is not None:
                    pieces = quantity(len(best.options), "piece")
                    for sink in sinks:
                        if isinstance(sink, TextSink):
                            sink.add_partial(best, f"# --- BEST PARTIAL PACKING: {pieces} ---")
                end = shown.end()
            return INTERRUPTED if watch.late else end

        status = GivenPuzzles(puzzles, given["time_limit"]).answer(answer)
    if picture is not None and drawn is not None:
        save_solutions(drawn, picture)
    return status


def _check(report: Printer, with_solutions: bool, asked: dict[str, Any]) -> None:
    """Raise if these options do not go together."""
    counted = asked["counted"]
    if asked["random"] is not None:
        name = opt.given(*OF_A_SEARCH)
        if counted not in (None, "all"):
            name = f"--counted {counted}"
        if name:
            raise click.UsageError(f"--random draws from all solutions: leave out {name}")
    elif asked["memory"] is not None:
        raise click.UsageError("--memory goes with --random")
    elif asked["seed"] is not None and asked["limit"] != 1:
        raise click.UsageError("--seed goes with --first or --random")
    if with_solutions and not report.as_json:
        raise click.UsageError("--with-solutions goes with --json")


def _solving(
    document: Document, workers: opt.Workers, given: dict[str, Any]
) -> tuple[Solving, int | None]:
    """The search, and the seed of what it draws at random; None: it draws nothing."""
    from exactcover.search.solving import Solving, find_one

    limit, strategy, stats = given["limit"], given["strategy"], given["stats"]
    asked: dict[str, Any] = {name: given[name] for name in ("counted", "time_limit")}
    _note_oddities(document, asked["counted"])
    with document.faults_placed():
        if limit == 1 and not (strategy or stats or workers.processes or workers.cluster):
            from exactcover.runs.portfolio import Finding

            seed = given["seed"] or 0
            return Finding(document.content, workers=workers.number, seed=seed, **asked), seed
        asked |= {"strategy": strategy, "tally": stats}
        asked["team"] = workers.team(limited=limit is not None)
        if limit == 1:
            return find_one(document.content, **asked), None
        return Solving(document.content, limit=limit, **asked), None


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
                watch.let_finish()
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


@opt.command()
@opt.puzzles
@opt.limit
@opt.memory("Limit of counting by states. Default: half of the free.")
@opt.strict
@stats
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
    """Count the solutions, without listing them where that takes less work.

    A list of puzzles, a .csv file, is for `batch`.
    """
    from exactcover.search.counting.counts import Counting

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
        with document.faults_placed():
            counting = Counting(
                document.content, limit=limit, memory=memory, tally=stats, team=team, **asked
            )
        limits = stats, asked["time_limit"]
        shown = Shown(document, counting, report, report, *limits, strict=strict)
        with watch.reporting():
            try:
                run_search(document.name, counting, shown.end)
            except TooLarge as error:
                return shown.end(error)
            end = shown.end()
        return INTERRUPTED if watch.late else end

    return GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)


# -- drawing at random ----------------------------------------------------------------------------


def _draw(
    document: Document,
    report: Printer,
    emits: Printer,
    sinks_of: Callable[[Document], list[Sink]],
    pictured: list[Solution] | None,
    asked: dict[str, Any],
) -> int:
    """Draw solutions at random, and write them into the sinks; return the exit status.

    pictured  takes the first of them, for a picture; None: there is none
    """
    from exactcover.search.counting.sampling import all_solutions
    from exactcover.search.driver import Clock
    from exactcover.search.result import Solution

    random, seed = asked["random"], asked["seed"]
    _note_oddities(document)
    clock = Clock()
    with clock.running():
        model, problem = document.model, document.problem
    progress = Progress(document.name)
    try:
        with clock.running(), progress.ticking("counting solutions"):
            made = all_solutions(document.content, memory=asked["memory"])
    except TooLarge as error:
        report({"puzzle": document.name, "status": "limit", "counted": "all"})
        say(escaped(str(error)))
        return STOPPED
    drawn: list[Solution] = []
    with clock.running(), progress:
        for chosen in made.samples(random, seed):
            drawn.append(Solution(chosen, problem, model))
            progress.tell(f"{len(drawn):,} of {random:,} drawn")
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
    } | ({"reason": reason} if reason else {})
    sinks = sinks_of(document)
    if emits.as_json or not all(isinstance(sink, TextSink) for sink in sinks):
        origin = {"solutions": made.count, "whole": True, "strategies": ("diagram",)}
        record = with_origin(record, document, seed=seed, **origin)
    for sink in sinks:
        try:
            for number, solution in enumerate(drawn, 1):
                sink.add(solution, number)
        finally:
            sink.close(record)
    found = f"{len(drawn):,} drawn from {quantity(made.count, 'solution')}"
    line = f"{document.name}: {found}{': ' * bool(reason)}{reason}"
    emits(record, [] if report.as_json else [line])
    return DONE


# -- reports ---------------------------------------------------------------------------------------

LEVELS_SHOWN = 8
"""The number of tree levels shown where a search stops."""


@dataclass(frozen=True)
class Shown:
    """The report of a search.

    report   prints lines, or nothing
    emits    prints the object of `--json` if that is not the part of a sink
    strict   a number of the file that is wrong is an error, and all are compared
    seed     of what is drawn at random. Default: None, nothing is
    """

    document: Document
    solving: Solving | Counting
    report: Printer
    emits: Printer
    stats: bool
    time_limit: float | None
    sinks: Sequence[Sink] = ()
    strict: bool = False
    seed: int | None = None

    def end(self, too_large: TooLarge | None = None) -> int:
        """Report the search, and where it stopped if it was interrupted; return the exit status.

        too_large  the limit of memory that ended the search
        """
        from exactcover.trust.provenance import provenance_of

        document, solving = self.document, self.solving
        result = solving.result
        if result.status == "searching":  # a step that cannot be interrupted is broken off
            result = replace(result, status="interrupted")
        if too_large is not None:
            result = replace(result, status="limit", stopped_by="memory")
            say(str(too_large))
        record = self.record(result)
        if result.status == "interrupted":
            position = [[branch + 1, branches] for branch, branches in solving.position]
            record |= {"progress": round(solving.progress, 6), "position": position}
            say(_where(document, solving.progress, position))
        record |= record_of_best(solving)
        if not self.report.as_json:
            self.report({}, self._lines(result, too_large.limit if too_large is not None else 0))
        sys.stdout.flush()
        if self.strict:
            record |= _against_stored(document, result, self.time_limit)
        if self.emits.as_json or not all(isinstance(sink, TextSink) for sink in self.sinks):
            record["provenance"] = provenance_of(
                document, result, seed=self.seed, workers=solving.workers
            )
        for one in self.sinks:
            one.close(record)
        self.emits(record)
        end = exit_status(result.stopped_by, result.status)
        return DIFFERENT if end != INTERRUPTED and "warning" in record else end

    def record(self, result: Result) -> dict[str, Any]:
        """The report for a script."""
        record: dict[str, Any] = {"puzzle": self.document.name} | result.record()
        if result.reason:
            record["reason"] = result.reason
        if result.why:
            record["why"] = result.why
        if self.stats:
            if result.symmetric:
                record["symmetries"] = dict(result.symmetric)
            record["filters"] = [asdict(applied) for applied in result.applied]
            record["by_remaining"] = [asdict(row) for row in result.by_remaining]
        return record

    def _lines(self, result: Result, memory: int) -> Iterator[str]:
        """The report for a person; `memory`: the limit that was reached."""
        from exactcover.search.planned import NO_SYMMETRY

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


def _against_stored(document: Document, result: Result, time_limit: float | None) -> dict[str, Any]:
    """Compare the numbers of the file with the result; return the comparison for a script.

    A person reads it on standard error.
    """
    from exactcover.problem.filters.built_in import BUILT_IN
    from exactcover.search.counting.stored import ENDED, compared, notes
    from exactcover.search.strategy import Strategy

    if time_limit is not None:
        time_limit = max(0.0, time_limit - result.seconds - result.compiling)
    found = compared(
        document,
        {result.counted: result.solutions},
        result.status in ENDED,
        time_limit,
        partial(run_search, document.name),
    )
    if "warning" in found:
        filters = Strategy.of(result.strategy).filters if result.strategy else ()
        known = {one.name for one in BUILT_IN}
        for own in dict.fromkeys(one.name for one in filters if one.name not in known):
            found["warning"] += f"; the filter {own} of your own may restrict the puzzle"
        say(f"warning: {document.name}: {found['warning']}")
    for note in notes(document, found):
        say(f"{document.name}: {note}")
    return found


def _where(document: Document, progress: float, position: list[list[int]]) -> str:
    """Where in the tree a search was interrupted: its share, and the branches of the top levels."""
    if not position:
        where = f"at {progress:.2%}" if progress else "before the search"
        return f"{document.name}: interrupted {where}"
    levels = [f"{branch} of {branches}" for branch, branches in position[:LEVELS_SHOWN]]
    more = f", and {len(position) - LEVELS_SHOWN} levels below" * (len(position) > LEVELS_SHOWN)
    return f"{document.name}: interrupted at {progress:.2%}, in branch {', '.join(levels)}{more}"


def best_of(solving: Solving | Counting) -> Solution | None:
    """The best partial packing of a search for one solution that has none; None: there is none."""
    from exactcover.runs.portfolio import Finding

    if not isinstance(solving, Finding) or solving.result.solutions:
        return None
    return solving.best


def record_of_best(solving: Solving | Counting) -> dict[str, Any]:
    """The key `best` for a script: the pieces or options as in a solution; nothing without one."""
    best = best_of(solving)
    return {} if best is None else {"best": written(best)}
