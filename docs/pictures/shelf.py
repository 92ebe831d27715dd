"""Draw the pictures that Browse of `exactcover serve` shows: `make gallery` runs this.

Each shipped puzzle with cells has one in light and one in dark, with a solution where one is found
within a minute. They are files, so that the first view of the page draws and compiles nothing.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import exactcover as ec
from exactcover.errors import LimitReached
from exactcover.formats import Document
from exactcover.formats.shipped import entries

ARCHIVE = Path(__file__).parents[2] / "exactcover/app/serving/shelf.zip"
SECONDS = 60.0
SMALL = 12.0
"""Pixels of a cell."""

THEMES = ("light", "dark")


def shown(entry: Document) -> object:
    """A solution of a puzzle; the puzzle where none is known."""
    try:
        return ec.first(entry.content, time_limit=SECONDS) or entry.content
    except LimitReached:
        return entry.content


def main() -> None:
    with ZipFile(ARCHIVE, "w") as archive:
        for entry in entries():
            if entry.puzzle is None:
                continue
            what = shown(entry)
            for theme in THEMES:
                title = entry.title or entry.name
                svg = ec.picture(what, theme=theme, cell=SMALL, title=title).svg
                file = ZipInfo(f"{entry.name}-{theme}.svg")  # of 1980, so that equal ones are equal
                archive.writestr(file, svg, ZIP_DEFLATED, zlib.Z_BEST_COMPRESSION)
            sys.stdout.write(f"{entry.name}\n")


if __name__ == "__main__":
    main()
