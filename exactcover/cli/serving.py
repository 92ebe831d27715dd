"""`serve`: a local web page to draw, solve and play."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from exactcover.cli.console import INTERRUPTED, read_all
from exactcover.cli.ends import DONE
from exactcover.cli.signals import watch
from exactcover.errors import ExactCoverError

PORT = 8765


@click.command()
@click.argument("puzzles", metavar="[PUZZLE]...", nargs=-1)
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True,
    help="Listen at ADDRESS. One that other computers can reach needs a token.",
)  # fmt: skip
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=PORT, show_default=True,
    help="Listen at port N; 0 takes one that is free.",
)  # fmt: skip
@click.option(
    "--token", metavar="TEXT",
    help="Answer only who has this token. Default: none at an address of this computer alone, and "
    "a random one elsewhere.",
)  # fmt: skip
@click.option(
    "--open/--no-open", "opens", default=None,
    help="Open the page in a browser, or do not. Default: open it on a desktop.",
)  # fmt: skip
@click.option(
    "--seconds", metavar="S", type=click.FloatRange(min=1), default=600.0, show_default=True,
    help="Stop a run after S seconds.",
)  # fmt: skip
@click.option(
    "--memory", metavar="MIB", type=click.IntRange(min=256), default=2048, show_default=True,
    help="Let a run take up to MIB of memory.",
)  # fmt: skip
@click.option(
    "--runs", metavar="N", type=click.IntRange(1, 64),
    help="Run N searches at once. Default: one for each processor, at least 2.",
)  # fmt: skip
@click.option(
    "--queue", metavar="N", type=click.IntRange(0, 1000), default=8, show_default=True,
    help="Let N more searches wait.",
)  # fmt: skip
@click.option(
    "--size", metavar="MIB", type=click.FloatRange(min=0.01, max=64), default=2.0,
    show_default=True, help="Read files and requests of up to MIB.",
)  # fmt: skip
@click.option(
    "--question", metavar="S", type=click.FloatRange(min=1, max=600), default=10.0,
    show_default=True, help="Let a check, a picture or an estimate take up to S seconds.",
)  # fmt: skip
def serve(
    puzzles: tuple[str, ...],
    host: str,
    port: int,
    token: str | None,
    opens: bool | None,
    seconds: float,
    memory: int,
    runs: int | None,
    queue: int,
    size: float,
    question: float,
) -> int:
    """Start a local web page to draw, solve and play puzzles.

    The page works without a network. It has the shipped puzzles, and those named here. Searches go
    on when the page is closed; Ctrl-C ends the server and all of them. Prints the address to open.
    """
    _check_extra()
    from exactcover.serving import Bounds, Server
    from exactcover.serving.server import posted

    asked: dict[str, Any] = {} if runs is None else {"runs": runs}
    limits = Bounds(
        seconds=seconds, mib=memory, queue=queue, body=int(size * (1 << 20)), question=question,
        **asked,
    )  # fmt: skip
    server = Server(host, port, token=token, limits=limits)
    given = [posted(server, document) for document in read_all(puzzles)]

    def ready() -> None:
        for end in given or [""]:
            click.echo(f"exactcover: {server.address}{end}")
            if opens or (opens is None and _on_desktop()):
                _open(server.address + end)

    try:
        server.run(ready, watch.answer)
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _check_extra() -> None:
    """Raise an `ExactCoverError` if the packages of the extra are missing."""
    from exactcover.render.raster import extra

    for package in ("starlette", "uvicorn"):
        extra(package, "serve", "the page needs")


def _on_desktop() -> bool:
    """Whether somebody sits at a screen of this computer."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    """Open an address in the browser of the user."""
    import webbrowser

    try:
        webbrowser.open(address)
    except webbrowser.Error as error:
        raise ExactCoverError(f"no browser opens {address}: {error}") from None
