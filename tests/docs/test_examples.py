"""The programs in `examples/` run as their first lines say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT

PRINTED = {
    "apart.py": ([], "66 of 480"),
    "one_solution.py": (
        ["60"],
        "3 of 60 sets have one solution; the hardest:\n  FILPUVZ: 3,189 fits",
    ),
    "radial.py": ([], "0,0 92\n29,2 92\n"),
    "sudoku_batch.py": (["20"], "20 with one solution"),
}


ELSEWHERE = {"drive_server.py"}  # it needs a server: tests/app/serving/test_example.py


def test_each_example_is_run() -> None:
    assert {*PRINTED} | ELSEWHERE == {path.name for path in (ROOT / "examples").glob("*.py")}


@pytest.mark.slow
@pytest.mark.parametrize("name", PRINTED)
def test_example(name: str) -> None:
    arguments, printed = PRINTED[name]
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed in done.stdout
