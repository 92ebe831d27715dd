"""`verify`: a second opinion on the solutions of a puzzle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import click

import exactcover as ec
from exactcover.backends import get_backend, names_of
from exactcover.base.values import Convention
from exactcover.cli import options as opt
from exactcover.cli.ends import DIFFERENT, DONE, INTERRUPTED, MISTAKE, STOPPED, exit_status, worse
from exactcover.cli.files import GivenPuzzles, read_all
from exactcover.cli.progress import Progress, run_further, run_search
from exactcover.cli.reports import SPENT, Printer, solutions, stopped_words
from exactcover.errors import FormatError
from exactcover.formats import Document
from exactcover.formats.count_records import CountRecord, records_in
from exactcover.puzzle.digest import digest
from exactcover.search.counting.stored import compared, notes
from exactcover.trust.provenance import provenance_of
from exactcover.trust.verification import Verdict, Verifying, second_count

BETWEEN_ENGINES = re.compile(r",\s*(?=[a-zA-Z])")


@opt.command()
@opt.puzzles
@click.option("--engines", metavar="LIST",
              help="Strategies with commas between, or 'all'. Three by default.")  # fmt: skip
@opt.usual
@opt.counted
@opt.time_limit(60, "Seconds for each engine.")
def verify(
    puzzles: tuple[str, ...],
    report: Printer,
    engines: str | None,
    counted: Convention | None,
    time_limit: float,
) -> int:
    """Compare the solutions of independent engines, and check each.

    Exit status 3 if engines differ, a solution is invalid, or a number in the file is wrong; 4 if
    no two engines came to the end in time. A PUZZLE may be a record of --json, in a .json or
    .jsonl file, whose puzzle is counted again; name the puzzle too if it is not in the record.
    """
    recorded = {place: kept for place in puzzles if (kept := records_in(place))}
    if recorded:
        named = read_all([place for place in puzzles if place not in recorded])
        found = [one for listed in recorded.values() for one in listed]
        return _verify_records(found, named, report, time_limit)

    def answer(document: Document) -> int:
        def report_it() -> int:
            verdict = verifying.verdict
            known = dict(verdict.numbers)
            run = partial(run_further, document.name)
            stored = compared(document, known, verdict.whole, time_limit, run)
            right = verdict.equal and "warning" not in stored
            strategies = tuple(one.strategy for one in verdict.engines if one.result != "refused")
            record = _record(document, verdict, strategies) | {"equal": right} | stored
            report(
                record, _lines(document, verifying, record), document,
                solutions=verdict.solutions, whole=verdict.whole, strategies=strategies,
            )  # fmt: skip
            end = exit_status("time" if _is_stopped(verdict) else "", verdict.status)
            return end if right or end == INTERRUPTED else DIFFERENT

        verifying = Verifying(
            document.content, engines=engine_names(engines), counted=counted, time_limit=time_limit
        )
        return run_search(
            document.name, verifying, report_it, lambda it, progress: it.run(progress.tell)
        )

    return GivenPuzzles(puzzles, time_limit).answer(answer)


def engine_names(text: str | None) -> tuple[str, ...] | None:
    """The engines that a list names; None: the usual ones."""
    if text is None:
        return None
    if text == "all":
        return ("auto", *(f"{n}:{get_backend(n).capabilities.heuristics[0]}" for n in names_of()))
    return tuple(part.strip() for part in BETWEEN_ENGINES.split(text) if part.strip())


# -- records --------------------------------------------------------------------------------------


def _verify_records(
    records: list[CountRecord], puzzles: list[Document], report: Printer, time_limit: float
) -> int:
    """Count the puzzle of each record by another method; compare number and digest.

    puzzles  those that the user names. One that belongs to no record is taken for that of every
             record without a puzzle, whose digest then differs
    """
    ends = {"equal": DONE, "different": DIFFERENT, "limit": STOPPED}
    status = DONE
    wanted = {one.origin["digest"] for one in records}
    named = {digest(one.content): one for one in puzzles}
    other = next((one for name, one in named.items() if name not in wanted), None)
    for one in records:
        try:
            document = named.get(one.origin["digest"], other) or one.document()
            made, words = _counted_again(one, document, time_limit)
            line, end = f"{one.name}: {words}", ends[made["status"]]
        except FormatError as error:
            if len(records) == 1:
                raise
            line, end = str(error), MISTAKE
            made = {"puzzle": one.name, "error": line}
        report(made, [line])
        status = worse(status, end)
    return status


def _counted_again(
    record: CountRecord, document: Document, seconds: float
) -> tuple[dict[str, Any], str]:
    """The report for a script, and the words for a person."""
    origin, content = record.origin, document.content
    made: dict[str, Any] = {
        "puzzle": record.name,
        "solutions": origin["solutions"],
        "counted": record.counted,
        "digest": digest(content),
    }
    if made["digest"] != origin["digest"]:
        words = (
            f"another digest: {document.file or document.name} has {made['digest']}, the record "
            f"{record.where} {origin['digest']}: it is not the puzzle recorded"
        )
        return made | {"status": "different", "difference": words}, words
    # A record of two methods is counted by a third, or else by another one than the first.
    two = "; ".join([origin["strategy"], *origin["engines"]])
    with Progress(record.name) as progress:
        counts = (
            second_count(
                content, used, counted=record.counted, time_limit=seconds,
                pulse=lambda: progress.tell("another count"),
            )
            for used in dict.fromkeys([two, origin["strategy"]])
        )  # fmt: skip
        second = next(filter(None, counts), None)
    if second is None:
        return made | {"status": "limit"}, f"no other engine counts it within {seconds:g} s"
    made |= {
        "found": second.solutions,
        "strategy": second.strategy,
        "provenance": provenance_of(replace(document, name=record.name), second) | record.place,
    }
    told = solutions(origin["solutions"], record.counted, document)
    found, whole = f"{second.strategy} finds {second.solutions:,}", origin["whole"]
    if second.solutions < origin["solutions"] or (whole and second.solutions > origin["solutions"]):
        words = f"recorded: {told}; {found}"
        return made | {"status": "different", "difference": words}, words
    words = f"{'at least ' * (not whole)}{told}; {found}, the digest is the same"
    return made | {"status": "equal"}, words


# -- reports --------------------------------------------------------------------------------------


def _record(document: Document, verdict: Verdict, strategies: tuple[str, ...]) -> dict[str, Any]:
    """The report for a script, but for the numbers that the file stores."""
    made: dict[str, Any] = {
        **{key: getattr(verdict, key) for key in ("status", "solutions", "whole", "counted")},
        **{key: sum(getattr(one, key) for one in verdict.engines) for key in SPENT},
        "strategy": next(iter(strategies), ""),
        **{key: getattr(verdict, key) for key in ("compared", "checked", "fault")},
        "engines": [asdict(one) for one in verdict.engines],
    }
    if (model := document.model) is not None and model.reason and not verdict.solutions:
        made["reason"] = model.reason
    return made


def _is_stopped(verdict: Verdict) -> bool:
    """Whether limits kept the engines from finishing, or from starting; refusing a problem is no
    limit."""
    unfinished = any(one.result != "refused" and not one.finished for one in verdict.engines)
    return verdict.status == "limit" and (unfinished or not verdict.engines)


WAYS = {
    "sets": "the engines agree on every one",
    "counts": "the engines agree on the number",
    "": "not compared",
}


def _lines(document: Document, verifying: Verifying, record: dict[str, Any]) -> Iterator[str]:
    """The report for a person."""
    verdict = verifying.verdict
    found = solutions(verdict.solutions, verdict.counted, document)
    end = WAYS[verdict.compared] if record["equal"] else "NOT VERIFIED"
    if _is_stopped(verdict):
        end += f"; {stopped_words('time', seconds=verifying.time_limit)}"
    if verdict.status == "interrupted":
        end += "; interrupted"
    so_far = "" if verdict.whole else " so far"
    held = "problem" if document.puzzle is None else "puzzle"
    checked = f"{verdict.checked:,} checked against the {held}"
    yield f"{document.name}: {found}{so_far}; {end}; {checked}"
    if "reason" in record:
        yield f"  impossible: {record['reason']}"
    for one in verdict.engines:
        outcome = one.reason or f"{one.solutions:,} in {one.seconds:.2f} s"
        by = "" if one.engine == one.strategy else f" ({one.strategy})"
        yield f"  {one.engine}{by}: {one.result}: {outcome}"
    faults = filter(None, (verdict.fault, record.get("warning")))
    yield from (f"  {fault}" for fault in (*faults, *notes(document, record)))
    if verdict.faulty is not None:
        yield ec.draw(verifying.solution(verdict.faulty))
