"""The memory of this process, where the system reports it."""

from __future__ import annotations

import os
import sys


def memory_taken() -> int | None:
    """The bytes that this process takes now; off Linux, the most that it has taken."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not on Linux
        return peak_memory()


def peak_memory() -> int | None:
    """The most bytes that this process has taken; None: the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
