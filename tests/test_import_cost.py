"""Starting up loads no compiler, no solver and no arrays that the command does not need.

Asked of `sys.modules` in a fresh interpreter: seconds would tell of the machine instead.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from exactcover.lattices.registry import BUILT_IN
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


def test_cpsat_needs_no_compiler() -> None:
    words = '"count", "--counted", "all", "--strategy", "cpsat", "tetrominoes_5x4"'
    printed, modules = loaded_by(HELP.replace('"--help"', words))
    assert "0 solutions" in printed
    assert "ortools" in modules
    assert "numba" not in modules


def test_the_list_of_puzzles_makes_no_pieces() -> None:
    _, modules = loaded_by(HELP.replace('"--help"', '"list", "puzzles"'))
    assert "exactcover.lattices.pieces" not in modules


def test_one_module_of_a_room_does_not_load_the_others() -> None:
    _, modules = loaded_by("import exactcover.search.strategy")
    assert "exactcover.search.strategy" in modules
    assert modules & {"exactcover.search.clock", "exactcover.search.solving"} == set()


LATTICES = "exactcover.lattices."
MODULES = {entry.place.partition(":")[0] for entry in BUILT_IN.values()}
"""The modules of lattices."""


def lattices_loaded_by(text: str) -> tuple[set[str], bool]:
    """The lattices and the tables of pieces that reading a TOML puzzle loads."""
    code = f"import exactcover\nfrom exactcover.formats import parse\nparse({text!r})"
    _, modules = loaded_by(code)
    own = {name.removeprefix(LATTICES) for name in modules if name.startswith(LATTICES)}
    return own & MODULES, "pieces" in own


PIECE = '\n[[piece]]\nname = "A"\ncopies = "any"\ncells = '


@pytest.mark.parametrize(
    ("text", "lattice", "named"),
    some(
        [
            ('lattice = "square"\nregion = "2x2"' + PIECE + "[[0, 0]]", "boxes", False),
            ('lattice = "cubic"\nregion = "2x2x1"' + PIECE + "[[0, 0, 0]]", "boxes", False),
            ('lattice = "hex"\nregion = "hexagon 2"' + PIECE + "[[0, 0]]", "hexagonal", False),
            ('lattice = "prisms"\nregion = "1x1x1"' + PIECE + "[[0, 0, 0, 0]]", "prism", False),
            ('pieces = "pentominoes"\nregion = "10x6"', "boxes", True),
            ('pieces = "X pentomino any"\nregion = "diamond 3"', "boxes", True),
            ('lattice = "hexagonal"\npieces = "tetrahexes"\nregion = "7x4"', "hexagonal", True),
            ('pieces = "hexiamonds"\nregion = "6x6"', "triangular", True),
            ('pieces = "tetrasticks any"\nregion = "5x5"', "sticks", True),
        ],
        one_in=5,
    ),
)
def test_reading_a_puzzle_loads_its_lattice_alone(text: str, lattice: str, named: bool) -> None:
    needed = {"prism": {"prism", "triangular"}, "sticks": {"sticks", "boxes"}}
    lattices, letters = lattices_loaded_by(text)
    assert lattices == needed.get(lattice, {lattice})
    assert letters == named


def test_an_unknown_lattice_is_told_what_there_is_and_loads_none() -> None:
    code = """
import exactcover
for name in ("qwertz", "octett-eighths"):
    try:
        exactcover.get_lattice(name)
    except exactcover.ExactCoverError as error:
        print(error)
"""
    printed, modules = loaded_by(code)
    count = sum(1 + len(entry.aliases) for entry in BUILT_IN.values())
    assert f"there are {count}, the first: 1d, 2d" in printed
    assert "did you mean octet-eighths" in printed
    assert {name.removeprefix(LATTICES) for name in modules} & MODULES == set()
