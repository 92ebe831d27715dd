"""Cells from a drawing of one line, so that a piece can be read in the table that names it.

Rows are separated by `/`, the top row first; layers of a solid by `;`, the lowest first. A dot is
an empty place. Otherwise it is the drawing of a puzzle file. If `/` is a mark of the lattice, rows
are lines. Cells with coordinates can be listed on every lattice.

| lattice | a filled place | example |
|---|---|---|
| square, cubic | `#` | the L tromino `#./##` |
| hexagonal | `#`, each row half a cell off the last | the propeller `.#.#/..#./...#` |
| triangular | `^` up, `v` down, as they lie | the hexagon `^v^/v^v` |
| sticks-square | `-` and `|` between the crossing points | the O tetrastick `.-./|.|/.-.` |
| any | coordinates | `0,0,1 0,1,0` |
"""

from __future__ import annotations

import re

from exactcover.errors import LatticeError
from exactcover.geometry.shapes import as_cells, normal_form
from exactcover.geometry.sketches import sketched_cells
from exactcover.lattices import Cells, Lattice, Rows

CELL = re.compile(r"-?[0-9]{1,4}(,-?[0-9]{1,4})*")


def drawn(lattice: Lattice, drawing: str) -> Cells:
    """The cells of a drawing, in normal form."""
    return normal_form(lattice, as_cells(lattice, _cells(lattice, drawing)))


def _cells(lattice: Lattice, drawing: str) -> list[tuple[int, ...]]:
    words = drawing.split()
    if words and all(map(CELL.fullmatch, words)):
        cells = [tuple(map(int, word.split(","))) for word in words]
        if any(len(cell) != lattice.width for cell in cells):
            raise LatticeError(
                f"{drawing!r:.60}: a cell of {lattice.name} is {lattice.coordinates_text()}"
            )
        return cells
    if lattice.sketch is None:
        raise LatticeError(f"{drawing!r:.60} should be cells, such as '0,0 1,0'")
    if isinstance(lattice.sketch, Rows):
        return sketched_cells(lattice, drawing.replace(";", "\n\n").replace("/", "\n"))
    rows = drawing if "/" in lattice.sketch.marks else drawing.replace("/", "\n")
    return sketched_cells(lattice, rows.replace(".", " "))  # a blank may stand where no cell is
