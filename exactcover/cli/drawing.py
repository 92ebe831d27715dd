"""`draw`: pictures of puzzles, solutions, pieces and proofs; and `--picture` of other commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover.cli.console import puzzle_argument, read_all
from exactcover.cli.progress import Progress, progress_option
from exactcover.cli.searching import first_solutions
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.render.picture import Picture
    from exactcover.search.result import Solution

ON_ONE_SHEET = 100
"""The most solutions that `--picture` draws."""

PROOF_SECONDS = 60.0

Command = Callable[..., Any]

ENDINGS = (".svg", ".png", ".pdf")

PAGES = (".html", ".htm")


@click.command()
@puzzle_argument
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path),
    help="Write to FILE (.svg; .png and .pdf with the extra `picture`), or into a folder, one SVG "
    "file a puzzle. Default: standard output.",
)  # fmt: skip
@click.option(
    "--solution", metavar="N", type=click.IntRange(min=1), help="Draw the Nth solution found."
)
@click.option(
    "--sheet", metavar="N", type=click.IntRange(1, 400), help="Draw up to N solutions on a sheet."
)
@click.option("--pieces", is_flag=True, help="Draw the pieces, with the number of their copies.")
@click.option(
    "--proof", is_flag=True, help="Draw the weights of a proof that there is no solution."
)
@click.option(
    "--together",
    is_flag=True,
    help="Draw the boards of all puzzles on one sheet, with names.",
)
@click.option("--layers", is_flag=True, help="Take solids apart by the height of their cells.")
@click.option("--light", "theme", flag_value="light", help="Draw on a light ground.")
@click.option("--dark", "theme", flag_value="dark", help="Draw on a dark ground.")
@click.option("--no-names", is_flag=True, help="Draw pieces without their names.")
@click.option(
    "--cell", metavar="PIXELS", type=click.FloatRange(1, 1000),
    help="Pixels from a cell to the next: 36, or less for a large picture, if you do not say.",
)  # fmt: skip
@click.option(
    "--unit", metavar="MM", type=click.FloatRange(0.1, 1000),
    help="Millimetres of one unit of the lattice, to print the picture in this size.",
)  # fmt: skip
@progress_option
def draw(
    puzzles: tuple[str, ...],
    output: Path | None,
    solution: int | None,
    sheet: int | None,
    pieces: bool,
    proof: bool,
    together: bool,
    theme: str | None,
    no_names: bool,
    **said: Any,
) -> None:
    """Draw a puzzle as an SVG picture.

    Draws the empty region, with stationary pieces and cells that may stay empty, unless an option
    asks for solutions, pieces or a proof. Without --light or --dark a picture is as its reader
    prefers.
    """
    from exactcover.render.picture import picture

    if sum(map(bool, (solution, sheet, pieces, proof, together))) > 1:
        raise click.UsageError("give one of --solution, --sheet, --pieces, --proof and --together")
    if said["cell"] and said["unit"]:
        raise click.UsageError("give one of --cell, in pixels, and --unit, in millimetres")
    if output is not None and not output.is_dir():
        check_ending(output, "--output")
    documents = list(read_all(puzzles))
    into_folder = output is not None and output.is_dir()
    if len(documents) > 1 and not together and not into_folder:
        raise click.UsageError(
            f"{len(documents)} puzzles make as many pictures: name a folder, --output FOLDER, or "
            "draw them --together"
        )
    if together and into_folder:
        raise click.UsageError(f"--together makes one picture, and {output} is a folder")
    said |= {"theme": theme or "auto", "names": not no_names}
    for document in documents:
        if document.puzzle is None:
            raise ExactCoverError(
                f"{document.name}: a plain problem has no picture: it has no cells"
            )
    if together:
        _put(picture([document.puzzle for document in documents], **said), output)
        return
    for document in documents:
        with document.faults_placed():
            what: Any = document.puzzle
            if pieces:
                what = what.pieces
            elif proof:
                what, said["puzzle"] = _proof(document), document.puzzle
            elif wanted := solution or sheet:
                found = _solutions(document, wanted)
                if solution and len(found) < solution:
                    raise ExactCoverError(
                        f"{document.name} has {len(found)} solutions: there is no --solution "
                        f"{solution}"
                    )
                what = found if sheet else found[-1]
            drawn = picture(what, **said)
        if output is not None and output.is_dir():
            drawn.save(output / f"{document.name.rsplit('/', 1)[-1].replace('#', '-')}.svg")
        else:
            _put(drawn, output)


def _put(drawn: Picture, output: Path | None) -> None:
    """Write a picture to a file, or to standard output."""
    if output is None:
        click.echo(drawn.svg, nl=False)
    else:
        drawn.save(output)


def _solutions(document: Document, wanted: int) -> list[Solution]:
    """The first solutions, `wanted` of them; fewer are enough for a sheet, none is an error."""
    found = first_solutions(document, wanted)
    if not found:
        raise ExactCoverError(f"{document.name} has no solution to draw")
    return found


def _proof(document: Document) -> object:
    from exactcover.proofs import Congruence, Inequality, find_proof

    with Progress(document.name).ticking("looking for a proof"):
        proof = find_proof(document.problem, relaxation=True, seconds=PROOF_SECONDS)
    if not isinstance(proof, Congruence | Inequality):
        raise ExactCoverError(f"{document.name}: no proof was found that there is no solution")
    return proof


def check_ending(file: Path, option: str, endings: Sequence[str] = ENDINGS) -> None:
    """Refuse a file whose ending names no sort of picture, before anything is searched."""
    if file.suffix.lower() not in endings:
        raise click.UsageError(f"{option} {file}: its ending must be one of {', '.join(endings)}")


def picture_file(drawn: str, *, pages: bool = False) -> Callable[[Command], Command]:
    """The option `--picture FILE` of a command that draws this beside its report.

    pages  the file may also be a page
    """
    endings = (*ENDINGS, *PAGES) if pages else ENDINGS

    def checked(
        _context: click.Context, _option: click.Parameter, file: Path | None
    ) -> Path | None:
        if file is not None:
            check_ending(file, "--picture", endings)
        return file

    return click.option(
        "--picture",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=checked,
        help=f"Also draw {drawn}: .svg; .png and .pdf with the extra `picture`"
        + ("; or .html, a page as `view` writes it." if pages else "."),
    )


def save_solutions(solutions: Sequence[Solution], file: Path) -> None:
    """Write a picture: one solution alone, several on a sheet."""
    if not solutions:
        click.echo(f"exactcover: there is no solution, so {file} is not written", err=True)
        return
    save_picture(solutions[0] if len(solutions) == 1 else list(solutions), file)


def save_picture(what: object, file: Path, **said: Any) -> None:
    """Write a picture, or a page, of anything that has one."""
    from exactcover.render.picture import picture

    if file.suffix.lower() in PAGES:
        from exactcover.pages import view

        view(what).save(file)
        return
    picture(what, **said).save(file)
