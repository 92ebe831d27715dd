"""A page that is open in a browser, as the tests of pages use it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

LOCAL = ("file:", "data:", "blob:")

QUIET = 500
"""Milliseconds after which a page that nobody touches must have come to rest."""


@dataclass
class Viewer:
    """An open page.

    page        playwright's
    expected    a pattern of messages that are no fault
    complaints  what the page has written to the console, and its errors
    strangers   the addresses that it asked for and that are not its own
    """

    page: Page
    expected: str = ""
    complaints: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self._complain(message.text))
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _complain(self, text: str) -> None:
        if not (self.expected and re.search(self.expected, text)):
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self.strangers.append(url)

    def load(self, file: Path) -> None:
        """Open a file and wait until its scripts are done and it has come to rest."""
        self.page.goto(file.as_uri())
        self.page.wait_for_function("window.ready")
        self.rest()

    def rest(self) -> None:
        """Wait until no frame is drawn any more."""
        before = -1
        while (frames := self.told("frames")) != before:
            before = frames
            self.page.wait_for_timeout(QUIET / 2)

    def told(self, name: str) -> Any:
        """What the page says of its last frame; None where it draws none."""
        return self.page.evaluate(f"window.exactcover?.told.{name} ?? null")

    def model(self, expression: str) -> Any:
        """An expression of the model."""
        return self.page.evaluate(f"window.exactcover.model.{expression}")

    def press(self, *keys: str) -> None:
        """Press keys one after the other, and wait for rest."""
        for key in keys:
            self.page.keyboard.press(key)
        self.rest()

    def said(self) -> str:
        """The sentence for readers who listen."""
        return str(self.page.text_content("#said"))

    def seen(self) -> bytes:
        """The model as a picture."""
        return self.page.locator("#canvas").screenshot()

    def middle(self) -> tuple[float, float]:
        """The middle of the canvas."""
        box = self.page.locator("#canvas").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, right: float, down: float) -> None:
        """Drag the model with the mouse."""
        x, y = self.middle()
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right / 2, y + down / 2)
        self.page.mouse.move(x + right, y + down)
        self.page.mouse.up()
        self.rest()
