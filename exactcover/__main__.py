"""The program: `exactcover`, or `python -m exactcover` where no script is on the path.

Ctrl-C is heard from the first line on. Until the command line is loaded, which then takes over,
there is nothing to tidy up.

A tenth of a short command would be a search for garbage among modules, which are none. So Python
searches for it less often, and not at the end.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal

gc.set_threshold(200_000)
atexit.register(gc.disable)


def _interrupted(*_: object) -> None:
    os.write(2, b"exactcover: interrupted\n")
    os._exit(128 + signal.SIGINT)


for _number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
    if signal.getsignal(_number) in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(_number, _interrupted)

from exactcover.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
