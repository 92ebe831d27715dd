"""Commands of the program, run as a user runs them, and what they print."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from exactcover.cli import ends, main

PATIENCE = 120.0
"""Seconds after which a command that should have ended hangs; nothing here takes long."""


def domino_box(width: int, height: int) -> str:
    """A polycube definition: a box and as many dominoes as fill it."""
    pieces = "".join(
        f"C:name=D{number}:type=M:layout=0 0 0, 1 0 0\n" for number in range(width * height // 2)
    )
    return f"D:xDim={width}:yDim={height}:zDim=1\n{pieces}~D\n"


@dataclass(frozen=True)
class Ran:
    """What a command that has ended left behind."""

    returncode: int
    stdout: str
    stderr: str


def without_compilation(said: str) -> str:
    """Standard error without the lines on compilation, which only a cold cache causes."""
    return re.sub(r"^exactcover: Compiling .*\n", "", said, flags=re.MULTILINE)


def ran(*arguments: str | Path, status: int = 0) -> Ran:
    """A command that has ended with this exit status; anything uncaught fails the test."""
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr), pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert ended.value.code == status, stderr.getvalue()
    return Ran(status, stdout.getvalue(), without_compilation(stderr.getvalue()))


def interrupted(
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str | Path,
    when: Callable[[], object],
    by: signal.Signals = signal.SIGINT,
) -> Ran:
    """A command that gets a signal once `when` is true, before which it must not end."""
    monkeypatch.setattr(ends, "PATIENCE", PATIENCE)  # a busy machine must not end the tests
    until = monotonic() + PATIENCE

    def send() -> None:
        try:
            while not when() and monotonic() < until:
                sleep(0.01)
        finally:
            os.kill(os.getpid(), by)

    Thread(target=send, daemon=True).start()
    return ran(*arguments, status=130)


def ran_apart(*arguments: str | Path) -> Ran:
    """A command run in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "exactcover", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(run.returncode, run.stdout, without_compilation(run.stderr))


def records(*arguments: str | Path, status: int = 0) -> list[dict[str, Any]]:
    """What a command says with `--json`: objects, one a line, and nothing on standard error."""
    run = ran(*arguments, "--json", status=status)
    assert run.stderr == ""
    return [json.loads(line) for line in run.stdout.splitlines()]


def refused(*arguments: str | Path, status: int = 1) -> str:
    """The message of a command that was refused: it printed nothing else."""
    run = ran(*arguments, status=status)
    assert run.stdout == ""
    if status == 1:
        assert run.stderr.startswith("exactcover: ")
        assert len(run.stderr.splitlines()) == 1
    return run.stderr


RUN = frozenset({"seconds", "compiling", "date", "workers"})
"""Keys of a report that describe its run, not its answer."""


def untimed(report: Any) -> Any:
    """The report without what differs from run to run, at any depth."""
    if isinstance(report, dict):
        return {key: untimed(one) for key, one in report.items() if key not in RUN}
    return [untimed(one) for one in report] if isinstance(report, list) else report
