"""`sample`: solutions drawn at random, each with the same probability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exactcover.cli.console import (
    emit,
    failing_alone,
    json_option,
    puzzle_argument,
    read_all,
)
from exactcover.cli.drawing import ON_ONE_SHEET, picture_file, save_solutions
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.outputs import cost_line
from exactcover.cli.pictures import look_of, picture_options
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.wording import written
from exactcover.errors import TooLarge


@click.command()
@puzzle_argument
@click.option(
    "-n", "many", metavar="N", type=click.IntRange(min=1), default=1, show_default=True,
    help="How many to draw; the same one may be drawn twice.",
)  # fmt: skip
@click.option("--seed", metavar="N", type=int, help="Draw the same ones again.")
@click.option(
    "--memory", metavar="MIB", type=click.IntRange(min=1),
    help="Memory limit in MiB. Default: half of the free memory.",
)  # fmt: skip
@picture_file(f"the solutions, up to {ON_ONE_SHEET} on a sheet")
@picture_options
@plugin_option
@progress_option
@json_option
def sample(
    puzzles: tuple[str, ...],
    many: int,
    seed: int | None,
    memory: int | None,
    picture: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Draw solutions at random, symmetric copies among them, each as likely as any other.

    It counts all solutions without listing them, so it needs a puzzle whose states fit the memory.
    """
    from exactcover.counting.sampling import diagram
    from exactcover.render.text import heading
    from exactcover.search.driver import Clock
    from exactcover.search.result import Solution

    look = look_of(options)
    pictured: list[Solution] = []
    too_large: TooLarge | None = None
    for document in read_all(puzzles):
        with failing_alone(document):
            clock = Clock()
            with clock.running():
                model, problem = document.model, document.problem
            progress = Progress(document.name)
            try:
                with clock.running(), progress.ticking("counting solutions"):
                    made = diagram(document.content, memory=memory)
            except TooLarge as error:
                too_large = error
                if as_json:
                    emit({"puzzle": document.name, "status": "limit", "counted": "all"})
                continue
            drawn = []
            with clock.running():
                for options_drawn in made.samples(many, seed):
                    drawn.append(Solution(options_drawn, problem, model))
                    progress.tell(f"{len(drawn):,} of {many:,} drawn")
            progress.clear()
            pictured += drawn[: ON_ONE_SHEET - len(pictured)]
            reason = "" if model is None else model.reason
            if as_json:
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
                sort = "options" if model is None else "placements"
                emit(record | {sort: [written(solution) for solution in drawn]})
                continue
            for number, solution in enumerate(drawn, 1):
                drawing = look.draw(solution) + cost_line(solution)
                click.echo(f"{heading(number)}\n{drawing}\n", color=True)
            noun = "solution" if made.count == 1 else "solutions"
            why = f": {reason}" if reason else ""
            click.echo(f"{document.name}: {len(drawn):,} drawn from {made.count:,} {noun}{why}")
    if picture is not None:
        save_solutions(pictured, picture)
    if too_large is not None:
        raise too_large
    return 0
