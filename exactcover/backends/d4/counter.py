"""The process in which d4 counts: `python -P counter.py FILE.cnf MEBIBYTES`.

It prints the number of models and of decisions. d4 cannot be stopped from within Python, and takes
memory as it likes, so it runs in a process that can be ended, and that the system holds to its
memory. Nothing of the package is imported here.
"""

import os
import signal
import sys
from contextlib import suppress

OWN = 512
"""The MiB of addresses that Python and the libraries of d4 take before a count begins."""

PAGES = {"sizeFirstPage": 4, "sizeAdditionalPage": 8}
"""The shares of the memory that d4 takes at once for its cache; it would begin with 4 GiB."""

NO_MEMORY = 3


def count(file: str, mebibytes: int) -> int:
    """Print the numbers; return the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that waits for the answer ends it
    with suppress(ImportError):  # Windows has no such limits
        import resource

        most = (mebibytes + OWN) << 20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # d4 prints figures of its own on standard output.
    answer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        from py_d4 import Solver
        from py_d4.options import dump_options_to_dict, load_options_from_dict

        solver = Solver(file)
        options = dump_options_to_dict(solver.getOptions())
        for page, share in PAGES.items():
            options["cache"]["bucket"][page] = str((mebibytes << 20) // share)
        solver.setOptions(load_options_from_dict(options))
        found = solver.count()
    except MemoryError:
        return NO_MEMORY
    os.write(answer, f"{found.getResult()} {found.getNbDecisionNodes()}".encode())
    return 0


if __name__ == "__main__":
    sys.exit(count(sys.argv[1], int(sys.argv[2])))
