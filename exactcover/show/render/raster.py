"""Pictures as files: SVG as it is, PNG and PDF by packages of the extra `picture`."""

from __future__ import annotations

import re
from pathlib import Path

from exactcover.base.text.files import ending_of, write
from exactcover.errors import ExactCoverError
from exactcover.show.packages import package
from exactcover.show.render.svg import PIXELS_PER_MM

SUFFIXES = (".svg", ".png", ".pdf")


_RULE = re.compile(r"<style>.*?</style>\n")


def saved(svg: str, path: Path, zoom: float) -> None:
    """Write a picture to a file whose ending says what it becomes."""
    suffix = ending_of(path, SUFFIXES)
    if not 0 < zoom <= 20:
        raise ExactCoverError(f"zoom={zoom}: a number up to 20 is needed")
    write(path, svg.encode() if suffix == ".svg" else _converted(_RULE.sub("", svg), suffix, zoom))


def _converted(svg: str, suffix: str, zoom: float) -> bytes:
    """A picture in its light colours, as PNG or PDF."""
    if suffix == ".pdf":
        return bytes(package("cairosvg", "picture").svg2pdf(bytestring=svg.encode()))
    wide = svg.partition("width='")[2].partition("'")[0]
    width = float(wide.removesuffix("mm")) * (PIXELS_PER_MM if wide.endswith("mm") else 1)
    draw = package("resvg_py", "picture").svg_to_bytes
    return bytes(draw(svg_string=svg, width=max(1, round(width * zoom)), dpi=96))
