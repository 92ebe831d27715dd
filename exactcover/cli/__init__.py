"""The command line: `exactcover COMMAND [PUZZLE ...]`."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from contextlib import contextmanager

from exactcover.cli.ends import INTERRUPTED, MISTAKE, STOPPED, exit_status, say, watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STREAMS = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""The name of each stream, its use, and the mode in which a closed one is opened.

Input and output are opened the wrong way round, so that using them is an error, as with a closed
stream. Text for standard error is lost.
"""

NOT_WRITTEN = (errno.EBADF, errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""The system's errors, without a file's name, for an open file that cannot be written."""

LACK_OF_MEMORY = ("Cannot allocate memory", "failed to map segment", "can't start new thread")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one message and exit status 1."""
    mend_streams()
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
            wanted = f" ({error})" if isinstance(error, MemoryError) and str(error) else ""
            say(
                f"memory ran out{wanted}: allow the process more memory, or give it a smaller "
                "puzzle; `count --memory MIB` bounds what a count takes"
            )
            status = STOPPED
        elif isinstance(error, OSError):
            status = _of_system(error)
        else:
            raise
    sys.exit(status)


def _interrupted() -> int:
    """The exit status after Ctrl-C or SIGTERM, with a message."""
    say("interrupted")
    return INTERRUPTED


def _run(arguments: list[str] | None) -> int:
    """The exit status of a command; errors are reported before it returns."""
    import click

    from exactcover.base import compiled
    from exactcover.base.text.names import escaped
    from exactcover.cli.command_table import OutputClosed, exactcover
    from exactcover.errors import ExactCoverError, TimeUp, TooLarge

    compiled.on_first_compile = say
    try:
        with _plain_warnings():
            status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
    except TimeUp as error:
        say(str(error))
        return STOPPED
    except ExactCoverError as error:
        say(escaped(str(error)))
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
    except SystemExit as error:  # no command exits by itself
        say(f"a plug-in has ended the program: sys.exit({error.code!r})")
        return MISTAKE
    return status or 0


def _of_system(error: OSError) -> int:
    """Report what the system refused: opening a file, or writing the output."""
    if error.filename:
        say(f"{error.filename}: {error.strerror}")
    elif error.errno in NOT_WRITTEN:
        silence_output()
        say(f"the output cannot be written: {error.strerror}")
    else:
        say(str(error))
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


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show a warning as a message of the program, without the line of code that it came from."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


# -- standard streams that are closed, full, or not read any more ---------------------------------


def mend_streams() -> None:
    """Open the standard streams that are closed: Python has none then, so files replace them.

    The next file that is opened would get the number of a closed stream, and text for standard
    output could be written into it.
    """
    for number, (name, mode, flags) in enumerate(STREAMS):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def silence_output() -> None:
    """Discard the unwritten output, so that Python does not complain about it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
