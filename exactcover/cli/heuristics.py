"""`heuristics`: the heuristics of a search; and `--plugin FILE`, for a user's own."""

from __future__ import annotations

from pathlib import Path

import click

from exactcover.cli.console import emit, json_lines

LOADED = "exactcover.plugins"


def _load(context: click.Context, _option: click.Parameter, files: tuple[Path, ...]) -> None:
    load(files)
    context.meta[LOADED] = files


def load(files: tuple[Path, ...]) -> None:
    """Run the plug-in files."""
    from exactcover.heuristics import load_plugin

    for file in files:
        load_plugin(file)


def loaded_plugins() -> tuple[Path, ...]:
    """The plug-in files of this command, for its other processes."""
    files: tuple[Path, ...] = click.get_current_context().meta.get(LOADED, ())
    return files


plugin_option = click.option(
    "--plugin",
    metavar="FILE",
    multiple=True,
    expose_value=False,
    is_eager=True,
    callback=_load,
    type=click.Path(path_type=Path),
    help="Run this Python file first, for the heuristics and filters of your own in it.",
)


@click.command()
@plugin_option
@json_lines("heuristic")
def heuristics(as_json: bool) -> None:
    """List the heuristics, and which engines follow them.

    They stand in a strategy after the engine, as in fila:l@1,2. Your own come from --plugin FILE.
    """
    from exactcover.backends import backends
    from exactcover.heuristics import heuristics as known

    for one in known().values():
        engines = [name for name, engine in backends().items() if engine.capabilities.takes(one)]
        if as_json:
            emit(
                {
                    "heuristic": one.name,
                    "written": one.written,
                    "summary": one.summary,
                    "backends": engines,
                    "branches_on": ["cells", "pieces"] if one.pieces else ["cells"],
                    "fixed": one.fixed,
                    "geometry": one.geometry,
                    "own": one.rate is not None,
                }
            )
        else:
            click.echo(f"{one.written:22s} {one.summary} [{', '.join(engines)}]")
