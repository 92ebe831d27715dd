"""`draw`: pictures and pages of puzzles, solutions, pieces and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.base.values import COUNTED_AS
from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, exit_status, say
from exactcover.cli.files import (
    PAGES,
    PICTURES,
    GivenPuzzles,
    Target,
    check_one_each,
    is_page,
    output_option,
    puzzle_of,
)
from exactcover.cli.progress import Progress
from exactcover.cli.reports import end_words, quantity
from exactcover.cli.searches import first_solutions, nth_solution
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution
    from exactcover.show.pages import Page
    from exactcover.show.render.picture import Picture
    from exactcover.show.render.svg import Theme

PROOF_SECONDS = 60.0

FEW, MANY = 12, 1000
"""The solutions on a page: how many where the user does not say, and at most."""

ON_A_SHEET = 400
"""The most solutions on a picture."""

OF_PICTURES = ("proof", "layers", "theme", "order", "cell", "unit")
OF_A_SEARCH = ("counted", "time_limit", "strategy")
"""Options that mean nothing for a page, and where no solutions are drawn."""


@dataclass(frozen=True)
class DrawOptions(opt.WithProgress, opt.Plugged, opt.Limited, opt.Strategic, opt.Counted):
    output: Target | None = output_option(
        (*PICTURES, *PAGES), ".svg", needs="picture",
        help="Write to FILE: a picture (.svg; .png with the extra `picture`), or a page "
        "on which solutions turn (.html). Or write a file a puzzle into a folder; a name without "
        "an ending is a folder. Default: SVG on standard output.",
    )  # fmt: skip
    page: bool = opt.flag(
        "--page",
        is_eager=True,  # before -o is checked
        help="Write pages, also into a folder; without -o a file in this folder, named after the "
        "puzzle.",
    )
    solution: int | None = opt.integer("--solution", help="Draw the Nth solution found.")
    solutions: int | None = opt.integer(
        "--solutions", most=MANY,
        help=f"Draw up to N solutions: on a sheet, or on a page, which has up to {FEW} if you do "
        "not say.",
    )  # fmt: skip
    pieces: bool = opt.flag(
        "--pieces", help="Draw the pieces: with the number of their copies, or beside the region."
    )
    proof: bool = opt.flag("--proof", help="Draw the weights of a proof that there is no solution.")
    layers: bool = opt.flag("--layers", help="Take solids apart by the height of their cells.")
    theme: Theme | None = opt.choice(
        "--theme", of=("auto", "light", "dark"),
        help="Draw on a light or a dark ground; auto, as the reader prefers, if you do not say.",
    )  # fmt: skip
    order: bool = opt.flag(
        "--order", help="With --solution: number the pieces in the order of assembly."
    )
    cell: float | None = opt.number(
        "--cell", metavar="PIXELS", least=1, most=1000,
        help="Pixels from a cell to the next: 36, or less for a large picture, if you do not say.",
    )  # fmt: skip
    unit: float | None = opt.number(
        "--unit", metavar="MM", least=0.1, most=1000,
        help="Millimetres of one unit of the lattice, to print the picture in this size.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        if sum(map(bool, (self.solution, self.solutions, self.pieces, self.proof))) > 1:
            raise click.UsageError("give one of --solution, --solutions, --pieces and --proof")
        output = self.output
        if output is not None and not output.in_folder and is_page(output.path):
            object.__setattr__(self, "page", True)
        if self.page and (name := opt.first_given(self, OF_PICTURES)):
            page = "--page writes pages"
            if output is not None and not output.in_folder:
                page = f"{output.path} is a page"
            raise click.UsageError(f"{name} is for pictures, and {page}")
        if not self.page and (self.solutions or 0) > ON_A_SHEET:
            raise click.UsageError(
                f"--solutions {self.solutions}: a picture has up to {ON_A_SHEET}; a page, as with "
                f"--page, up to {MANY:,}"
            )
        if not self.searches and (name := opt.first_given(self, OF_A_SEARCH)):
            raise click.UsageError(
                f"{name} is for solutions, and none are drawn: give --solution or --solutions"
            )
        if self.order and not self.solution:
            raise click.UsageError("--order goes with --solution")
        if self.cell and self.unit:
            raise click.UsageError("give one of --cell, in pixels, and --unit, in millimetres")

    @property
    def searches(self) -> bool:
        """Whether solutions are drawn."""
        return bool(self.solution or self.solutions or (self.page and not self.pieces))


@opt.puzzle_command(DrawOptions)
def draw(puzzles: tuple[str, ...], options: DrawOptions) -> int:
    """Draw a puzzle as a picture, or as a page on which its solutions turn; or a set of pieces.

    A picture has the empty region, with stationary pieces and cells that may stay empty, unless an
    option asks for solutions, pieces or a proof.

    A page is one HTML file that needs no network. On it solutions can be turned, exploded
    and taken apart, with mouse, touch or keyboard. A puzzle without a solution is shown
    as its empty region with the pieces beside it; so are all with --pieces.
    """
    from exactcover.formats import Document
    from exactcover.puzzle import Puzzle
    from exactcover.puzzle.library import is_set, piece_set
    from exactcover.show.pages import view
    from exactcover.show.render.picture import picture

    kind = "page" if options.page else "picture"
    said: dict[str, Any] = {
        "theme": options.theme or "auto",
        "layers": options.layers,
        "order": options.order,
        "cell": options.cell,
        "unit": options.unit,
    }
    if len(puzzles) == 1 and is_set(puzzles[0]) and not Path(puzzles[0]).exists():
        pieces = piece_set(puzzles[0])
        whole = Document(
            puzzles[0], Puzzle.of(puzzles[0], next(iter(pieces)).cells, pieces.lattice)
        )
        if options.page:
            page = view(pieces)
            _put(page, page.html, options.output, whole)
        else:
            made = picture(pieces, **said)
            _put(made, made.svg, options.output, whole)
        return DONE
    given = GivenPuzzles(puzzles, options.time_limit)
    check_one_each(options.output, given, f"{kind}s")

    def answer(document: Document) -> int:
        puzzle = puzzle_of(document, kind)
        with document.faults_placed():
            found, words, status = _found(document, options)
            if options.page:
                note = f"{words[0].upper()}{words[1:]}."
                page = view(found or puzzle, title=document.title or None, note=note)
                _put(page, page.html, options.output, document, words)
                return status
            what: Any = puzzle
            if options.pieces:
                what = puzzle.pieces
            elif options.proof:
                from exactcover.trust.proofs import find_proof

                with Progress(document.name).ticking("looking for a proof"):
                    what = find_proof(document.problem, seconds=PROOF_SECONDS)
                if what is None:
                    why = "no proof was found that there is no solution"
                    raise ExactCoverError(f"{document.name}: {why}")
                said["puzzle"] = puzzle
            elif options.searches:
                if not found:
                    why = " has no solution to draw" if status == DONE else f": {words}"
                    raise ExactCoverError(f"{document.name}{why}")
                what = found if options.solutions else found[0]
            drawn = picture(what, **said)
            _put(drawn, drawn.svg, options.output, document)
        if status != DONE:
            say(f"{document.name}: {words}")
        return status

    return given.answer(answer)


def _put(
    made: Page | Picture, text: str, output: Target | None, document: Document, words: str = ""
) -> None:
    """Write a picture or a page to the file of its puzzle, with a line of words about it; or its
    text to standard output."""
    if output is None:
        click.echo(text, nl=False)
        return
    file = output.file_of(document)
    made.save(file)
    if words:
        click.echo(f"{file}: {words}")


def _found(document: Document, options: DrawOptions) -> tuple[list[Solution], str, int]:
    """The solutions to draw, the words about them, and the exit status."""
    if not options.searches:
        return [], "the empty region and the pieces", DONE
    asked: dict[str, Any] = {
        "counted": options.counted,
        "strategy": options.strategy,
        "time_limit": options.time_limit,
    }
    if options.solution:
        solution = nth_solution(document, options.solution, **asked)
        return [solution], f"solution {options.solution:,}", DONE
    solutions, result = first_solutions(document, options.solutions or FEW, **asked)
    count, status = len(solutions), exit_status(result.stopped_by, result.status)
    end = end_words(result, seconds=options.time_limit, solutions=count)
    if not count:
        words = f"no solution{end}" + ". The empty region and the pieces" * options.page
    elif result.status == "complete":
        which = "the only solution" if count == 1 else f"all {count:,} solutions"
        words = f"{which} ({COUNTED_AS[result.counted]})"
    elif status == DONE:
        words = "one solution" if count == 1 else f"the first {count:,} solutions"
    else:
        words = f"{quantity(count, 'solution')}{end}"
    return solutions, words, status
