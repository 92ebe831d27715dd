"""`cite`: a number of solutions as a line for a paper and as BibTeX."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from exactcover.cli import options as opt
from exactcover.cli.exit_status import DONE
from exactcover.cli.reports import quantity, solutions

if TYPE_CHECKING:
    from exactcover.formats.count_records import CountRecord

SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{one: f"\\{one}" for one in "&%$#_{}"},
}  # fmt: skip
"""Characters with a meaning in LaTeX, and how each is written."""


@opt.command()
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
def cite(records: tuple[str, ...]) -> int:
    """Write a citation of a counted number: a line for a paper, and an entry for BibTeX.

    A RECORD is a file with what a command printed with --json, or - for standard input. It says by
    which version, engines and convention the number was found, and has the digest of the puzzle.
    `exactcover verify RECORD` counts it again by another engine.
    """
    from exactcover.formats.count_records import read_records

    for place in records:
        given = sys.stdin.buffer.read() if place == "-" else None
        for record in read_records("standard input" if given is not None else place, given):
            click.echo("\n".join([*sentence(record), "", *entry(record), ""]))
    return DONE


def sentence(record: CountRecord) -> Iterator[str]:
    """The line for a paper."""
    origin = record.origin
    yield f"{_title(record)}: {_number(record)}."
    yield (
        f"Counted with {_program(record)} by {_engines(record)} (strategy: {origin['strategy']}) "
        f"on {origin['date'][:10]}."
    )
    yield f"Digest of the puzzle: {origin['digest']}."


def entry(record: CountRecord) -> Iterator[str]:
    """The entry for BibTeX."""
    from exactcover.formats.shipped import short_name

    origin = record.origin
    words = (short_name(record.name), origin["digest"][:8])
    key = "-".join(filter(None, (re.sub(r"[^A-Za-z0-9]+", "-", one).strip("-") for one in words)))
    yield f"@misc{{exactcover-{key},"
    yield f"  title = {{{{{_latex(f'{_title(record)}: {_number(record)}')}}}}},"
    yield "  author = {{The exactcover authors}},"
    yield f"  year = {{{origin['date'][:4]}}},"
    yield f"  howpublished = {{{_latex(f'{_program(record)}, {_engines(record)}')}}},"
    yield f"  note = {{Digest {origin['digest']}}}"
    yield "}"


def _title(record: CountRecord) -> str:
    """The title of the puzzle, and the name if it comes with the program."""
    from exactcover.formats.shipped import paths, short_name

    title = record.title.rstrip(". ")
    if record.name.partition("#")[0] in paths() and not record.place:
        return f"{title} ({record.name})" if title else record.name
    return title or short_name(record.name) or "A puzzle"


def _number(record: CountRecord) -> str:
    origin = record.origin
    least = "" if origin["whole"] else "at least "
    if same := origin.get("unique_up_to"):
        return f"{least}{quantity(origin['solutions'], 'solution')} (unique up to {same})"
    return least + solutions(origin["solutions"], record.counted)


def _program(record: CountRecord) -> str:
    commit = record.origin.get("commit")
    return f"exactcover {record.origin['version']}" + (f" (commit {commit[:12]})" if commit else "")


def _engines(record: CountRecord) -> str:
    engines = [f"{name} ({package})" for name, package in record.origin["engines"].items()]
    return ", ".join(engines) or "counting alone"


def _latex(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
