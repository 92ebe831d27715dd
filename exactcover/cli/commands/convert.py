"""`convert`: a puzzle in another file format."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from exactcover.base.text.files import write_bytes
from exactcover.cli import options as opt
from exactcover.cli.files import read_all, replacing
from exactcover.cli.reports import Printer
from exactcover.formats import format_of_path, write, written
from exactcover.formats.files import WrittenName

FORMATS = ("polycube", "toml", "jsonl", "dlx", "ec", "xmpuzzle", "cnf", "opb", "lp", "mps")


@opt.command()
@opt.puzzles
@click.option("--to", "form", type=click.Choice(FORMATS), metavar="FORMAT", help=", ".join(FORMATS))
@opt.file("-o", "--output", help="Write to FILE, whose ending may name the format.")
@opt.json
def convert(
    puzzles: tuple[str, ...], report: Printer, form: WrittenName | None, output: Path | None
) -> None:
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
    elif not report.as_json:
        sys.stdout.write(write(documents, form))
    if report.as_json:
        for document in documents:
            place = {"output": str(output)} if output else {"text": write([document], form)}
            report({"puzzle": document.name, "format": form} | place)
