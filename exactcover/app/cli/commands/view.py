"""`view`: pages on which puzzles and their solutions turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from exactcover.app.cli import options as opt
from exactcover.app.cli.exit_status import DONE, INTERRUPTED, exit_status
from exactcover.app.cli.given_puzzles import GivenPuzzles, puzzle_of
from exactcover.app.cli.outputs import Target, check_one_each, page_option
from exactcover.app.cli.reports import stopped_words
from exactcover.app.cli.search_loop import searching
from exactcover.base.values import COUNTED_AS

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution

FEW = 12
"""The number of solutions on a page where the user does not say."""

MANY = 1000


@dataclass(frozen=True)
class ViewOptions(opt.WithProgress, opt.Plugged, opt.Limited, opt.Strategic, opt.Counted):
    output: Target | None = page_option()
    solutions: int = opt.integer(
        "--solutions", most=MANY, default=FEW, help="Put up to N solutions on the page."
    )
    pieces: bool = opt.flag("--pieces", help="Show the empty region and the pieces, unsolved.")


@opt.puzzle_command(ViewOptions)
def view(puzzles: tuple[str, ...], options: ViewOptions) -> int:
    """Write a page on which the solutions of a puzzle turn: one HTML file.

    The page needs no network. On it a solution can be turned, exploded, peeled by layers and taken
    apart, with mouse, touch or keyboard. A puzzle without a solution is shown as its empty region
    with the pieces beside it; so are all with --pieces.
    """
    from exactcover.show.pages import view as page_of

    given = GivenPuzzles(puzzles, options.time_limit)
    check_one_each(options.output, given, "pages")

    def answer(document: Document) -> int:
        puzzle = puzzle_of(document, "page")
        with document.faults_placed():
            if options.pieces:
                found: list[Solution] = []
                words, status = "the empty region and the pieces", DONE
            else:
                found, words, status = _found(document, options)
            note = f"{words[0].upper()}{words[1:]}."
            made = page_of(found or puzzle, title=document.title or None, note=note)
        if options.output is None:
            click.echo(made.html, nl=False)
        else:
            file = options.output.file_of(document)
            made.save(file)
            click.echo(f"{file}: {words}")
        return status

    return given.answer(answer)


def _found(document: Document, options: ViewOptions) -> tuple[list[Solution], str, int]:
    """The first solutions of a puzzle, the words about them, and the exit status."""
    from exactcover.search.solving import Solving, find_one

    asked: dict[str, Any] = {
        "counted": options.counted,
        "strategy": options.strategy,
        "time_limit": options.time_limit,
    }
    if options.solutions == 1:
        solving = find_one(document.content, **asked)
    else:
        solving = Solving(document.content, limit=options.solutions, **asked)
    solutions: list[Solution] = []
    with searching(document.name, solving) as progress:
        solving.between = progress.show
        # `extend` keeps what was found before an interrupt.
        solutions.extend(islice(solving, options.solutions))
    result, count = solving.result, len(solutions)
    interrupted = result.status == "interrupted"
    status = INTERRUPTED if interrupted else exit_status(result.stopped_by)
    cut_short = "interrupted"
    if result.stopped_by:
        cut_short = stopped_words(result.stopped_by, seconds=options.time_limit, solutions=count)
    complete = result.status in ("complete", "impossible")
    if not count:
        reason = f": {result.reason}" if result.reason else ""
        words = f"no solution{reason}" if complete else f"no solution so far; {cut_short}"
        words += ". The empty region and the pieces"
    elif complete:
        which = "the only solution" if count == 1 else f"all {count:,} solutions"
        words = f"{which} ({COUNTED_AS[result.counted]})"
    elif status == DONE:
        words = "one solution" if count == 1 else f"the first {count:,} solutions"
    else:
        words = f"{count:,} solutions so far; {cut_short}"
    return solutions, words, status
