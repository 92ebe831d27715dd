"""The example that drives a server from Python, on a server that needs its token."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.helpers.real_server import serving

EXAMPLE = Path(__file__).parents[3] / "examples" / "drive_server.py"


def test_the_example_finds_the_65_solutions(tmp_path: Path) -> None:
    picture = tmp_path / "found.svg"
    with serving("--token", "a token for the test/+") as server:
        assert server.ask("/api/shelf", known=False).status == 401
        address = f"http://127.0.0.1:{server.port}/?token=a%20token%20for%20the%20test%2F%2B"
        done = subprocess.run(
            [sys.executable, EXAMPLE, address, picture], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "8 x 8 with a hole: 12 pieces on 60 cells"
    assert lines[1] == "impossible: nothing says so"
    assert lines[2] == "complete: 65 solutions"  # D. Scott, 1958
    assert picture.read_text().startswith("<svg")
