"""The served page: its puzzles, and the board and the pieces of Play."""

from __future__ import annotations

from typing import Any

from tests.helpers.viewer import Viewer


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
