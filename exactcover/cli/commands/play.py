"""`play`: pages on which a puzzle is played by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import (
    PAGES,
    GivenPuzzles,
    Target,
    check_one_each,
    output_option,
    puzzle_of,
)
from exactcover.cli.searches import searching

if TYPE_CHECKING:
    from exactcover.formats import Document

MOST = 10_000
"""Solutions that a page holds at most; `app.playing` has the same number."""

SECONDS = 60.0
"""How long the solutions are searched for where the user does not say."""


@dataclass(frozen=True)
class PlayOptions(opt.WithProgress, opt.Plugged):
    output: Target | None = output_option(
        PAGES, ".html", default=Path(),
        help="Write to FILE (.html), into a folder, or - for standard output. A name without an "
        "ending is a folder. Default: a file in this folder, named after the puzzle.",
    )  # fmt: skip
    solutions: int = opt.integer(
        "--solutions", least=0, most=MOST, default=MOST,
        help="Put up to N solutions, unique up to rotations, on the page.",
    )  # fmt: skip
    time_limit: float = opt.limit_option(SECONDS, help="Search for solutions for S seconds.")


@opt.puzzle_command(PlayOptions)
def play(puzzles: tuple[str, ...], options: PlayOptions) -> int:
    """Write a page on which a puzzle is played by hand: one HTML file that needs no server.

    The page needs no network. It has the board, the pieces and the solutions, so it says how many
    are left after each move, gives hints, and finds the way back from a mistake. Play by mouse,
    touch or keyboard.

    A puzzle with more solutions than --solutions, or than are found within --time-limit, plays
    without that number; hints then come from the solutions that the page holds. Of several puzzles,
    each page leads to the next when it is solved.
    """
    from exactcover.app.playing import Preparing

    given = GivenPuzzles(puzzles)
    documents = check_one_each(options.output, given, "pages")
    target = options.output
    files = [target.file_of(one) for one in documents] if target else []
    places = {id(one): place for place, one in enumerate(documents)}

    def answer(document: Document) -> int:
        puzzle = puzzle_of(document, "page")
        with document.faults_placed():
            preparing = Preparing(
                puzzle,
                title=_title(document),
                solutions=options.solutions,
                time_limit=options.time_limit,
            )
            with searching(document.name, preparing.solving) as progress:
                preparing.solving.between = progress.show
                preparing.search()
            place = places[id(document)]
            after = (place + 1) % len(documents)
            made = preparing.file(
                (_title(documents[after]), files[after].name) if len(files) > 1 else None
            )
        if target is None:
            click.echo(made.page.html, nl=False)
        else:
            made.page.save(files[place])
            click.echo(f"{files[place]}: {made.words}")
        return exit_status("", preparing.solving.result.status)

    return given.answer(answer)


def _title(document: Document) -> str:
    return document.title or document.name.rpartition("/")[2]
