"""The program: `exactcover`, or `python -m exactcover` where no script is on the path.

Ctrl-C is heard from the first line on. Until the command line is loaded, which then takes over,
there is nothing to tidy up.

Imported modules stay, so looking for garbage there is lost time: a tenth of a small puzzle's. The
first collection comes late and skips them; later ones are as usual.

At the end the process leaves at once. Freeing the objects of compiled code one by one takes a third
of the processor time of a small puzzle, and the system frees them all the same.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys


def _interrupted(*_: object) -> None:
    os.write(2, b"exactcover: interrupted\n")
    os._exit(128 + signal.SIGINT)


for _number in (signal.SIGINT, signal.SIGTERM):
    if signal.getsignal(_number) in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(_number, _interrupted)

LATE = 300_000
"""New objects before the first collection: more than any command imports."""

_usual = gc.get_threshold()


def _spare(_phase: str, _found: dict[str, int]) -> None:
    """Leave alone what is there when the first collection begins."""
    gc.callbacks.remove(_spare)
    gc.freeze()
    gc.set_threshold(*_usual)


gc.callbacks.append(_spare)
gc.set_threshold(LATE)

from exactcover import cli  # noqa: E402


def main() -> None:
    """Run the command line, and end the process."""
    try:
        cli.main()
    except SystemExit as end:
        if sys.getprofile() is None:  # a profiler writes its file after the program
            atexit._run_exitfuncs()
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 0)
        raise


if __name__ == "__main__":
    main()
