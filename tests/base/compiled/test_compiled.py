"""Compiling with a cache, and without one where no folder can be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from exactcover.base.compiled import jit
from exactcover.search.clock import Clock
from tests.helpers.commands import domino_box, records

KERNEL = """
from exactcover.base.compiled import jit

@jit
def twice(x):
    return 2 * x

@jit
def thrice(x):
    return 3 * x
"""

NOWHERE = """
import numba.core.caching as caching

def refuse(self):
    raise OSError("read-only")

for locator in caching.CacheImpl._locator_classes:
    locator.ensure_cache_path = refuse
"""


def _run(folder: Path, code: str) -> tuple[str, str]:
    (folder / "kernel.py").write_text(KERNEL)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip(), run.stderr


def test_without_a_cache_folder_it_warns_once_and_compiles(tmp_path: Path) -> None:
    out, err = _run(tmp_path, NOWHERE + "import kernel; print(kernel.twice(3), kernel.thrice(3))")
    assert out == "6 9"
    assert err.count("NUMBA_CACHE_DIR") == 1


TOLD = """
from exactcover.base import compiled
compiled.PACKAGE = {package!r}
compiled.on_first_compile = print
import kernel
print(kernel.twice(3))
print(kernel.thrice(3.5), kernel.twice(2.5))
"""


def test_the_first_compilation_of_a_module_is_told_once(tmp_path: Path) -> None:
    message, *numbers = _run(tmp_path, TOLD.format(package="kernel"))[0].splitlines()
    assert message == "Compiling kernel (first use, a few seconds)"
    assert numbers == ["6", "10.5 5.0"]
    assert _run(tmp_path, TOLD.format(package="kernel"))[0].split() == ["6", "10.5", "5.0"]


def test_seconds_of_compilation_are_apart() -> None:
    clock = Clock()
    with clock.running():
        assert jit(lambda number: number + 1, cache=False)(1) == 2
    once = clock.compiling
    assert 0 < once < clock.seconds
    assert clock.working == clock.seconds - once
    with clock.running():
        sum(range(1000))
    assert clock.compiling == once


@pytest.mark.parametrize(
    "command", ["best --most pieces", "solve --random 1", "estimate", "compare"]
)
def test_commands_report_compilation_apart(command: str, tmp_path: Path) -> None:
    puzzle = tmp_path / "box.txt"
    puzzle.write_text(domino_box(2, 2))
    [record] = records(*command.split(), puzzle)
    assert record["seconds"] >= 0
    assert record["compiling"] >= 0
