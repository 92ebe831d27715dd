"""`view`: pages on which puzzles and their solutions turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import (
    INTERRUPTED,
    puzzle_argument,
    read_all,
    stopping_on_interrupt,
)
from exactcover.cli.drawing import PAGES, check_ending
from exactcover.cli.ends import DONE, exit_status, stopped_words
from exactcover.cli.heuristics import plugin_option
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.stored import COUNTED_AS
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution

FEW = 12
"""The number of solutions on a page where the user does not say."""

MANY = 1000


@dataclass(frozen=True)
class Found:
    """What a page shows of a puzzle, what it says of that, and the exit status."""

    solutions: list[Solution]
    words: str
    status: int


@click.command()
@puzzle_argument
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path),
    help="Write to FILE (.html), into a folder, or - for standard output. Default: a file in this "
    "folder, named after the puzzle.",
)  # fmt: skip
@click.option(
    "--solutions", "wanted", metavar="N", type=click.IntRange(1, MANY), default=FEW,
    show_default=True, help="Put up to N solutions on the page.",
)  # fmt: skip
@click.option("--pieces", is_flag=True, help="Show the empty region and the pieces, unsolved.")
@click.option(
    "--counted", type=click.Choice(tuple(COUNTED_AS)),
    help="What counts as one solution, as in `solve`. Default: rotations.",
)  # fmt: skip
@click.option("--all", "count_all", is_flag=True, help="Short for --counted all.")
@click.option("--strategy", metavar="TEXT", help="How to search, as in `solve`.")
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0),
    help="Stop the search after S seconds.",
)  # fmt: skip
@plugin_option
@progress_option
def view(
    puzzles: tuple[str, ...],
    output: Path | None,
    wanted: int,
    pieces: bool,
    counted: str | None,
    count_all: bool,
    strategy: str | None,
    time_limit: float | None,
) -> int:
    """Write a page on which the solutions of a puzzle turn: one HTML file.

    The page needs no network. On it a solution can be turned, exploded, peeled by layers and taken
    apart, with mouse, touch or keyboard. A puzzle without a solution is shown as its empty region
    with the pieces beside it; so are all with --pieces.
    """
    from exactcover.pages import view as page_of

    if count_all and counted not in (None, "all"):
        raise click.UsageError("--all is --counted all: give one of the two")
    to_output = output == Path("-")
    if output is not None and not to_output and not output.is_dir():
        check_ending(output, "--output", PAGES)
    documents = list(read_all(puzzles, time_limit))
    if len(documents) > 1 and output is not None and not output.is_dir():
        raise click.UsageError(
            f"{len(documents)} puzzles make as many pages: name a folder, --output FOLDER"
        )
    asked = {
        "counted": "all" if count_all else counted,
        "strategy": strategy,
        "time_limit": time_limit,
    }
    status = DONE
    for document in documents:
        if document.puzzle is None:
            raise ExactCoverError(f"{document.name}: a plain problem has no page: it has no cells")
        with document.faults_placed():
            found = (
                Found([], "the empty region and the pieces", DONE)
                if pieces
                else _found(document, wanted, asked)
            )
            note = f"{found.words[0].upper()}{found.words[1:]}."
            made = page_of(
                found.solutions or document.puzzle, title=document.title or None, note=note
            )
        status = max(status, found.status)
        if to_output:
            click.echo(made.html, nl=False)
            continue
        file = _file(document, output)
        made.save(file)
        click.echo(f"{file}: {found.words}")
        if found.status == INTERRUPTED:
            break
    return status


def _found(document: Document, wanted: int, asked: dict[str, Any]) -> Found:
    """The first solutions of a puzzle, and how the search ended."""
    from exactcover.search.solving import Solving, find_one

    if wanted == 1:
        solving = find_one(document.content, **asked)
    else:
        solving = Solving(document.content, limit=wanted, **asked)
    progress = Progress(document.name)
    solving.between = partial(progress.show, solving)
    solutions: list[Solution] = []
    with stopping_on_interrupt(solving):
        solutions.extend(islice(solving, wanted))  # keeps what was found before an interrupt
    progress.clear()
    result = solving.result
    count, convention = len(solutions), COUNTED_AS[result.counted]
    status = exit_status(result.stopped_by)
    if result.status == "interrupted":
        status = INTERRUPTED
    cut_short = "interrupted"
    if result.stopped_by:
        cut_short = stopped_words(result.stopped_by, seconds=asked["time_limit"], solutions=count)
    complete = result.status in ("complete", "impossible")
    if not count:
        reason = f": {result.reason}" if result.reason else ""
        words = f"no solution{reason}" if complete else f"no solution so far; {cut_short}"
        return Found([], f"{words}. The empty region and the pieces", status)
    if complete:
        which = "the only solution" if count == 1 else f"all {count} solutions"
    elif status == DONE:
        which = "one solution" if count == 1 else f"the first {count} solutions"
        return Found(solutions, which, status)
    else:
        return Found(solutions, f"{count} solutions so far; {cut_short}", status)
    return Found(solutions, f"{which} ({convention})", status)


def _file(document: Document, output: Path | None) -> Path:
    """Where the page of a puzzle is written."""
    if output is not None and not output.is_dir():
        return output
    name = document.name.rsplit("/", 1)[-1].replace("#", "-")
    return (output or Path()) / f"{Path(name).stem if '.' in name else name}.html"
