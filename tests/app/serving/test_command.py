"""The command: its options, and what it says when it cannot serve."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from exactcover.app.serving import MIB, Bounds
from exactcover.cli.commands.serve import serve
from tests.helpers.real_server import serving

OF_BOUNDS = {"seconds": "seconds", "memory": "mib", "queue": "queue", "question": "question"}


def test_the_defaults_are_those_of_the_bounds() -> None:
    defaults = {option.name: option.default for option in serve.params}
    for option, bound in OF_BOUNDS.items():
        assert defaults[option] == getattr(Bounds(), bound)
    assert defaults["size"] * MIB == Bounds().body
    table = Path(__file__).parents[3].joinpath("docs", "serve.md").read_text()
    for option in OF_BOUNDS:
        assert f"| `--{option} " in table


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "exactcover", "serve", "--port", port],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"exactcover: cannot listen at 127.0.0.1:{port}")


def test_a_puzzle_that_is_named_is_in_the_address(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text('title = "Two"\npieces = ["domino x 2"]\nregion = "2x2"\n')
    with serving(str(file)) as server:
        assert "#puzzle=" in server.address
        assert server.api("/limits")
