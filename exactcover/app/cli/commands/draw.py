"""`draw`: pictures of puzzles, solutions, pieces and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from exactcover.app.cli import options as opt
from exactcover.app.cli.exit_status import DONE
from exactcover.app.cli.given_puzzles import GivenPuzzles, puzzle_of
from exactcover.app.cli.outputs import (
    PICTURES,
    Target,
    check_one_each,
    output_option,
)
from exactcover.app.cli.progress import Progress
from exactcover.app.cli.search_loop import first_solutions, nth_solution
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.render.picture import Picture

PROOF_SECONDS = 60.0


@dataclass(frozen=True)
class DrawOptions(opt.WithProgress):
    output: Target | None = output_option(
        PICTURES, ".svg", needs="picture",
        help="Write to FILE (.svg; .png and .pdf with the extra `picture`), or into a folder, one "
        "SVG file a puzzle. A name without an ending is a folder. Default: standard output.",
    )  # fmt: skip
    solution: int | None = opt.integer("--solution", help="Draw the Nth solution found.")
    sheet: int | None = opt.integer("--sheet", most=400, help="Draw up to N solutions on a sheet.")
    pieces: bool = opt.flag("--pieces", help="Draw the pieces, with the number of their copies.")
    proof: bool = opt.flag("--proof", help="Draw the weights of a proof that there is no solution.")
    together: bool = opt.flag(
        "--together", help="Draw the boards of all puzzles on one sheet, with names."
    )
    layers: bool = opt.flag("--layers", help="Take solids apart by the height of their cells.")
    light: bool = opt.flag("--light", help="Draw on a light ground.")
    dark: bool = opt.flag("--dark", help="Draw on a dark ground.")
    order: bool = opt.flag(
        "--order", help="With --solution: number the pieces in the order of assembly."
    )
    no_names: bool = opt.flag("--no-names", help="Draw pieces without their names.")
    cell: float | None = opt.number(
        "--cell", metavar="PIXELS", least=1, most=1000,
        help="Pixels from a cell to the next: 36, or less for a large picture, if you do not say.",
    )  # fmt: skip
    unit: float | None = opt.number(
        "--unit", metavar="MM", least=0.1, most=1000,
        help="Millimetres of one unit of the lattice, to print the picture in this size.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        if sum(map(bool, (self.solution, self.sheet, self.pieces, self.proof, self.together))) > 1:
            raise click.UsageError(
                "give one of --solution, --sheet, --pieces, --proof and --together"
            )
        if self.order and not self.solution:
            raise click.UsageError("--order goes with --solution")
        if self.cell and self.unit:
            raise click.UsageError("give one of --cell, in pixels, and --unit, in millimetres")
        if self.together and self.output is not None and self.output.in_folder:
            raise click.UsageError(
                f"--together makes one picture, and {self.output.path} is a folder"
            )


@opt.puzzle_command(DrawOptions)
def draw(puzzles: tuple[str, ...], options: DrawOptions) -> int:
    """Draw a puzzle as an SVG picture.

    Draws the empty region, with stationary pieces and cells that may stay empty, unless an option
    asks for solutions, pieces or a proof. Without --light or --dark a picture follows the settings
    of its reader.
    """
    from exactcover.show.render.picture import picture

    given = GivenPuzzles(puzzles, together=options.together)
    if not options.together:
        check_one_each(options.output, given, "pictures", ", or draw them --together")
    said: dict[str, Any] = {
        "theme": "light" if options.light else "dark" if options.dark else "auto",
        "names": not options.no_names,
        "layers": options.layers,
        "order": options.order,
        "cell": options.cell,
        "unit": options.unit,
    }
    if options.together:
        documents = given.read()
        puzzles_drawn = [puzzle_of(document, "picture") for document in documents]
        _put(picture(puzzles_drawn, **said), options.output, documents[0])
        return DONE

    def answer(document: Document) -> int:
        with document.faults_placed():
            what: Any = puzzle_of(document, "picture")
            if options.pieces:
                what = what.pieces
            elif options.proof:
                what, said["puzzle"] = _proof(document), document.puzzle
            elif options.solution:
                what = nth_solution(document, options.solution)
            elif options.sheet:
                what = first_solutions(document, options.sheet)
                if not what:
                    raise ExactCoverError(f"{document.name} has no solution to draw")
            _put(picture(what, **said), options.output, document)
        return DONE

    return given.answer(answer)


def _put(drawn: Picture, output: Target | None, document: Document) -> None:
    """Write the picture of a puzzle to its file, or to standard output."""
    if output is None:
        click.echo(drawn.svg, nl=False)
    else:
        drawn.save(output.file_of(document))


def _proof(document: Document) -> object:
    from exactcover.trust.proofs import Congruence, Inequality, find_proof

    with Progress(document.name).ticking("looking for a proof"):
        proof = find_proof(document.problem, relaxation=True, seconds=PROOF_SECONDS)
    if not isinstance(proof, Congruence | Inequality):
        raise ExactCoverError(f"{document.name}: no proof was found that there is no solution")
    return proof
