"""The command `polycube`: it reads the switches, prints the equal command, and runs the search that
they mean.

click does not parse the words: polycube has its own rules for them.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

import exactcover as ec
from exactcover.cli.commands.polycube.switches import (
    SWITCHES,
    VERSIONS,
    PolycubeSwitches,
    Translation,
    read_switches,
    translate,
)
from exactcover.cli.ends import DONE, INTERRUPTED
from exactcover.cli.files import GivenPuzzles
from exactcover.cli.searches import searching
from exactcover.errors import StrategyError

if TYPE_CHECKING:
    from exactcover.formats import Document


class Untouched(click.Command):
    """A command that gets its words unparsed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["words"] = tuple(args)
        return []


@click.command(cls=Untouched, add_help_option=False)
def polycube(words: tuple[str, ...]) -> int:
    """Solve puzzles by the switches of polycube."""
    try:
        switches = read_switches(words)
        if switches.version:
            print(f"exactcover {ec.__version__}, switches of polycube 2.0 and 1.2.1")
        elif switches.help:
            _print_help()
        if switches.help or switches.version:
            return DONE
        translation = translate(switches)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    command = equal_command(switches, translation)
    stream = sys.stdout if switches.info else sys.stderr
    if switches.info:
        version = VERSIONS[switches.dialect]
        print(f"# --- CONFIGURATION ---\n# switches: {' '.join(words)} (polycube {version})")
    print(f"# exactcover {shlex.join(command)}", file=stream)
    for note in translation.notes:
        print(f"# note: {note}", file=stream)
    if switches.goal is not None:
        print(f"# a state with {switches.goal} pieces left counts as a solution", file=stream)
    if switches.sampling is not None:
        from exactcover.cli.command_table import exactcover

        return int(exactcover.main(command, standalone_mode=False) or DONE)

    def solve(document: Document) -> int:
        from exactcover.cli.commands.polycube.search import Walk

        walk = Walk(document, switches, translation)
        if switches.info:
            walk.print_properties()
        with searching(document.name, walk, walk.print_end, logs=False) as progress:
            walk.run(progress)
        walk.print_end()
        return DONE if walk.finished else INTERRUPTED

    return GivenPuzzles(switches.files or ("-",)).answer(solve)


def equal_command(switches: PolycubeSwitches, translation: Translation) -> list[str]:
    """The command of this program that finds, counts or samples the same, without its first word;
    it has no states that count as solutions, and prints in its own way."""
    words = ["count" if switches.quiet else "solve", *(switches.files or ["-"])]
    words += ["--strategy", str(translation.strategy), "--counted", translation.counted]
    if switches.sampling is not None:
        return ["compare", *words[1:], "--seed", str((*switches.sampling, 1)[2])]
    return [*words, "--stats"] if switches.info else words


def _print_help() -> None:
    """Print a line for each switch."""
    print(
        "Usage: exactcover polycube [SWITCHES] [FILE...]\n\n"
        "Solve puzzles by the switches of polycube 2.0 or 1.2.1. A FILE may be the name of a\n"
        "puzzle that comes with the program; without one, standard input is read.\n"
    )
    for one in SWITCHES:
        name = (f"-{one.letter}, " if one.letter else "    ") + f"--{one.name}{one.form}"
        version = f" ({VERSIONS[one.dialect]} only)" if one.dialect else ""
        print(f"  {name:36} {one.summary}{version}")
