"""`serve`: a local web page to draw, solve and play."""

from __future__ import annotations

import os
import sys

import click

from exactcover.cli.ends import DONE
from exactcover.errors import ExactCoverError


@click.command()
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen at ADDRESS. Another than this computer's own needs a token.")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Listen at port N; 0: any that is free.")
@click.option("--token", metavar="TEXT", help="Each request must have this token.")
def serve(host: str, port: int, token: str | None) -> int:
    """Start a local web page to draw, solve and play puzzles."""
    from exactcover.serving import Server

    server = Server(host, port, token=token)
    try:
        server.run(lambda: click.echo(f"exactcover: {server.address}  (Ctrl-C stops it)"))
    except KeyboardInterrupt:
        return 0
    return DONE
