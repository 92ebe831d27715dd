"""`animate`: a search at work, as a page that plays it, or a GIF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, say
from exactcover.cli.files import GivenPuzzles, Target, check_one_each, output_option, puzzle_of
from exactcover.cli.progress import Progress
from exactcover.cli.reports import quantity
from exactcover.cli.searches import run_search

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.pages.film import Film


@dataclass(frozen=True)
class AnimateOptions(opt.WithProgress, opt.Plugged, opt.Counted):
    output: Target | None = output_option(
        (".html", ".gif"), "-film.html", needs="picture", default=Path(),
        help="Write to FILE (.html; .gif with the extra `picture`), or into a folder. A name "
        "without an ending is a folder. Default: the puzzle's name with -film.html, here.",
    )  # fmt: skip
    strategies: tuple[str, ...] = opt.option(
        "--strategy", metavar="TEXT", multiple=True, default=(),
        help="How to search, as in `solve`. Say it up to four times, for searches side by side.",
    )  # fmt: skip
    start: int = opt.integer(
        "--from", default=1,
        help="The first event that is shown: a piece placed or removed, or a solution.",
    )  # fmt: skip
    events: int = opt.integer("--events", default=20_000, help="Show up to N events.")
    until_solution: int | None = opt.integer(
        "--until-solution", metavar="K", help="End with the Kth solution."
    )
    every: int | None = opt.integer(
        "--every",
        help="Show about every Nth event. Default: each of them, or fewer if they are very many.",
    )
    seconds: float | None = opt.number(
        "--seconds", metavar="S", least=0.1, most=3600,
        help="How long a GIF plays. Default: until each moment was shown, up to 20.",
    )  # fmt: skip
    fps: float | None = opt.number(
        "--fps", metavar="N", least=0.1, most=60,
        help="The frames of a GIF in a second. Default: 12.",
    )  # fmt: skip
    width: int | None = opt.integer(
        "--width", metavar="PIXELS", least=160, most=4000,
        help="The width of a GIF. Default: 480, or 800 for several searches.",
    )  # fmt: skip


@opt.puzzle_command(AnimateOptions)
def animate(puzzles: tuple[str, ...], options: AnimateOptions) -> int:
    """Show a search at work: which pieces it places and removes, and what it has tried.

    A page plays the film with its own controls. Ctrl-C ends the recording; events so far are
    still written.
    """
    given = GivenPuzzles(puzzles)
    check_one_each(options.output, given, "films")

    def answer(document: Document) -> int:
        film = _film(document, options)
        if options.output is None:
            click.echo(film.page.html, nl=False)
            return DONE
        file = options.output.file_of(document)
        with Progress(str(file)) as progress:
            film.save(
                file,
                seconds=options.seconds,
                fps=options.fps,
                width=options.width,
                progress=lambda share: progress.tell(f"{share:.0%} written"),
            )
        click.echo("\n".join(_lines(film, file)))
        if any(recording.status == "interrupted" for recording in film.recordings):
            say(f"{document.name}: interrupted")
            return INTERRUPTED
        return DONE

    return given.answer(answer)


def _film(document: Document, options: AnimateOptions) -> Film:
    """Record the searches of a puzzle."""
    from exactcover.show.pages.film import Filming

    puzzle = puzzle_of(document, "film")
    with document.faults_placed():
        filming = Filming(
            puzzle,
            options.strategies or None,
            start=options.start,
            events=options.events,
            until_solution=options.until_solution,
            every=options.every,
            counted=options.counted,
        )
        run_search(document.name, filming)
        return filming.film


def _lines(film: Film, file: Path) -> Iterator[str]:
    """The report: the parts of the searches that are on the film."""
    yield f"{file}: {film.puzzle.name}"
    for recording in film.recordings:
        first, end = recording.moments[0], recording.end
        events = f"events {first.event + 1:,} to {end.event:,}"
        counts = f"{end.fits:,} fits, {end.nofits:,} no-fits, {quantity(end.found, 'solution')}"
        yield f"  {recording.strategy}: {events}; {counts}"
