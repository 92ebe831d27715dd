"""The file of `solve --output`: the same solutions as in JSON, complete however the run ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactcover.cli import program
from tests.helpers.commands import PATIENCE, domino_box, interrupted, ran, records

PLAIN = "a b c | x y\na b x\nc\na y\nb c x\nb c\n"


@pytest.fixture
def problems(tmp_path: Path) -> list[Path | str]:
    """Pieces of one shape by names of their own; stationary pieces; cells that stay empty; copies
    of one piece; a plain problem; and one that has no solution."""
    texts = {"box.txt": domino_box(4, 4), "none.txt": domino_box(3, 3), "plain.dlx": PLAIN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    shipped = ["calendar_25_january", "tetrominoes_any_8x5", "conway_5x5x5"]
    return [*(tmp_path / name for name in texts), *shipped]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_lines_have_the_solutions_of_json(problems: list[Path | str], tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    said = records("solve", "--with-solutions", "--limit", "40", *problems, "-o", path)
    assert lines_of(path) == [
        {"puzzle": record["puzzle"], "solution": number, key: solution}
        for record in said
        for key in ("placements", "options")
        for number, solution in enumerate(record.get(key, ()), 1)
    ]
    assert [record["solutions"] for record in said] == [9, 0, 3, 40, 40, 1]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent otherwise elsewhere")
def test_a_file_after_ctrl_c_has_all_solutions_found(
    endless: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.jsonl"
    words = ["--counted=all", "--strategy", "dlx:s", "--time-limit", str(PATIENCE), "--json"]
    run = interrupted(
        monkeypatch, "solve", *words, endless, "-o", path,
        when=lambda: path.exists() and path.stat().st_size > 10_000,
    )  # fmt: skip
    record = json.loads(run.stdout)
    assert record["status"] == "interrupted"
    numbers = [row["solution"] for row in lines_of(path)]
    assert numbers == [*range(1, record["solutions"] + 1)]
    assert numbers


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
def test_a_full_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "silence_output", lambda: None)  # it would silence pytest, too
    path = tmp_path / "out.jsonl"
    path.symlink_to("/dev/full")
    run = ran("solve", "pentominoes_20x3", "-o", path, status=1)
    assert "the output cannot be written: No space left on device\n" in run.stderr


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Runs a command and prints its most memory. A child of this process would begin with the memory
of the tests that ran before."""


def peak(number: int, folder: Path, *where: str) -> int:
    """The most memory in MiB of a process that writes this many solutions of 6 options each."""
    problem = folder / "tens.dlx"
    rows = [f"{item}{n}" for item in "abcdef" for n in range(10)]
    options = [f"{row[0]} {row}" for row in rows]
    problem.write_text("\n".join([f"a b c d e f | {' '.join(rows)}", *options, ""]))
    command = (sys.executable, "-m", "exactcover", "solve", "--limit", str(number))
    words = [sys.executable, "-c", PEAK, *command, "--progress", "none", str(problem), *where]
    used = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
    return int(used) >> (20 if sys.platform == "darwin" else 10)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the system does not say")
@pytest.mark.parametrize("kind", [".jsonl", "text"])
def test_memory_is_flat(kind: str, tmp_path: Path) -> None:
    """Ten times as many solutions take no more than 30 MiB more; a list of them would take 100."""
    switches = [] if kind == "text" else ["-o", str(tmp_path / f"out{kind}")]
    peak(10, tmp_path, *switches)  # compiles
    few, many = (peak(number, tmp_path, *switches) for number in (100_000, 1_000_000))
    assert many < few + 30
    assert many < 500
