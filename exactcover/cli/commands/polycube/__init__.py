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
from exactcover.cli.commands.polycube.switches import SWITCHES, read_switches
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


HELP = """\
Usage: exactcover polycube [SWITCHES] [FILE...]

Solve puzzles by the switches of polycube 2.0. A FILE may be the name of a puzzle that
comes with the program; without one, standard input is read.
"""


@click.command(cls=Untouched, add_help_option=False)
def polycube(words: tuple[str, ...]) -> int:
    """Solve puzzles by the switches of polycube."""
    try:
        switches = read_switches(words)
        strategy = str(switches.strategy)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    if "version" in switches:
        print(f"exactcover {ec.__version__}, switches of polycube 2.0")
        return DONE
    if "help" in switches:
        print(HELP)
        for one in SWITCHES:
            name = (f"-{one.letter}, " if one.letter else "    ") + f"--{one.name}{one.form}"
            print(f"  {name:36} {one.summary}")
        return DONE
    info, files = "stats" in switches, switches.files or ("-",)
    if info:
        print(f"# --- CONFIGURATION ---\n# switches: {' '.join(words)} (polycube 2.0)")
    stream = sys.stdout if info else sys.stderr
    # It has no states that count as solutions, and prints in its own way.
    equal = ["count" if "quiet" in switches else "solve", *files, "--strategy", strategy]
    equal += ["--counted", switches.counted, *["--stats"] * info]
    print(f"# exactcover {shlex.join(equal)}", file=stream)
    for name in switches.given.get("", ()):
        print(f"# note: {name} has no effect here", file=stream)
    if (goal := switches.number("goal")) is not None:
        print(f"# a state with {goal} pieces left counts as a solution", file=stream)

    def solve(document: Document) -> int:
        from exactcover.cli.commands.polycube.search import Walk

        walk = Walk(document, switches)
        if info:
            walk.print_properties()
        with searching(document.name, walk, walk.print_end, logs=False) as progress:
            walk.run(progress)
        walk.print_end()
        return DONE if walk.finished else INTERRUPTED

    return GivenPuzzles(files).answer(solve)
