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


def open_puzzle(viewer: Viewer, name: str, view: str = "run") -> None:
    """Open a puzzle of the shelf, and a view of it."""
    viewer.page.evaluate(
        """async ([name, view]) => {
            app.open(await app.api.get(`/shelf/${name}`))
            app.go(`#${view}`)
        }""",
        [name, view],
    )
    viewer.until(f"document.querySelector('.page.{view} h1') !== null")


def cell(viewer: Viewer, *place: int) -> Any:
    """A cell of the board of Play, by its coordinates."""
    number = viewer.page.evaluate(
        "key => app.puzzle.board.cells.findIndex(one => String(one) === key)",
        ",".join(map(str, place)),
    )
    return viewer.page.locator(f'.place [data-cell="{number}"]')


def start(viewer: Viewer) -> None:
    """Start the search that the view asks for."""
    viewer.page.click("#start")


def ended(viewer: Viewer, words: str, lane: int = 0) -> None:
    """Wait until a lane says that it has come so far."""
    shown = f"document.querySelectorAll('.lane .state')[{lane}]?.textContent"
    viewer.until(f"{shown} === '{words}'")


def figure(viewer: Viewer, name: str, lane: int = 0) -> str:
    """A number that a lane shows."""
    row = viewer.page.locator(".lane").nth(lane).locator(".counters div", has_text=name)
    return str(row.first.locator("dd").inner_text())
