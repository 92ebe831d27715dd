"""`--style` and `--color` on the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from exactcover.cli.options import TextLook
from tests.helpers.commands import ran, refused

COMMANDS = [
    ("solve", "dominoes_4x4", "--limit", "2"),
    ("solve", "dominoes_4x4", "--random", "1", "--seed", "1"),
    ("best", "dominoes_4x4", "--most", "pieces"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_styles(command: tuple[str, ...]) -> None:
    usual = ran(*command).stdout
    assert usual == ran(*command, "--style", "outline").stdout
    assert "┌" in usual
    letters = ran(*command, "--style", "letters").stdout
    assert "I8" in letters
    blocks = ran(*command, "--style", "blocks").stdout
    assert "██" in blocks
    assert len({usual, letters, blocks}) == 3


@pytest.mark.parametrize("switch", ["--color", "--colour"])
@pytest.mark.parametrize("command", COMMANDS)
def test_colours(command: tuple[str, ...], switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in ran(*command).stdout
    assert "\x1b[" not in ran(*command, switch, "auto").stdout
    assert "\x1b[" not in ran(*command, switch, "never").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in ran(*command, switch, "always").stdout


def test_colours_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    ran("solve", "dominoes_4x4", "-o", path)
    assert "\x1b[" not in path.read_text(encoding="utf-8")
    ran("solve", "dominoes_4x4", "--color", "always", "-o", path)
    assert "\x1b[" in path.read_text(encoding="utf-8")


def test_a_style_that_there_is_not() -> None:
    assert "blocks" in refused("solve", "dominoes_4x4", "--style", "lines", status=2)
    assert "never" in refused("solve", "dominoes_4x4", "--color", "sometimes", status=2)


def test_a_problem_without_geometry_has_no_style() -> None:
    said = [ran("solve", "queens_8", "--first", "--style", style).stdout for style in ("outline",)]
    assert said == [ran("solve", "queens_8", "--first").stdout]


def test_an_encoding_without_lines_gets_letters() -> None:
    import exactcover as ec

    solution = ec.first(ec.read("dominoes_4x4"))
    assert solution is not None
    old = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert TextLook(None, "never").draw(solution, old).isascii()
    assert not TextLook("outline", "never").draw(solution, old).isascii()
