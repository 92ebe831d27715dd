"""`serve`: a local web page to draw, solve and play."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

import click

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, watch
from exactcover.cli.files import GivenPuzzles

PORT = 8765


@dataclass(frozen=True)
class ServeOptions:
    port: int = opt.integer(
        "--port", least=0, most=65535, default=PORT,
        help="Listen at port N; 0 takes one that is free.",
    )  # fmt: skip
    token: str = opt.option(
        "--token", metavar="TEXT", default="",
        help="Let only those in who have this token. Default: a new one each time.",
    )  # fmt: skip
    opens: bool | None = opt.option(
        "--open/--no-open",
        help="Open the page in a browser, or do not. Default: open it on a desktop.",
    )
    seconds: float = opt.number(
        "--seconds", metavar="S", least=1, default=600.0, help="Stop a run after S seconds."
    )
    memory: int = opt.integer(
        "--memory", metavar="MIB", least=256, default=2048,
        help="Let a run take up to MIB of memory.",
    )  # fmt: skip
    runs: int | None = opt.integer(
        "--runs", most=64,
        help="Run N searches at once. Default: one for each processor, at least 2.",
    )  # fmt: skip
    queue: int = opt.integer(
        "--queue", least=0, most=1000, default=8, help="Let N more searches wait."
    )
    size: float = opt.number(
        "--size", metavar="MIB", least=0.01, most=64, default=2.0,
        help="Read files and requests of up to MIB.",
    )  # fmt: skip
    question: float = opt.number(
        "--question", metavar="S", least=1, most=600, default=10.0,
        help="Let a check, a picture or an estimate take up to S seconds.",
    )  # fmt: skip


@opt.command(ServeOptions)
@click.argument("puzzles", metavar="[PUZZLE...]", nargs=-1)
def serve(puzzles: tuple[str, ...], options: ServeOptions) -> int:
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
        seconds=options.seconds,
        mib=options.memory,
        queue=options.queue,
        body=int(options.size * (1 << 20)),
        question=options.question,
        **({} if options.runs is None else {"runs": options.runs}),
    )
    server = Server(options.port, token=options.token, limits=limits)
    given = [posted(server, document) for document in GivenPuzzles(puzzles)]

    def ready() -> None:
        for end in given or [""]:
            click.echo(f"exactcover: {server.address}{end}")
            if options.opens or (options.opens is None and _on_desktop()):
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
