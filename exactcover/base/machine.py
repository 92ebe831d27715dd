"""The memory and the processors that this process may have.

A container has a limit of its own, which the figures of the whole machine do not show: the files of
control groups, version 2, hold it. The limit of a group also holds for the groups below it, so all
groups above that of the process count. Within a container the tree often begins at its own group.
Then the path of the group does not exist there, and the root of the tree is the group.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GROUPS, PROC = Path("/sys/fs/cgroup"), Path("/proc")

DEFAULT = 1 << 32
"""The assumed bytes of free memory on a system that does not report them."""


def free_memory() -> int:
    """The bytes that this process may still take: what is free, in its control groups and by its
    own limit of addresses."""
    free = [_figure(PROC / "meminfo", "MemAvailable:") << 10 or DEFAULT]
    with suppress(OSError, ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = int((PROC / "self/statm").read_text().split()[0])
            free.append(most - pages * os.sysconf("SC_PAGE_SIZE"))
    for folder in _groups():
        with suppress(OSError, ValueError):  # there is no such file, or it says "max"
            limit, taken = (
                int((folder / f"memory.{one}").read_text()) for one in ("max", "current")
            )
            # The files that the group has in memory are given back when needed.
            free.append(limit - taken + _figure(folder / "memory.stat", "inactive_file"))
    return max(0, min(free))


def processors() -> int:
    """How many processors this process may use, one at least."""
    try:
        many = len(os.sched_getaffinity(0))
    except AttributeError:  # not every system says it
        many = os.cpu_count() or 1
    for folder in _groups():
        with suppress(OSError, ValueError):
            share, period = map(int, (folder / "cpu.max").read_text().split())  # or it says "max"
            many = min(many, share // period)
    return max(1, many)


def _groups() -> Iterator[Path]:
    """The folders of the control groups of this process, and of those above."""
    with suppress(OSError):
        for line in (PROC / "self/cgroup").read_text().splitlines():
            number, _, path = line.split(":", 2)
            if number == "0":
                below = Path(path.lstrip("/"))
                yield from (GROUPS / one for one in (below, *below.parents))


def _figure(file: Path, name: str) -> int:
    """The number that stands after a name in a file of the system; 0: it is not there."""
    with suppress(OSError):
        for line in file.read_text().splitlines():
            if line.startswith(f"{name} "):
                return int(line.split()[1])
    return 0
