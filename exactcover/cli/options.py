"""The options that several commands have, as decorators of click, and the help of commands.

    @opt.command()
    @opt.puzzles
    @opt.usual
    @opt.counted
    @click.option("--events", type=click.IntRange(1), metavar="N", help="Show up to N events.")
    def animate(puzzles, report, counted, events): ...

The bounds and defaults are those of the Python function that the command calls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial, reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

import exactcover as ec
from exactcover.base import processors
from exactcover.cli.files import PAGES, PICTURES, FilePath, NewFile
from exactcover.cli.program import COMMANDS
from exactcover.cli.progress import MODE
from exactcover.cli.reports import Printer

if TYPE_CHECKING:
    from exactcover.runs import Dask, Processes, Threads
    from exactcover.search.begun import Team
    from exactcover.show.packages import Purpose

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

# -- commands and their help ----------------------------------------------------------------------


class CommonOption(click.Option):
    """An option that many commands have: their help only names it."""


class Command(click.Command):
    """A command whose help has a line for each option of its own, and one for the common ones."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        shown = [one for one in options if not one.hidden]
        common = [one for one in shown if isinstance(one, CommonOption)]
        with formatter.section("Options"):
            formatter.write_dl([_described(one, ctx) for one in shown if one not in common])
        if common:
            names = (f"{max(one.opts, key=len)}{_default(one)}" for one in common)
            formatter.write_paragraph()
            formatter.write_text(f"Also {', '.join(names)}: see `exactcover help common`.")


def _described(one: click.Option, ctx: click.Context) -> tuple[str, str]:
    """An option with its metavar, and its help; without its bounds, which errors name."""
    names, _ = one.get_help_record(ctx) or ("", "")
    return names, f"{one.help}{_default(one)}{' [required]' * one.required}"


def _default(one: click.Option) -> str:
    """The default of an option, if it is a word or a number."""
    has = one.default and not one.is_flag and isinstance(one.default, int | str)
    return f" [{one.default}]" if has else ""


command = partial(click.command, cls=Command)
common = partial(click.option, cls=CommonOption)


@command(name="common")
@click.pass_context
def help_common(context: click.Context) -> None:
    """Describe the options that many commands have."""
    formatter = context.make_formatter()
    options = [one for one in COMMANDS["solve"].params if isinstance(one, CommonOption)]
    formatter.write_dl([_described(one, context) for one in options])
    print(formatter.getvalue(), end="")


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in this order."""
    return lambda function: reduce(lambda made, one: one(made), reversed(options), function)


def given(*names: str) -> str:
    """The first of these options of the command that the user gave; empty: none."""
    context = click.get_current_context()
    for one in context.command.params:
        said = context.get_parameter_source(one.name or "")
        if one.name in names and said is ParameterSource.COMMANDLINE:
            return max(one.opts, key=len)
    return ""


# -- options of nearly every command --------------------------------------------------------------

puzzles = click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)

json = common(
    "--json", "report", is_flag=True, callback=lambda _c, _p, said: Printer(said),
    help="Print one JSON object per puzzle or entry, and nothing else.",
)  # fmt: skip


progress = common(
    "--progress", type=click.Choice(["auto", "plain", "json", "none"]), default="auto",
    metavar="MODE", expose_value=False,
    callback=lambda context, _, mode: context.meta.update({MODE: mode}),
    help="Progress on standard error: 'auto', a bar on a terminal, else a line a minute; 'plain', "
    "a line every 10 s; 'json', an object every second; 'none'.",
)  # fmt: skip


def _load(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> None:
    """Run plug-in files, for the heuristics and filters in them."""
    for file in files:
        ec.load_plugin(file)


plugins = common(
    "--plugin", expose_value=False, metavar="FILE", multiple=True, is_eager=True, callback=_load,
    type=FilePath(),
    help="Run this Python file first, for the heuristics and filters of your own in it.",
)  # fmt: skip

at_work = together(progress, plugins)
usual = together(json, at_work)
"""The options of nearly every command that searches."""

# -- the question ---------------------------------------------------------------------------------

COUNTED = ("rotations", "reflections", "all")
"""`base.values` has the same, which loads numpy."""

counted = common(
    "--counted", type=click.Choice(COUNTED), metavar="HOW",
    help="What counts as one solution: 'rotations' (the default): solutions that are rotations of "
    "each other, within what the pieces may do, count once; 'reflections': mirror images too, "
    "where the set of pieces has each piece's mirror image; 'all': every solution counts. A plain "
    "problem has no symmetries: all count.",
)  # fmt: skip

strategy = common(
    "--strategy", metavar="TEXT",
    help="How to search: filters, then ENGINE:HEURISTIC, as in 'redundancy; volume; dlx:s'. Chosen "
    "for you if you do not say.",
)  # fmt: skip

several_strategies = partial(
    click.option, "--strategy", "strategies", metavar="TEXT", multiple=True
)


def time_limit(default: int | None = None, help: str = "Stop after S seconds.") -> Decorator:  # noqa: A002
    """The option `--time-limit`."""
    return common("--time-limit", type=click.FloatRange(0), metavar="S", default=default, help=help)


question = together(counted, strategy, time_limit())

flag = partial(click.option, is_flag=True)
whole = partial(click.option, type=click.IntRange(1), metavar="N")


seed = partial(click.option, "--seed", type=click.IntRange(0, (1 << 63) - 1), metavar="N")
limit = whole("--limit", type=click.IntRange(0), help="Stop after N solutions.")
few = together(
    limit,
    click.option("--first", "limit", type=int, flag_value=1, help="Stop after one solution."),
)
"""`--limit`, and `--first`, which is `--limit 1`."""

strict = flag("--strict", help="Compare the numbers of the file; a wrong one: status 3.")
stats = flag("--stats", help="Say what filters and search did.")
quiet = flag("-q", "--quiet", help="Do not print solutions.")
memory = partial(whole, "--memory", metavar="MIB")
threads = partial(whole, "--workers", type=click.IntRange(1, 1024))
"""The option `--workers` where workers are threads, or processes that share nothing."""

color = click.option(
    "--color", "--colour", type=click.Choice(["auto", "always", "never"]), metavar="WHEN",
    default="auto", help="Colours: auto (on a terminal), always, never.",
)  # fmt: skip

# -- files ----------------------------------------------------------------------------------------

folder = partial(click.option, type=FilePath(file_okay=False), metavar="DIR")


def file(
    *names: str,
    endings: Collection[str] = (),
    needs: Purpose | None = None,
    in_folder: str = "",
    **more: Any,
) -> Decorator:
    """An option whose value is a file to write; with `in_folder` a `Target`."""
    return click.option(*names, type=NewFile(endings, needs, in_folder), metavar="FILE", **more)


output = partial(file, "-o", "--output")
picture = partial(file, "--picture", endings=(*PICTURES, *PAGES), needs="picture")
"""The option `--picture FILE` of a command that draws beside its report."""


# -- who searches ----------------------------------------------------------------------------------

PAYS = 2.0
"""Without `--workers` free processors help once a search seems to take this many more seconds."""


class Workers(NamedTuple):
    """Who searches: what `--workers`, `--processes` and `--cluster` say."""

    number: int | None
    processes: bool
    cluster: str | None

    def named(self) -> Threads | Processes | Dask | None:
        """The team that the options name; None: one thread, or they name none."""
        from exactcover.runs import Dask, Processes, Threads

        if self.cluster is not None:
            return Dask(self.cluster)  # a short search never needs it, a long one after a while
        if self.processes:
            return Processes(self.number or processors())
        return Threads(self.number) if (self.number or 1) > 1 else None

    def team(self, *, limited: bool = False) -> Team | None:
        """The team of a search that may be short; None: the main thread alone.

        limited  the search ends with a number of solutions, often soon: then workers are opt-in
        """
        from exactcover.runs import Threads

        return self.named() or (None if self.number or limited else Threads(pays=PAYS))


def workers(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--workers`, `--processes` and `--cluster`; their value is a `Workers`."""

    @wraps(function)
    def called(workers: int | None, processes: bool, cluster: str | None, **more: Any) -> Any:
        if cluster is not None and processes:
            raise click.UsageError("--cluster and --processes are two ways: give one of them")
        if cluster is not None and workers is not None:
            raise click.UsageError("--cluster has its own workers: leave out --workers")
        return function(workers=Workers(workers, processes, cluster), **more)

    return together(
        common(
            "--workers", type=click.IntRange(1, 1024), metavar="N",
            help="Search with N threads, which share the tree. Default: one for each free "
            "processor, in `solve` and `count` once the search seems to take some seconds; one "
            "with --limit.",
        ),
        common(
            "--processes", is_flag=True,
            help="Let the workers be processes, not threads; one for each free processor if you "
            "do not say how many.",
        ),
        common(
            "--cluster", metavar="tcp://HOST:PORT",
            help="Search with the workers of a Dask scheduler. It needs the extra `cluster`.",
        ),
    )(called)  # fmt: skip
