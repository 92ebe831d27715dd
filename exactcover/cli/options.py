"""The options of the commands, each declared once.

A command takes its options as one dataclass:

    from exactcover.cli import options as opt

    @dataclass(frozen=True)
    class CountOptions(opt.SearchOptions):
        memory: int | None = opt.integer("--memory", metavar="MIB", help="Memory limit.")

    @opt.puzzle_command(CountOptions)
    def count(puzzles: tuple[str, ...], options: CountOptions) -> int: ...

Each field is an option. The dataclasses below hold the options that several commands have; help
lists these apart, as common options.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.cli.command_table import Command, CommonOption
from exactcover.cli.reports import emit, with_origin

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.runs import Dask, Processes
    from exactcover.runs.executors import Executor
    from exactcover.runs.jobs import BundleOutcome, Portion
    from exactcover.search.planned import Team
    from exactcover.search.result import Solution
    from exactcover.show.render.palette import Wish


# -- declaring options ----------------------------------------------------------------------------


class FilePath(click.Path):
    """The name of a file or folder. An empty one is refused: it would be the current folder, which
    nobody means by the value of a shell variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty; the current folder is '.'", param, ctx)
        return super().convert(value, param, ctx)


def option(*names: str, default: Any = None, common: bool = False, **attributes: Any) -> Any:
    """A field of a dataclass that is an option; `attributes` are those of `click.Option`.

    common  it is listed with the options that many commands have
    """
    if default and not isinstance(default, tuple | Path):
        attributes.setdefault("show_default", True)
    kind = CommonOption if common else click.Option
    return field(default=default, metadata={"kind": kind, "names": names, **attributes})


def flag(*names: str, help: str, **attributes: Any) -> Any:  # noqa: A002
    """An option without a value."""
    return option(*names, default=False, is_flag=True, help=help, **attributes)


def integer(
    *names: str, least: int | None = 1, most: int | None = None, metavar: str = "N", **more: Any
) -> Any:
    """An option whose value is a whole number within bounds; None: there is none."""
    unbounded = least is None and most is None
    kind = click.INT if unbounded else click.IntRange(least, most)
    return option(*names, type=kind, metavar=metavar, **more)


def number(
    *names: str, least: float | None = 0, most: float | None = None, metavar: str, **more: Any
) -> Any:
    """An option whose value is a number within bounds."""
    return option(*names, type=click.FloatRange(least, most), metavar=metavar, **more)


def choice(*names: str, of: tuple[str, ...], **more: Any) -> Any:
    """An option whose value is one of some words."""
    return option(*names, type=click.Choice(of), **more)


def limit_option(default: float | None = None, *, help: str = "Stop after S seconds.") -> Any:  # noqa: A002
    """The option `--time-limit`."""
    return number("--time-limit", metavar="S", default=default, help=help, common=True)


def command(
    options: type[Any] | None = None, name: str | None = None, cls: type[click.Command] = Command
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function, which gets the options as its argument `options`."""

    def decorated(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def called(**given: Any) -> Any:
            if options is not None:
                own = {one.name: given.pop(one.name) for one in fields(options)}
                given["options"] = options(**own)
            return function(**given)

        made = click.command(name, cls=cls)(called)
        made.params += [_click_option(one) for one in (fields(options) if options else ())]
        return made

    return decorated


def puzzle_command(
    options: type[Any], cls: type[click.Command] = Command
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function whose first argument, `puzzles`, are the places of puzzles."""
    places = click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
    return lambda function: command(options, cls=cls)(places(function))


def _click_option(one: Any) -> click.Option:
    attributes = dict(one.metadata)
    kind, names = attributes.pop("kind"), attributes.pop("names")
    if one.default is not None and not attributes.get("required"):  # click takes None as a value
        attributes["default"] = one.default
    made: click.Option = kind([*names, one.name], **attributes)
    return made


def first_given(options: Any, names: Collection[str]) -> str:
    """The first of these fields that the user gave a value, as an option; empty: none."""
    for one in fields(options):
        if one.name in names and getattr(options, one.name) != one.default:
            return str(max(one.metadata["names"], key=len))
    return ""


# -- common options -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Json:
    """`--json`."""

    as_json: bool = flag(
        "--json", common=True, help="Print one JSON object per puzzle or entry and nothing else."
    )

    def report(
        self,
        record: dict[str, Any],
        lines: Iterable[str],
        *,
        drawn: bool = False,
        document: Document | None = None,
        **origin: Any,
    ) -> None:
        """Print the object of `--json`, or the lines.

        drawn     lines hold drawings, which have colours if the user wants them
        document  the puzzle that the record has numbers of; a script gets their provenance, too
        origin    as for `with_origin`
        """
        if not self.as_json:
            for line in lines:
                click.echo(line, color=drawn or None)
            return
        emit(record if document is None else with_origin(record, document, **origin))


@dataclass(frozen=True)
class WithProgress:
    """`--progress`, of a command that can take long."""

    progress: str = choice(
        "--progress", of=("auto", "plain", "json", "none"), default="auto", common=True,
        help="How to show the progress of a long run, on standard error: 'auto': a bar on a "
        "terminal, otherwise a line a minute; 'plain': a line every 10 s; 'json': an object every "
        "second; 'none'.",
    )  # fmt: skip


def _load(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Run plug-in files, for the heuristics and filters in them."""
    if files:
        from exactcover.backends.heuristics import load_plugin

        for file in files:
            load_plugin(file)
    return files


@dataclass(frozen=True)
class Plugged:
    """`--plugin`."""

    plugins: tuple[Path, ...] = option(
        "--plugin", metavar="FILE", multiple=True, default=(), is_eager=True, callback=_load,
        type=FilePath(path_type=Path), common=True,
        help="Run this Python file first, for the heuristics and filters of your own in it.",
    )  # fmt: skip


@dataclass(frozen=True)
class Common(Json, WithProgress, Plugged):
    """The options of nearly every command that searches."""


@dataclass(frozen=True)
class Counted:
    """`--counted`."""

    counted: Convention | None = choice(
        "--counted", of=CONVENTIONS, common=True,
        help="What counts as one solution: 'rotations' (the default): solutions that are "
        "rotations of each other, within what the pieces may do, count once; 'reflections': "
        "mirror images count once too, where the set of pieces has each piece's mirror image; "
        "'all': every solution counts. A plain problem has no symmetries: all count.",
    )  # fmt: skip


@dataclass(frozen=True)
class Few(Counted):
    """`--limit` and its short form `--first`, which becomes the value of `limit`."""

    first: bool = flag("--first", help="Stop after one solution.")
    limit: int | None = integer("--limit", least=0, help="Stop after N solutions.")

    def __post_init__(self) -> None:
        if self.first and self.limit is not None:
            raise click.UsageError("--first is --limit 1: give one of the two")
        if self.first:
            object.__setattr__(self, "limit", 1)


@dataclass(frozen=True)
class Strategic:
    """`--strategy`."""

    strategy: str | None = option(
        "--strategy", metavar="TEXT", common=True,
        help="How to search: filters, then BACKEND:HEURISTIC, as in 'redundancy; volume; dlx:s'. "
        "Chosen for you if you do not say.",
    )  # fmt: skip


@dataclass(frozen=True)
class Limited:
    """`--time-limit`."""

    time_limit: float | None = limit_option()


@dataclass(frozen=True)
class SearchOptions(Common, Limited, Strategic, Counted):
    """The options of a command that searches for all solutions."""


@dataclass(frozen=True)
class Strict:
    """`--strict`."""

    strict: bool = flag(
        "--strict",
        help="Compare the numbers of solutions in a file; exit status 3 if one is wrong. Those "
        "that count in another way are counted too.",
    )


# -- how solutions are drawn as text --------------------------------------------------------------

AUTO: Wish = "auto"


@dataclass(frozen=True)
class TextLook:
    """How solutions are drawn: options of a command that prints them."""

    color: Wish = choice(
        "--color", "--colour", of=(AUTO, "always", "never"), default=AUTO,
        help="Colours: auto is on a terminal, unless NO_COLOR is set.",
    )  # fmt: skip

    def draw(self, solution: Solution, stream: IO[str] | None = None) -> str:
        """A picture of a solution for a stream, standard output if none is named."""
        from exactcover.api import draw
        from exactcover.lattices.view import JOINTS
        from exactcover.show.render.palette import in_colour

        stream = stream or sys.stdout
        drawn = draw(solution, color=in_colour("color", self.color, stream))
        try:
            "┼".encode(getattr(stream, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):  # the encoding of an old terminal has no walls
            return drawn.translate(str.maketrans(JOINTS, " |||-+++-+++-+++"))
        return drawn


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
    """`--workers`, `--processes` and `--cluster`."""

    workers: int | None = integer(
        "--workers", most=1024, common=True,
        help="Search with N threads, which share the tree. Default: one for each free processor, "
        "in `solve` and `count` once the search seems to take some seconds; one with --limit.",
    )  # fmt: skip
    processes: bool = flag(
        "--processes", common=True,
        help="Let the workers be processes, not threads; one for each free processor if you do "
        "not say how many.",
    )  # fmt: skip
    cluster: str | None = option(
        "--cluster", metavar="tcp://HOST:PORT", callback=_with_dask, common=True,
        help="Search with the workers of a Dask scheduler. It needs the extra `cluster`.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.cluster is not None and self.processes:
            raise click.UsageError("--cluster and --processes are two ways: give one of them")
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError("--cluster has its own workers: leave out --workers")

    @contextmanager
    def executor(self) -> Iterator[Executor[Portion, BundleOutcome]]:
        """The workers of a run with a ledger; at the end they are sent away."""
        from exactcover.runs import Threads

        executor = (self._elsewhere() or Threads(self.workers)).executor()
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
        if self.workers == 1 or (self.workers is None and limited):
            return None
        from exactcover.runs import Threads

        pays = PAYS if self.workers is None else 0.0
        return Threads(self.workers, pays=pays)

    def _elsewhere(self) -> Processes | Dask | None:
        """The workers that are not threads of this process."""
        if self.cluster is not None:
            from exactcover.runs import Dask

            cluster = Dask(self.cluster)
            cluster.check()  # a short search never needs it, a long one after a while
            return cluster
        if self.processes:
            from exactcover.runs import Processes
            from exactcover.runs.executors import free_processors

            return Processes(self.workers or free_processors())
        return None
