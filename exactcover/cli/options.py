"""The options that several commands have, each declared once, as a decorator of click.

    @opt.command()
    @opt.puzzles
    @opt.usual
    @opt.counted
    @click.option("--events", type=opt.Whole(), default=20_000, help="Show up to N events.")
    def animate(puzzles, report, counted, events): ...

The bounds and defaults are those of the Python function that the command calls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from exactcover.base.values import CONVENTIONS
from exactcover.cli.command_table import Command, CommonOption
from exactcover.cli.files import PAGES, PICTURES, Target, checked_file, checked_folder, target
from exactcover.cli.progress import MODE
from exactcover.cli.reports import Printer

if TYPE_CHECKING:
    from exactcover.runs import Dask, Processes
    from exactcover.runs.executors import Executor
    from exactcover.runs.jobs import BundleOutcome, Portion
    from exactcover.search.planned import Team
    from exactcover.search.result import Solution
    from exactcover.show.packages import Purpose
    from exactcover.show.palette import Wish

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

# -- kinds of values ------------------------------------------------------------------------------


class Whole(click.IntRange):
    """A whole number within bounds."""

    def __init__(self, least: int | None = 1, most: int | None = None, shown: str = "N") -> None:
        super().__init__(least, most)
        self.shown = shown

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return self.shown


class Number(click.FloatRange):
    """A number within bounds, of seconds or another unit."""

    def __init__(
        self, shown: str = "S", least: float | None = 0, most: float | None = None, **more: bool
    ) -> None:
        super().__init__(least, most, **more)
        self.shown = shown

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return self.shown


class FilePath(click.Path):
    """The name of a file or folder. An empty one is refused: it would be the current folder, which
    nobody means by the value of a shell variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty; the current folder is '.'", param, ctx)
        return super().convert(value, param, ctx)


# -- declaring commands ---------------------------------------------------------------------------

command = partial(click.command, cls=Command)
common = partial(click.option, cls=CommonOption)

puzzles = click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in this order."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            function = one(function)
        return function

    return decorated


def given(*names: str) -> str:
    """The first of these options of the command that the user gave; empty: none."""
    context = click.get_current_context()
    for one in context.command.params:
        if one.name in names and context.get_parameter_source(one.name) in USERS:
            return max(one.opts, key=len)
    return ""


USERS = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


# -- options that print nothing of their own ------------------------------------------------------

json = common(
    "--json", "report", is_flag=True, callback=lambda _c, _p, said: Printer(said),
    help="Print one JSON object per puzzle or entry, and nothing else.",
)  # fmt: skip


def _noted(context: click.Context, _: click.Parameter, mode: str) -> None:
    context.meta[MODE] = mode


progress = common(
    "--progress", type=click.Choice(["auto", "plain", "json", "none"]), default="auto",
    metavar="MODE", expose_value=False, callback=_noted,
    help="Progress on standard error: 'auto', a bar on a terminal, else a line a minute; 'plain', "
    "a line every 10 s; 'json', an object every second; 'none'.",
)  # fmt: skip


def _load(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Run plug-in files, for the heuristics and filters in them."""
    if files:
        from exactcover.backends.heuristics import load_plugin

        for file in files:
            load_plugin(file)
    return files


plugins = common(
    "--plugin", expose_value=False, metavar="FILE", multiple=True, is_eager=True, callback=_load,
    type=FilePath(path_type=Path),
    help="Run this Python file first, for the heuristics and filters of your own in it.",
)  # fmt: skip

at_work = together(progress, plugins)
usual = together(json, at_work)
"""The options of nearly every command that searches."""

# -- the question ---------------------------------------------------------------------------------

counted = common(
    "--counted", type=click.Choice(CONVENTIONS), metavar="HOW",
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


def strategies(help: str) -> Decorator:  # noqa: A002
    """The option `--strategy`, which may be given several times."""
    return click.option("--strategy", "strategies", metavar="TEXT", multiple=True, help=help)


def time_limit(default: float | None = None, help: str = "Stop after S seconds.") -> Decorator:  # noqa: A002
    """The option `--time-limit`."""
    return common("--time-limit", type=Number(), default=default, help=help)


question = together(counted, strategy, time_limit())


def _first(context: click.Context, _: click.Parameter, said: bool) -> None:
    context.meta["first"] = said


def _limited(context: click.Context, _: click.Parameter, limit: int | None) -> int | None:
    if context.meta.get("first") and limit is not None:
        raise click.UsageError("--first is --limit 1: give one of the two")
    return 1 if context.meta.get("first") else limit


limit = click.option("--limit", type=Whole(0), callback=_limited, help="Stop after N solutions.")
few = together(
    click.option(
        "--first", is_flag=True, is_eager=True, expose_value=False, callback=_first,
        help="Stop after one solution.",
    ),
    limit,
)  # fmt: skip
"""`--limit` and its short form `--first`, which becomes the value of `limit`."""

strict = click.option(
    "--strict", is_flag=True, help="Compare the numbers of the file; a wrong one: status 3."
)
quiet = click.option("-q", "--quiet", is_flag=True, help="Do not print solutions.")


def memory(help: str) -> Decorator:  # noqa: A002
    """The option `--memory`."""
    return click.option("--memory", type=Whole(shown="MIB"), help=help)


def threads(help: str, **more: Any) -> Decorator:  # noqa: A002
    """The option `--workers` where workers are threads, or processes that share nothing."""
    return click.option("--workers", type=Whole(1, 1024), help=help, **more)


# -- how solutions are drawn as text --------------------------------------------------------------


def drawn_text(solution: Solution, color: Wish, stream: IO[str] | None = None) -> str:
    """A picture of a solution for a stream, standard output if none is named."""
    from exactcover.api import draw
    from exactcover.lattices.view import JOINTS
    from exactcover.show.palette import in_colour

    stream = stream or sys.stdout
    drawn = draw(solution, color=in_colour("color", color, stream))
    try:
        "┼".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):  # the encoding of an old terminal has no walls
        return drawn.translate(str.maketrans(JOINTS, " |||-+++-+++-+++"))
    return drawn


color = click.option(
    "--color", "--colour", type=click.Choice(["auto", "always", "never"]), metavar="WHEN",
    default="auto", help="Colours: auto (on a terminal), always, never.",
)  # fmt: skip

# -- files ----------------------------------------------------------------------------------------


def _path(*names: str, check: Callable[[Path, str], Path], **more: Any) -> Decorator:
    """An option whose value is a path that passes a check, which gets the option's name too."""

    def checked(_: click.Context, which: click.Parameter, said: Path | None) -> Path | None:
        return said and check(said, max(which.opts, key=len))

    return click.option(*names, type=FilePath(path_type=Path), callback=checked, **more)


def file(
    *names: str, endings: Collection[str] = (), needs: Purpose | None = None, **more: Any
) -> Decorator:
    """An option whose value is a file to write, as `checked_file` checks it."""

    def check(said: Path, name: str) -> Path:
        return checked_file(said, endings, needs, name)

    return _path(*names, check=check, metavar="FILE", **more)


def folder(*names: str, required: bool = True, **more: Any) -> Decorator:
    """An option whose value is a folder, which is made if it is not there."""

    def check(said: Path, _: str) -> Path:
        return checked_folder(said)

    return _path(*names, check=check, metavar="DIR", required=required, **more)


def output(
    endings: Collection[str],
    in_folder: str,
    *,
    needs: Purpose | None = None,
    default: Path | None = None,
    **more: Any,
) -> Decorator:
    """The option `-o`, whose value is a `Target`; None: standard output."""

    def checked(_: click.Context, __: click.Parameter, said: str | None) -> Target | None:
        return target(said, endings, in_folder, needs=needs, default=default)

    return click.option("-o", "--output", metavar="FILE", type=FilePath(), callback=checked, **more)


def picture(drawn: str, *, pages: bool = False) -> Decorator:
    """The option `--picture FILE` of a command that draws this beside its report.

    pages  the file may also be a page
    """
    return file(
        "--picture",
        endings=(*PICTURES, *PAGES) if pages else PICTURES,
        needs="picture",
        help=f"Also draw {drawn}: .svg, .png{', .html' * pages}.",
    )


# -- who searches ----------------------------------------------------------------------------------

PAYS = 2.0
"""Without `--workers` free processors help once a search seems to take this many more seconds."""


def _with_dask(_: click.Context, __: click.Parameter, cluster: str | None) -> str | None:
    """The given cluster; raises an error if Dask is not installed."""
    if cluster is not None:
        from exactcover.runs.cluster import dask

        dask()
    return cluster


@dataclass(frozen=True)
class Workers:
    """Who searches: what `--workers`, `--processes` and `--cluster` say."""

    number: int | None
    processes: bool
    cluster: str | None

    @contextmanager
    def executor(self) -> Iterator[Executor[Portion, BundleOutcome]]:
        """The workers of a run with a ledger; at the end they are sent away."""
        from exactcover.runs import Threads

        executor = (self._elsewhere() or Threads(self.number)).executor()
        try:
            yield executor
        finally:
            executor.close()

    def team(self, *, limited: bool = False) -> Team | None:
        """The team of a search; None: the main thread alone.

        limited  the search ends with a number of solutions, often soon: then workers are opt-in
        """
        if (team := self._elsewhere()) is not None:
            return team
        if self.number == 1 or (self.number is None and limited):
            return None
        from exactcover.runs import Threads

        return Threads(self.number, pays=PAYS if self.number is None else 0.0)

    def _elsewhere(self) -> Processes | Dask | None:
        """The workers that are not threads of this process."""
        if self.cluster is not None:
            from exactcover.runs import Dask

            cluster = Dask(self.cluster)
            cluster.check()  # a short search never needs it, a long one after a while
            return cluster
        if self.processes:
            from exactcover.base.machine import processors
            from exactcover.runs import Processes

            return Processes(self.number or processors())
        return None


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
            "--workers", type=Whole(1, 1024),
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
            "--cluster", metavar="tcp://HOST:PORT", callback=_with_dask,
            help="Search with the workers of a Dask scheduler. It needs the extra `cluster`.",
        ),
    )(called)  # fmt: skip
