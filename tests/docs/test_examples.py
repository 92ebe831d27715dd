"""The programs in `examples/` run as their first lines say."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT

PRINTED = {
    "blocks.py": ([], "8\n1 7 131 10012\n1 0 0\n24 of 25 cells filled\n"),
    "edge_matching.py": ([], "\n70 squares with four colours\n"),
    "graphs.py": ([], "120 6\n1 2 9 272\n11, 11 by networkx\n"),
    "langford.py": ([], "0 0 1 1 0 0 26 150 0\n52\n"),
    "latin_squares.py": ([], "1 1 2 12 576\n56\n"),
    "queens.py": ([], "1 1 0 0 2 10 4 40 92 352\n"),
    "schedule.py": ([], "cost 2, complete\n"),
    "sudoku.py": ([], "\n48392165796734582125187649354813297672956413813679824537268951481425"),
    "words.py": ([], "ace bad\n"),
    "apart.py": (["once"], "66 of 480"),
    "one_solution.py": (
        ["60"],
        "3 of 60 sets have one solution; the hardest:\n  FILPUVZ: 3,189 fits",
    ),
    "radial.py": (["once"], "0,0 92\n29,2 92\n"),
    "sudoku_batch.py": (["20"], "20 with one solution"),
}


ELSEWHERE = {"drive_server.py"}  # it needs a server: tests/studio/serving/test_example.py


def test_each_example_is_run() -> None:
    assert {*PRINTED} | ELSEWHERE == {path.name for path in (ROOT / "examples").glob("*.py")}


QUICK = [name for name, (arguments, _) in PRINTED.items() if not arguments]


@pytest.mark.parametrize("name", QUICK)
def test_example(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
    assert PRINTED[name][1] in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*PRINTED} - {*QUICK}))
def test_example_with_arguments(name: str) -> None:
    arguments, printed = PRINTED[name]
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed in done.stdout
