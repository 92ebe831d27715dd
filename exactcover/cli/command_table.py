"""The table of commands. A command's module is loaded when the command runs.

`exactcover --help` needs only the table below, so help loads neither engines nor numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

GROUPS = {
    "Solve": {
        "solve": ("solve:solve", "Find solutions and print them, or draw some at random."),
        "count": ("solve:count", "Count the solutions."),
        "best": ("best:best", "Find the best solution: cheapest, or fullest."),
        "estimate": ("estimate:estimate", "Estimate nodes, solutions and seconds of a search."),
        "run": ("run:run", "Search for long, with a ledger that survives a crash."),
        "batch": ("batch:batch", "Solve many puzzles: a line of JSON for each."),
    },
    "Check": {
        "check": ("check:check", "Describe a puzzle, and say why it may have no solution."),
        "verify": ("verify:verify", "Compare the solutions of independent engines."),
        "compare": ("compare:compare", "Compare strategies: fits, no-fits and seconds of each."),
    },
    "Show": {
        "draw": ("draw:draw", "Draw puzzles, solutions and pieces: pictures, or pages that turn."),
        "animate": ("animate:animate", "Show a search at work: a page or a GIF."),
    },
    "Know": {
        "list": ("list:list_command", "List puzzles, lattices, shapes, engines and the like."),
        "convert": ("convert:convert", "Write a puzzle in another file format."),
    },
    "Studio": {
        "serve": ("serve:serve", "Start a local web page to draw, solve and play puzzles."),
        "play": ("play:play", "Write a page on which a puzzle is played by hand."),
        "make": ("make:make", "Make pieces: solids to print, and lines to cut."),
        "apart": ("apart:apart", "Say which solutions come apart, and with how many moves."),
    },
}
"""The commands in the order of the help: where each is, and one line on it."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}

FOREIGN = {
    "polycube": ("polycube:polycube", "`exactcover polycube` takes the switches of polycube.")
}
"""Commands with the switches of other programs: below the list, with a sentence on each."""

PARTS = {
    "run resume": ("run:resume", "Go on with a run that was stopped."),
    "run status": ("run:status", "Say how far a run is."),
    "run merge": ("run:merge", "Join the ledgers of a run that was searched in parts."),
    "list puzzles": ("list:puzzles", "List the puzzles that come with the program."),
    "list lattices": ("list:lattices", "List the lattices, or say what one has."),
    "list shapes": ("list:shapes", "Count or draw the shapes of N cells of a lattice."),
    "list sets": ("list:sets", "List the sets of pieces with their letters, or draw one."),
    "list backends": ("list:backends", "List the search engines and what they can do."),
    "list heuristics": (
        "list:heuristics",
        "List what a search can branch on next, and which engines do.",
    ),
    "list filters": ("list:filters", "List the filters and triggers that a strategy can name."),
    "help common": ("", "Describe the options that many commands have."),
}
"""Commands of two words."""

ALL = COMMANDS | PARTS | FOREIGN
"""Every command that can be called by its name."""


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
        if cmd_name not in ALL:
            return None
        if cmd_name == "help common":
            return help_common
        module, _, name = ALL[cmd_name][0].partition(":")
        command = getattr(import_module(f"exactcover.cli.commands.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()])
        for sentence in (one for _, one in FOREIGN.values()):
            formatter.write_paragraph()
            formatter.write_text(f"{sentence} `exactcover help common` describes common options.")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args == ["help"]:
            args = ["--help"]
        if (words := " ".join(args[:2])) in PARTS:
            return words, self.get_command(ctx, words), args[2:]
        if args and args[0] not in ALL and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command {args[0]!r}: {_near(args[0])}", ctx)
        return super().resolve_command(ctx, args)


class CommonOption(click.Option):
    """An option that many commands have: their help only names it."""


class Command(click.Command):
    """A command whose help has a line for each option of its own, and one for the common ones."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            its = _commands_with(error.option_name, ctx)
            if not its:
                raise
            words = f"{error.message} It is an option of {', '.join(its)}."
            raise click.NoSuchOption(error.option_name, words, ctx=ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [one for one in self.get_params(ctx) if not getattr(one, "hidden", True)]
        with formatter.section("Options"):
            own = [one for one in shown if not isinstance(one, CommonOption)]
            formatter.write_dl([_described(one, ctx) for one in own])
        common = [one for one in shown if isinstance(one, CommonOption)]
        if common:
            names = (f"{max(one.opts, key=len)}{_default(one)}" for one in common)
            formatter.write_paragraph()
            formatter.write_text(f"Also {', '.join(names)}: see `exactcover help common`.")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands of two words that begin with this one."""
        if parts := [entry for entry in PARTS.items() if entry[0].startswith(f"{self.name} ")]:
            with formatter.section("Commands"):
                formatter.write_dl([(name, summary) for name, (_, summary) in parts])


def _described(one: click.Parameter, ctx: click.Context) -> tuple[str, str]:
    """An option with its metavar, and its help; without its bounds, which errors name."""
    assert isinstance(one, click.Option)
    names, _ = one.get_help_record(ctx) or ("", "")
    return names, f"{one.help}{_default(one)}{' [required]' * one.required}"


def _default(one: click.Option) -> str:
    """The default of an option, if it is a word or a number."""
    if one.is_flag or not one.default or not isinstance(one.default, int | float | str):
        return ""
    return f" [{one.default:g}]" if isinstance(one.default, float) else f" [{one.default}]"


@click.command(name="common", cls=Command)
def help_common() -> None:
    """Describe the options that many commands have."""
    context = click.Context(exactcover)
    formatter = context.make_formatter()
    solve = exactcover.get_command(context, "solve")
    assert solve is not None
    common = [one for one in solve.params if isinstance(one, CommonOption)]
    formatter.write_dl([_described(one, context) for one in common])
    click.echo(formatter.getvalue(), nl=False)


def _commands_with(option: str, ctx: click.Context) -> list[str]:
    """The commands that have this option."""
    commands = {name: exactcover.get_command(ctx, name) for name in (*COMMANDS, *PARTS)}
    return [
        name
        for name, one in commands.items()
        if one is not None and any(option in own.opts for own in one.params)
    ]


def _near(word: str) -> str:
    """The commands with a name like this word; all of them, if there is none."""
    from difflib import get_close_matches

    near = get_close_matches(word, ALL, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(COMMANDS)}"


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="exactcover", prog_name="exactcover")
def exactcover() -> None:
    """Tiling puzzles on any lattice, and every other exact-cover problem.

    A PUZZLE is a file (.toml, .jsonl, .dlx, .xmpuzzle; .txt or .def as polycube reads it), - for
    standard input, or the name of a puzzle that comes with the program: `exactcover list puzzles`
    lists them. FILE#2 is the second of several puzzles in a file.
    """
