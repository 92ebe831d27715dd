"""The command: its options, and what it says when it cannot serve."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from exactcover.studio.commands.serve import serve
from exactcover.studio.serving.pool import MIB, Limits
from tests.helpers.real_server import serving

OF_LIMITS = {"seconds": "seconds", "memory": "mib"}


def test_the_defaults_are_those_of_the_limits() -> None:
    defaults = {option.name: option.default for option in serve.params}
    for option, bound in OF_LIMITS.items():
        assert defaults[option] == getattr(Limits(), bound)
    assert defaults["size"] * MIB == Limits().size
    page = Path(__file__).parents[3].joinpath("docs", "pictures.md").read_text()
    assert all(f"`--{option}`" in page for option in defaults if option in (*OF_LIMITS, "size"))


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
        assert server.api("/shelf")
