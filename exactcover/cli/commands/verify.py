"""`verify`: a second opinion on the solutions of a puzzle."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli import options as opt
from exactcover.cli.exit_status import (
    DIFFERENT,
    DONE,
    INTERRUPTED,
    MISTAKE,
    STOPPED,
    exit_status,
    worse,
)
from exactcover.cli.given_puzzles import GivenPuzzles
from exactcover.cli.progress import Progress
from exactcover.cli.reports import solutions, stopped_words, with_origin
from exactcover.cli.search_loop import searching
from exactcover.errors import FormatError
from exactcover.runs.executors import Executor, Work

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.formats.count_records import CountRecord
    from exactcover.search.counting.counts import Counting
    from exactcover.search.counting.stored import Stored
    from exactcover.trust.verification import Difference, Limits, Verdict, Verifying

SECONDS, SECONDS_EACH = 60.0, 0.5
SAMPLES, SAMPLES_EACH = 20, 2
WORKERS, WORKERS_EACH = 1, 2
"""The defaults of `--time-limit`, `--samples` and `--workers`: for one puzzle, for all shipped
ones."""

Answer = tuple[dict[str, Any], list[str]]
"""The report on a puzzle for a script, and the lines for a person."""

BETWEEN_ENGINES = re.compile(r",\s*(?=[a-zA-Z])")


@dataclass(frozen=True)
class VerifyOptions(opt.Common, opt.Counted):
    all_defs: bool = opt.flag("--all-defs", help="Verify the puzzles that come with the program.")
    engines: str | None = opt.option(
        "--engines", metavar="LIST",
        help="Strategies with commas between them, as in 'auto,fila:f,memo', or 'all' for every "
        "engine. The first is the one that the others are compared with. Three independent ones "
        "if you do not say: auto, dlx without filters, cpsat; for large rectangles or bricks auto "
        "and nooverlap.",
    )  # fmt: skip
    time_limit: float | None = opt.limit_option(
        help=f"Seconds for each engine on the whole puzzle: {SECONDS:g} if you do not say, "
        f"{SECONDS_EACH:g} with --all-defs."
    )
    samples: int | None = opt.integer(
        "--samples", least=0,
        help="Parts to compare where the whole takes too long: "
        f"{SAMPLES} if you do not say, {SAMPLES_EACH} with --all-defs.",
    )  # fmt: skip
    seed: int = opt.integer("--seed", least=None, default=0, help="For drawing parts at random.")
    workers: int | None = opt.workers_option(
        most=64,
        help="Engines that search at once, each in one thread; with --all-defs puzzles at once, "
        f"each in a process. Default: {WORKERS}, with --all-defs {WORKERS_EACH}.",
    )  # fmt: skip

    def limits(self) -> Limits:
        """The limits of each puzzle."""
        from exactcover.trust.verification import Limits

        seconds, samples = self.time_limit, self.samples
        if seconds is None:
            seconds = SECONDS_EACH if self.all_defs else SECONDS
        if samples is None:
            samples = SAMPLES_EACH if self.all_defs else SAMPLES
        return Limits(seconds=seconds, samples=samples)

    def verifying(self, document: Document, workers: int = 1) -> Verifying:
        """The verification of a puzzle with these options."""
        from exactcover.trust.verification import Verifying

        return Verifying(
            document.content,
            engines=engine_names(self.engines),
            counted=self.counted,
            limits=self.limits(),
            seed=self.seed,
            workers=workers,
        )


@opt.command(VerifyOptions)
@click.argument("puzzles", metavar="[PUZZLE...]", nargs=-1)
def verify(puzzles: tuple[str, ...], options: VerifyOptions) -> int:
    """Compare the solutions that independent engines find, and check each of them.

    Exit status 3 if engines differ, a solution is invalid, or a number in the puzzle's file is
    wrong: of all solutions, or of the unique ones; 4 if no two engines came to the end of a puzzle
    in time. With --all-defs that is no failure: longer searches are compared in parts.

    A PUZZLE may be a record, which a command printed with --json into a .json or .jsonl file. Its
    puzzle is counted again by another method, and number and digest are compared. The record states
    the puzzle, or it comes with the program. If it does neither, name the puzzle too, as in
    `exactcover verify record.json puzzle.toml`: the digest says to which record it belongs.
    """
    from exactcover.formats.count_records import has_records, read_records

    if options.all_defs == bool(puzzles):
        raise click.UsageError("name puzzles, or say --all-defs")
    if options.all_defs:
        return _verify_all(options)
    if recorded := [place for place in puzzles if has_records(place)]:
        found = [one for place in recorded for one in read_records(place)]
        places = [place for place in puzzles if place not in recorded]
        return _verify_records(found, places, options)
    limits = options.limits()

    def answer(document: Document) -> int:
        with document.faults_placed():
            verifying = options.verifying(document, options.workers or WORKERS)
        verdict = _verified(document.name, verifying)
        stored = _stored(document, verdict, limits)
        sys.stdout.flush()
        lines = _lines(document, verifying, verdict, stored)
        made = record(
            document, verdict, stored, seed=options.seed, workers=options.workers or WORKERS
        )
        options.report(made, lines)
        end = exit_status(_stopped_by(verdict), verdict.status)
        return end if _is_right(verdict, stored) or end == INTERRUPTED else DIFFERENT

    return GivenPuzzles(puzzles, limits.seconds).answer(answer)


def engine_names(text: str | None) -> tuple[str, ...] | None:
    """The engines that a list names; None: the usual ones."""
    from exactcover.backends import backends

    if text is None:
        return None
    if text == "all":
        return ("auto", *(f"{b.name}:{b.capabilities.heuristics[0]}" for b in backends().values()))
    return tuple(part.strip() for part in BETWEEN_ENGINES.split(text) if part.strip())


def _verified(name: str, verifying: Verifying) -> Verdict:
    """Verify a puzzle, with the progress on the terminal."""
    verdicts: list[Verdict] = []
    with searching(name, verifying) as progress:
        verdicts.append(verifying.run(progress.tell))
    return verdicts[0] if verdicts else verifying.broken_off()


def _stored(document: Document, verdict: Verdict, limits: Limits) -> list[Stored]:
    """The numbers of the file, compared with those of the engines where these came to an end."""
    from exactcover.search.counting.stored import Numbers, compared

    known = dict(verdict.numbers or {verdict.counted: verdict.solutions})

    def run(counting: Counting, step: Callable[[], bool]) -> None:
        with searching(document.name, counting):  # shows nothing: processes share the terminal
            while step():
                pass

    return compared(document, Numbers(document, known, verdict.whole, run, limits.seconds))


def _is_right(verdict: Verdict, stored: list[Stored]) -> bool:
    """Whether the engines agree and the numbers of the file are right."""
    return verdict.equal and not any(one.wrong for one in stored)


# -- records --------------------------------------------------------------------------------------


def _verify_records(records: list[CountRecord], places: list[str], options: VerifyOptions) -> int:
    """Count the puzzle of each record by another method; compare number and digest.

    places  of puzzles of some of the records
    """
    ends = {"equal": DONE, "different": DIFFERENT, "limit": STOPPED}
    status = DONE
    located = _located(records, GivenPuzzles(places, together=True).read())
    for one in records:
        try:
            made, words = _counted_again(one, _document(one, located), options)
            line, end = f"{one.name}: {words}", ends[made["status"]]
        except FormatError as error:
            if len(records) == 1:
                raise
            line, end = str(error), MISTAKE
            made = {"puzzle": one.name, "error": line}
        options.report(made, [line])
        status = worse(status, end)
    return status


def _located(records: list[CountRecord], puzzles: list[Document]) -> dict[str, Document]:
    """The puzzles that the user names, by the digests of the records that they belong to.

    A puzzle that belongs to no record is taken for that of every record without a puzzle, whose
    digest then differs.
    """
    from exactcover.puzzle.digest import digest

    wanted = {str(one.origin["digest"]) for one in records}
    found = {digest(one.content): one for one in puzzles}
    others = [one for name, one in found.items() if name not in wanted]
    missing = dict.fromkeys(wanted, others[0]) if others else {}
    return missing | {name: one for name, one in found.items() if name in wanted}


def _document(record: CountRecord, located: dict[str, Document]) -> Document:
    """The puzzle of a record: the one that the user names, else the one that it states."""
    found = located.get(str(record.origin["digest"]))
    return record.document() if found is None else found


def _counted_again(
    record: CountRecord, document: Document, options: VerifyOptions
) -> tuple[dict[str, Any], str]:
    """The report for a script, and the words for a person."""
    from exactcover.puzzle.digest import digest
    from exactcover.trust.provenance import provenance_of
    from exactcover.trust.verification.second import second_count

    origin, content = record.origin, document.content
    seconds = options.time_limit or SECONDS
    made: dict[str, Any] = {
        "puzzle": record.name,
        "solutions": origin["solutions"],
        "counted": record.counted,
        "digest": digest(content),
    }
    told = solutions(origin["solutions"], record.counted)
    if made["digest"] != origin["digest"]:
        words = (
            f"another digest: {document.file or document.name} has {made['digest']}, the record "
            f"{record.where} {origin['digest']}: it is not the puzzle recorded"
        )
        return made | {"status": "different", "difference": words}, words
    # A record of two methods is counted by a third, or else by another one than the first.
    two = "; ".join([origin["strategy"], *origin["engines"]])
    with Progress(record.name) as progress:
        for used in dict.fromkeys([two, origin["strategy"]]):
            second = second_count(
                content, used, counted=record.counted, time_limit=seconds,
                pulse=lambda: progress.tell("another count"),
            )  # fmt: skip
            if second is not None:
                break
    if second is None:
        return made | {"status": "limit"}, f"no other engine counts it within {seconds:g} s"
    made |= {
        "found": second.solutions,
        "strategy": second.strategy,
        "provenance": provenance_of(replace(document, name=record.name), second) | record.place,
    }
    right = second.solutions == origin["solutions"]
    right |= not origin["whole"] and second.solutions > origin["solutions"]
    if not right:
        words = f"recorded: {told}; {second.strategy} finds {second.solutions:,}"
        return made | {"status": "different", "difference": words}, words
    least = "" if origin["whole"] else "at least "
    words = f"{least}{told}; {second.strategy} finds {second.solutions:,}, the digest is the same"
    return made | {"status": "equal"}, words


# -- all that are shipped -------------------------------------------------------------------------


def _verify_all(options: VerifyOptions) -> int:
    """Verify the shipped puzzles, several at a time; print a line for each, and a sum."""
    from exactcover.formats import shipped

    began = monotonic()
    names = shipped.names()
    ways = dict.fromkeys(("sets", "counts", "samples", ""), 0)
    different: list[str] = []
    alone = 0
    with Progress("verify") as progress:
        for number, (made, lines) in enumerate(_verdicts(names, options), 1):
            progress.clear()
            ways[made["compared"]] += 1
            alone += "not_compared" in made
            if not made["equal"]:
                different.append(made["puzzle"])
            options.report(made, lines if not made["equal"] else lines[:1])
            progress.tell(f"{number} of {len(names)} puzzles")
    if not options.as_json:
        click.echo(
            f"{len(names)} puzzles in {monotonic() - began:.0f} s: {ways['sets']} equal as sets, "
            f"{ways['counts']} by count, {ways['samples']} in parts, {ways['']} not compared, "
            f"{alone} with numbers that are not compared, "
            f"{len(different)} different{': ' if different else ''}{', '.join(different)}"
        )
    return DIFFERENT if different else 0


class Shipped(Work[str, Answer]):
    """The verification of shipped puzzles, by their names: the work of processes."""

    def __init__(self, options: VerifyOptions) -> None:
        self._options = options

    def begin(self) -> Callable[[str], Iterator[Answer]]:
        """Load the plug-ins; return what verifies a puzzle."""
        opt.load_plugins(self._options.plugins)
        return lambda name: iter([_one(name, self._options)])


def _verdicts(names: list[str], options: VerifyOptions) -> Iterator[Answer]:
    """Verify each puzzle in one of several processes; the verdicts come in the given order."""
    from exactcover.runs.processes import process_pool

    pool: Executor[str, Answer] = process_pool(options.workers or WORKERS_EACH)
    with closing(pool):
        pool.start(Shipped(options))
        for number, name in enumerate(names):
            pool.submit(number, name)
        answers: dict[int, Answer] = {}
        for number in range(len(names)):
            while number not in answers:
                answers.update(pool.finished(1.0))
            yield answers.pop(number)


def _one(name: str, options: VerifyOptions) -> Answer:
    """Verify a shipped puzzle; return the report for a script, and the lines for a person."""
    from exactcover.formats import shipped

    [document] = shipped.read_puzzle(name)
    verifying = options.verifying(document)
    verdict = verifying.run()
    stored = _stored(document, verdict, options.limits())
    lines = _lines(document, verifying, verdict, stored)
    return record(document, verdict, stored, seed=options.seed), list(lines)


# -- reports --------------------------------------------------------------------------------------


def record(
    document: Document, verdict: Verdict, stored: list[Stored], *, seed: int, workers: int = 1
) -> dict[str, Any]:
    """The report for a script."""
    from exactcover.search.counting.stored import record_of

    first = next((one for one in verdict.engines if one.result == "first"), None)
    made: dict[str, Any] = {
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
        made["difference"] = asdict(verdict.difference)
    if verdict.fault:
        made["fault"] = verdict.fault
    if reason := _why_none(document, verdict):
        made["reason"] = reason
    strategies = tuple(one.strategy for one in verdict.engines if one.result != "refused")
    origin: dict[str, Any] = {"solutions": verdict.solutions, "whole": verdict.whole}
    origin |= {"strategies": strategies, "seed": seed, "workers": workers}
    return with_origin(made, document, **origin) | record_of(stored)


def _stopped_by(verdict: Verdict) -> str:
    """Whether limits kept the engines from finishing, or from starting; refusing a problem is no
    limit."""
    unfinished = any(one.result != "refused" and not one.finished for one in verdict.engines)
    return "time" if verdict.status == "limit" and (unfinished or not verdict.engines) else ""


def _why_none(document: Document, verdict: Verdict) -> str:
    """Why there is no solution, if the engines found none and counting shows it."""
    model = document.model
    return "" if model is None or verdict.solutions else model.reason


WAYS = {
    "sets": "the engines agree on every one",
    "counts": "the engines agree on the number",
    "samples": "the engines agree in the parts compared",
    "": "not compared",
}


def _lines(
    document: Document, verifying: Verifying, verdict: Verdict, stored: list[Stored]
) -> Iterator[str]:
    from exactcover.search.counting.stored import notes

    found = solutions(verdict.solutions, verdict.counted)
    if not verdict.whole:
        found += " so far"
    end = WAYS[verdict.compared] if _is_right(verdict, stored) else "NOT VERIFIED"
    if _stopped_by(verdict):
        end += f"; {stopped_words('time', seconds=verifying.limits.seconds)}"
    if verdict.status == "interrupted":
        end += "; interrupted"
    held = "problem" if document.model is None else "puzzle"
    end += f"; {verdict.checked:,} checked against the {held}"
    yield f"{document.name}: {found}; {end}"
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
