"""Cells from a drawing of several lines, and back.

A drawing looks like what it means: the top line is the highest row. `.` is an empty place.

| lattice | drawing |
|---|---|
| line, square | any mark is a cell; blanks between marks do not matter: `##.` is `# # .` |
| cubic | layers z = 0, 1, ... side by side with commas, or one below another with blank lines |
| hypercubic | layers z side by side with commas, then a blank line and those of the next w |
| hexagonal | any mark is a cell; each row stands half a cell - one character - off the next |
| triangular | `^` a triangle that points up, `v` one that points down; a blank is an empty place |
| sticks-square | `-` and `|` between crossing points, which may be `+` or `.` or blank |

The lowest left place is the cell with coordinates 0 (of triangles the one with x = y = 0, up or
down; of sticks the crossing point). Other lattices have no drawings: their cells are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from exactcover.errors import FormatError
from exactcover.formats.source import shown
from exactcover.lattices import Cells, Lattice

Cell = tuple[int, ...]
Place = tuple[int, int, str]

BOXES = {"hypercubic-1": 1, "square": 2, "cubic": 3, "hypercubic": 4}
EMPTY = "."
MAX_SPREAD = 40
"""A drawing with more than this many places a cell is hard to read: cells are listed instead."""


def drawn_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a drawing; every mark is one."""
    if lattice.name in BOXES:
        cells = [cell for cell, _ in _in_box(lattice, text, _marks)]
    elif lattice.name in READERS:
        rows = _rows(text)
        try:
            cells = list(READERS[lattice.name](list(_places(rows))))
        except _WrongPlaceError as wrong:
            message = f"{wrong.rule}: not so in column {wrong.column + 1} of this row"
            raise FormatError(message, token=shown(rows[wrong.height].strip())) from None
    else:
        raise FormatError(f"there are no drawings on the lattice {lattice.name}: list the cells")
    if not cells:
        raise FormatError("the drawing has no cells")
    return cells


def cells_by_word(
    lattice: Lattice, text: str, what: str = "pieces", instead: str = "list their cells"
) -> dict[str, list[Cell]]:
    """The cells of each word of a drawing in which every cell is a word.

    what, instead  of what it is a drawing, and what to do on other lattices: for messages
    """
    if lattice.name not in BOXES:
        raise FormatError(
            f"{what} can be drawn by words on {', '.join(BOXES)}, not on {lattice.name}: {instead}"
        )
    words: dict[str, list[Cell]] = {}
    for cell, word in _in_box(lattice, text, str.split):
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
    if lattice.name in BOXES:
        return _box_drawing(lattice, cells)
    if lattice.name in PLACES:
        return _picture([place for cell in cells.tolist() for place in PLACES[lattice.name](cell)])
    return None


# -- boxes of cells -------------------------------------------------------------------------------


def _marks(row: str) -> list[str]:
    return [mark for mark in row if not mark.isspace()]


def _in_box(
    lattice: Lattice, text: str, split: Callable[[str], list[str]]
) -> Iterator[tuple[Cell, str]]:
    """The filled places of a drawing in 1 to 4 dimensions, and what stands there."""
    dimension = BOXES[lattice.name]
    blocks = _blocks(text)
    if dimension <= 2 and len(blocks) > 1:
        raise FormatError("a blank line inside the drawing: draw an empty row with dots")
    with_layers = any("," in row for rows in blocks for row in rows)
    if dimension <= 2 and with_layers:
        raise FormatError(f"a comma parts layers, but {lattice.name} has none", token=",")
    if dimension == 3 and len(blocks) > 1 and with_layers:
        raise FormatError("layers are parted by commas or by blank lines, not by both")
    if dimension == 1 and len(blocks[0]) > 1:
        raise FormatError("a drawing on a line has one row", token=shown(blocks[0][1]))
    # Rows by their layer: there may be many rows, and one of them may have many layers.
    layers: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for number, rows in enumerate(blocks):
        for y, row in enumerate(reversed(rows)):
            for comma, part in enumerate(row.split(",")):
                layer = (number, comma) if dimension == 4 else (0, number + comma)
                layers.setdefault(layer, []).append((y, part))
    for w, z in sorted(layers):
        for y, row in layers[w, z]:
            for x, mark in enumerate(split(row)):
                if mark != EMPTY:
                    yield (x, y, z, w)[:dimension], mark


def _blocks(text: str) -> list[list[str]]:
    """The rows of a drawing, in blocks parted by blank lines."""
    blocks: list[list[str]] = [[]]
    for row in text.split("\n"):
        if row.strip():
            blocks[-1].append(row)
        elif blocks[-1]:
            blocks.append([])
    kept = [rows for rows in blocks if rows]
    if not kept:
        raise FormatError("the drawing is empty")
    return kept


def _box_drawing(lattice: Lattice, cells: Cells) -> str:
    dimension = BOXES[lattice.name]
    return _drawn(cells - cells.min(axis=0), ["#"] * len(cells), dimension)


def drawn_words(lattice: Lattice, words: Mapping[Cell, str]) -> str | None:
    """A drawing of cells by words, or None where there is none, or none that is easy to read."""
    cells = np.array(list(words), np.int64).reshape(len(words), lattice.width)
    if lattice.name not in BOXES or not len(cells) or cells.min() < 0:
        return None
    if float(np.prod(cells.max(axis=0) + 1.0)) > MAX_SPREAD * len(cells) + 400:
        return None
    return _drawn(cells, list(words.values()), BOXES[lattice.name])


def _drawn(cells: Cells, words: Sequence[str], dimension: int) -> str:
    """The rows of a box with a word for each of these cells, none of them negative."""
    padded = np.zeros((len(cells), 4), np.int64)
    padded[:, :dimension] = cells
    column = max(map(len, words))
    places = np.full(padded.max(axis=0) + 1, EMPTY.rjust(column), object)
    places[tuple(padded.T)] = [word.rjust(column) for word in words]
    width, height, depth, times = places.shape
    blocks = [
        "\n".join(
            ", ".join(" ".join(places[x, y, z, w] for x in range(width)) for z in range(depth))
            for y in reversed(range(height))
        )
        for w in range(times)
    ]
    return "\n\n".join(blocks)


# -- drawings in which columns matter -------------------------------------------------------------


class _WrongPlaceError(Exception):
    """A mark stands where none of its sort can."""

    def __init__(self, rule: str, place: Place) -> None:
        self.rule = rule
        self.column, self.height, _ = place
        super().__init__(rule)


def _rows(text: str) -> list[str]:
    """The rows of a drawing from the bottom up, without blank ones below and above."""
    rows = text.split("\n")[::-1]
    filled = [number for number, row in enumerate(rows) if row.strip()]
    if not filled:
        raise FormatError("the drawing is empty")
    return rows[filled[0] : filled[-1] + 1]


def _places(rows: list[str]) -> Iterator[Place]:
    """What is not blank, as (column, row from the bottom, character)."""
    for height, row in enumerate(rows):
        if "\t" in row:
            raise FormatError("a tab in a drawing: use blanks", token=shown(row.strip()))
        for column, character in enumerate(row):
            if character != " ":
                yield column, height, character


def _hexagons(places: list[Place]) -> Iterator[Cell]:
    """A step in x is two columns, a step in y is one column and one row up."""
    first = min(column for column, height, _ in places if height == 0)
    for column, height, mark in places:
        x, odd = divmod(column - height - first, 2)
        if odd:
            raise _WrongPlaceError(
                "hexagons stand two characters apart, each row one character off the row below",
                (column, height, mark),
            )
        if mark != EMPTY:
            yield x, height


def _triangles(places: list[Place]) -> Iterator[Cell]:
    """In each row, up and down take turns; a step in y is one column and one row up."""
    first = min(column for column, height, _ in places if height == 0)
    marks = [place for place in places if place[2] != EMPTY]
    turned = 0
    for number, (column, height, mark) in enumerate(marks):
        if mark not in "^v":
            raise _WrongPlaceError("a triangle is drawn ^ (up) or v (down)", (column, height, mark))
        parity = (column - height - first + (mark == "v")) % 2
        turned = turned if number else parity
        if parity != turned:
            raise _WrongPlaceError(
                "triangles that point up and down take turns, along a row and up a column",
                (column, height, mark),
            )
    for column, height, mark in marks:
        yield (column - height - first + turned) // 2, height, int(mark == "v")


def _edges(places: list[Place]) -> Iterator[Cell]:
    """Crossing points have even columns and rows; edges lie between them."""
    marks = [place for place in places if place[2] in "-|"]
    for place in places:
        if place[2] not in "-|+.":
            raise _WrongPlaceError("an edge is drawn - or |, a crossing point + or .", place)
    if not marks:
        return
    column, height, mark = marks[0]
    left = min(place[0] for place in places)
    right = (column + (mark == "-")) % 2
    left -= (left - right) % 2
    under = (height + (mark == "|")) % 2
    for column, height, mark in places:
        across, up = (column - right) % 2, (height - under) % 2
        wanted = {(1, 0): "-", (0, 1): "|", (0, 0): "+"}.get((across, up), EMPTY)
        if mark not in (wanted, EMPTY):
            raise _WrongPlaceError(
                "edges lie between crossing points, which are two characters apart",
                (column, height, mark),
            )
        if mark in "-|":
            yield (column - left) // 2, (height + under) // 2, up


READERS: dict[str, Callable[[list[Place]], Iterator[Cell]]] = {
    "hexagonal": _hexagons,
    "triangular": _triangles,
    "sticks-square": _edges,
}


def _hexagon_place(cell: list[int]) -> Iterator[Place]:
    yield 2 * cell[0] + cell[1], cell[1], "#"


def _triangle_place(cell: list[int]) -> Iterator[Place]:
    x, y, down = cell
    yield 2 * x + y + down, y, "^v"[down]


def _edge_places(cell: list[int]) -> Iterator[Place]:
    x, y, up = cell
    yield 2 * x, 2 * y, "+"
    yield (2 * x, 2 * y + 1, "|") if up else (2 * x + 1, 2 * y, "-")
    yield (2 * x, 2 * y + 2, "+") if up else (2 * x + 2, 2 * y, "+")


PLACES: dict[str, Callable[[list[int]], Iterator[Place]]] = {
    "hexagonal": _hexagon_place,
    "triangular": _triangle_place,
    "sticks-square": _edge_places,
}


def _picture(places: list[Place]) -> str:
    left = min(column for column, _, _ in places)
    heights = [height for _, height, _ in places]
    rows: dict[int, dict[int, str]] = {
        height: {} for height in range(max(heights), min(heights) - 1, -1)
    }
    for column, height, mark in places:
        rows[height][column - left] = mark
    return "\n".join(
        "".join(row.get(column, " ") for column in range(max(row, default=-1) + 1))
        for row in rows.values()
    )
