"""`serve`: a local web page to draw, solve and play puzzles."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import click

from exactcover import ExactCoverError
from exactcover.cli import DONE, INTERRUPTED, read_all, watch
from exactcover.cli import options as opt

PORT = 8765


@opt.command()
@click.argument("puzzles", metavar="[PUZZLE...]", nargs=-1)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", default=PORT,
              help="Listen there; 0: a free one.")  # fmt: skip
@click.option("--token", metavar="TEXT", default="", help="Default: a new one each time.")
@click.option("--open/--no-open", "opens", default=None, help="Open the page in a browser.")
@click.option("--seconds", type=click.FloatRange(1), metavar="S", default=600,
              help="Stop a search after that.")  # fmt: skip
@click.option("--memory", type=click.IntRange(256), metavar="MIB", default=2048,
              help="Memory of each process.")  # fmt: skip
@click.option("--processes", type=click.IntRange(2, 64), metavar="N",
              help="How many search and answer. Default: one more than processors.")  # fmt: skip
@click.option("--size", type=click.FloatRange(0.01, 64), metavar="MIB", default=2,
              help="Read requests of up to MIB.")  # fmt: skip
def serve(
    puzzles: tuple[str, ...],
    port: int,
    token: str,
    opens: bool | None,
    seconds: float,
    memory: int,
    processes: int | None,
    size: float,
) -> int:
    """Start a local web page to draw, solve and play puzzles.

    The page works without a network and has the shipped puzzles. Prints the address to open, or one
    for each puzzle named here, at which the page begins with this puzzle. A search ends when its
    page is closed, and Ctrl-C ends the server and all searches.
    """
    import webbrowser

    for package in ("starlette", "uvicorn", "msgspec"):
        if find_spec(package) is None:
            raise ExactCoverError(
                f"the page needs the extra `serve`: pip install 'exactcover-tilings[serve]' "
                f"(there is no module {package!r})"
            )
    from exactcover.studio.serving.pool import MIB, Limits
    from exactcover.studio.serving.server import Server

    ends = _ends(puzzles) if puzzles else [""]
    limits = Limits(seconds, memory, processes or Limits().processes, int(size * MIB))
    server = Server(port, token=token, limits=limits)

    def ready() -> None:
        for end in ends:
            print(f"exactcover: {server.address}{end}", flush=True)
            if opens or (opens is None and _on_desktop()):
                webbrowser.open(server.address + end)

    try:
        server.run(ready, watch.answer)
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _ends(puzzles: tuple[str, ...]) -> list[str]:
    """The ends of addresses that begin with these puzzles."""
    from exactcover.studio.serving.answers import link_of  # imports all that reads puzzles

    return [link_of(document) for document in read_all(puzzles)]


def _on_desktop() -> bool:
    """Whether somebody sits at a screen of this computer."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
