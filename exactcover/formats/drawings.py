"""Cells from the drawings in a puzzle file, and back.

The lattice says how it is drawn: by rows of marks, by a sketch, or not at all. This module adds
the limits of a file and its words. Drawings that are hard to read are not written.

| lattice | drawing |
|---|---|
| line, square | any mark is a cell; blanks between marks do not matter: `##.` is `# # .` |
| cubic | layers z = 0, 1, ... side by side with commas, or one below another with blank lines |
| hypercubic | layers z side by side with commas, then a blank line and those of the next w |
| hexagonal | any mark is a cell; each row stands half a cell - one character - off the next |
| triangular | `^` a triangle that points up, `v` one that points down; a blank is an empty place |
| sticks-square | `-` and `|` between crossing points, which may be `+` or `.` or blank |

Other built-in lattices have no drawings: their cells are listed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from exactcover.errors import FormatError
from exactcover.geometry.sketches import marked_cells, rows_of, sketch_of, sketched_cells
from exactcover.lattices import Cells, Lattice, Rows
from exactcover.lattices.sketch import EMPTY

__all__ = ["EMPTY", "cells_by_word", "drawing", "drawn_cells", "drawn_words"]

Cell = tuple[int, ...]

MAX_SPREAD = 40
"""A drawing with more than this many places a cell is hard to read: cells are listed instead."""


def drawn_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a drawing; every mark is one."""
    cells = sketched_cells(lattice, text)
    if not cells:
        raise FormatError("the drawing has no cells")
    return cells


def cells_by_word(
    lattice: Lattice, text: str, what: str = "pieces", instead: str = "list their cells"
) -> dict[str, list[Cell]]:
    """The cells of each word of a drawing in which every cell is a word.

    what, instead  of what it is a drawing, and what to do on other lattices: for messages
    """
    if not isinstance(lattice.sketch, Rows):
        raise FormatError(
            f"{what} can be drawn by words where cells lie in rows, as on square and cubic, "
            f"not on {lattice.name}: {instead}"
        )
    words: dict[str, list[Cell]] = {}
    for cell, word in marked_cells(lattice, text, str.split):
        words.setdefault(word, []).append(cell)
    if not words:
        raise FormatError(f"the drawing has no {what}")
    return words


def drawing(lattice: Lattice, cells: Cells) -> str | None:
    """A drawing of cells, or None where there is none, or none that is easy to read."""
    if not len(cells):
        return None
    spread = np.ptp(lattice.vectors(cells), axis=0) + 1
    if float(np.prod(spread.astype(float))) * len(lattice.kinds) > MAX_SPREAD * len(cells) + 400:
        return None
    return sketch_of(lattice, cells)


def drawn_words(lattice: Lattice, words: Mapping[Cell, str]) -> str | None:
    """A drawing of cells by words, or None where there is none, or none that is easy to read."""
    cells = np.array(list(words), np.int64).reshape(len(words), lattice.width)
    if not isinstance(lattice.sketch, Rows) or not len(cells) or cells.min() < 0:
        return None
    if float(np.prod(cells.max(axis=0) + 1.0)) > MAX_SPREAD * len(cells) + 400:
        return None
    return rows_of(lattice, cells, list(words.values()))
