"""`best`, as someone at a terminal or a script meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.base.values import CONVENTIONS
from exactcover.cli.options import COUNTED
from tests.helpers.commands import ran, records

SQUARES = """
pieces = ["monomino any cost 1", "O tetromino any cost 1"]
region = "5x2"
"""


@pytest.fixture
def squares(tmp_path: Path) -> str:
    path = tmp_path / "squares.toml"
    path.write_text('lattice = "square"\n' + SQUARES)
    return str(path)


def test_the_cheapest_is_drawn_and_said_to_be_the_cheapest(squares: str) -> None:
    *drawn, empty, said = ran("best", squares).stdout.splitlines()
    assert (empty, said) == ("", f"{squares}: cost 4, the least there is")
    assert len(drawn) == 5  # two rows of cells and the walls between pieces
    assert sorted(re.findall(r"O\d", " ".join(drawn))) == ["O1"] * 2 + ["O4"] * 8


def test_for_scripts(squares: str) -> None:
    puzzle, plain = records("best", squares, "assignment", "--most", "cost")
    assert (puzzle["best"], puzzle["status"]) == ("most cost", "complete")
    assert (puzzle["value"], puzzle["bound"]) == (10, 10)
    [placed] = puzzle["placements"]
    cells = sorted(tuple(cell) for piece in placed for cell in piece["cells"])
    assert cells == [(x, y) for x in range(5) for y in range(2)]
    dearest = max(solution.cost for solution in ec.solve(ec.read("assignment"), counted="all"))
    assert plain["value"] == dearest
    assert len(plain["options"][0]) == 4


def test_no_solution_and_why() -> None:
    assert ran("best", "mutilated_chessboard", "--least", "pieces").stdout == (
        "square/mutilated_chessboard: no solution\n"
    )
    [record] = records("best", "tetrominoes_1s_7x4", "--least", "pieces")
    assert (record["status"], record["value"], record["bound"]) == ("impossible", None, None)
    assert "placements" not in record


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_ctrl_c_tells_the_best_so_far_and_the_bound(tmp_path: Path) -> None:
    import pty

    path = tmp_path / "v.toml"
    path.write_text('pieces = "V pentomino any"\nregion.optional = "20x20"\n')
    master, terminal = pty.openpty()
    command = [sys.executable, "-m", "exactcover", "best", str(path), "--json", "--workers", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        shown = b""
        while not re.search(rb"[1-9][0-9]* cells so far, at most ", shown):
            shown += os.read(master, 1 << 16)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    os.close(master)
    record = json.loads(out)
    assert process.returncode == 130
    assert record["status"] == "interrupted"
    assert 0 < record["value"] < record["bound"] <= 400
    assert len(record["placements"][0]) * 5 == record["value"]


def test_what_a_solution_costs_is_told_by_those_that_list(squares: str) -> None:
    solutions = list(ec.solve(ec.read(squares), counted="all"))
    costs = sorted(f"cost {len(one.placements)}" for one in solutions)
    listed = ran("solve", squares, "--counted=all").stdout
    assert sorted(re.findall("^cost .*$", listed, re.MULTILINE)) == costs
    drawn = ran("solve", squares, "--random", "3", "--seed", "1").stdout
    assert len(re.findall(r"^cost \d+$", drawn, re.MULTILINE)) == 3
    assert "cost" not in ran("solve", "pentominoes_20x3").stdout


def test_the_switches_offer_what_there_is() -> None:
    """The commands have lists of their own, so that `--help` loads nothing heavy."""
    assert set(COUNTED) == set(CONVENTIONS)
