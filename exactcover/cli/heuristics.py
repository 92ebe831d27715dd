"""`--plugin FILE`: heuristics and filters of a user's own."""

from __future__ import annotations

from pathlib import Path

import click

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
