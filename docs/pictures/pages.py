"""Makes the pictures of the page that turns and of `serve`: `python docs/pictures/pages.py`.

They are taken in the Chromium of the system, so they differ a little from one machine to the next,
and no test compares them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import exactcover as ec

HERE = Path(__file__).parent

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

WANTED = {
    "bedlamcube_page.png": ("bedlamcube", "The Bedlam Cube", ["e"]),
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
        served(browser)
        browser.close()


def served(browser: Browser) -> None:
    """The views Play and Puzzles of the local page."""
    command = [sys.executable, "-m", "exactcover", "serve", "--no-open", "--port", "0"]
    with subprocess.Popen([*command, "pentominoes_10x6"], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        address = re.search(r"http://\S+", run.stdout.readline())
        assert address is not None
        page = browser.new_page(viewport={"width": 1100, "height": 700})
        page.goto(address[0])
        page.wait_for_selector(".play .number")  # the puzzle of the address is open
        for view in ("Play", "Puzzles"):
            page.get_by_role("link", name=view, exact=True).click()
            page.wait_for_timeout(2500)
            for _ in range(9 if view == "Play" else 0):  # where, which piece, place it
                page.keyboard.press("h")
                page.wait_for_timeout(900)
            file = HERE / f"serve_{view.lower()}.png"
            page.screenshot(path=file)
            few = Image.open(file).convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
            few.save(file, optimize=True)
        run.terminate()


if __name__ == "__main__":
    main()
