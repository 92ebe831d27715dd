"""`serve`: a local web page to draw, solve and play."""

from __future__ import annotations

import os
import sys

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, watch
from exactcover.cli.files import GivenPuzzles

PORT = 8765


@opt.command()
@click.argument("puzzles", metavar="[PUZZLE...]", nargs=-1)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=PORT,
    help="Listen there; 0: a free one.",
)
@click.option("--token", metavar="TEXT", default="", help="Default: a new one each time.")
@click.option("--open/--no-open", "opens", default=None, help="Open the page in a browser.")
@click.option(
    "--seconds", type=click.FloatRange(1), metavar="S", default=600.0, help="Stop a run after that."
)
@click.option(
    "--memory", type=click.IntRange(256), metavar="MIB", default=2048, help="Memory of a run."
)
@click.option("--runs", type=click.IntRange(1, 64), metavar="N", help="Run N searches at once.")
@click.option(
    "--queue",
    type=click.IntRange(0, 1000),
    metavar="N",
    default=8,
    help="Let N more searches wait.",
)
@click.option(
    "--size",
    type=click.FloatRange(0.01, 64),
    metavar="MIB",
    default=2.0,
    help="Read requests of up to MIB.",
)
@click.option(
    "--question",
    type=click.FloatRange(1, 600),
    metavar="S",
    default=10.0,
    help="Limit of a check or a picture.",
)
def serve(
    puzzles: tuple[str, ...],
    port: int,
    token: str,
    opens: bool | None,
    seconds: float,
    memory: int,
    runs: int | None,
    queue: int,
    size: float,
    question: float,
) -> int:
    """Start a local web page to draw, solve and play puzzles.

    The page works without a network and has the shipped puzzles. Searches go on when the page is
    closed; Ctrl-C ends the server and all of them. Prints the address to open, or one for each
    puzzle named here, at which the page begins with this puzzle.
    """
    import webbrowser

    from exactcover.base.plugins import extra

    for package in ("starlette", "uvicorn"):
        extra(package, "serve", "the page needs")
    from exactcover.app.serving import Bounds, Server
    from exactcover.app.serving.server import posted

    limits = Bounds(
        seconds=seconds,
        mib=memory,
        queue=queue,
        body=int(size * (1 << 20)),
        question=question,
        **({} if runs is None else {"runs": runs}),
    )
    server = Server(port, token=token, limits=limits)
    given = [posted(server, document) for document in GivenPuzzles(puzzles)]

    def ready() -> None:
        for end in given or [""]:
            click.echo(f"exactcover: {server.address}{end}")
            if opens or (opens is None and _on_desktop()):
                webbrowser.open(server.address + end)

    try:
        server.run(ready, watch.answer)
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _on_desktop() -> bool:
    """Whether somebody sits at a screen of this computer."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
