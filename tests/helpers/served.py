"""The server of the page as a process of its own, on a port that is free."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

from tests.helpers.viewer import Viewer

TOKEN = "token-of-the-tests"

START = 60.0
"""Seconds within which the server must be there."""


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Start `exactcover serve`; the value is its address without the token; it ends afterwards."""
    command = [sys.executable, "-m", "exactcover", "serve", "--port", "0", "--no-open"]
    command += ["--token", TOKEN, *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        late = Timer(START, process.kill)
        late.start()
        try:
            address = _address(process)
            late.cancel()
            yield address
        finally:
            late.cancel()
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    """The address that the server prints."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://[^/]+", line):
            return found[0]
    raise AssertionError(f"the server did not start: {''.join(said)}")


def open_puzzle(viewer: Viewer, name: str, view: str = "play") -> None:
    """Open a puzzle of the shelf, and a view of it."""
    viewer.page.evaluate("([name, view]) => app.openShipped(name, view)", [name, view])
    filled = {"play": ".number", "solve": ".sheet button", "draw": ".verdict"}[view]
    viewer.until(f"document.querySelector('.page.{view} {filled}') !== null")


def cell(viewer: Viewer, *place: int) -> Any:
    """A cell of the board of Play, by its coordinates."""
    number = viewer.page.evaluate(
        "key => app.puzzle.board.cells.findIndex(one => String(one) === key)",
        ",".join(map(str, place)),
    )
    return viewer.page.locator(f'.place [data-cell="{number}"]')


def piece(viewer: Viewer, name: str) -> Any:
    """A piece in the tray of Play."""
    return viewer.page.locator(f'[data-piece="{name}"]')


def settled(viewer: Viewer, moves: int) -> str:
    """The number of solutions that Play shows once this number of pieces is placed."""
    viewer.until(f"window.play?.game.placed.length === {moves}")
    viewer.until("document.querySelector('.play .number') !== null")
    return str(viewer.page.inner_text(".play .count"))


def middle(one: Any) -> tuple[float, float]:
    """The middle of something on the page."""
    box = one.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
