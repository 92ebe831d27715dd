"""`tune`: every strategy that may be the best, measured on parts of the search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.cli.console import (
    INTERRUPTED,
    counting_options,
    emit,
    failing_alone,
    json_option,
    puzzle_argument,
    puzzles_given,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.drawing import ENDINGS, plot_needs
from exactcover.cli.ends import DONE
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.writing import file_option, replacing
from exactcover.values.conventions import Convention

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.tuning import Tuner, Tuning


@click.command()
@puzzle_argument
@counting_options("What counts as one solution, as in `solve`. Default: 'rotations'.")
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0), default=30.0, show_default=True,
    help="Measure for at most S seconds.",
)  # fmt: skip
@click.option(
    "--strategy",
    "strategies",
    metavar="TEXT",
    multiple=True,
    help="Measure this strategy of your own beside the others; may be given more than once.",
)
@click.option("--seed", metavar="N", type=int, help="Draw other parts of the search.")
@file_option(
    "--plot", endings=ENDINGS, needs=plot_needs,
    help="Plot the seconds of each strategy, for one puzzle: .svg, .png or .pdf.",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Do not keep the best strategy for later runs.")
@plugin_option
@progress_option
@json_option
def tune(
    puzzles: tuple[str, ...],
    counted: Convention | None,
    time_limit: float,
    strategies: tuple[str, ...],
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

    documents = list(read_all(puzzles))
    if plot is not None and puzzles_given() != 1:
        raise click.UsageError(f"--plot is for one puzzle, not for {puzzles_given()}")
    for document in documents:
        with failing_alone(document):
            progress = Progress(document.name)
            tuner = Tuner(
                document.content,
                counted=counted,
                time_limit=time_limit,
                seed=seed,
                strategies=strategies,
            )

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

                plot_tuning(made, title=document.name).save(replacing(plot))
    return DONE


def _report(document: Document, made: Tuning, as_json: bool) -> None:
    from exactcover.search.tuning import table

    if as_json:
        emit({"puzzle": document.name} | made.record())
        return
    for line in table(made) if made.tuned else ():
        click.echo(line)
    click.echo(f"{document.name}: {made.strategy} ({made.why})")
