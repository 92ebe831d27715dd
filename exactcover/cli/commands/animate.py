"""`animate`: a search at work, as a page that plays it, or a GIF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, say
from exactcover.cli.files import GivenPuzzles, Target, puzzle_of
from exactcover.cli.progress import Progress
from exactcover.cli.reports import quantity
from exactcover.cli.searches import searching, step_by_step
from exactcover.formats import Document
from exactcover.show.film import Film, Filming


@opt.command()
@opt.puzzles
@opt.output((".html", ".gif"), "-film.html", needs="picture", default=".",
            help="Write to FILE (.html, .gif) or a folder.")  # fmt: skip
@opt.several_strategies(help="How to search; up to four, side by side.")
@opt.whole("--from", "start", default=1, help="The first event shown.")
@opt.whole("--events", default=20_000, help="Show up to N events.")
@opt.whole("--until-solution", metavar="K", help="End with the Kth solution.")
@opt.number("--seconds", 0.1, 3600, metavar="S", help="How long a GIF plays.")
@opt.number("--fps", 0.1, 60, metavar="N", help="Frames of a GIF in a second.")
@opt.whole("--width", type=click.IntRange(160, 4000), metavar="PIXELS", help="The width of a GIF.")
@opt.at_work
@opt.counted
def animate(
    puzzles: tuple[str, ...],
    output: Target | None,
    strategies: tuple[str, ...],
    seconds: float | None,
    fps: float | None,
    width: int | None,
    **asked: Any,
) -> int:
    """Show a search at work: a page or a GIF.

    An event is a piece placed, a turning back, or a solution. A page plays the film with its own
    controls. Ctrl-C ends the recording; events so far are still written.
    """
    given = GivenPuzzles(puzzles)
    given.read_for(output, "a film")

    def answer(document: Document) -> int:
        puzzle = puzzle_of(document, "film")
        filming = Filming(puzzle, strategies or None, title=document.title, **asked)
        with searching(document.name, filming) as progress:
            step_by_step(filming, progress)
        film = filming.film
        if output is None:
            print(film.page.html, end="")
            return DONE
        file = output.file_of(document)
        with Progress(str(file)) as progress:
            film.save(
                file, seconds=seconds, fps=fps, width=width,
                progress=lambda share: progress.tell(f"{share:.0%} written"),
            )  # fmt: skip
        print(*_lines(film, file), sep="\n")
        if any(recording.status == "interrupted" for recording in film.recordings):
            say(f"{document.name}: interrupted")
            return INTERRUPTED
        return DONE

    return given.answer(answer)


def _lines(film: Film, file: Path) -> Iterator[str]:
    """The report: the parts of the searches that are on the film."""
    yield f"{file}: {film.puzzle.name}"
    for recording in film.recordings:
        first, end = recording.moments[0], recording.end
        events = f"events {first.event + 1:,} to {end.event:,}"
        counts = f"{end.fits:,} fits, {end.nofits:,} no-fits, {quantity(end.found, 'solution')}"
        yield f"  {recording.strategy}: {events}; {counts}"
