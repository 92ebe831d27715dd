"""`play`: pages on which a puzzle is played by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from exactcover.cli import PAGES, GivenPuzzles, Target, exit_status, puzzle_in, searching
from exactcover.cli import options as opt

if TYPE_CHECKING:
    from exactcover.formats import Document

MOST = 50_000
"""Solutions that a page holds at most; `studio.playing` has the same number."""

SECONDS = 60
"""How long the solutions are searched for where the user does not say."""


@opt.command()
@opt.puzzles
@opt.output(
    endings=PAGES,
    in_folder="-play.html",
    default=".",
    help="Write to FILE (.html), a folder, or -.",
)
@click.option(
    "--solutions",
    type=click.IntRange(0, MOST),
    metavar="N",
    default=MOST,
    help="Up to N solutions, symmetric ones included.",
)
@opt.at_work
@opt.time_limit(SECONDS, "Search for solutions for S seconds.")
def play(puzzles: tuple[str, ...], output: Target | None, solutions: int, time_limit: float) -> int:
    """Write a page on which a puzzle is played by hand: one HTML file that needs no server.

    It says how many solutions are left after each move, gives hints, and finds the way back from a
    mistake. If there are more solutions than it may hold, or than are found in time, it plays
    without that number. Of several puzzles, each page leads to the next.
    """
    from exactcover.studio.playing import Preparing

    given = GivenPuzzles(puzzles)
    documents = given.read_for(output, "a page")
    files = [output.file_of(one.name) for one in documents] if output else []
    places = {id(one): place for place, one in enumerate(documents)}

    def answer(document: Document) -> int:
        puzzle = puzzle_in(document, "page")
        with document.faults_placed():
            preparing = Preparing(
                puzzle, title=_title(document), solutions=solutions, time_limit=time_limit
            )
            with searching(document.name, preparing.solving) as progress:
                preparing.solving.between = progress.show
                preparing.search()
            place = places[id(document)]
            after = (place + 1) % len(documents)
            made = preparing.file(
                (_title(documents[after]), files[after].name) if len(files) > 1 else None
            )
        if output is None:
            print(made.page.html, end="")
        else:
            made.page.save(files[place])
            print(f"{files[place]}: {made.words}")
        return exit_status("", preparing.solving.result.status)

    return given.answer(answer)


def _title(document: Document) -> str:
    return document.title or document.name.rpartition("/")[2]
