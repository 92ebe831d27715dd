"""Makes the pictures of the page that turns: `python docs/pictures/pages.py`.

They are taken in the Chromium of the system, so they differ a little from one machine to the next,
and no test compares them.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

import exactcover as ec

HERE = Path(__file__).parent

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

WANTED = {
    "bedlamcube_page.png": ("bedlamcube", "The Bedlam Cube", ["e"]),
    "tetratesseracts_page.png": (
        "tetratesseracts_3x2x2x2",
        "Tetratesseracts",
        ["w", *["x"] * 5, *["z"] * 4],
    ),
}
"""File -> puzzle, heading, and the keys that are pressed."""


def main() -> None:
    """Write the pictures."""
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=FLAGS
        )
        for name, (puzzle, title, keys) in WANTED.items():
            found = list(ec.solve(ec.read(puzzle), limit=12, strategy="dlx:s"))
            file = Path(folder, "page.html")
            ec.view(found, title=title).save(file)
            page = browser.new_page(viewport={"width": 1000, "height": 640})
            page.goto(file.as_uri())
            page.wait_for_timeout(1000)
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(1500)
            page.screenshot(path=HERE / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
