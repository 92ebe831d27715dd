"""`make`: pieces as solids to print, and as lines to cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactcover import ExactCoverError
from exactcover.cli import Printer, Target, nth_solution, puzzle_in, quantity, read_one, say, table
from exactcover.cli import options as opt

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.studio.making import CutLines, Solids

SOLIDS = (".stl", ".3mf")
LINES = (".svg", ".dxf")

OF_SOLIDS = ("thickness",)
OF_LINES = ("kerf", "tray", "sheet", "spacing", "names")
"""Options for one of the two."""

SOON = 2.0
"""Seconds to find out whether a solution comes apart, and then which one does."""


def _length(name: str, help: str, least: float = 0, most: float | None = None) -> opt.Decorator:  # noqa: A002
    """An option whose value is in millimetres; its default depends on the puzzle."""
    return click.option(name, type=click.FloatRange(least, most), metavar="MM", help=help)


@opt.command()
@click.argument("puzzle")
@opt.output(
    endings=(*SOLIDS, *LINES),
    in_folder=".stl",
    needs="make",
    required=True,
    help="Solids: .stl, .3mf or a folder; lines: .svg, .dxf.",
)
@click.option(
    "--solution",
    type=click.IntRange(1),
    metavar="N",
    help="The Nth solution, pieces in their places.",
)
@_length("--unit", "Size of a cell. Default: 20.", 0.1, 1000)
@_length("--width", "Width of the bars of sticks.")
@_length("--thickness", "Solids: of flat pieces. Default: 1/4 of the unit.")
@_length("--kerf", "Lines: what the beam burns away.")
@_length("--tray", "Lines: add a tray with a rim of MM.")
@click.option("--sheet", metavar="WxH", help="Lines: as 300x200, or A3, A4, A5, letter.")
@_length("--spacing", "Lines: room between pieces.")
@click.option("--names", is_flag=True, help="Lines: engrave the names of the pieces.")
@opt.json
@opt.progress
def make(
    puzzle: str, report: Printer, output: Target | None, solution: int | None, **wishes: Any
) -> None:
    """Make the pieces of a puzzle: solids for a printer, or lines for a laser cutter.

    The ending of FILE says which. Solids are of cells in the plane and in space, lines of cells in
    the plane. In one file all pieces lie side by side, or as in a solution.
    """
    if output is None:
        raise click.UsageError("-o -: name a file or a folder")
    path = output.path
    cut = not output.in_folder and path.suffix.lower() in LINES
    wanted, other = ("lines to cut", "solids") if cut else ("solids", "lines to cut")
    if name := opt.given(*(OF_SOLIDS if cut else OF_LINES)):
        raise click.UsageError(f"{name} is for {other}, and {path} gets {wanted}")
    given = {name: wish for name, wish in wishes.items() if wish is not None and wish is not False}
    document = read_one(puzzle)
    there = {*(path if output.in_folder else path.parent).glob("*")}
    with _as_options(given), document.faults_placed():
        what: object = puzzle_in(document, "pieces to make")
        if solution is not None:
            what = nth_solution(document, solution)
        if cut:
            from exactcover.studio.making import cut_lines

            lines = cut_lines(what, **given)
            files = lines.save(path)
            facts = _of_lines(lines)
        else:
            from exactcover.studio.making import solids

            made = solids(what, **given)
            output.make_folder()
            files = made.save(path)
            facts = _of_solids(made, files, one_each=output.in_folder)
    for file in sorted({*files} & there):
        say(f"{file} is replaced")
    record = {"puzzle": document.name, "files": [str(file) for file in files], **facts}
    if not cut and solution is not None and (words := _stuck(document, what, solution)):
        record["warning"] = words
        if not report.as_json:
            say(f"{document.name}: {words}")
    report(record, (_cuts if cut else _prints)(files, facts))


def _stuck(document: Document, solution: object, number: int) -> str:
    """The notice about a solution that does not come apart; empty if it does, or is not decided
    soon."""
    from exactcover.search import Solution
    from exactcover.studio.burrs import apart

    assert isinstance(solution, Solution)
    try:
        if apart(solution, time_limit=SOON).status != "stuck":
            return ""
    except ExactCoverError:  # sticks, for example
        return ""
    words = f"solution {number} does not come apart by moves, so it cannot be put together"
    taking = apart(puzzle_in(document, "pieces"), time_limit=SOON)
    for _, outcome in taking:
        if outcome.status == "apart":
            taking.stop()
            return f"{words}: solution {taking.number} does"
    if taking.result.status == "complete":
        return f"{words}, and no other solution does"
    return f"{words}: `exactcover apart {document.name}` looks for one that does"


@contextmanager
def _as_options(given: Mapping[str, object]) -> Iterator[None]:
    """Name what was given as options, not as arguments, where an error names it."""
    try:
        yield
    except ExactCoverError as error:
        from exactcover.base import shown

        message = str(error)
        for name, value in given.items():
            for start in (f"{name}={shown(value)}: ", f"{name}: "):
                if message.startswith(start):
                    typed = f"{value:g}" if isinstance(value, float) else value
                    said = f"--{name}" if value is True else f"--{name} {typed}"
                    raise ExactCoverError(f"{said}: {message[len(start) :]}") from None
        raise


def _of_solids(made: Solids, files: list[Path], *, one_each: bool) -> dict[str, Any]:
    pieces: list[dict[str, Any]] = [
        {
            "piece": part.name,
            "copies": part.copies,
            "volume": round(part.volume, 3),
            "size": [round(float(side), 3) for side in part.mesh.size],
            "solids": part.solids,
        }
        for part in made
    ]
    if one_each:
        for piece, file in zip(pieces, files, strict=True):
            piece["file"] = str(file)
    return {"pieces": pieces}


def _of_lines(lines: CutLines) -> dict[str, Any]:
    return {
        "length": round(lines.length, 3),
        "pieces": [
            {
                "piece": part.name,
                "copies": part.copies,
                "length": round(part.length, 3),
                "area": round(part.area, 3),
                "polygons": part.polygons,
            }
            for part in lines.parts
        ],
        "sheets": [
            {
                "width": round(sheet.width, 3),
                "height": round(sheet.height, 3),
                "length": round(sheet.length, 3),
                "strokes": len(sheet.strokes),
            }
            for sheet in lines.sheets
        ],
    }


def _measured(
    pieces: list[dict[str, Any]], heads: tuple[str, str], measures: list[tuple[str, str]]
) -> Iterator[str]:
    """The table of the pieces with two measures of each."""
    rows = [("piece", "copies", *heads)]
    for piece, both in zip(pieces, measures, strict=True):
        rows.append((piece["piece"], str(piece["copies"]), *both))
    yield from table(rows, left={0}, indent=0)


def _cuts(files: list[Path], facts: dict[str, Any]) -> Iterator[str]:
    """The lines to cut, for a person."""
    pieces = facts["pieces"]
    measures = [(f"{piece['length']:.1f}", f"{piece['area']:.1f}") for piece in pieces]
    yield from _measured(pieces, ("length mm", "area mm2"), measures)
    for name, parts in ((piece["piece"], piece["polygons"]) for piece in pieces):
        if parts > 1:
            say(f"{name} falls into {parts} parts, as not all of its cells share sides")
    for file, sheet in zip(files, facts["sheets"], strict=True):
        yield (
            f"{file}: {sheet['width']:g} x {sheet['height']:g} mm, {sheet['length']:.1f} mm of "
            f"cuts in {quantity(sheet['strokes'], 'stroke')}"
        )


def _prints(files: list[Path], facts: dict[str, Any]) -> Iterator[str]:
    """The solids, for a person."""
    pieces = facts["pieces"]
    sizes = (" x ".join(f"{side:.1f}" for side in piece["size"]) for piece in pieces)
    measures = [(f"{one['volume']:.1f}", size) for one, size in zip(pieces, sizes, strict=True)]
    yield from _measured(pieces, ("volume mm3", "size mm"), measures)
    for name, parts in ((piece["piece"], piece["solids"]) for piece in pieces):
        if parts > 1:
            say(f"{name} is {parts} solids, as not all of its cells share faces")
    copies = sum(piece["copies"] for piece in pieces)
    volume = sum(piece["copies"] * piece["volume"] for piece in pieces) / 1000
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent}: {len(files)} files"
    yield f"{where}: {quantity(copies, 'piece')}, {volume:.1f} cubic centimetres"
