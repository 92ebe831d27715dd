"""The bar on a terminal: what stands on the screen, and that it leaves nothing behind."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator

import pytest

from exactcover.cli.ends import say, screen
from exactcover.cli.progress import Progress, bar

Read = Callable[[], str]

CONTROL = re.compile(r"\x1b\[(\d*)([A-Za-z])|(\r)|(\n)|([^\x1b\r\n]+)")


def shown(written: str) -> list[str]:
    """The lines of a terminal that got this text."""
    lines, row, column = [""], 0, 0
    for number, code, home, down, text in CONTROL.findall(written):
        if code == "A":
            row = max(0, row - int(number or 1))
        elif code == "J":
            lines[row] = lines[row][:column]
            del lines[row + 1 :]
        elif home:
            column = 0
        elif down:
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif text:
            lines[row] = lines[row][:column].ljust(column) + text + lines[row][column + len(text) :]
            column += len(text)
    return [line.rstrip() for line in lines]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """Standard error as a terminal; what was written there since the last call."""
    monkeypatch.setenv("COLUMNS", "60")
    yield lambda: capsys.readouterr().err
    screen.drawn = 0


def test_a_bar_is_drawn_again_in_its_place(terminal: Read) -> None:
    figures = {"puzzle": "box", "solutions": 3, "seconds": 4.0, "left": None}
    for done in (0.25, 0.5):
        screen.draw(bar(figures | {"done": done}))
    first, second, end = shown(terminal())
    assert first.startswith("box ━━━")
    assert first.endswith(" 50.00%")
    assert second == "  3 found · 4.0 s"
    assert end == ""


def test_a_message_takes_the_bar_away(terminal: Read) -> None:
    figures = {"puzzle": "box", "progress": "far", "seconds": 4.0}
    screen.draw(bar(figures))
    say("Compiling dlx (first use, about 5 s)")
    screen.draw(bar(figures))
    screen.clear()
    message, end = shown(terminal())
    assert message.startswith("exactcover: Compiling dlx")
    assert end == ""


def test_a_bar_is_shown_after_a_second_on_a_terminal_only(
    terminal: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("exactcover.cli.progress.monotonic", lambda: now[0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    line = Progress("box")
    line.tell("at work")
    assert terminal() == ""
    now[0] = 1.5
    line.tell("at work")
    assert shown(terminal())[0].split() == ["box", "at", "work"]
    now[0] = 1.6
    line.tell("at work again")  # a fifth of a second is too soon
    assert terminal() == ""
    monkeypatch.setenv("TERM", "dumb")
    plain = Progress("box")
    now[0] = 100.0
    plain.tell("at work")
    assert terminal() == "box: at work; 98.4 s\n"
