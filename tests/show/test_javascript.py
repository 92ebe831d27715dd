"""The geometry of the pages, tested without a browser: by node, where it is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import exactcover as ec
from exactcover.geometry.bodies import bodies_of
from exactcover.show.board import DrawnBoard
from tests.helpers.surfaces import apart, surface

HERE = Path(__file__).parent / "javascript"

SOLIDS = (
    "somacube",
    "triples_2x2x2",
    "triples_any_cube",
    "trioctets_any_box_2x2x2",
    "triprisms_hexagon",
)
"""A puzzle of each lattice of solids."""


def example(name: str) -> dict[str, Any]:
    """A board with a solution, and how many triangles and lines its pieces have."""
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    solution = ec.first(puzzle)
    assert solution is not None
    pieces = [placed.cells for placed in solution.placements]
    board = DrawnBoard.of(puzzle)
    bodies = bodies_of(puzzle.lattice)
    volumes = [ConvexHull(bodies.in_space(body.corners)).volume for body in bodies.kinds]
    kinds = puzzle.lattice.kind_numbers(puzzle.space.cells)
    return {
        "name": name,
        "space": board.data()["space"],
        "owners": board.owners(pieces),
        "together": surface(puzzle, pieces),
        "apart": apart(puzzle, pieces),
        "first": surface(puzzle, pieces[:1]),
        "volume": float(np.array(volumes)[kinds].sum()),
    }


@pytest.mark.parametrize("name", sorted(file.name for file in HERE.glob("*.test.mjs")))
def test_modules_of_the_pages_by_node(name: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node: the tests in a browser use these modules too")
    (tmp_path / "faces.json").write_text(json.dumps([example(one) for one in SOLIDS]), "utf-8")
    done = subprocess.run(
        [node, "--test", HERE / name], capture_output=True, text=True, check=False,
        env={"FACES": str(tmp_path / "faces.json")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)
    assert passed is not None
    tests = len(re.findall(r"^ *test\(", (HERE / name).read_text("utf-8"), re.MULTILINE))
    assert int(passed[1]) >= tests > 0
