"""The program: the table of commands, and main, which runs one and reports what ended it.

A command's module is loaded when its command runs, or its help is shown. A package adds a command
by an entry point of the group `exactcover.commands`, whose value is a command of click.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from io import TextIOWrapper
from typing import Any

import click

from exactcover.base.plugins import Registry, value_at
from exactcover.base.text import escaped
from exactcover.cli.ends import DONE, INTERRUPTED, MISTAKE, STOPPED, say, watch
from exactcover.errors import ExactCoverError, TimeUp, TooLarge, one_of

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

PLACES = {
    "count": "solve:count",
    "compare": "estimate:compare",
    "animate": "draw:animate",
    "list": "list:listing",
    "convert": "list:convert",
}
"""The place of each command that is not in the module of its name."""

COMMANDS: Registry[click.Command] = Registry(
    "exactcover.commands",
    "command",
    lambda value: isinstance(value, click.Command),
    {
        name: f"{HERE}.{PLACES.get(name, f'{name}:{name}')}"
        for names in GROUPS.values()
        for name in names
    },
)

FOREIGN = {"polycube": f"{HERE}.polycube:polycube"}
"""Commands with the switches of other programs, which the list of the help leaves out."""

PARTS = {
    **{f"run {name}": f"{HERE}.run:{name}" for name in ("resume", "status")},
    "help common": "exactcover.cli.options:help_common",
}
"""Commands of two words."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # its reader has gone; click would end with status 1
            silence_output()

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
        if args[:1] == ["help"] and args[1:2] != ["common"]:
            args = [*args[1:], "--help"]
        if (words := " ".join(args[:2])) in PARTS:
            return words, self.get_command(ctx, words), args[2:]
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = one_of([*COMMANDS, *FOREIGN], args[0])
            raise click.UsageError(f"there is no command {args[0]!r}: {known}", ctx)
        return super().resolve_command(ctx, args)


def summary(command: click.Command) -> str:
    """The first paragraph of the help of a command."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="exactcover", prog_name="exactcover")
def exactcover() -> None:
    """Tiling puzzles on any lattice, and every other exact-cover problem.

    A PUZZLE is a file (.toml, .jsonl, .dlx, .ec, .xmpuzzle; .txt or .def as polycube reads it),
    - for standard input, or the name of a puzzle that comes with the program: `exactcover list
    puzzles` lists them. FILE#2 is the second of several puzzles in a file.
    """


# -- running a command ----------------------------------------------------------------------------

STREAMS = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""The name of each stream, its use, and the mode in which a closed one is opened: the wrong way
round, so that its use is an error, as with a closed stream. Text for standard error is lost."""

NOT_WRITTEN = (errno.EBADF, errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""The system's errors, without a file's name, for an open file that cannot be written."""

LACK_OF_MEMORY = ("Cannot allocate memory", "failed to map segment", "can't start new thread")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one message and exit status 1."""
    mend_streams()
    try:
        with watch, warnings.catch_warnings():
            # As a message of the program, without the line of code that it came from.
            warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
            from exactcover.base import compiled

            compiled.on_first_compile = say
            status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
            sys.stdout.flush()
    except BaseException as error:
        status = _reported(error)
    sys.exit(status or DONE)


def _reported(error: BaseException) -> int:
    """Report what has ended a command; return the exit status."""
    if isinstance(error, BrokenPipeError):  # its reader has closed our output
        silence_output()
        return DONE
    # Other packages turn an interrupt into their own exception: numpy raises a TypeError while it
    # compares records.
    if watch.pressed or isinstance(error, KeyboardInterrupt | click.Abort):
        say("interrupted")
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, ExactCoverError):
        say(escaped(str(error)))
        return STOPPED if isinstance(error, TimeUp | TooLarge) else MISTAKE
    if isinstance(error, SystemExit):  # no command exits by itself
        say(f"a plug-in has ended the program: sys.exit({error.code!r})")
        return MISTAKE
    if _is_lack_of_memory(error):
        wanted = f" ({error})" if isinstance(error, MemoryError) and str(error) else ""
        say(
            f"memory ran out{wanted}: allow the process more memory, or give it a smaller puzzle; "
            "`count --memory MIB` bounds what a count takes"
        )
        return STOPPED
    if not isinstance(error, OSError):
        raise error
    if error.filename:
        say(f"{error.filename}: {error.strerror}")
    elif error.errno in NOT_WRITTEN:
        silence_output()
        say(f"the output cannot be written: {error.strerror}")
    else:
        say(str(error))
    return MISTAKE


def _is_lack_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; the loader of libraries and threads raise other errors for that."""
    return any(
        isinstance(one, MemoryError) or any(said in str(one) for said in LACK_OF_MEMORY)
        for one in (error, error.__cause__, error.__context__)
    )


# -- standard streams that are closed, full, or not read any more ---------------------------------


def mend_streams() -> None:
    """Open the standard streams that are closed: Python has none then, so files replace them.

    The next file that is opened would get the number of a closed stream, and text for standard
    output could be written into it.
    """
    for number, (name, mode, flags) in enumerate(STREAMS):
        if getattr(sys, name) is None:
            os.open(os.devnull, flags)  # it gets the lowest free number, which is this one
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):  # the encoding of an old terminal has no walls
        sys.stdout.reconfigure(errors="replace")


def silence_output() -> None:
    """Discard the unwritten output, so that Python does not complain about it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
