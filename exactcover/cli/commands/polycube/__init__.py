"""The command `polycube`: it reads the switches, runs the search that they mean, and prints as
polycube does.

click does not parse the words: polycube has its own rules for them.
"""

from __future__ import annotations

import sys
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import click

from exactcover.base.text.files import MIB, text_of
from exactcover.cli.commands.polycube.switches import (
    PolycubeSwitches,
    Translation,
    configured,
    read_switches,
    translate,
)
from exactcover.cli.ends import DONE, INTERRUPTED
from exactcover.cli.files import GivenPuzzles
from exactcover.cli.options import AUTO
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
    from exactcover.cli.commands.polycube import output

    try:
        switches = read_switches(words)
        if switches.conf is not None:
            configuration = configured(text_of(switches.conf, MIB), switches.conf)
            switches = read_switches(words, configuration)
        if switches.help or switches.version:
            click.echo(output.usage() if switches.help else output.versions())
            return DONE
        translation = translate(switches)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    for line in output.configuration(switches, translation):
        click.echo(line, err=not switches.info)
    solve = partial(_solve, switches=switches, translation=translation)
    return GivenPuzzles(switches.files or ("-",)).answer(solve)


def _solve(document: Document, switches: PolycubeSwitches, translation: Translation) -> int:
    """Search one puzzle and print as polycube would; return the exit status."""
    from exactcover.cli.commands.polycube import output
    from exactcover.cli.commands.polycube.searches import Trials, Walk
    from exactcover.show.render.palette import in_colour

    began = perf_counter()
    document.model  # noqa: B018  # errors name the piece with its file and line
    boards = output.Boards(document, *switches.format, colour=in_colour("color", AUTO, sys.stdout))
    walk = (Walk if switches.sampling is None else Trials)(document.content, switches, translation)
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
    if isinstance(walk, Trials):
        for line in walk.rates():
            click.echo(line)
    if switches.info:
        for line in output.statistics(walk, translation, perf_counter() - began):
            click.echo(line)
    else:
        sys.stdout.flush()
        click.echo(output.solutions_line(walk, translation), err=True)
    return DONE if walk.finished or walk.plan.reason else INTERRUPTED


def _is_traced(kind: str, left: int, level: int) -> bool:
    """Whether a trace at this level shows a step after which this many pieces are left."""
    if level < 0:
        return kind == "placed" and left == -(level - 1)
    return left >= (level - 1 if kind == "placed" else level)
