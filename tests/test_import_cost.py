"""Starting up loads no compiler, no solver and no arrays that the command does not need.

Asked of `sys.modules` in a fresh interpreter: seconds would tell of the machine instead.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.helpers.examples import some

ENGINES = {"networkx", "numba", "ortools", "pandas", "scipy"}

SAY_WHAT_IS_LOADED = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
"""

HELP = """
import runpy
sys.argv = ["exactcover", "--help"]
runpy.run_module("exactcover", run_name="__main__", alter_sys=False)
"""


def loaded_by(code: str) -> tuple[str, set[str]]:
    """What the code prints in a fresh interpreter, and the modules loaded when it ends."""
    run = subprocess.run(
        [sys.executable, "-c", SAY_WHAT_IS_LOADED + code],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout, set(json.loads(run.stderr.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy() -> None:
    _, modules = loaded_by("import exactcover")
    assert "exactcover" in modules
    assert modules & (ENGINES | {"numpy", "click"}) == set()


def test_help_loads_no_engine() -> None:
    printed, modules = loaded_by(HELP)
    assert "Usage:" in printed
    assert modules & (ENGINES | {"numpy"}) == set()


SMALL = [
    ["solve", "--json", "soma_bed"],
    ["count", "--counted=all", "somacube"],
    ["count", "tetrahexes_7x4"],
    ["list", "puzzles", "soma"],
]


@pytest.mark.parametrize("words", some(SMALL, one_in=4), ids=" ".join)
def test_a_small_puzzle_needs_no_solver(words: list[str]) -> None:
    printed, modules = loaded_by(HELP.replace('"--help"', ", ".join(map(repr, words))))
    assert printed
    assert modules & (ENGINES - {"numba", "scipy"} | {"multiprocessing"}) == set()


def test_a_cached_kernel_loads_no_compiler() -> None:
    code = HELP.replace('"--help"', '"count", "--strategy", "dlx:s", "queens_8"')
    loaded_by(code)  # fills the cache
    _, modules = loaded_by(code)
    assert "numba" in modules
    assert modules & {"numba.np.linalg", "numba.typed.typeddict", "numba.cpython.setobj"} == set()
