"""`convert`: a puzzle in another file format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exactcover.cli.console import emit, json_option, read_all
from exactcover.cli.writing import file_option, replacing
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats.reading import WrittenName


@click.command()
@click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
@click.option(
    "--to",
    "form",
    type=click.Choice(["polycube", "toml", "jsonl", "dlx", "xmpuzzle", "cnf", "opb", "lp", "mps"]),
    help="The format. Default: by the ending of --output.",
)
@file_option(
    "-o", "--output",
    help="Write to FILE instead of standard output; its ending may name the format.",
)  # fmt: skip
@json_option
def convert(
    puzzles: tuple[str, ...], form: WrittenName | None, output: Path | None, as_json: bool
) -> None:
    """Write a puzzle in another file format.

    What the format cannot hold is an error that says what would be lost.
    """
    from exactcover.formats import format_of_path, write, written

    if form is None:
        if output is None:
            raise click.UsageError("say --to FORMAT or --output FILE")
        form = format_of_path(output, written=True)
    documents = list(read_all(puzzles, together=True))
    if output is not None:
        content = written(documents, form)
        try:
            replacing(output).write_bytes(content)
        except OSError as error:
            raise ExactCoverError(f"{output} cannot be written: {error.strerror}") from None
    elif not as_json:
        sys.stdout.write(write(documents, form))
    if as_json:
        for document in documents:
            place = {"output": str(output)} if output else {"text": write([document], form)}
            emit({"puzzle": document.name, "format": form} | place)
