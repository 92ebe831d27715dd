"""Ctrl-C: whatever runs, what was found is told and where it stopped, without a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.examples import some

# The search is interrupted from within, at a known place: after so many steps, or in a filter.
AFTER_STEPS = """
import os, signal
from exactcover.search.session import Session
step, calls = Session._advance, []
def counted(self, *arguments, **options):
    calls.append(0)
    if len(calls) == 8:
        os.kill(os.getpid(), signal.SIGINT)
    return step(self, *arguments, **options)
Session._advance = counted
"""

IN_A_FILTER = """
import os, signal, time
from exactcover.problem.filters import registry
def endless(position):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        time.sleep(0.01)
registry.volume = endless
"""

# What is not Python hears no signal: the handler runs when it comes back, here after an hour.
IN_A_LIBRARY = """
import hashlib, os, signal
from importlib import import_module
from threading import Timer
def stuck(*arguments, **options):
    Timer(0.2, os.kill, (os.getpid(), signal.SIGNAL)).start()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
setattr(import_module("exactcover.MODULE"), "NAME", stuck)
"""

IN_A_CALLBACK = """
import os, signal
from exactcover.problem.filters import registry
class Closing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):
            pass
def lost(position):
    Closing()
    while True:
        pass
registry.volume = lost
"""

SWALLOWED = """
import os, signal, time
import exactcover.formats
def endless(place):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    except BaseException:
        pass
    while True:
        time.sleep(0.01)
exactcover.formats.read_puzzles = endless
"""

IN_COMPILATION = """
import os, signal
from numba.core import event
class Interrupting(event.Listener):
    def on_start(self, told):
        os.kill(os.getpid(), signal.SIGINT)
    def on_end(self, told):
        pass
event.register("numba:compile", Interrupting())
"""

MAIN = "from exactcover.cli import main\nmain()\n"


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code + MAIN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


STRATEGIES = ["dlx:s", "bsx:s", "fila:f", "dlx:s; fila:f@12", "fit@17; dlx:s; fila:f@9"]


@pytest.mark.parametrize("strategy", some(STRATEGIES, one_in=5))
def test_a_search_stops_with_what_it_found(strategy: str) -> None:
    alone = ("--workers", "1", "--json")  # a team has no one position
    done = run(AFTER_STEPS, "count", "pentominoes_1s_18x5", *alone, "--strategy", strategy)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    record = json.loads(done.stdout)
    assert record["status"] == "interrupted"
    assert record["fits"] > 0
    assert 0 <= record["progress"] < 1
    assert record["position"]
    assert all(1 <= branch <= branches for branch, branches in record["position"])
    assert f"interrupted at {record['progress']:.2%}" in done.stderr


@pytest.mark.parametrize("command", some(["solve", "count"], one_in=2))
def test_a_long_filter_is_broken_off(command: str) -> None:
    done = run(IN_A_FILTER, command, "pentominoes_10x6", "--strategy", "volume; dlx:s")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert " 0 solutions (unique up to rotations and turning over) so far; inter" in done.stdout
    assert "interrupted at 0.00%" in done.stderr


@pytest.mark.slow
def test_the_first_compilation_is_broken_off(tmp_path: Path) -> None:
    done = run(
        IN_COMPILATION, "count", "pentominoes_10x6", "--strategy", "dlx:s",
        NUMBA_CACHE_DIR=str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("module", "name", "number"),
    some(
        [
            ("problem.filters.registry", "volume", "SIGINT"),
            ("problem.filters.registry", "volume", "SIGTERM"),
            ("formats", "read_puzzles", "SIGINT"),
        ],
        one_in=3,
    ),
)
def test_what_is_not_python_is_broken_off_too(module: str, name: str, number: str) -> None:
    """In a search what is known is told; before it, there is only a message."""
    code = IN_A_LIBRARY.replace("MODULE", module).replace("NAME", name).replace("SIGNAL", number)
    done = run(code, "count", "somacube", "--strategy", "volume; dlx:s", "--json")
    assert done.returncode == 130
    if name == "volume":
        assert json.loads(done.stdout)["status"] == "interrupted"
    else:
        assert done.stderr == "exactcover: interrupted\n"


@pytest.mark.parametrize(
    "code", some([SWALLOWED, IN_A_CALLBACK], one_in=2), ids=["swallowed", "callback"]
)
def test_an_interrupt_is_not_lost(code: str) -> None:
    """Where no exception can be raised, or somebody catches all of them."""
    done = run(code, "count", "somacube", "--strategy", "volume; dlx:s")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "interrupted" in done.stderr


@pytest.mark.slow
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As under nohup: Ctrl-C is meant for another command."""
    ignored = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    done = run(ignored + IN_A_FILTER.replace("    while True:\n        time.sleep(0.01)\n", ""),
               "list", "puzzles", "somacube")  # fmt: skip
    assert done.returncode == 0
