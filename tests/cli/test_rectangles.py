"""Puzzles of rectangles on the command line: no switch is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import ran

FILE = """
pieces = "18x18, 15x15, 14x14, 10x10, 9x9, 8x8, 7x7, 4x4, 1x1"
region = "33x32"
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(FILE, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("count",), "1 solution (unique"),
        (("count", "--counted=all"), "4 solutions (all)"),
        (("solve", "--first", "-q"), "stopped after 1 solution"),
        (("count", "--strategy", "skyline:widest"), "1 solution"),
        (("verify",), "the engines agree on every one"),
        (("check",), "its pieces are kept"),
    ],
)
def test_commands_take_it(mine: str, words: tuple[str, ...], said: str) -> None:
    assert said in ran(*words, mine).stdout
