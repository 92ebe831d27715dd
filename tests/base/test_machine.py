"""The memory and the processors of a process, as the system and its control groups report them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from exactcover.base import machine
from exactcover.base.machine import free_memory, processors

LIMITS = [
    ("0::/jobs/one", {"jobs/memory.max": "9000", "jobs/memory.current": "2000"}, 7000, None),
    (
        "0::/jobs/one",
        {
            "jobs/one/memory.max": "max",
            "memory.max": "5000",
            "memory.current": "900",
            "memory.stat": "anon 1\ninactive_file 500\n",
        },
        4600,
        None,
    ),
    ("0::/a", {"a/cpu.max": "150000 100000", "cpu.max": "max 100000"}, None, 1),
    ("0::/", {"cpu.max": "max 100000"}, None, None),
]


@pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")
@pytest.mark.parametrize(("group", "files", "bytes_", "cores"), LIMITS)
def test_the_limits_of_a_container_hold(
    group: str,
    files: dict[str, str],
    bytes_: int | None,
    cores: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    below = {f"sys/{name}": text for name, text in files.items()}
    for name, text in {"proc/self/cgroup": group, **below}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setattr(machine, "PROC", tmp_path / "proc")
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "sys")
    assert processors() == (cores or len(os.sched_getaffinity(0)))
    if bytes_ is not None:
        assert free_memory() == bytes_
    else:
        assert free_memory() > 1 << 20


def test_a_busy_machine_is_no_reason_for_fewer_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The load counts the threads of a command that has just ended."""
    monkeypatch.setattr(os, "getloadavg", lambda: (64.0, 64.0, 64.0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(machine, "GROUPS", Path("nowhere"))
    assert processors() == 8
