"""The command `polycube`: it reads the switches, runs the search that they mean, and prints as
polycube does.

click does not parse the words: polycube has its own rules for them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import click

from exactcover.base.text.files import MIB, text_of
from exactcover.cli.commands.polycube.command_words import configured, read_switches
from exactcover.cli.commands.polycube.switches import PolycubeSwitches
from exactcover.cli.commands.polycube.translation import Translation, translate
from exactcover.cli.ends import DONE, INTERRUPTED
from exactcover.cli.files import GivenPuzzles
from exactcover.cli.options import AUTO
from exactcover.cli.searches import searching
from exactcover.errors import ExactCoverError, StrategyError

if TYPE_CHECKING:
    from exactcover.cli.commands.polycube.output import Boards, PrintedFigures
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

    switches = _read(words)
    if switches.help:
        click.echo(output.usage())
        return DONE
    if switches.version:
        from importlib.metadata import version

        click.echo(f"exactcover {version('exactcover')}, switches of polycube 2.0 and 1.2.1")
        return DONE
    try:
        translation = translate(switches)
    except StrategyError as error:
        raise click.UsageError(str(error)) from None
    if not switches.info:
        click.echo(output.strategy_line(translation), err=True)
        for note in translation.notes:
            click.echo(f"# note: {note}", err=True)
    else:
        _print(output.configuration(switches, translation))
    solve = partial(_solve, switches=switches, translation=translation)
    return GivenPuzzles(switches.files or ("-",)).answer(solve)


def _read(words: tuple[str, ...]) -> PolycubeSwitches:
    """The meaning of the words, including those of a configuration file."""
    try:
        switches = read_switches(words)
        if switches.conf is None:
            return switches
        text = text_of(switches.conf, MIB)
        return read_switches(words, configured(text, switches.conf))
    except StrategyError as error:
        raise click.UsageError(str(error)) from None


def _solve(document: Document, switches: PolycubeSwitches, translation: Translation) -> int:
    """Search one puzzle and print as polycube would; return the exit status."""
    from exactcover.cli.commands.polycube import output
    from exactcover.cli.commands.polycube.output import Boards

    from exactcover.show.render.palette import in_colour

    began = perf_counter()
    document.model  # noqa: B018  # errors name the piece with its file and line
    boards = Boards(document, *switches.format, colour=in_colour("color", AUTO, sys.stdout))
    if switches.sampling is not None:
        outcome = _sampled(document, switches, translation, boards)
    else:
        outcome = _walked(document, switches, translation, boards)
    if switches.info:
        _print(output.statistics(outcome, translation, perf_counter() - began))
    else:
        sys.stdout.flush()
        click.echo(output.solutions_line(outcome, translation), err=True)
    return INTERRUPTED if outcome.status == "interrupted" else DONE


def _walked(
    document: Document, switches: PolycubeSwitches, translation: Translation, boards: Boards
) -> PrintedFigures:
    """All solutions, or states that count as solutions, and the steps to them."""
    from exactcover.cli.commands.polycube.events import Walk
    from exactcover.cli.commands.polycube.output import PrintedFigures, properties

    walk = Walk(document, switches, translation)
    if switches.info:
        _print(properties(document, walk.plan.applied))
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
    status = "impossible" if walk.plan.reason else "complete" if walk.finished else "interrupted"
    return PrintedFigures(
        status, walk.found, walk.fits, walk.nofits, walk.seconds, walk.by_remaining,
        walk.plan.reason,
    )  # fmt: skip


def _is_traced(kind: str, left: int, level: int) -> bool:
    """Whether a trace at this level shows a step after which this many pieces are left."""
    if level < 0:
        return kind == "placed" and left == -(level - 1)
    return left >= (level - 1 if kind == "placed" else level)


def _sampled(
    document: Document, switches: PolycubeSwitches, translation: Translation, boards: Boards
) -> PrintedFigures:
    """Monte Carlo."""
    from exactcover.cli.commands.polycube.output import PrintedFigures, properties
    from exactcover.cli.commands.polycube.trials import Trials

    assert switches.sampling is not None
    if switches.goal is not None or switches.trace is not None:
        raise ExactCoverError("-s samples whole searches: leave -g and -t out")
    many, remaining, seed = switches.sampling
    trials = Trials(
        document.content,
        translation.strategy,
        n=many,
        remaining=remaining,
        seed=seed,
        counted=translation.counted,
        keep=not switches.quiet,
        tally=switches.info,
    )
    if switches.info:
        _print(properties(document, trials.plan.applied))
    number = 0
    with searching(document.name, trials, logs=False) as progress:
        for trial in trials:
            for solution in trial.solutions:
                number += 1
                progress.clear()
                click.echo(boards.solution(number, solution))
            progress.show(trials)
    _print(trials.rates())
    done, reason = trials.done, trials.plan.reason
    status = "impossible" if reason else "complete" if len(done) == many else "interrupted"
    return PrintedFigures(
        status, trials.found, sum(one.fits for one in done), sum(one.nofits for one in done),
        sum(one.seconds for one in done), trials.by_remaining, reason,
    )  # fmt: skip


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)
