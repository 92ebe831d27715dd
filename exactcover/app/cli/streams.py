"""Standard streams that are closed, full, or not read any more."""

from __future__ import annotations

import errno
import os
import sys

STREAMS = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""The name of each stream, its use, and the mode in which a closed one is opened.

Input and output are opened the wrong way round, so that using them is an error, as with a closed
stream. Text for standard error is lost.
"""

NOT_WRITTEN = (errno.EBADF, errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""The system's errors, without a file's name, for an open file that cannot be written."""


def mend() -> None:
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
