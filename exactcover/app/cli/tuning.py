"""`tune`: every strategy that may be the best, measured on parts of the search."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.app.cli.console import (
    INTERRUPTED,
    emit,
    failing_alone,
    puzzles_given,
    read_all,
)
from exactcover.app.cli.ends import DONE
from exactcover.app.cli.options import (
    Counted,
    Json,
    Plugged,
    Shown,
    command,
    flag,
    integer,
    limit_option,
    option,
    puzzle_argument,
)
from exactcover.app.cli.outputs import plot_file, replacing
from exactcover.app.cli.searching import searching

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.tuning import Tuner, Tuning


@dataclass(frozen=True)
class TuneOptions(Json, Shown, Plugged, Counted):
    """The options of `tune`."""

    time_limit: float = limit_option(30.0, help="Measure for at most S seconds.")
    strategies: tuple[str, ...] = option(
        "--strategy", metavar="TEXT", multiple=True, default=(),
        help="Measure this strategy of your own beside the others; may be given more than once.",
    )  # fmt: skip
    seed: int | None = integer("--seed", least=None, help="Draw other parts of the search.")
    plot: Path | None = plot_file(
        "--plot", help="Plot the seconds of each strategy, for one puzzle: .svg, .png or .pdf."
    )
    no_cache: bool = flag("--no-cache", help="Do not keep the best strategy for later runs.")


@command(TuneOptions)
@puzzle_argument
def tune(puzzles: tuple[str, ...], options: TuneOptions) -> int:
    """Measure every strategy that may be the best, and keep the best one for later runs.

    Each strategy searches parts of the tree that are drawn at random, the better ones more of them.
    `solve` and `count` do the same for a short while in a run that takes long. Ctrl-C ends it with
    what is measured; nothing is kept then. `plot` shows the fits of strategies of your choice.
    """
    from exactcover.search.tuning import Tuner

    documents = list(read_all(puzzles))
    if options.plot is not None and puzzles_given() != 1:
        raise click.UsageError(f"--plot is for one puzzle, not for {puzzles_given()}")
    for document in documents:
        with failing_alone(document):
            tuner = Tuner(
                document.content,
                counted=options.counted,
                time_limit=options.time_limit,
                seed=options.seed,
                strategies=options.strategies,
            )

            def last_words(document: Document = document, tuner: Tuner = tuner) -> None:
                _report(document, tuner.tuning, options.as_json)

            with searching(document.name, tuner, last_words) as progress:
                while tuner.step():
                    progress.tell("measuring strategies")
            made = tuner.tuning
            if not options.no_cache:
                tuner.keep()
            _report(document, made, options.as_json)
            if tuner.stopped:
                click.echo(f"exactcover: {document.name}: interrupted before the end", err=True)
                return INTERRUPTED
            if options.plot is not None:
                from exactcover.show.render.plots import plot_tuning

                plot_tuning(made, title=document.name).save(replacing(options.plot))
    return DONE


def _report(document: Document, made: Tuning, as_json: bool) -> None:
    from exactcover.search.tuning import table

    if as_json:
        emit({"puzzle": document.name} | made.record())
        return
    for line in table(made) if made.tuned else ():
        click.echo(line)
    click.echo(f"{document.name}: {made.strategy} ({made.why})")
