"""Sheets: figures side by side. A tile is a figure of moderate size below its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil, sqrt

from exactcover.show.render.svg import Figure, captioned, in_grid

TILE = 10
"""The longest side of a tile, in distances from a cell to the next; larger figures are shrunk."""

LETTERS = 25
"""The letters of a line above a tile; a longer name has several lines."""

TEXT = 0.65
"""The height of a name, in distances from a cell to the next."""


def sheet(figures: Sequence[Figure], pitch: float) -> Figure:
    """Figures in a grid that is about as wide as it is high."""
    across = max(figure.size[0] for figure in figures) + pitch
    down = max(figure.size[1] for figure in figures) + pitch
    columns = max(1, min(len(figures), ceil(sqrt(len(figures) * 1.3 * down / across))))
    return in_grid(figures, columns, 0.9 * pitch)


def tile(figure: Figure, name: str, pitch: float) -> Figure:
    """A figure that is not too large, below its name, which may be empty."""
    figure = figure.scaled(min(1.0, TILE * pitch / max(figure.size)))
    for line in reversed(lines_of(name)):
        figure = captioned(figure, line, TEXT * pitch)
    return figure


def lines_of(name: str) -> list[str]:
    """A name in lines of at most `LETTERS`, as far as it can be broken at underscores."""
    lines: list[str] = []
    for word in re.findall(r"[^_]+_*|_+", name):
        if lines and len(lines[-1] + word) <= LETTERS:
            lines[-1] += word
        else:
            lines.append(word)
    return lines
