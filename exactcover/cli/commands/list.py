"""`list` and `convert`: the puzzles, lattices, shapes, engines, heuristics and filters that are
available, and a puzzle in another file format."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

import exactcover as ec
from exactcover.backends import BACKENDS, get_engine
from exactcover.backends.heuristics.base import HEURISTICS
from exactcover.backends.rectangles import FOR_FLOORS
from exactcover.base import write_bytes
from exactcover.cli import options as opt
from exactcover.cli.files import read_all, replacing
from exactcover.cli.progress import Progress
from exactcover.cli.reports import Printer, quantity
from exactcover.formats import format_of_path, shipped, write, written
from exactcover.formats.files import WrittenName
from exactcover.geometry.enumeration import Sort, shape_batches
from exactcover.geometry.enumeration import shapes as all_shapes
from exactcover.geometry.regions import families
from exactcover.lattices import Lattice
from exactcover.lattices.registry import LATTICES
from exactcover.problem.filters.registry import FILTERS
from exactcover.puzzle.library.letters import complete_set, letters_of
from exactcover.puzzle.library.nouns import plural, set_name, stem_of
from exactcover.show.text import draw_shapes

DRAWN_AT_MOST = 2000

FORMATS = ("polycube", "toml", "jsonl", "dlx", "ec", "xmpuzzle", "cnf", "opb", "lp", "mps")


@click.group(name="list")
def listing() -> None:
    """List puzzles, lattices, shapes, engines and the like."""


part = partial(listing.command, cls=opt.Command)


@part()
@click.argument("lattice")
@click.argument("size", metavar="N", type=click.IntRange(min=1))
@click.option("--sort", type=click.Choice(("free", "one-sided", "fixed")),
              help="Turning and mirrors, turning, or neither.")  # fmt: skip
@opt.flag("--draw", "drawn", help="Draw them; free ones if you do not say.")
@opt.json
@opt.progress
def shapes(lattice: str, size: int, sort: str | None, drawn: bool, report: Printer) -> None:
    """Count or draw the shapes of N cells of a LATTICE.

    `exactcover list shapes square 5 --draw` draws the twelve pentominoes.
    """
    grid = ec.get_lattice(lattice)
    wanted = [Sort(sort)] if sort else [Sort.FREE] if drawn else [*Sort][::-1]
    record: dict[str, Any] = {"lattice": grid.name, "size": size}
    lines = []
    for one in wanted:
        number = 0
        with Progress(f"{one.value} shapes") as progress:
            for batch in shape_batches(grid, size, one):  # it can be stopped after each
                number += len(batch)
                progress.tell(f"{number:,} so far")
        record[one.value.replace("-", "_")] = number
        noun = grid.polyform if number == 1 else plural(grid.polyform)
        lines.append(f"{number:>12,} {one.value} {noun} of {quantity(size, 'cell')}")
    if drawn:
        if number > DRAWN_AT_MOST:
            raise click.UsageError(f"{number} shapes are too many to draw: at most {DRAWN_AT_MOST}")
        named = complete_set(grid, size, one) if letters_of(grid, size) else {}
        cells = [*named.values()] or [*all_shapes(grid, size, one)]
        record["shapes"] = [shape.tolist() for shape in cells]
        lines += ["", draw_shapes(grid, cells, names=named)]
    report(record, lines)


@part()
@click.argument("lattice", default="")
@opt.json
def lattices(lattice: str, report: Printer) -> None:
    """List the lattices, or say what a LATTICE has: its regions, and the names of its pieces.

    LATTICE is a name, or a file that ends in .toml.
    """
    for one in [ec.get_lattice(lattice)] if lattice else LATTICES.values():
        neighbours = [len(around) for around in one.adjacent]
        record: dict[str, Any] = {
            "lattice": one.name,
            "summary": one.summary,
            "shapes": one.polyform,
            "dimension": one.dimension,
            "kinds": list(one.kinds),
            "neighbours": neighbours,
            "aliases": list(one.aliases),
        }
        around = "/".join(map(str, sorted({*neighbours})))
        also = f" (also {', '.join(one.aliases)})" if one.aliases else ""
        lines = [f"{one.name:18s} {one.summary}; {around} neighbours{also}"]
        if lattice:
            pieces = {size: _letters(one, size) for size in one.piece_names.pieces}
            sets = {name: list(it.pieces) for name, it in one.piece_names.sets.items()}
            regions = [{"usage": it.usage, "summary": it.summary} for it in families(one)]
            record |= {"regions": regions, "pieces": pieces, "sets": sets}
            lines += [f"  region {it['usage']:20s} {it['summary']}".rstrip() for it in regions]
            for size, letters in pieces.items():
                lines.append(f"  pieces of {quantity(size, 'cell')}: {', '.join(letters)}")
            lines += [f"  set {name}: {', '.join(letters)}" for name, letters in sets.items()]
        report(record, lines)


def _letters(lattice: Lattice, size: int) -> list[str]:
    """The names of shapes of this size; those without one are not looked for."""
    if lattice.piece_names.complete:
        sort = Sort.FREE if lattice.flips else Sort.ONE_SIDED
        return list(complete_set(lattice, size, sort))
    return list(lattice.piece_names.pieces[size].drawings)


@part()
@opt.json
def sets(report: Printer) -> None:
    """List the sets whose pieces have letters.

    `exactcover draw heptiamonds` makes a picture of a set.
    """
    for one in LATTICES.values():
        named = one.piece_names
        known = {set_name(stem_of(one), size): _letters(one, size) for size in named.pieces}
        known |= {called: list(it.pieces) for called, it in named.sets.items()}
        for called, letters in known.items():
            record = {"set": called, "lattice": one.name, "pieces": letters}
            report(record, [f"{called:18s} {one.name}: {', '.join(letters)}"])


@part()
@click.argument("text", default="")
@opt.json
def puzzles(text: str, report: Printer) -> None:
    """List the puzzles that come with the program; only those whose name or title has TEXT."""
    for entry in shipped.headings():
        if text.lower() in f"{entry.name} {entry.title}".lower():
            record = {"puzzle": entry.name, "title": entry.title, "published": dict(entry.counts)}
            counts = ", ".join(f"{number:,} {counted}" for counted, number in entry.counts.items())
            report(record, [f"{entry.name:40s} {entry.title}{f' [{counts}]' if counts else ''}"])


@part()
@opt.json
@opt.plugins
def backends(report: Printer) -> None:
    """List the search engines and what they can do.

    With --plugin FILE the heuristics of your own are listed with the engines that take them.
    """
    rated = [one.name for one in HEURISTICS.values() if one.rate is not None]
    for name in (*BACKENDS, *FOR_FLOORS):
        backend, is_floor = get_engine(name), name in FOR_FLOORS
        can = backend.capabilities
        record = {
            "backend": name,
            "summary": backend.summary,
            "features": sorted(can.features),
            "floors": is_floor,
            "heuristics": list(can.heuristics),
            "orders": can.orders,
            "own_heuristics": rated if can.rates else [],
            "settings": {word: one.means for word, one in can.settings.items()},
        }
        features = "only rectangles in a rectangle" if is_floor else ", ".join(sorted(can.features))
        orders = ", and orders of cells: x, R, ..." if can.orders else ""
        own = f", and your own: {', '.join(rated)}" if rated and can.rates else ""
        lines = [
            f"{name:10s} {backend.summary}",
            f"{'':10s} takes {features}",
            f"{'':10s} heuristics {', '.join(can.heuristics)}{orders}{own}",
            *(f"{'':10s} setting {word}: {it.means}" for word, it in can.settings.items()),
        ]
        report(record, lines)


@part()
@opt.json
@opt.plugins
def filters(report: Printer) -> None:
    """List the filters and triggers that a strategy can name.

    Your own come from --plugin FILE.
    """
    for one in FILTERS.values():
        keys = ("summary", "trigger", "written", "argument", "every_step")
        record = {"filter": one.name, **{key: getattr(one, key) for key in keys}}
        report(record, [f"{one.written:38s} {'' if one.trigger else 'remove '}{one.summary}"])


@part()
@opt.json
@opt.plugins
def heuristics(report: Printer) -> None:
    """List the heuristics, and which engines follow them.

    They stand in a strategy after the engine, as in fila:l@1,2. Your own come from --plugin FILE.
    """
    for one in HEURISTICS.values():
        engines = [name for name, engine in BACKENDS.items() if engine.capabilities.takes(one)]
        record = {"heuristic": one.name, "backends": engines, "own": one.rate is not None}
        keys = ("written", "summary", "fixed", "geometry")
        record |= {key: getattr(one, key) for key in keys}
        report(record, [f"{one.written:22s} {one.summary} [{', '.join(engines)}]"])


@opt.command()
@opt.puzzles
@click.option("--to", "form", type=click.Choice(FORMATS), metavar="FORMAT", help=", ".join(FORMATS))
@opt.output(help="Write to FILE, whose ending may name the format.")
def convert(puzzles: tuple[str, ...], form: WrittenName | None, output: Path | None) -> None:
    """Write a puzzle in another file format.

    The ending of --output says the format without --to. If it cannot hold everything, an error
    names the parts that would be lost. Solutions that BurrTools stored are left out.
    """
    if form is None:
        if output is None:
            raise click.UsageError("say --to FORMAT or --output FILE")
        form = format_of_path(output, written=True)
    documents = read_all(puzzles)
    if output is not None:
        write_bytes(replacing(output), written(documents, form))
    else:
        sys.stdout.write(write(documents, form))
