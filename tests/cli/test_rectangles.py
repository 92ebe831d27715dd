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


def test_a_file_of_sizes_is_solved(mine: str) -> None:
    output = ran("solve", mine, "--stats").stdout
    assert "18x18" in output
    assert "1 solution (unique up to rotations and turning over)" in output
    assert "strategy skyline:largest" in output


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
