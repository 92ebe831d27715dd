"""The table of commands. A command's module is loaded when its command runs, or its help is shown.

A package adds a command by an entry point of the group `exactcover.commands`, whose value is a
command of click.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import click

from exactcover.base.plugins import Registry, value_at

GROUPS = {
    "Solve": {
        "solve": "Find solutions and print them, or draw some at random.",
        "count": "Count the solutions.",
        "best": "Find the best solution: cheapest, or fullest.",
        "estimate": "Estimate nodes, solutions and seconds of a search.",
        "run": "Search for long, with a ledger that survives a crash.",
        "batch": "Solve many puzzles: a line of JSON for each.",
    },
    "Check": {
        "check": "Describe a puzzle, and say why it may have no solution.",
        "verify": "Compare the solutions of independent engines, and check each.",
        "compare": "Compare strategies: fits, no-fits and seconds of each.",
    },
    "Show": {
        "draw": "Draw puzzles, solutions and pieces: pictures, or pages that turn.",
        "animate": "Show a search at work: a page or a GIF.",
    },
    "Know": {
        "list": "List puzzles, lattices, shapes, engines and the like.",
        "convert": "Write a puzzle in another file format.",
    },
}
"""The built-in commands in the order of the help, with the first line of the help of each: the list
of all commands imports none of them."""

HERE = "exactcover.cli.commands"

MODULES = {"count": f"{HERE}.solve:count", "list": f"{HERE}.list:list_command"}
"""The place of each command that is not in the module of its name."""

COMMANDS: Registry[click.Command] = Registry(
    "exactcover.commands",
    "Command",
    lambda value: isinstance(value, click.Command),
    {
        name: MODULES.get(name, f"{HERE}.{name}:{name}")
        for names in GROUPS.values()
        for name in names
    },
)

FOREIGN = {"polycube": f"{HERE}.polycube:polycube"}
"""Commands with the switches of other programs, which the list of the help leaves out."""

PARTS = {
    **{f"run {name}": f"{HERE}.run:{name}" for name in ("resume", "status", "merge")},
    **{
        f"list {name}": f"{HERE}.list:{name}"
        for name in ("puzzles", "lattices", "shapes", "sets", "backends", "heuristics", "filters")
    },
    "help common": "exactcover.cli.options:help_common",
}
"""Commands of two words."""


class OutputClosed(Exception):
    """The reader of standard output has gone; click would end with status 1."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise OutputClosed from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = FOREIGN.get(cmd_name) or PARTS.get(cmd_name)
        return value_at(place) if place else COMMANDS.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        added: dict[str, dict[str, str]] = {"Studio": {}, "Others": {}}
        for name, command in COMMANDS.plug_ins.items():
            own = (command.callback.__module__ or "").startswith("exactcover.studio.")
            added["Studio" if own else "Others"][name] = summary(command)
        for title, commands in (GROUPS | added).items():
            if commands:
                with formatter.section(title):
                    formatter.write_dl([*commands.items()])
        formatter.write_paragraph()
        formatter.write_text(
            "`exactcover polycube` takes the switches of polycube. `exactcover help common` "
            "describes common options."
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args == ["help"]:
            args = ["--help"]
        if (words := " ".join(args[:2])) in PARTS:
            return words, self.get_command(ctx, words), args[2:]
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], [*COMMANDS, *FOREIGN], n=2)
            known = (
                f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(COMMANDS)}"
            )
            raise click.UsageError(f"there is no command {args[0]!r}: {known}", ctx)
        return super().resolve_command(ctx, args)


def summary(command: click.Command) -> str:
    """The first paragraph of the help of a command."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


def parts_of(name: str) -> Iterator[tuple[str, str]]:
    """The commands of two words that begin with this one, with a line on each."""
    for words, place in PARTS.items():
        if words.startswith(f"{name} "):
            yield words, summary(value_at(place))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="exactcover", prog_name="exactcover")
def exactcover() -> None:
    """Tiling puzzles on any lattice, and every other exact-cover problem.

    A PUZZLE is a file (.toml, .jsonl, .dlx, .ec, .xmpuzzle; .txt or .def as polycube reads it),
    - for standard input, or the name of a puzzle that comes with the program: `exactcover list
    puzzles` lists them. FILE#2 is the second of several puzzles in a file.
    """
