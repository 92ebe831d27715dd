"""`best`: the solution with the least or the most of a quantity, with a proof."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import exactcover as ec
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import GivenPuzzles, save_solutions
from exactcover.cli.progress import Progress, run_search
from exactcover.cli.reports import Printer, key_of, stopped_words, written
from exactcover.formats import Document
from exactcover.search.optimum import QUANTITIES, Optimizing
from exactcover.show.palette import Wish


@opt.command()
@opt.puzzles
@click.option("--least", type=click.Choice(QUANTITIES), help="Minimize this quantity.")
@click.option("--most", type=click.Choice(QUANTITIES), help="Maximize this quantity.")
@opt.threads(help="Threads. Default: one for each processor.")
@opt.quiet
@opt.color
@opt.picture(help="Also draw the solution: .svg, .png, .html.")
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
    pictured: list[ec.Solution] = []

    def answer(document: Document) -> int:
        def work(search: Optimizing, progress: Progress) -> None:
            search.run(lambda so_far: progress.tell(_so_far(so_far)))

        def report_it() -> int:
            found, lines = search.best, []
            record: dict[str, Any] = {
                "status": found.status,
                "best": found.aim,
                "value": _whole(found.value),
                "bound": _whole(found.bound),
                "seconds": found.seconds,
                "compiling": found.compiling,
                "reason": found.reason,
            }
            if found.solution is not None:
                pictured.append(found.solution)
                record[key_of(document)] = [written(found.solution)]
                lines += [] if quiet else [f"{ec.draw(found.solution, color=color)}\n"]
            words = _so_far(found)
            if found.status == "impossible":
                words = f"no solution{': ' * bool(found.reason)}{found.reason}"
            elif found.status == "limit":
                words += f"; {stopped_words('time', seconds=asked['time_limit'])}"
            elif found.status == "interrupted":
                words += "; interrupted"
            lines.append(f"{document.name}: {words}")
            report(record, lines, document, strategies=("cpsat",), workers=asked["workers"])
            return exit_status("time" if found.status == "limit" else "", found.status)

        search = Optimizing(document.content, **asked)
        return run_search(document.name, search, report_it, work)

    status = GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)
    if picture is not None:
        save_solutions(pictured, picture)
    return status


def _so_far(found: ec.Best) -> str:
    """The best so far and the bound: `cost 57 so far, at least 48`, `60 cells, the most there
    is`; without geometry `8 options`."""
    number, noun, end = _whole(found.value), str(found.quantity), "most" if found.most else "least"
    if noun != "cost" and found.solution is not None and found.solution.model is None:
        noun = "options"
    amount = "none found"
    if number is not None:
        plural = noun.removesuffix("s") if number == 1 else noun
        amount = f"cost {number:,}" if noun == "cost" else f"{number:,} {plural}"
    if found.status == "complete":
        return f"{amount}, the {end} there is"
    bound = "" if found.bound is None else f", at {end} {_whole(found.bound):,}"
    return f"{amount} so far{bound}"


def _whole(value: float | None) -> float | None:
    """A number for people and scripts: whole if it is whole, and without rounding errors of
    sums."""
    if value is None:
        return None
    value = round(float(value), 9)
    return int(value) if value.is_integer() else value
