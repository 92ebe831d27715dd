"""`best`: the solution with the least or the most of a quantity, with a proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import (
    INTERRUPTED,
    emit,
    failing_alone,
    json_option,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.drawing import picture_file, save_solutions
from exactcover.cli.ends import DONE, exit_status, stopped_words
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.pictures import Look, look_of, picture_options
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.wording import written

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.optimum import Amount, Best, Optimizing, Quantity
    from exactcover.search.result import Solution

QUANTITIES = ("cost", "cells", "pieces")
SIZES = ("height", "width", "area")


@click.command()
@puzzle_argument
@click.option(
    "--least", type=click.Choice((*QUANTITIES, *SIZES)),
    help="Minimize this quantity: the file's cost, cells filled, or pieces placed; of rectangles "
    "in a room the height, width or area that they take.",
)  # fmt: skip
@click.option("--most", type=click.Choice(QUANTITIES), help="Maximize this quantity.")
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0),
    help="Stop after S seconds, with the best so far.",
)  # fmt: skip
@click.option(
    "--workers", metavar="N", type=click.IntRange(min=1),
    help="Number of threads. Default: one for each processor.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Do not print the solution.")
@picture_file("the solution")
@picture_options
@plugin_option
@progress_option
@json_option
def best(
    puzzles: tuple[str, ...],
    least: Quantity | None,
    most: Amount | None,
    time_limit: float | None,
    workers: int | None,
    quiet: bool,
    picture: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Find the best solution, and prove that none is better.

    By default it has the least cost if the file has costs, else it fills the most cells, or has
    the least area if rectangles are packed into a room. Without geometry, pieces are options. If it
    is stopped before the proof is complete, it prints the best so far, and a bound that no solution
    can pass.
    """
    if least and most:
        raise click.UsageError("there is one best: give --least or --most")
    look, status = look_of(options), DONE
    pictured: list[Solution] = []
    for document in read_all(puzzles, time_limit):
        with failing_alone(document):
            search = _search(document, least, most, time_limit=time_limit, workers=workers)
            found = _run(document.name, search)
            if as_json:
                emit(_record(document, found))
            else:
                _tell(document, found, look, quiet, time_limit)
            if found.solution is not None:
                pictured.append(found.solution)
            status = max(status, exit_status(_stopped_by(found)))
            if found.status == "interrupted":
                status = INTERRUPTED
                break
    if picture is not None:
        save_solutions(pictured, picture)
    return status


def _search(
    document: Document, least: Quantity | None, most: Amount | None, **settings: Any
) -> Optimizing:
    from exactcover.errors import ExactCoverError, FormatError
    from exactcover.search.optimum import Optimizing, named_aim

    try:
        with document.faults_placed():
            return Optimizing(document.content, named_aim(least, most), **settings)
    except FormatError:
        raise
    except ExactCoverError as error:
        raise ExactCoverError(f"{document.name}: {error}") from None


def _run(name: str, search: Optimizing) -> Best:
    """Search to the end or to Ctrl-C, with the progress on the terminal."""
    progress = Progress(name)
    with stopping_on_interrupt(search):
        search.run(lambda so_far: progress.tell(_so_far(so_far)))
    progress.clear()
    return search.best


# -- reports --------------------------------------------------------------------------------------


def _so_far(found: Best) -> str:
    """The best so far and the bound: `cost 57 so far, at least 48`."""
    value = "none found" if found.value is None else _amount(found)
    bound = "" if found.bound is None else f", at {_end(found)} {_whole(found.bound):,}"
    return f"{value} so far{bound}"


def _stopped_by(found: Best) -> str:
    """The limit that ended the search before its proof: only time can."""
    return "time" if found.status == "limit" else ""


def _tell(
    document: Document, found: Best, look: Look, quiet: bool, time_limit: float | None
) -> None:
    if found.solution is not None and not quiet:
        click.echo(f"{look.draw(found.solution)}\n", color=True)
    said = {
        "complete": lambda: f"{_amount(found)}, the {_end(found)} there is",
        "impossible": lambda: f"no solution{': ' * bool(found.reason)}{found.reason}",
        "limit": lambda: f"{_so_far(found)}; {stopped_words('time', seconds=time_limit)}",
        "interrupted": lambda: f"{_so_far(found)}; interrupted",
    }
    click.echo(f"{document.name}: {said[found.status]()}")


def _record(document: Document, found: Best) -> dict[str, Any]:
    """The report for a script."""
    record: dict[str, Any] = {
        "puzzle": document.name,
        "status": found.status,
        "best": str(found.aim),
        "value": _whole(found.value),
        "bound": _whole(found.bound),
        "seconds": round(found.seconds, 6),
        "compiling": round(found.compiling, 6),
    }
    if found.reason:
        record["reason"] = found.reason
    if found.solution is not None:
        sort = "options" if found.solution.model is None else "placements"
        record[sort] = [written(found.solution)]
    return record


def _amount(found: Best) -> str:
    """`cost 13`, `1 piece`, `60 cells`; without geometry `8 options`."""
    assert found.value is not None, "only what was found has an amount"
    number, noun = _whole(found.value), str(found.aim.quantity)
    if noun in ("cost", *SIZES):
        return f"{noun} {number:,}"
    if found.solution is not None and found.solution.model is None:
        noun = "options"
    return f"{number:,} {noun.removesuffix('s') if found.value == 1 else noun}"


def _end(found: Best) -> str:
    return "most" if found.aim.most else "least"


def _whole(value: float | None) -> float | None:
    """A number for people and scripts: whole if it is whole, and without rounding errors of
    sums."""
    if value is None:
        return None
    value = round(float(value), 9)
    return int(value) if value.is_integer() else value
