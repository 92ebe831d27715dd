"""`tune`: every strategy that may be the best, measured on parts of the search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.cli.console import (
    INTERRUPTED,
    emit,
    json_option,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.drawing import check_ending
from exactcover.cli.ends import DONE
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.stored import COUNTED_AS

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.tuning import Tuner, Tuning


@click.command()
@puzzle_argument
@click.option(
    "--counted", type=click.Choice(tuple(COUNTED_AS)),
    help="What counts as one solution, as in `solve`. Default: 'rotations'.",
)  # fmt: skip
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0), default=30.0, show_default=True,
    help="Measure for at most S seconds.",
)  # fmt: skip
@click.option("--seed", metavar="N", type=int, help="Draw other parts of the search.")
@click.option(
    "--plot", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="Plot the seconds of each strategy, for one puzzle: .svg, .png or .pdf.",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Do not keep the best strategy for later runs.")
@plugin_option
@progress_option
@json_option
def tune(
    puzzles: tuple[str, ...],
    counted: str | None,
    time_limit: float,
    seed: int | None,
    plot: Path | None,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Measure every strategy that may be the best, and keep the best one for later runs.

    Each strategy searches parts of the tree that are drawn at random, the better ones more of them.
    `solve` and `count` do the same for a short while in a run that takes long. Ctrl-C ends it with
    what is measured; nothing is kept then.
    """
    from exactcover.search.tuning import Tuner

    if plot is not None:
        from exactcover.render.raster import extra

        check_ending(plot, "--plot")
        extra("matplotlib", "plot", "plots need")  # before the measurement
    documents = list(read_all(puzzles))
    if plot is not None and len(documents) != 1:
        raise click.UsageError(f"--plot is for one puzzle, not for {len(documents)}")
    for document in documents:
        progress = Progress(document.name)
        tuner = Tuner(document.content, counted=counted, time_limit=time_limit, seed=seed)

        def last_words(document: Document = document, tuner: Tuner = tuner) -> None:
            _report(document, tuner.tuning, as_json)

        with stopping_on_interrupt(tuner, last_words):
            while tuner.step():
                progress.tell("measuring strategies")
        progress.clear()
        made = tuner.tuning
        if not no_cache:
            tuner.keep()
        _report(document, made, as_json)
        if tuner.stopped:
            click.echo(f"exactcover: {document.name}: interrupted before the end", err=True)
            return INTERRUPTED
        if plot is not None:
            from exactcover.render.candidates import plot_tuning

            plot_tuning(made, title=document.name).save(plot)
    return DONE


def _report(document: Document, made: Tuning, as_json: bool) -> None:
    from exactcover.search.tuning import table

    if as_json:
        emit({"puzzle": document.name} | made.record())
        return
    for line in table(made) if made.tuned else ():
        click.echo(line)
    click.echo(f"{document.name}: {made.strategy} ({made.why})")
