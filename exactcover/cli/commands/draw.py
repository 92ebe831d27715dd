"""`draw` and `animate`: pictures, pages and films of puzzles, solutions, pieces and searches."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import click

import exactcover as ec
from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, exit_status, say
from exactcover.cli.files import PAGES, PICTURES, GivenPuzzles, Target, puzzle_in, save_drawn
from exactcover.cli.progress import Progress, first_solutions, nth_solution, run_further
from exactcover.cli.reports import end_words, quantity
from exactcover.errors import ExactCoverError
from exactcover.formats import Document
from exactcover.formats.shipped import called
from exactcover.puzzle.library import is_set, piece_set
from exactcover.show.film import Filming
from exactcover.trust.proofs import find_proof

PROOF_SECONDS = 60.0

FEW, MANY = 12, 1000
"""The solutions that are drawn: how many where the user does not say, and at most."""

CELL = 36.0
"""Pixels from a cell to the next, before the picture is fitted to a sheet."""

OF_PICTURES = ("proof", "layers", "theme", "cell", "paper")
PAPERS = {"A3": (297, 420), "A4": (210, 297), "A5": (148, 210), "letter": (215.9, 279.4)}
"""Millimetres of sheets."""

RIM, HEADING, LARGEST_CELL = 15.0, 12.0, 20.0
"""Millimetres of the rim of a sheet, of its title, and of a cell at most."""

OF_A_SEARCH = ("counted", "time_limit", "strategy")
"""Options that mean nothing for a page, and where no solutions are drawn."""


@opt.command()
@opt.puzzles
@opt.output(endings=(*PICTURES, *PAGES), in_folder=".svg", needs="picture",
            help="A folder, or a file: .svg, .png, .html (a page).")  # fmt: skip
@opt.flag("--page", help="Write pages, on which solutions turn.")
@opt.whole("--solution", help="Draw the Nth solution found.")
@opt.whole("--solutions", type=click.IntRange(1, MANY), help="Draw up to N solutions.")
@opt.flag("--pieces", help="Draw the pieces.")
@opt.flag("--proof", help="Draw the weights of a proof that there is none.")
@opt.flag("--layers", help="Take solids apart by the height of their cells.")
@click.option("--theme", type=click.Choice(("auto", "light", "dark")),
              help="auto: as readers prefer.")  # fmt: skip
@click.option("--cell", type=click.FloatRange(1, 1000), metavar="PIXELS",
              help="Pixels from a cell to the next.")  # fmt: skip
@click.option("--title", metavar="TEXT", help="The title. Default: that of the puzzle.")
@click.option("--paper", type=click.Choice(PAPERS), metavar="SIZE",
              help="Board, pieces and title on A3, A4, A5 or letter.")  # fmt: skip
@opt.at_work
@opt.question
def draw(
    puzzles: tuple[str, ...],
    output: Target | None,
    page: bool,
    solution: int | None,
    solutions: int | None,
    pieces: bool,
    proof: bool,
    paper: str | None,
    title: str | None,
    **more: Any,
) -> int:
    """Draw puzzles, solutions and pieces: pictures, or pages that turn.

    A picture has the empty region, unless an option asks for more. A page is one HTML file that
    needs no network: its solutions can be turned and exploded.
    """
    file = None if output is None or output.in_folder else output.path
    page |= file is not None and file.suffix.lower() in PAGES
    searches = bool(solution or solutions or (page and not pieces))
    _check(page, file, searches)
    if page and file is None and (output is not None or not opt.given("output")):
        output = Target(Path() if output is None else output.path, ".html")
    asked = {name: more.pop(name) for name in OF_A_SEARCH}
    wishes = {name: wish for name, wish in (more | {"title": title}).items() if wish is not None}
    name = puzzles[0] if len(puzzles) == 1 else ""
    if is_set(name) and not called(name) and not Path(name).exists():
        drawn = piece_set(name)
        made = ec.view(drawn) if page else ec.picture(drawn, **wishes)
        _put(made, output, name)
        return DONE
    given = GivenPuzzles(puzzles, asked["time_limit"])
    given.read_for(output, "a page" if page else "a picture")

    def answer(document: Document) -> int:
        puzzle = puzzle_in(document, "page" if page else "picture")
        found: list[ec.Solution] = []
        words, status = "the empty region and the pieces", DONE
        if searches:
            found, words, status = _found(document, solution, solutions, page, **asked)
        if page:
            note = f"{words[0].upper()}{words[1:]}."
            turning = ec.view(found or puzzle, title=title or document.title or None, note=note)
            _put(turning, output, document.name, words)
            return status
        if searches and not found:
            why = " has no solution to draw" if status == DONE else f": {words}"
            raise ExactCoverError(f"{document.name}{why}")
        what: Any = puzzle.pieces if pieces else found if solutions else [*found, puzzle][0]
        if proof:
            with Progress(document.name).ticking("looking for a proof"):
                what = find_proof(document.problem, seconds=PROOF_SECONDS)
            if what is None:
                raise ExactCoverError(
                    f"{document.name}: no proof was found that there is no solution"
                )
            picture = ec.picture(what, puzzle=puzzle, **wishes)
        elif paper is not None:
            own = {"title": document.title or document.name, "theme": "light"} | wishes
            also = [] if pieces or found else [puzzle.movable]
            picture = _on_paper([what, *also], PAPERS[paper], own)
        else:
            picture = ec.picture(what, **wishes)
        _put(picture, output, document.name)
        if status != DONE:
            say(f"{document.name}: {words}")
        return status

    return given.answer(answer)


def _check(page: bool, file: Path | None, searches: bool) -> None:
    """Raise if these options do not go together."""
    if page and file is not None and file.suffix.lower() not in PAGES:
        raise click.UsageError(f"--page: {file}: its ending must be one of {', '.join(PAGES)}")
    if sum(bool(opt.given(one)) for one in ("solution", "solutions", "pieces", "proof")) > 1:
        raise click.UsageError("give one of --solution, --solutions, --pieces and --proof")
    if opt.given("paper") and (name := opt.given("proof", "cell")):
        raise click.UsageError(f"{name} is not for --paper, which fits the picture to the sheet")
    if page and (name := opt.given(*OF_PICTURES)):
        raise click.UsageError(
            f"{name} is for pictures, .svg and .png, and {file or '--page'} is a page"
        )
    if not searches and (name := opt.given(*OF_A_SEARCH)):
        raise click.UsageError(
            f"{name} is for solutions, and none are drawn: give --solution or --solutions"
        )


def _on_paper(
    drawn: Sequence[object], size: tuple[float, float], wishes: dict[str, Any]
) -> ec.Picture:
    """Things one below the other on a sheet, all in one scale, with a title above them."""
    made = [ec.picture(one, **wishes, cell=CELL) for one in drawn]
    width, height = size
    scale = min(
        (width - 2 * RIM) / max(one.width for one in made),
        (height - 2 * RIM - HEADING) / sum(one.height for one in made),
        LARGEST_CELL / CELL,
    )
    parts, top = [], RIM + HEADING
    for one in made:
        at = f"translate({(width - scale * one.width) / 2:.2f} {top:.2f}) scale({scale:.6f})"
        parts.append(f"<g transform='{at}'>{one.svg}</g>")
        top += scale * one.height
    title = escape(str(wishes["title"]))
    head = f"<text x='{width / 2:g}' y='{RIM + 5:g}' font-size='6' text-anchor='middle' "
    head += f"font-family='DejaVu Sans, Helvetica, Arial, sans-serif' fill='#1B1F24'>{title}</text>"
    pixels = [96 / 25.4 * side for side in size]
    sheet = f"<svg xmlns='http://www.w3.org/2000/svg' width='{pixels[0]:.2f}' "
    sheet += f"height='{pixels[1]:.2f}' viewBox='0 0 {width:g} {height:g}'>\n"
    sheet += "<rect width='100%' height='100%' fill='#FFFFFF'/>"
    return ec.Picture("\n".join([sheet, head, *parts, "</svg>\n"]), *pixels)


def _put(made: ec.Page | ec.Picture, output: Target | None, name: str, words: str = "") -> None:
    """Write a picture or a page to the file of its puzzle, with a line of words about it; or its
    text to standard output."""
    if output is None:
        print(made.svg if isinstance(made, ec.Picture) else made.html, end="")
        return
    file = output.file_of(name)
    save_drawn(made, file, exact=bool(opt.given("cell")))
    if words:
        print(f"{file}: {words}")


def _found(
    document: Document, solution: int | None, solutions: int | None, page: bool, **asked: Any
) -> tuple[list[ec.Solution], str, int]:
    """The solutions to draw, the words about them, and the exit status."""
    if solution:
        return [nth_solution(document, solution, **asked)], f"solution {solution:,}", DONE
    found, result = first_solutions(document, solutions or FEW, **asked)
    count, status = len(found), exit_status(result.stopped_by, result.status)
    end = end_words(result, seconds=asked["time_limit"], solutions=count)
    if not count:
        words = f"no solution{end}"
        words += ". The empty region and the pieces" * page
    elif result.status == "complete":
        which = "the only solution" if count == 1 else f"all {count:,} solutions"
        words = f"{which} ({document.counted_as(result.counted)})"
    elif status == DONE:
        words = "one solution" if count == 1 else f"the first {count:,} solutions"
    else:
        words = f"{quantity(count, 'solution')}{end}"
    return found, words, status


# -- films ----------------------------------------------------------------------------------------


@opt.command()
@opt.puzzles
@opt.output(endings=(".html", ".gif"), in_folder="-film.html", needs="picture", default=".",
            help="Write to FILE (.html, .gif) or a folder.")  # fmt: skip
@opt.several_strategies(help="How to search; up to four, side by side.")
@opt.whole("--from", "start", default=1, help="The first event shown.")
@opt.whole("--events", default=20_000, help="Show up to N events.")
@opt.whole("--until-solution", metavar="K", help="End with the Kth solution.")
@click.option("--seconds", type=click.FloatRange(0.1, 3600), metavar="S",
              help="How long a GIF plays.")  # fmt: skip
@click.option("--fps", type=click.FloatRange(0.1, 60), metavar="N",
              help="Frames of a GIF in a second.")  # fmt: skip
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
        puzzle = puzzle_in(document, "film")
        filming = Filming(puzzle, strategies or None, title=document.title, **asked)
        run_further(document.name, filming)
        film = filming.film
        if output is None:
            print(film.page.html, end="")
            return DONE
        file = output.file_of(document.name)
        with Progress(str(file)) as progress:
            film.save(
                file, seconds=seconds, fps=fps, width=width,
                progress=lambda share: progress.tell(f"{share:.0%} written"),
            )  # fmt: skip
        print(f"{file}: {puzzle.name}")
        for recording in film.recordings:
            first, end = recording.moments[0], recording.end
            events = f"events {first.event + 1:,} to {end.event:,}"
            counts = f"{end.fits:,} fits, {end.nofits:,} no-fits, {quantity(end.found, 'solution')}"
            print(f"  {recording.strategy}: {events}; {counts}")
        if any(recording.status == "interrupted" for recording in film.recordings):
            say(f"{document.name}: interrupted")
            return INTERRUPTED
        return DONE

    return given.answer(answer)
