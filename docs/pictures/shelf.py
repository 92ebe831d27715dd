"""Draw the pictures that Browse of `exactcover serve` shows: `make gallery` runs this.

Each shipped puzzle with cells has one in light and one in dark, with a solution where one is found
within a minute. A solution has a coarse picture, too, of a few pixels a cell: enlarged by a browser
it is blurred, which no filter of a style sheet does as quickly. All are files, so that the first
view of the page draws and compiles nothing.
"""

from __future__ import annotations

import sys
import zlib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from PIL import Image

import exactcover as ec
from exactcover.errors import LimitReached
from exactcover.formats import Document
from exactcover.formats.shipped import entries
from exactcover.show.svg import Theme

ARCHIVE = Path(__file__).parents[2] / "exactcover/app/serving/shelf.zip"
SECONDS = 60.0
SMALL = 12.0
"""Pixels of a cell."""

COARSE, COLOURS = 44, 64
"""Pixels of the longer side of a coarse picture, and its colours."""

THEMES: tuple[Theme, ...] = ("light", "dark")


def solution(entry: Document) -> ec.Solution | None:
    """A solution of a puzzle, if one is found in time."""
    try:
        return ec.first(entry.content, time_limit=SECONDS)
    except LimitReached:
        return None


def coarse(found: ec.Solution, theme: Theme) -> bytes:
    """A picture of a solution, too small to copy it from, as PNG."""
    large, small = BytesIO(), BytesIO()
    picture = ec.picture(found, theme=theme, names=False)
    with TemporaryDirectory() as folder:
        file = Path(folder, "large.png")
        picture.save(file)
        large.write(file.read_bytes())
    image = Image.open(large).convert("RGB")
    share = COARSE / max(image.size)
    width, height = (max(1, round(share * side)) for side in image.size)
    image.resize((width, height), Image.Resampling.BOX).quantize(COLOURS).save(small, "PNG")
    return small.getvalue()


def main() -> None:
    """Write the archive; the one before stays until the new one is complete."""
    unfinished = ARCHIVE.with_suffix(".part")
    with ZipFile(unfinished, "w") as archive:

        def add(name: str, content: str | bytes) -> None:
            file = ZipInfo(name)  # of 1980, so that equal ones are equal
            archive.writestr(file, content, ZIP_DEFLATED, zlib.Z_BEST_COMPRESSION)

        for entry in entries():
            if entry.puzzle is None:
                continue
            found = solution(entry)
            title = entry.title or entry.name
            for theme in THEMES:
                picture = ec.picture(found or entry.content, theme=theme, cell=SMALL, title=title)
                add(f"{entry.name}-{theme}.svg", picture.svg)
                if found is not None:
                    add(f"{entry.name}-{theme}.png", coarse(found, theme))
            sys.stdout.write(f"{entry.name}\n")
            sys.stdout.flush()
    unfinished.replace(ARCHIVE)


if __name__ == "__main__":
    main()
