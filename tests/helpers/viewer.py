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

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Comes true after the frames that were asked for before."""

FADING = "document.getAnimations().some(one => one.playState === 'running')"

PATIENCE = 400
"""Times 50 milliseconds: how long something may take to happen."""


@dataclass
class Viewer:
    """An open page.

    page        playwright's
    expected    a pattern of messages that are no fault
    own         what the addresses begin with that it may ask for
    complaints  what the page has written to the console, and its errors
    strangers   the addresses that it asked for and that are not its own
    refused     those of them that were not asked, since the page forbids it
    """

    page: Page
    expected: str = ""
    own: tuple[str, ...] = LOCAL
    complaints: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self._complain(message.text))
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("requestfailed", lambda request: self._failed(request.url, request.failure))

    def _complain(self, text: str) -> None:
        if not (self.expected and re.search(self.expected, text)):
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith(self.own):
            self.strangers.append(url)

    def _failed(self, url: str, why: str | None) -> None:
        if why == "csp":
            self.refused.append(url)

    def load(self, file: Path) -> None:
        """Open a file and wait until its scripts are done and it has come to rest."""
        self.visit(file.as_uri())
        self.rest()

    def visit(self, address: str) -> None:
        """Open an address and wait until its scripts are done."""
        self.page.goto(address)
        self.until("window.ready === true")

    def until(self, expression: str) -> None:
        """Wait until an expression is true. The page forbids `eval`, so we ask again and again."""
        for _ in range(PATIENCE):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {expression}")

    def rest(self) -> None:
        """Wait until no frame is drawn any more, and nothing fades in."""
        before = -1
        for _ in range(PATIENCE):
            self.page.evaluate(TWO_FRAMES)
            if before == (before := self.told("frame")) and not self.page.evaluate(FADING):
                return
        raise AssertionError("the page does not come to rest")

    def told(self, name: str) -> Any:
        """A figure of three.js about the last frame; None where the page draws none."""
        info = "window.exactcover?.stage.renderer.info.render"
        return self.page.evaluate(f"{info}?.{name} ?? null")

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
        return self.page.locator("#canvas").screenshot(style="#said { visibility: hidden }")

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
