"""The command line: `exactcover COMMAND [PUZZLE ...]`."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager

from exactcover.app.cli.ends import STOPPED, exit_status
from exactcover.app.cli.signals import INTERRUPTED, watch
from exactcover.app.cli.streams import NOT_WRITTEN, mend, silence_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MISTAKE = 1
"""The exit status of a user's mistake."""

LACK_OF_MEMORY = ("Cannot allocate memory", "failed to map segment", "can't start new thread")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one message and exit status 1."""
    mend()
    try:
        with watch:
            status = _run(arguments)
            sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except BrokenPipeError:  # the reader of our output has closed it
        silence_output()
        status = 0
    except Exception as error:
        if watch.pressed:
            # Other packages turn an interrupt into their own exception: numpy raises a
            # TypeError while it compares records.
            status = _interrupted()
        elif _is_lack_of_memory(error):
            status = _out_of_memory(error)
        elif isinstance(error, OSError):
            status = _of_system(error)
        else:
            raise
    sys.exit(status)


def _interrupted() -> int:
    """The exit status after Ctrl-C or SIGTERM, with a message."""
    _say("interrupted")
    return INTERRUPTED


def _run(arguments: list[str] | None) -> int:
    """The exit status of a command; errors are reported before it returns."""
    import click

    from exactcover.app.cli.commands import OutputClosed, exactcover
    from exactcover.base import compiled
    from exactcover.base.text.characters import escaped
    from exactcover.errors import ExactCoverError, TimeUp, TooLarge

    compiled.on_first_compile = _say
    try:
        with _plain_warnings():
            status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
    except TimeUp as error:
        _say(str(error))
        return STOPPED
    except ExactCoverError as error:
        _say(escaped(str(error)))
        return exit_status("memory") if isinstance(error, TooLarge) else MISTAKE
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as error:
        if isinstance(error.__cause__, EOFError):  # click treats one as Ctrl-D
            raise error.__cause__ from None
        raise KeyboardInterrupt from None
    except OutputClosed:
        raise BrokenPipeError from None
    return status or 0


def _of_system(error: OSError) -> int:
    """Report what the system refused: opening a file, or writing the output."""
    if error.filename:
        _say(f"{error.filename}: {error.strerror}")
    elif error.errno in NOT_WRITTEN:
        silence_output()
        _say(f"the output cannot be written: {error.strerror}")
    else:
        _say(str(error))
    return MISTAKE


def _is_lack_of_memory(error: Exception) -> bool:
    """Whether memory ran out; the loader of libraries and threads raise other errors for that."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:  # a chain may lead back to itself
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    return any(
        isinstance(one, MemoryError) or any(said in str(one) for said in LACK_OF_MEMORY)
        for one in chain
    )


def _out_of_memory(error: Exception) -> int:
    """Report that memory ran out, and what would help."""
    wanted = f" ({error})" if isinstance(error, MemoryError) and str(error) else ""
    _say(
        f"memory ran out{wanted}: allow the process more memory, or give it a smaller puzzle; "
        "`count --memory MIB` bounds what a count takes"
    )
    return STOPPED


def _say(message: str) -> None:
    from exactcover.app.cli.live import clear_screen

    clear_screen()
    sys.stderr.write(f"exactcover: {message}\n")
    sys.stderr.flush()


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show a warning as a message of the program, without the line of code that it came from."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        _say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
