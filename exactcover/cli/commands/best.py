"""`best`: the solution with the least or the most of a quantity, with a proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import exactcover as ec
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import GivenPuzzles, save_solutions
from exactcover.cli.progress import Progress
from exactcover.cli.reports import Printer, stopped_words
from exactcover.cli.searches import run_search
from exactcover.cli.solution_files import key_of, written

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.optimum import Optimizing
    from exactcover.show.palette import Wish

QUANTITIES = ("cost", "cells", "pieces")


@opt.command()
@opt.puzzles
@opt.choice("--least", QUANTITIES, help="Minimize this quantity.")
@opt.choice("--most", QUANTITIES, help="Maximize this quantity.")
@opt.threads(help="Threads. Default: one for each processor.")
@opt.quiet
@opt.color
@opt.picture("the solution")
@opt.usual
@opt.time_limit()
def best(
    puzzles: tuple[str, ...],
    report: Printer,
    quiet: bool,
    color: Wish,
    picture: Path | None,
    **asked: Any,
) -> int:
    """Find the best solution: cheapest, or fullest.

    It has the least cost if the file has costs, else it fills the most cells, with a proof that
    none is better. Without geometry, pieces are options. Stopped early, it says the best so far,
    and a bound for all.
    """
    from exactcover.search.optimum import Optimizing

    if asked["least"] and asked["most"]:
        raise click.UsageError("there is one best: give --least or --most")
    pictured: list[ec.Solution] = []

    def answer(document: Document) -> int:
        def work(search: Optimizing, progress: Progress) -> None:
            search.run(lambda so_far: progress.tell(_so_far(so_far)))

        def report_it() -> int:
            found, lines = search.best, []
            if found.solution is not None:
                pictured.append(found.solution)
                lines += [] if quiet else [f"{opt.drawn_text(found.solution, color)}\n"]
            lines.append(f"{document.name}: {_line(found, asked['time_limit'])}")
            report.with_origin(
                document, _record(document, found), lines,
                strategies=("cpsat",), workers=asked["workers"],
            )  # fmt: skip
            return exit_status("time" if found.status == "limit" else "", found.status)

        search = Optimizing(document.content, **asked)
        return run_search(document.name, search, report_it, work)

    status = GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)
    if picture is not None:
        save_solutions(pictured, picture)
    return status


# -- reports --------------------------------------------------------------------------------------


def _line(found: ec.Best, time_limit: float | None) -> str:
    """The report for a person."""
    if found.status == "complete":
        return f"{_amount(found)}, the {_end(found)} there is"
    if found.status == "impossible":
        return f"no solution{': ' * bool(found.reason)}{found.reason}"
    limit = stopped_words("time", seconds=time_limit)
    return f"{_so_far(found)}; {limit if found.status == 'limit' else 'interrupted'}"


def _so_far(found: ec.Best) -> str:
    """The best so far and the bound: `cost 57 so far, at least 48`."""
    value = "none found" if found.value is None else _amount(found)
    bound = "" if found.bound is None else f", at {_end(found)} {_whole(found.bound):,}"
    return f"{value} so far{bound}"


def _record(document: Document, found: ec.Best) -> dict[str, Any]:
    """The report for a script."""
    record: dict[str, Any] = {
        "puzzle": document.name,
        "status": found.status,
        "best": found.aim,
        "value": _whole(found.value),
        "bound": _whole(found.bound),
        "seconds": round(found.seconds, 6),
        "compiling": round(found.compiling, 6),
    }
    if found.reason:
        record["reason"] = found.reason
    if found.solution is not None:
        record[key_of(document)] = [written(found.solution)]
    return record


def _amount(found: ec.Best) -> str:
    """`cost 13`, `1 piece`, `60 cells`; without geometry `8 options`."""
    number, noun = _whole(found.value), str(found.quantity)
    if noun == "cost":
        return f"{noun} {number:,}"
    if found.solution is not None and found.solution.model is None:
        noun = "options"
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def _end(found: ec.Best) -> str:
    return "most" if found.most else "least"


def _whole(value: float | None) -> float | None:
    """A number for people and scripts: whole if it is whole, and without rounding errors of
    sums."""
    if value is None:
        return None
    value = round(float(value), 9)
    return int(value) if value.is_integer() else value
