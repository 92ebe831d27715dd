"""Starting up loads no compiler, no solver and no arrays that the command does not need.

Asked of `sys.modules` in a fresh interpreter: seconds would tell of the machine instead.
"""

from __future__ import annotations

import json
import subprocess
import sys

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
    assert modules & (ENGINES | {"numpy", "click", "rich"}) == set()


def test_help_loads_no_engine() -> None:
    printed, modules = loaded_by(HELP)
    assert "Usage:" in printed
    assert modules & ENGINES == set()


def test_one_module_of_a_room_does_not_load_the_others() -> None:
    _, modules = loaded_by("import exactcover.search.strategy")
    assert "exactcover.search.strategy" in modules
    assert modules & {"exactcover.search.driver", "exactcover.search.solving"} == set()


def test_the_measurement_sees_what_is_loaded() -> None:
    _, modules = loaded_by("import numpy")
    assert "numpy" in modules


def test_reading_a_puzzle_loads_its_lattice_alone() -> None:
    _, modules = loaded_by("import exactcover; exactcover.read('pentominoes_10x6').model")
    assert "exactcover.lattices.square" in modules
    assert modules & {"exactcover.lattices.octet", "exactcover.lattices.bcc"} == set()
