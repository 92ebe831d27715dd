"""Drawings in text on the command line."""

from __future__ import annotations

import io

import pytest

from exactcover.cli.options import TextLook
from tests.helpers.commands import ran

COMMANDS = [
    ("solve", "dominoes_4x4", "--limit", "2"),
    ("solve", "dominoes_4x4", "--random", "1", "--seed", "1"),
    ("best", "dominoes_4x4", "--most", "pieces"),
]


@pytest.mark.parametrize("switch", ["--color", "--colour"])
@pytest.mark.parametrize("command", COMMANDS)
def test_colours(command: tuple[str, ...], switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in ran(*command).stdout
    assert "\x1b[" not in ran(*command, switch, "auto").stdout
    assert "\x1b[" not in ran(*command, switch, "never").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in ran(*command, switch, "always").stdout


def test_an_encoding_without_walls_gets_ascii() -> None:
    import exactcover as ec

    old = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    drawn = TextLook("never").draw(ec.first(ec.read("dominoes_4x4")), old)
    assert drawn.isascii()
    assert drawn.startswith("+---")
