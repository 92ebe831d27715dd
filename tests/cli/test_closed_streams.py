"""Closed and full standard streams, and a process without memory: one message, no traceback."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.commands import without_compilation
from tests.helpers.examples import some

LARGE = """
lattice = "cubic"
region = "14x14x14"
pieces = "pentacubes any"
"""


def run(*arguments: str, before: Callable[[], object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exactcover", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False, timeout=120, preexec_fn=before,
    )  # fmt: skip


COMMANDS = [
    ["--help"],
    ["list", "puzzles"],
    ["solve", "somacube", "--quiet"],
    ["count", "somacube", "--json"],
]


ENDS: dict[str, Callable[[], object]] = {
    "Bad file descriptor": lambda: os.close(1),
    "No space left on device": lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 1),
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("why", ENDS)
@pytest.mark.parametrize("command", some(COMMANDS, one_in=4), ids=" ".join)
def test_standard_output_is_closed_or_full(command: list[str], why: str) -> None:
    done = run(*command, before=ENDS[why])
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"exactcover: the output cannot be written: {why}"


def test_whoever_reads_has_seen_enough() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "exactcover", "solve", "pentominoes_10x6"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert without_compilation(process.stderr.read()) == ""
    assert process.returncode == 0


@pytest.mark.parametrize("command", some(COMMANDS, one_in=4), ids=" ".join)
def test_standard_error_is_closed(command: list[str]) -> None:
    done = run(*command, before=lambda: os.close(2))
    assert done.returncode == 0
    assert done.stdout


def test_all_are_closed() -> None:
    assert run("--help", before=lambda: os.closerange(0, 3)).returncode == 1


def test_a_file_that_is_written_is_not_taken_for_standard_output(tmp_path: Path) -> None:
    """It would get the number of the closed stream, and the last line with it."""
    path = tmp_path / "solutions.jsonl"
    done = run("solve", "pentominoes_20x3", "-o", str(path), before=lambda: os.close(1))
    assert done.returncode == 1
    assert "solutions (" not in path.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("command", some(["solve", "count", "check"], one_in=3))
def test_memory_runs_out(tmp_path: Path, command: str) -> None:
    path = tmp_path / "large.toml"
    path.write_text(LARGE)
    room = 600 * 2**20

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (room, room))

    done = run(command, str(path), before=few)
    assert done.returncode == 4
    assert done.stderr.splitlines()[-1].startswith("exactcover: memory ran out")
    assert "Traceback" not in done.stderr
