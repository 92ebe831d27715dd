"""The command line: `exactcover COMMAND [PUZZLE ...]`."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one message and exit status 1."""
    pressed: list[int] = []
    try:
        with _noting_interrupts(pressed):
            status = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except TypeError:
        # Where numpy compares records it makes a TypeError of every exception, and tells no cause.
        if not pressed:
            raise
        status = _interrupted()
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    _leave(status)


@contextmanager
def _noting_interrupts(pressed: list[int]) -> Iterator[None]:
    """Ctrl-C is a KeyboardInterrupt as ever, and noted too, should the exception be lost."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted() -> int:
    """The exit status after Ctrl-C; it is told."""
    sys.stderr.write("exactcover: interrupted\n")
    return 130


def _leave(status: int) -> NoReturn:
    """End the process, also where an engine has not ended yet though it was told to."""
    if any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _run(arguments: list[str] | None) -> int:
    """The exit status of a command; what went wrong has been told."""
    import click

    from exactcover import compiled
    from exactcover.characters import escaped
    from exactcover.cli.commands import OutputClosed, exactcover
    from exactcover.cli.ends import STOPPED, exit_status
    from exactcover.errors import ExactCoverError, TimeUp, TooLarge

    compiled.on_first_compile = _say_that_it_compiles
    try:
        status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
    except TimeUp as error:
        click.echo(f"exactcover: {error}", err=True)
        return STOPPED
    except ExactCoverError as error:
        click.echo(f"exactcover: {escaped(str(error))}", err=True)
        return exit_status("memory") if isinstance(error, TooLarge) else 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except OutputClosed:
        raise BrokenPipeError from None
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"exactcover: {what}", err=True)
        return 1
    return status or 0


def _say_that_it_compiles() -> None:
    """Tell a person why the first search of all takes some seconds."""
    sys.stderr.write("exactcover: compiling this kind of search, once; it takes some seconds\n")
    sys.stderr.flush()
