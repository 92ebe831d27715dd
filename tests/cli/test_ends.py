"""How a run ends: what is said of it, its exit status, and JSON that is valid whatever ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from exactcover.base import patience
from exactcover.cli.commands import solve
from tests.helpers.commands import ran, records

KEYS = {
    *("puzzle", "status", "solutions", "counted", "fits", "nofits", "seconds", "compiling"),
    *("strategy", "provenance"),
}


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "--counted=all", "--quiet", "--strategy", "dlx:s"),
        ("count", "--counted=all", "--strategy", "dlx:s"),
        ("count",),
        ("solve", "--first"),
    ],
)
def test_a_time_limit_says_so_and_has_a_status_of_its_own(
    arguments: Sequence[str], endless: Path
) -> None:
    said = ran(*arguments, "--time-limit", "0", endless, status=4).stdout
    assert said.endswith(" so far; stopped after 0 s (time limit)\n")
    [record] = records(*arguments, "--time-limit", "0", endless, status=4)
    assert record["status"] == ("unknown" if "--first" in arguments else "limit")


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        (["--first"], "stopped after 1 solution (limit)"),
        (["--limit", "3"], "stopped after 3 solutions (limit)"),
        (["--limit", "3", "--time-limit", "600"], "stopped after 3 solutions (limit)"),
    ],
)
def test_a_wanted_number_of_solutions_is_done(
    switches: Sequence[str], words: str, endless: Path
) -> None:
    assert ran("solve", *switches, endless).stdout.endswith(f" so far; {words}\n")


def test_a_count_up_to_a_number_is_done() -> None:
    said = ran("count", "pentominoes_10x6", "--limit", "5").stdout
    assert "5 solutions (unique up to rotations and turning over) so far; stopped after 5" in said
    [record] = records("count", "pentominoes_20x3", "--limit", "3")
    assert (record["status"], record["solutions"]) == ("complete", 2)


def test_a_memory_limit() -> None:
    words = ("count", "--strategy", "automaton:narrow memory=1", "pentominoes_10x6")
    run = ran(*words, status=4)
    assert "do not fit 1 MiB" in run.stderr
    assert run.stdout.endswith(" so far; stopped at 1 MiB (memory limit)\n")
    assert json.loads(ran(*words, "--json", status=4).stdout)["status"] == "limit"


def test_check_that_gives_up_its_search_for_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    # Listing options has a second in any case, which passes on a busy machine.
    monkeypatch.setattr(patience, "monotonic", lambda: 0.0)
    said = ran("check", "--time-limit", "0", "pentominoes_10x6", status=4).stdout
    assert said.endswith("no proof that it is impossible: stopped after 0 s (time limit)\n")
    [record] = records("check", "--time-limit", "0", "pentominoes_10x6", status=4)
    assert record["status"] == "limit"
    [record] = records("check", "pentominoes_10x6")
    assert record["status"] == "possible"


def test_json_stopped_by_a_limit(endless: Path) -> None:
    [few] = records("solve", "--with-solutions", "--limit", "7", endless)
    assert few.keys() == KEYS | {"placements"}
    assert (few["status"], few["solutions"], len(few["placements"])) == ("limit", 7, 7)
    late = ("--strategy", "dlx:s", "--counted=all", "--time-limit", "0.05", "--progress", "none")
    [some] = records("solve", "--with-solutions", *late, endless, status=4)
    assert some.keys() == KEYS | {"placements"}
    assert some["status"] == "limit"
    assert some["solutions"] == len(some["placements"])  # a busy machine may find none in time


@pytest.mark.parametrize("command", [("count",), ("solve",), ("solve", "--with-solutions")])
def test_ctrl_c_after_the_search_leaves_the_report_whole(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = solve.lines

    def press_and_report(*reported: Any, **limits: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return lines(*reported, **limits)

    monkeypatch.setattr(solve, "lines", press_and_report)
    run = ran(*command, "pentominoes_20x3", "--json", status=130)
    [line] = run.stdout.splitlines()
    record = json.loads(line)
    assert record["status"] == "complete"
    assert record["provenance"]["solutions"] == 2


TWICE = """
import os, signal, threading, time
from exactcover.cli import main
from exactcover.cli.commands import solve
def press_twice(*reported, **limits):
    threading.Thread(target=time.sleep, args=(20,)).start()
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
solve.lines = press_twice
main(["count", "pentominoes_20x3", "--json"])
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent otherwise elsewhere")
def test_after_a_second_ctrl_c_nothing_is_waited_for() -> None:
    """Neither for the report, nor for a thread that still works."""
    began = monotonic()
    run = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, check=False)
    assert monotonic() - began < 15
    assert (run.returncode, run.stdout, run.stderr.strip()) == (130, "", "exactcover: interrupted")
