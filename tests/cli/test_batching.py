"""`batch`: a line for each puzzle, whatever happens to the others."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import pytest

from tests.formats.test_refused_puzzles import PROBLEM, XMPUZZLE
from tests.helpers.commands import PATIENCE, domino_box, ran
from tests.helpers.examples import some

LINE = '{"pieces": "domino x 2", "region": "2x2"}\n'
KEYS_OF_ALL = {
    "puzzle", "status", "solutions", "counted", "fits", "nofits", "seconds", "compiling",
    "strategy", "pieces", "cells", "images", "images_per_cell", "fits_per_solution",
    "fits_to_first", "depth",
}  # fmt: skip

GENERATOR = f"""
import sys, time
print({LINE!r} * 3, end="", flush=True)
time.sleep(1000)
"""


def lines(*arguments: str | Path, status: int = 0) -> list[dict[str, Any]]:
    run = ran("batch", *arguments, status=status)
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_each_puzzle_has_a_line_with_the_same_keys() -> None:
    found = lines("pentominoes_20x3", "queens_8", "somacube")
    assert [one["solutions"] for one in found] == [2, 92, 480]
    assert all(set(one) - {"title", "provenance"} == KEYS_OF_ALL for one in found)


def folder_of_three(tmp_path: Path) -> Path:
    """A folder with a puzzle, one with a title in a folder below, and a file that is none."""
    folder = tmp_path / "ten"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text(domino_box(2, 2))
    (folder / "deep" / "b.toml").write_text(
        'title = "Six, or so"\npieces = "domino any"\nregion = "4x3"\n'
    )
    (folder / "c.toml").write_text("pieces = [")
    return folder


def test_a_folder_becomes_a_table(tmp_path: Path) -> None:
    folder = folder_of_three(tmp_path)
    run = ran("batch", folder, "--counted=all", "-o", tmp_path / "out.csv", status=1)
    assert run.stdout == ""
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(one["name"], one["title"], one["status"], one["solutions"]) for one in rows] == [
        ("a", "", "complete", "2"),
        ("c", "", "error", ""),
        ("b", "Six, or so", "complete", "11"),
    ]
    assert [one["file"] for one in rows] == [
        str(folder / name) for name in ("a.txt", "c.toml", "deep/b.toml")
    ]
    assert "c.toml" in rows[1]["error"]
    assert json.loads(rows[2]["provenance"])["digest"] == rows[2]["digest"]
    assert set(lines(folder, "--counted=all", status=1)[0]) - set(rows[0]) == {"puzzle"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_folder_with_a_bad_file(workers: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("pieces = [")
    (tmp_path / "b.jsonl").write_text(f"{LINE}{{\n{LINE}")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "d.txt").write_text(domino_box(2, 2))
    run = ran("batch", tmp_path, "--workers", workers, status=1)
    found = sorted((json.loads(line) for line in run.stdout.splitlines()), key=itemgetter("puzzle"))
    assert [one.get("solutions") for one in found] == [None, 1, None, 1, 1]
    bad = [one for one in found if one["status"] == "error"]
    assert all(set(one) == {"puzzle", "status", "error"} for one in bad)
    assert f"{tmp_path / 'a.toml'}:1: " in bad[0]["error"]
    assert f"{tmp_path / 'b.jsonl'}:2: not JSON" in bad[1]["error"]
    assert run.stderr.splitlines()[-1] == "exactcover: 2 of 5 puzzles failed"


def test_limits(endless: Path) -> None:
    [one] = lines(endless, "--time-limit", "0.1", status=4)
    assert (one["status"], one["stopped_by"]) == ("limit", "time")
    [one] = lines(endless, "--limit", "5")
    assert (one["status"], one["stopped_by"], one["solutions"]) == ("limit", "solutions", 5)


@pytest.mark.parametrize("workers", some(["1", "2"], one_in=2))
def test_a_text_that_cannot_be_cut_has_a_line_for_each_puzzle(workers: str, tmp_path: Path) -> None:
    path = tmp_path / "both.xmpuzzle"
    path.write_text(XMPUZZLE.format("".join(map(PROBLEM.format, (2, "many", 2)))))
    found = lines(path, "somacube", "--workers", workers, status=1)
    found.sort(key=itemgetter("puzzle"))
    assert [one["puzzle"] for one in found[:3]] == [f"{path}#{number}" for number in (1, 2, 3)]
    assert [one.get("solutions") for one in found] == [1, None, 1, 480]


@pytest.mark.slow
def test_a_plugin_is_loaded_by_every_worker(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "import exactcover as ec\n"
        "@ec.heuristic('mine_for_batches', 'as they come')\n"
        "def mine(cell, state):\n    return 0.0\n"
    )
    switches = ("--strategy", "dlx:mine_for_batches", "--plugin", plugin, "--workers", "2")
    [one] = lines("pentominoes_20x3", *switches)
    assert one["solutions"] == 2


def piped(*arguments: str) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
    """A generator that prints three puzzles and never ends, and a batch that reads it."""
    made = subprocess.Popen([sys.executable, "-c", GENERATOR], stdout=subprocess.PIPE)
    command = [sys.executable, "-m", "exactcover", "batch", "-", *arguments]
    batch = subprocess.Popen(
        command, stdin=made.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return made, batch


def test_lines_come_while_the_generator_goes_on_and_sigterm_ends() -> None:
    made, batch = piped("--workers", "1")
    try:
        assert batch.stdout is not None
        found = [solutions(batch.stdout) for _ in range(3)]
        assert found == [1, 1, 1]
        batch.send_signal(signal.SIGTERM)
        rest, said = batch.communicate(timeout=PATIENCE)
        assert batch.returncode == 130
        assert rest == b""
        assert said.splitlines()[-1] == b"exactcover: interrupted"
    finally:
        made.kill()
        batch.kill()


def solutions(stream: IO[bytes]) -> int:
    return int(json.loads(stream.readline())["solutions"])


def test_ctrl_c_while_puzzles_are_solved(endless: Path) -> None:
    """In a terminal Ctrl-C reaches every process of the group."""
    command = [sys.executable, "-m", "exactcover", "batch", "somacube", str(endless)]
    batch = subprocess.Popen(
        [*command, str(endless), "--workers", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert batch.stdout is not None
        assert solutions(batch.stdout) == 480
        os.killpg(batch.pid, signal.SIGINT)
        rest, said = batch.communicate(timeout=PATIENCE)
        assert (batch.returncode, rest) == (130, b"")
        assert said.splitlines()[-1] == b"exactcover: interrupted"
        assert b"Traceback" not in said
    finally:
        batch.kill()
