"""`convert`: a puzzle in another file format."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.base.text.files import write as write_file
from exactcover.cli import options as opt
from exactcover.cli.files import GivenPuzzles, file_option, replacing
from exactcover.cli.reports import emit

if TYPE_CHECKING:
    from exactcover.formats.files import WrittenName


@dataclass(frozen=True)
class ConvertOptions(opt.Json):
    form: WrittenName | None = opt.choice(
        "--to", of=("polycube", "toml", "jsonl", "dlx", "xmpuzzle", "cnf", "opb", "lp", "mps"),
        help="The format. Default: by the ending of --output.",
    )  # fmt: skip
    output: Path | None = file_option(
        "-o", "--output",
        help="Write to FILE instead of standard output; its ending may name the format.",
    )  # fmt: skip


@opt.puzzle_command(ConvertOptions)
def convert(puzzles: tuple[str, ...], options: ConvertOptions) -> None:
    """Write a puzzle in another file format.

    If the format cannot hold everything, an error names the parts that would be lost. Solutions
    that BurrTools stored are left out.
    """
    from exactcover.formats import format_of_path, write, written

    form, output = options.form, options.output
    if form is None:
        if output is None:
            raise click.UsageError("say --to FORMAT or --output FILE")
        form = format_of_path(output, written=True)
    documents = GivenPuzzles(puzzles, together=True).read()
    if output is not None:
        write_file(replacing(output), written(documents, form))
    elif not options.as_json:
        sys.stdout.write(write(documents, form))
    if options.as_json:
        for document in documents:
            place = {"output": str(output)} if output else {"text": write([document], form)}
            emit({"puzzle": document.name, "format": form} | place)
