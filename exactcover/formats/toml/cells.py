"""Cells as a TOML file lists or draws them.

The lattice says how it is drawn: by rows of marks, by a sketch, or not at all. Drawings that are
hard to read are not written.

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

import re
from collections.abc import Sequence

import numpy as np

from exactcover.errors import ConversionError, FormatError, shown
from exactcover.formats.limits import Budget
from exactcover.formats.toml.table import Table, written
from exactcover.geometry.cells import MAX_CELLS, CellSet
from exactcover.geometry.sketches import marked_cells, rows_of, sketch_of, sketched_cells
from exactcover.lattices import Cells, Lattice
from exactcover.lattices.view import EMPTY, Rows
from exactcover.puzzle import Cell, cells_array
from exactcover.puzzle.pieces import MAX_COORDINATE

MAX_SPREAD = 40
"""A drawing with more than this many places a cell is hard to read: cells are listed instead."""


def read_cells(table: Table, lattice: Lattice, where: str) -> Cells:
    """The cells that a table lists or draws."""
    if "drawing" in table:
        drawing = table.text("drawing")
        table.budget.take(places(drawing))
        return cells_array(lattice, drawn_cells(lattice, drawing), where)
    cells = table.values["cells"]
    if not isinstance(cells, list) or not cells:
        raise FormatError("cells must be a list of cells: [[0, 0], [1, 0]]", token=written(cells))
    return cells_array(lattice, [_cell(cell, lattice) for cell in cells], where)


def _cell(cell: object, lattice: Lattice) -> list[int]:
    """A cell; its kind may be a number or a name."""
    if isinstance(cell, list) and len(cell) == lattice.width:
        kind = cell[-1]
        if lattice.width > lattice.dimension and isinstance(kind, str) and kind in lattice.kinds:
            cell = [*cell[:-1], lattice.kinds.index(kind)]
        if are_whole(cell):
            return list(cell)
    raise FormatError(f"each cell is {lattice.coordinates_text()}", token=written(cell))


def are_whole(values: object) -> bool:
    """Whether this is a list of coordinates."""
    return isinstance(values, list) and all(
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_COORDINATE
        for value in values
    )


def places(drawing: str) -> int:
    """How many places a drawing has at most, a mark and a blank each."""
    return len(drawing) // 2


def drawn_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a drawing; every mark is one."""
    cells = sketched_cells(lattice, text)
    if not cells:
        raise FormatError("the drawing has no cells")
    return cells


def cells_by_word(
    lattice: Lattice, text: str, budget: Budget, what: str, instead: str
) -> dict[str, Cells]:
    """The cells of each word of a drawing in which every cell is a word.

    what, instead  of what it is a drawing, and what to do on other lattices: for messages
    """
    budget.take(places(text))
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
    return {word: cells_array(lattice, cells, f"the {what}") for word, cells in words.items()}


def drawn_pieces(lattice: Lattice, text: str, budget: Budget) -> list[tuple[str, Cells]]:
    """The name and cells of each piece of a drawing in which every word is the name of a piece.

    In the plane a blank line separates drawings.
    """
    blocks = re.split(r"\n\s*\n", text.strip()) if lattice.dimension <= 2 else [text]
    drawn = [cells_by_word(lattice, one, budget, "pieces", "list their cells") for one in blocks]
    pieces = [pair for one in drawn for pair in one.items()]
    rows = [row.split() for line in text.split("\n") for row in line.split(",")]
    widest = max(map(len, rows))
    for row in rows:
        if len(row) != 1 or len(row[0]) == 1:
            continue
        letters = {EMPTY, *(name for name, _ in pieces)} >= set(row[0])
        if widest == 1 or (letters and len(row[0]) == widest):
            raise FormatError(
                f"names of pieces need blanks between them: {' '.join(row[0][:12])!r}",
                token=shown(row[0]),
            )
    return pieces


# -- writing --------------------------------------------------------------------------------------


def drawing_of(lattice: Lattice, cells: Cells, words: Sequence[str] = ()) -> str | None:
    """A drawing of cells, by words where they lie if there are words; None where there is none, or
    none that is easy to read."""
    if not len(cells):
        return None
    vectors = lattice.vectors(cells)
    spread = vectors.max(axis=0) - (0 if words else vectors.min(axis=0)) + 1.0
    if float(np.prod(spread)) * len(lattice.kinds) > MAX_SPREAD * len(cells) + 400:
        return None
    drawing = None if words else sketch_of(lattice, cells)
    if words and isinstance(lattice.sketch, Rows) and cells.min() >= 0:
        drawing = rows_of(lattice, cells, words)
    if drawing is not None and places(drawing) > MAX_CELLS:
        raise ConversionError(
            f"a drawing may have {MAX_CELLS:,} places in a TOML file, and this one has more: name "
            "the region in the file instead, as in 'diamond 600'"
        )
    return drawing and f"{drawing}\n"


def place_of(lattice: Lattice, cells: Cells, drawing: str) -> list[int] | None:
    """The vector that moves a drawing to these cells, or None where there is none."""
    drawn = CellSet.of(lattice, np.array(drawn_cells(lattice, drawing))).cells
    ordered = CellSet.of(lattice, cells).cells
    at = lattice.vectors(ordered)[0] - lattice.vectors(drawn)[0]
    lattice.vectors(moved := drawn.copy())[...] += at
    same = (CellSet.of(lattice, moved).cells == ordered).all()
    return [int(value) for value in at] if same else None
