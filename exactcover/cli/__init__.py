"""The command line: `exactcover COMMAND [PUZZLE ...]`."""

from __future__ import annotations

import errno
import os
import sys
import warnings

from exactcover.cli.ends import DONE, INTERRUPTED, MISTAKE, STOPPED, say, watch

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
        with watch, warnings.catch_warnings():
            # As a message of the program, without the line of code that it came from.
            warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
            from exactcover.base import compiled
            from exactcover.cli.command_table import exactcover

            compiled.on_first_compile = say
            status = exactcover.main(arguments, prog_name="exactcover", standalone_mode=False)
            sys.stdout.flush()
    except BaseException as error:
        status = _reported(error)
    sys.exit(status or DONE)


def _reported(error: BaseException) -> int:
    """Report what has ended a command; return the exit status."""
    import click

    from exactcover.base.text.names import escaped
    from exactcover.cli.command_table import OutputClosed
    from exactcover.errors import ExactCoverError, TimeUp, TooLarge

    if isinstance(error, click.Abort) and isinstance(error.__cause__, EOFError):
        raise error.__cause__  # click treats one as Ctrl-D
    if isinstance(error, BrokenPipeError | OutputClosed):  # its reader has closed our output
        silence_output()
        return DONE
    # Other packages turn an interrupt into their own exception: numpy raises a TypeError while it
    # compares records.
    if watch.pressed or isinstance(error, KeyboardInterrupt | click.Abort):
        say("interrupted")
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, ExactCoverError):
        say(escaped(str(error)))
        return STOPPED if isinstance(error, TimeUp | TooLarge) else MISTAKE
    if isinstance(error, SystemExit):  # no command exits by itself
        say(f"a plug-in has ended the program: sys.exit({error.code!r})")
        return MISTAKE
    if _is_lack_of_memory(error):
        wanted = f" ({error})" if isinstance(error, MemoryError) and str(error) else ""
        say(
            f"memory ran out{wanted}: allow the process more memory, or give it a smaller puzzle; "
            "`count --memory MIB` bounds what a count takes"
        )
        return STOPPED
    if not isinstance(error, OSError):
        raise error
    if error.filename:
        say(f"{error.filename}: {error.strerror}")
    elif error.errno in NOT_WRITTEN:
        silence_output()
        say(f"the output cannot be written: {error.strerror}")
    else:
        say(str(error))
    return MISTAKE


def _is_lack_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; the loader of libraries and threads raise other errors for that."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:  # a chain may lead back to itself
        if isinstance(cause, MemoryError) or any(said in str(cause) for said in LACK_OF_MEMORY):
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return False


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
            os.open(os.devnull, flags)  # it gets the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def silence_output() -> None:
    """Discard the unwritten output, so that Python does not complain about it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
