"""`draw`: pictures and pages of puzzles, solutions, pieces and proofs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, exit_status, say
from exactcover.cli.files import PAGES, PICTURES, GivenPuzzles, Target, puzzle_of, target
from exactcover.cli.progress import Progress
from exactcover.cli.reports import end_words, quantity
from exactcover.cli.searches import first_solutions, nth_solution
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution
    from exactcover.show import Page
    from exactcover.show.picture import Picture
    from exactcover.show.svg import Theme
    from exactcover.trust.proofs import Congruence

PROOF_SECONDS = 60.0

FEW, MANY = 12, 1000
"""The solutions on a page: how many where the user does not say, and at most."""

ON_A_SHEET = 400
"""The most solutions on a picture."""

OF_PICTURES = ("proof", "layers", "theme", "cell")
OF_A_SEARCH = ("counted", "time_limit", "strategy")
"""Options that mean nothing for a page, and where no solutions are drawn."""


@opt.command()
@opt.puzzles
@click.option(
    "-o",
    "--output",
    type=opt.FilePath(),
    metavar="FILE",
    help="A folder, or a file: .svg, .png, .html (a page).",
)
@click.option("--page", is_flag=True, help="Write pages, on which solutions turn.")
@click.option("--solution", type=opt.Whole(), help="Draw the Nth solution found.")
@click.option("--solutions", type=opt.Whole(1, MANY), help="Draw up to N solutions.")
@click.option("--pieces", is_flag=True, help="Draw the pieces.")
@click.option("--proof", is_flag=True, help="Draw the weights of a proof that there is none.")
@click.option("--layers", is_flag=True, help="Take solids apart by the height of their cells.")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), help="auto: as readers prefer."
)
@click.option("--cell", type=opt.Number("PIXELS", 1, 1000), help="Pixels from a cell to the next.")
@opt.at_work
@opt.question
def draw(
    puzzles: tuple[str, ...],
    output: str | None,
    page: bool,
    solution: int | None,
    solutions: int | None,
    pieces: bool,
    proof: bool,
    theme: Theme | None,
    **more: Any,
) -> int:
    """Draw a puzzle as a picture, or as a page on which its solutions turn; or a set of pieces.

    A picture has the empty region, unless an option asks for more. A page is one HTML file that
    needs no network: its solutions can be turned, exploded and taken apart.
    """
    from exactcover.formats import Document
    from exactcover.puzzle import Puzzle
    from exactcover.puzzle.library import is_set, piece_set
    from exactcover.show import view
    from exactcover.show.picture import picture

    where = _target(output, page)
    page |= where is not None and not where.in_folder and where.path.suffix.lower() in PAGES
    searches = bool(solution or solutions or (page and not pieces))
    _check(where, page, searches, solutions)
    asked = {name: more.pop(name) for name in OF_A_SEARCH}
    kind = "page" if page else "picture"
    said: dict[str, Any] = more | {"theme": theme or "auto"}
    if len(puzzles) == 1 and is_set(puzzles[0]) and not Path(puzzles[0]).exists():
        together = piece_set(puzzles[0])
        whole = Document(
            puzzles[0], Puzzle.of(puzzles[0], next(iter(together)).cells, together.lattice)
        )
        if page:
            turning = view(together)
            _put(turning, where, whole)
        else:
            sheet = picture(together, **said)
            _put(sheet, where, whole)
        return DONE
    given = GivenPuzzles(puzzles, asked["time_limit"])
    given.read_for(where, f"{kind}s")

    def answer(document: Document) -> int:
        puzzle = puzzle_of(document, kind)
        with document.faults_placed():
            found: list[Solution] = []
            words, status = "the empty region and the pieces", DONE
            if searches:
                found, words, status = _found(document, solution, solutions, page, **asked)
            if page:
                note = f"{words[0].upper()}{words[1:]}."
                made = view(found or puzzle, title=document.title or None, note=note)
                _put(made, where, document, words)
                return status
            what: Any = puzzle
            if pieces:
                what = puzzle.pieces
            elif proof:
                what, said["puzzle"] = _proof_of(document), puzzle
            elif searches:
                if not found:
                    why = " has no solution to draw" if status == DONE else f": {words}"
                    raise ExactCoverError(f"{document.name}{why}")
                what = found if solutions else found[0]
            drawn = picture(what, **said)
            _put(drawn, where, document)
        if status != DONE:
            say(f"{document.name}: {words}")
        return status

    return given.answer(answer)


def _target(output: str | None, page: bool) -> Target | None:
    """Where `-o` says to write; pages go into files of this folder if it says nothing."""
    if page:
        return target(output, PAGES, ".html", default=Path(), why="with --page ")
    return target(output, (*PICTURES, *PAGES), ".svg", needs="picture")


def _check(where: Target | None, page: bool, searches: bool, solutions: int | None) -> None:
    """Raise if these options do not go together."""
    if sum(bool(opt.given(one)) for one in ("solution", "solutions", "pieces", "proof")) > 1:
        raise click.UsageError("give one of --solution, --solutions, --pieces and --proof")
    if page and (name := opt.given(*OF_PICTURES)):
        given = "--page writes pages"
        if where is not None and not where.in_folder:
            given = f"{where.path} is a page"
        raise click.UsageError(f"{name} is for pictures, and {given}")
    if not page and (solutions or 0) > ON_A_SHEET:
        raise click.UsageError(
            f"--solutions {solutions}: a picture has up to {ON_A_SHEET}; a page, as with --page, "
            f"up to {MANY:,}"
        )
    if not searches and (name := opt.given(*OF_A_SEARCH)):
        raise click.UsageError(
            f"{name} is for solutions, and none are drawn: give --solution or --solutions"
        )


def _proof_of(document: Document) -> Congruence:
    """A proof that there is no solution; raises if none is found."""
    from exactcover.trust.proofs import find_proof

    with Progress(document.name).ticking("looking for a proof"):
        found = find_proof(document.problem, seconds=PROOF_SECONDS)
    if found is None:
        raise ExactCoverError(f"{document.name}: no proof was found that there is no solution")
    return found


def _put(made: Page | Picture, output: Target | None, document: Document, words: str = "") -> None:
    """Write a picture or a page to the file of its puzzle, with a line of words about it; or its
    text to standard output."""
    from exactcover.show.picture import Picture

    if output is None:
        click.echo(made.svg if isinstance(made, Picture) else made.html, nl=False)
        return
    file = output.file_of(document)
    made.save(file)
    if words:
        click.echo(f"{file}: {words}")


def _found(
    document: Document, solution: int | None, solutions: int | None, page: bool, **asked: Any
) -> tuple[list[Solution], str, int]:
    """The solutions to draw, the words about them, and the exit status."""
    if solution:
        return [nth_solution(document, solution, **asked)], f"solution {solution:,}", DONE
    found, result = first_solutions(document, solutions or FEW, **asked)
    count, status = len(found), exit_status(result.stopped_by, result.status)
    end = end_words(result, seconds=asked["time_limit"], solutions=count)
    if not count:
        words = f"no solution{end}" + ". The empty region and the pieces" * page
    elif result.status == "complete":
        which = "the only solution" if count == 1 else f"all {count:,} solutions"
        words = f"{which} ({document.counted_as(result.counted)})"
    elif status == DONE:
        words = "one solution" if count == 1 else f"the first {count:,} solutions"
    else:
        words = f"{quantity(count, 'solution')}{end}"
    return found, words, status
