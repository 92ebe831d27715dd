"""How quickly a page draws 1000 cells: milliseconds of script a frame, and frames a second.

    python -m benchmarks page

It opens pages in the Chromium of the system, which draws in software here, so frames a second are
those of a machine without a graphics card. It needs the extra `dev`. Turning is measured for the
outer shell of a cube of 1000 cells, for the same cube exploded, and for 1000 balls.
"""

from __future__ import annotations

import shutil
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import ViewportSize, sync_playwright

import exactcover as ec

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE: ViewportSize = {"width": 1128, "height": 650}  # the model is 800x600 of it
FRAMES = 60

TURNING = """async (frames) => {
  const { stage, told } = window.exactcover
  const next = () => new Promise(requestAnimationFrame)
  const script = []
  await next()
  const began = performance.now()
  for (let frame = 0; frame < frames; frame++) {
    stage.turn(0.05, 0)
    await next()
    stage.renderer.getContext().finish()
    script.push(told.milliseconds)
  }
  const rate = (1000 * frames) / (performance.now() - began)
  script.sort((a, b) => a - b)
  return { rate, median: script[frames >> 1], most: script[frames - 1], ...told }
}"""

EXPLODING = """async (frames) => {
  const { told } = window.exactcover
  const slider = document.getElementById("slider-explode")
  const script = []
  for (let frame = 1; frame <= frames; frame++) {
    slider.value = 1 + frame / frames / 2
    slider.dispatchEvent(new Event("input"))
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    script.push(told.milliseconds)
  }
  script.sort((a, b) => a - b)
  return { rate: 0, median: script[frames >> 1], most: script[frames - 1], ...told }
}"""


def solution(lattice: str, region: str) -> ec.Solution:
    """A solution of 1000 cells, or about as many."""
    cube = np.array(list(product(range(2), repeat=3)))
    found = ec.first(ec.puzzle_of([ec.Piece("cube", cube, 125, 125)], region, lattice))
    assert found is not None
    return found


def main() -> int:
    """Print a table."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("there is no chromium")
        return 1
    titles = ("frames/s", "median ms", "most ms", "calls", "triangles")
    print(f"{'1000 cells':24}" + "".join(f"{title:>11}" for title in titles))
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for lattice in ("cubic", "fcc"):
            page = browser.new_page(viewport=SIZE)
            file = Path(folder, f"{lattice}.html")
            ec.view(solution(lattice, "10x10x10")).save(file)
            page.goto(file.as_uri())
            page.wait_for_timeout(1500)
            rows = [("turning, whole", "", TURNING), ("exploding", "e", EXPLODING)]
            for name, key, script in [*rows, ("turning, exploded", "", TURNING)]:
                if key:
                    page.keyboard.press(key)
                    page.wait_for_timeout(1500)
                told = page.evaluate(script, FRAMES)
                rate = f"{told['rate']:.0f}" if told["rate"] else ""
                values = (rate, f"{told['median']:.2f}", f"{told['most']:.2f}", told["calls"])
                row = "".join(f"{value:>11}" for value in (*values, told["triangles"]))
                print(f"{lattice + ', ' + name:24}{row}")
            page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
