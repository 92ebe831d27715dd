"""`verify`: a second opinion on the solutions of a puzzle."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import (
    INTERRUPTED,
    counting_options,
    emit,
    failing_alone,
    json_option,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.ends import DIFFERENT, DONE, exit_status, stopped_words
from exactcover.cli.heuristics import load, loaded_plugins, plugin_option
from exactcover.cli.progress import Progress, progress_option
from exactcover.values.conventions import COUNTED_AS, Convention

if TYPE_CHECKING:
    from exactcover.counting.counts import Counting
    from exactcover.counting.stored import Stored
    from exactcover.formats import Document
    from exactcover.verification import Difference, Limits, Verdict, Verifying

SECONDS, SECONDS_EACH = 60.0, 0.5
SAMPLES, SAMPLES_EACH = 20, 2
WORKERS, WORKERS_EACH = 1, 2
"""The defaults of `--time-limit`, `--samples` and `--workers`: for one puzzle, for all shipped
ones."""

BETWEEN_ENGINES = re.compile(r",\s*(?=[a-zA-Z])")


@click.command()
@click.argument("puzzles", metavar="[PUZZLE...]", nargs=-1)
@click.option("--all-defs", is_flag=True, help="Verify the puzzles that come with the program.")
@click.option(
    "--engines",
    metavar="LIST",
    help="Strategies with commas between them, as in 'auto,fila:f,memo', or 'all' for every "
    "engine. The first is the one that the others are compared with. Three independent ones if "
    "you do not say: auto, dlx without filters, cpsat; for large rectangles or "
    "bricks auto and nooverlap.",
)
@counting_options(
    "What counts as one solution in the number that is reported, as in `count`. Default: "
    "'rotations'. The engines list all solutions in any case."
)
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0),
    help=f"Seconds for each engine on the whole puzzle: {SECONDS:g} if you do not say, "
    f"{SECONDS_EACH:g} with --all-defs.",
)  # fmt: skip
@click.option(
    "--samples", metavar="N", type=click.IntRange(min=0),
    help="Parts to compare where the whole takes too long: "
    f"{SAMPLES} if you do not say, {SAMPLES_EACH} with --all-defs.",
)  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=0, help="For drawing parts at random.")
@click.option(
    "--workers", metavar="N", type=click.IntRange(1, 64),
    help="Engines that search at once, each in one thread; with --all-defs puzzles at once, each "
    f"in a process. Default: {WORKERS}, with --all-defs {WORKERS_EACH}.",
)  # fmt: skip
@plugin_option
@json_option
@progress_option
def verify(
    puzzles: tuple[str, ...],
    all_defs: bool,
    engines: str | None,
    counted: Convention | None,
    time_limit: float | None,
    samples: int | None,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> int:
    """Compare the solutions that independent engines find, and check each of them.

    Exit status 3 if engines differ, a solution is invalid, or a number in the puzzle's file is
    wrong: of all solutions, or of the unique ones; 4 if no two engines came to the end of a puzzle
    in time. With --all-defs that is no failure: what takes longer is compared in parts.
    """
    from exactcover.verification import Limits

    if all_defs == bool(puzzles):
        raise click.UsageError("name puzzles, or say --all-defs")
    if time_limit is None:
        time_limit = SECONDS_EACH if all_defs else SECONDS
    if samples is None:
        samples = SAMPLES_EACH if all_defs else SAMPLES
    if workers is None:
        workers = WORKERS_EACH if all_defs else WORKERS
    limits = Limits(seconds=time_limit, samples=samples)
    names = engine_names(engines)
    if all_defs:
        return _verify_all(names, counted, limits, seed, workers, as_json)
    different, status = False, DONE
    for document in read_all(puzzles, time_limit):
        with failing_alone(document):
            verifying, verdict = _verified(document, names, counted, limits, seed, workers)
            stored = _stored(document, verdict, limits)
            sys.stdout.flush()
            if as_json:
                emit(record(document, verdict, stored))
            else:
                click.echo("\n".join(_lines(document, verifying, verdict, stored)))
            different |= not _is_right(verdict, stored)
            status = max(status, exit_status(_stopped_by(verdict)))
            if verdict.status == "interrupted":
                return INTERRUPTED
    return DIFFERENT if different else status


def engine_names(text: str | None) -> tuple[str, ...] | None:
    """The engines that a list names; None: the usual ones."""
    from exactcover.backends import backends

    if text is None:
        return None
    if text == "all":
        return ("auto", *(f"{b.name}:{b.capabilities.heuristics[0]}" for b in backends().values()))
    return tuple(part.strip() for part in BETWEEN_ENGINES.split(text) if part.strip())


def _verified(
    document: Document, names: tuple[str, ...] | None, counted: Convention | None, limits: Limits,
    seed: int, workers: int,
) -> tuple[Verifying, Verdict]:  # fmt: skip
    """Verify a puzzle, with the progress on the terminal."""
    from exactcover.verification import Verifying

    with document.faults_placed():
        verifying = Verifying(
            document.content,
            engines=names,
            counted=counted,
            limits=limits,
            seed=seed,
            workers=workers,
        )
    progress = Progress(document.name)
    verdicts: list[Verdict] = []
    with stopping_on_interrupt(verifying):
        verdicts.append(verifying.run(progress.tell))
    progress.clear()
    return verifying, verdicts[0] if verdicts else verifying.broken_off()


def _stored(document: Document, verdict: Verdict, limits: Limits) -> list[Stored]:
    """The numbers of the file, compared with those of the engines where these came to an end."""
    from exactcover.counting.stored import Numbers, compared

    known = dict(verdict.numbers or {verdict.counted: verdict.solutions})

    def run(counting: Counting, step: Callable[[], bool]) -> None:
        with stopping_on_interrupt(counting):
            while step():
                pass

    return compared(document, Numbers(document, known, verdict.whole, run, limits.seconds))


def _is_right(verdict: Verdict, stored: list[Stored]) -> bool:
    """Whether nothing speaks against the solutions or against the numbers of the file."""
    return verdict.equal and not any(one.wrong for one in stored)


# -- all that are shipped -------------------------------------------------------------------------


def _verify_all(
    names: tuple[str, ...] | None, counted: Convention | None, limits: Limits, seed: int,
    workers: int,
    as_json: bool,
) -> int:  # fmt: skip
    """Verify the shipped puzzles, several at a time; print a line for each, and a sum."""
    from exactcover.formats import shelf

    began = monotonic()
    tasks = [(name, names, counted, limits, seed) for name in shelf.names()]
    ways = dict.fromkeys(("sets", "counts", "samples", ""), 0)
    different: list[str] = []
    alone = 0
    progress = Progress("verify")
    for number, (report, lines) in enumerate(_apart(tasks, workers, loaded_plugins()), 1):
        progress.clear()
        ways[report["compared"]] += 1
        alone += "not_compared" in report
        if not report["equal"]:
            different.append(report["puzzle"])
        if as_json:
            emit(report)
        else:
            click.echo("\n".join(lines if not report["equal"] else lines[:1]))
        progress.tell(f"{number} of {len(tasks)} puzzles")
    progress.clear()
    if not as_json:
        click.echo(
            f"{len(tasks)} puzzles in {monotonic() - began:.0f} s: {ways['sets']} equal as sets, "
            f"{ways['counts']} by count, {ways['samples']} in parts, {ways['']} not compared, "
            f"{alone} with numbers that are not compared, "
            f"{len(different)} different{': ' if different else ''}{', '.join(different)}"
        )
    return DIFFERENT if different else 0


Task = tuple[str, tuple[str, ...] | None, Convention | None, "Limits", int]


def _apart(
    tasks: list[Task], workers: int, plugins: tuple[Path, ...] = ()
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Verify each puzzle, in separate processes if there are several."""
    if workers == 1:
        yield from map(_one, tasks)
        return
    # Started anew: a copy of this process could hold a lock that is never released.
    with get_context("spawn").Pool(workers, _begin_worker, (plugins,)) as pool:
        yield from pool.imap(_one, tasks)


def _begin_worker(plugins: tuple[Path, ...]) -> None:
    """Leave Ctrl-C to the main process, and load the plug-ins that it has loaded."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load(plugins)


def _one(task: Task) -> tuple[dict[str, Any], list[str]]:
    """Verify a shipped puzzle; return the report for a script, and the lines for a person."""
    from exactcover.formats import shelf
    from exactcover.verification import Verifying

    name, names, counted, limits, seed = task
    [document] = shelf.read_puzzle(name)
    verifying = Verifying(
        document.content, engines=names, counted=counted, limits=limits, seed=seed
    )
    verdict = verifying.run()
    stored = _stored(document, verdict, limits)
    lines = _lines(document, verifying, verdict, stored)
    return record(document, verdict, stored), list(lines)


# -- reports --------------------------------------------------------------------------------------


def record(document: Document, verdict: Verdict, stored: list[Stored]) -> dict[str, Any]:
    """The report for a script."""
    from exactcover.counting.stored import record_of

    first = next((one for one in verdict.engines if one.result == "first"), None)
    report: dict[str, Any] = {
        "puzzle": document.name,
        "status": verdict.status,
        "solutions": verdict.solutions,
        "whole": verdict.whole,
        "counted": verdict.counted,
        "seconds": round(sum(one.seconds for one in verdict.engines), 6),
        "compiling": round(sum(one.compiling for one in verdict.engines), 6),
        "strategy": first.strategy if first is not None else "",
        "equal": _is_right(verdict, stored),
        "compared": verdict.compared,
        "checked": verdict.checked,
        "engines": [asdict(one) for one in verdict.engines],
    }
    if verdict.difference is not None:
        report["difference"] = asdict(verdict.difference)
    if verdict.fault:
        report["fault"] = verdict.fault
    if reason := _why_none(document, verdict):
        report["reason"] = reason
    return report | record_of(stored)


def _stopped_by(verdict: Verdict) -> str:
    """Whether limits kept the engines from finishing; refusing a problem is no limit."""
    unfinished = any(one.result != "refused" and not one.finished for one in verdict.engines)
    return "time" if verdict.status == "limit" and unfinished else ""


def _why_none(document: Document, verdict: Verdict) -> str:
    """Why there is no solution, if the engines found none and counting shows it."""
    model = document.model
    return "" if model is None or verdict.solutions else model.reason


WAYS = {
    "sets": "equal, compared as sets",
    "counts": "equal, compared by count",
    "samples": "equal in the parts compared",
    "": "not compared",
}


def _lines(
    document: Document, verifying: Verifying, verdict: Verdict, stored: list[Stored]
) -> Iterator[str]:
    from exactcover.counting.stored import notes

    noun = "solution" if verdict.solutions == 1 else "solutions"
    noun += f" ({COUNTED_AS[verdict.counted]})"
    if not verdict.whole:
        noun += " so far"
    end = WAYS[verdict.compared] if _is_right(verdict, stored) else "NOT VERIFIED"
    if _stopped_by(verdict):
        end += f"; {stopped_words('time', seconds=verifying.limits.seconds)}"
    if verdict.status == "interrupted":
        end += "; interrupted"
    yield f"{document.name}: {verdict.solutions:,} {noun}; {end}; {verdict.checked:,} checked"
    if reason := _why_none(document, verdict):
        yield f"  impossible: {reason}"
    for one in verdict.engines:
        outcome = one.reason or f"{one.solutions:,} in {one.seconds:.2f} s"
        parts = f" in {one.samples} parts" if one.samples else ""
        twice = f"; {one.duplicates:,} found twice" if one.duplicates else ""
        by = "" if one.engine == one.strategy else f" ({one.strategy})"
        yield f"  {one.engine}{by}: {one.result}{parts}: {outcome}{twice}"
    if verdict.difference is not None:
        yield from _shown(verifying, verdict.difference)
    faults = [verdict.fault, *(one.wrong for one in stored)]
    yield from (f"  {fault}" for fault in (*filter(None, faults), *notes(stored)))
    if verdict.faulty is not None:
        yield _drawn(verifying, verdict.faulty)


def _shown(verifying: Verifying, difference: Difference) -> Iterator[str]:
    """The first solution that only one engine has."""
    options = ", ".join(map(str, difference.solution))
    if difference.whole:
        yield f"  {difference.found_by} finds it and {difference.missed_by} does not: {options}"
        yield _drawn(verifying, difference.solution)
    else:
        yield (
            f"  {difference.found_by} finds more solutions than {difference.missed_by} with the "
            f"options {options or '(none)'}"
        )


def _drawn(verifying: Verifying, options: tuple[int, ...]) -> str:
    from exactcover.api import draw

    return draw(verifying.solution(options))
