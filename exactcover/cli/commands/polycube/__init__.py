"""The command `polycube`: it reads the switches, runs the search that they mean, and prints as
polycube does.

click does not parse the words: polycube has its own rules for them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import click

from exactcover.base.text.files import MIB, text_of
from exactcover.cli.commands.polycube.switches import (
    SWITCHES,
    VERSIONS,
    PolycubeSwitches,
    Translation,
    configured,
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
        if switches.conf is not None:
            configuration = configured(text_of(switches.conf, MIB), switches.conf)
            switches = read_switches(words, configuration)
        if switches.help or switches.version:
            click.echo(_usage() if switches.help else _versions())
            return DONE
        translation = translate(switches)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    command = equal_command(switches, translation)
    for line in _configuration(switches, translation, command):
        click.echo(line, err=not switches.info)
    if switches.sampling is not None:
        from exactcover.cli.command_table import exactcover

        return int(exactcover.main(command, standalone_mode=False) or DONE)
    solve = partial(_solve, switches=switches, translation=translation)
    return GivenPuzzles(switches.files or ("-",)).answer(solve)


def equal_command(switches: PolycubeSwitches, translation: Translation) -> list[str]:
    """The command of this program that finds, counts or samples the same, without its first word;
    it has no states that count as solutions, and prints in its own way."""
    words = ["count" if switches.quiet else "solve", *(switches.files or ["-"])]
    words += ["--strategy", str(translation.strategy), "--counted", translation.counted]
    if switches.sampling is not None:
        seed = str((*switches.sampling, 1)[2])
        return ["compare", *words[1:], "--seed", seed]
    return [*words, "--stats"] if switches.info else words


def _solve(document: Document, switches: PolycubeSwitches, translation: Translation) -> int:
    """Search one puzzle and print as polycube would; return the exit status."""
    from exactcover.cli.commands.polycube import output
    from exactcover.cli.commands.polycube.walk import Walk
    from exactcover.show.palette import in_colour

    began = perf_counter()
    document.model  # noqa: B018  # errors name the piece with its file and line
    boards = output.Boards(
        document, *switches.format, colour=in_colour("color", "auto", sys.stdout)
    )
    walk = Walk(document.content, switches, translation)
    if switches.info:
        for line in output.properties(document, walk.plan.applied):
            click.echo(line)
    with searching(document.name, walk, logs=False) as progress:
        for event in walk.events():
            if event is None:
                progress.show(walk)
            elif event.kind == "found":
                progress.clear()
                click.echo(boards.solution(event.number, event.chosen))
            elif _is_traced(event.kind, event.left, switches.trace or 0):
                progress.clear()
                click.echo(f"# {event.kind.upper()}, {event.left} LEFT")
                click.echo(boards.state(event.chosen))
    if switches.info:
        for line in output.statistics(document, walk, translation, perf_counter() - began):
            click.echo(line)
    else:
        sys.stdout.flush()
        click.echo(output.solutions_line(document, walk, translation), err=True)
    return DONE if walk.finished or walk.plan.reason else INTERRUPTED


def _is_traced(kind: str, left: int, level: int) -> bool:
    """Whether a trace at this level shows a step after which this many pieces are left."""
    if level < 0:
        return kind == "placed" and left == -(level - 1)
    return left >= (level - 1 if kind == "placed" else level)


# -- before the search -----------------------------------------------------------------------------


def _usage() -> str:
    """The help: one line for each switch."""
    lines = [
        "Usage: exactcover polycube [SWITCHES] [FILE...]",
        "",
        "Solve puzzles by the switches of polycube 2.0 or 1.2.1. A FILE may be the name of a",
        "puzzle that comes with the program; without one, standard input is read.",
        "",
    ]
    for one in SWITCHES:
        name = (f"-{one.letter}, " if one.letter else "    ") + f"--{one.name}{one.form}"
        version = f" ({VERSIONS[one.dialect]} only)" if one.dialect else ""
        lines.append(f"  {name:36} {one.summary}{version}")
    return "\n".join(lines)


def _versions() -> str:
    """The version of this program, and those of polycube."""
    from importlib.metadata import version

    return f"exactcover {version('exactcover')}, switches of polycube 2.0 and 1.2.1"


def _configuration(
    switches: PolycubeSwitches, translation: Translation, command: list[str]
) -> Iterator[str]:
    """The equal command with its notes, and the rest with `-i`."""
    if switches.info:
        yield "# --- CONFIGURATION ---"
        yield f"# switches: {' '.join(switches.words)} (polycube {VERSIONS[switches.dialect]})"
    yield f"# exactcover {shlex.join(command)}"
    for note in translation.notes:
        yield f"# note: {note}"
    if switches.goal is not None:
        yield f"# a state with {switches.goal} pieces left counts as a solution"
