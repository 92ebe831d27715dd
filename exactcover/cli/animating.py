"""`animate`: a search at work, as a page that plays it, a GIF or a video."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import (
    INTERRUPTED,
    failing_alone,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.ends import DONE
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.writing import Target, check_one_each, output_option
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.pages.film import Film

ENDINGS = (".html", ".gif", ".mp4")


def _needs(ending: str) -> None:
    from exactcover.render.moving import check_extra

    check_extra(ending)


@click.command()
@puzzle_argument
@output_option(
    ENDINGS, "-film.html", needs=_needs, default=Path(),
    help="Write to FILE (.html; .gif and .mp4 with the extra `film`), or into a folder. A name "
    "without an ending is a folder. Default: the puzzle's name with -film.html, in this folder.",
)  # fmt: skip
@click.option(
    "--strategy", "strategies", metavar="TEXT", multiple=True,
    help="How to search, as in `solve`. Say it up to four times, for searches side by side.",
)  # fmt: skip
@click.option(
    "--from", "start", metavar="N", type=click.IntRange(min=1), default=1, show_default=True,
    help="The first event that is shown: a piece placed or removed, or a solution.",
)  # fmt: skip
@click.option(
    "--events", metavar="N", type=click.IntRange(min=1), default=20_000, show_default=True,
    help="Show up to N events.",
)  # fmt: skip
@click.option(
    "--until-solution", metavar="K", type=click.IntRange(min=1), help="End with the Kth solution."
)
@click.option(
    "--every", metavar="N", type=click.IntRange(min=1),
    help="Show about every Nth event. Default: each of them, or fewer if they are very many.",
)  # fmt: skip
@click.option(
    "--counted", type=click.Choice(("rotations", "reflections", "all")),
    help="What counts as one solution, as in `solve`.",
)  # fmt: skip
@click.option("--title", metavar="TEXT", default="", help="What stands above the film.")
@click.option(
    "--seconds", metavar="S", type=click.FloatRange(0.1, 3600),
    help="How long a GIF or video plays. Default: until each moment was shown, up to 20.",
)  # fmt: skip
@click.option(
    "--fps", metavar="N", type=click.FloatRange(0.1, 60),
    help="The frames of a GIF or video in a second. Default: 12.",
)  # fmt: skip
@click.option(
    "--width", metavar="PIXELS", type=click.IntRange(160, 4000),
    help="The width of a GIF or video. Default: 480, or 800 for several searches.",
)  # fmt: skip
@plugin_option
@progress_option
def animate(
    puzzles: tuple[str, ...],
    output: Target | None,
    strategies: tuple[str, ...],
    seconds: float | None,
    fps: float | None,
    width: int | None,
    **said: Any,
) -> int:
    """Show a search at work: which pieces it places and removes, and what it has tried.

    A page plays the film with its own controls. Ctrl-C ends the recording; what was recorded is
    still written.
    """
    documents = list(read_all(puzzles))
    check_one_each(output, "films")
    for document in documents:
        with failing_alone(document):
            if document.puzzle is None:
                raise ExactCoverError(
                    f"{document.name}: a plain problem has no film: it has no cells to show"
                )
            film = _film(document, strategies, said)
            if output is None:
                click.echo(film.page.html, nl=False)
                continue
            file = output.file_of(document)
            progress = Progress(str(file))

            def written(share: float, line: Progress = progress) -> None:
                line.tell(f"{share:.0%} written")

            film.save(file, seconds=seconds, fps=fps, width=width, progress=written)
            progress.clear()
            _tell(film, file)
            if any(recording.status == "interrupted" for recording in film.recordings):
                click.echo(f"exactcover: {document.name}: interrupted", err=True)
                return INTERRUPTED
    return DONE


def _film(document: Document, strategies: tuple[str, ...], said: dict[str, Any]) -> Film:
    """Record the searches of a puzzle."""
    from exactcover.pages.film import Filming

    assert document.puzzle is not None
    with document.faults_placed():
        filming = Filming(document.puzzle, strategies or None, **said)
        progress = Progress(document.name)
        with stopping_on_interrupt(filming):
            while filming.step():
                progress.show(filming)
        progress.clear()
        return filming.film


def _tell(film: Film, file: Path) -> None:
    """Say what is on the film."""
    click.echo(f"{file}: {film.puzzle.name}")
    for recording in film.recordings:
        first, end = recording.moments[0], recording.end
        found = f"{end.found:,} solution{'s' * (end.found != 1)}"
        events = f"events {first.event + 1:,} to {end.event:,}"
        click.echo(
            f"  {recording.strategy}: {events}; {end.fits:,} fits, {end.nofits:,} no-fits, {found}"
        )
