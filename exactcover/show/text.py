"""Solutions and shapes as text.

    drawer = Drawer(puzzle)
    for number, placements in enumerate(solutions, 1):
        print(heading(number))
        print(drawer.draw(placements))

Squares and cubes are drawn as polycube draws them, and what is drawn can be read back as a drawn
layout: rows of names, the highest y first, layers side by side. A lattice says how it is drawn by
its views. One that has none is drawn by the positions of its cells, or as a list if those make no
picture. A `Drawer` lays a puzzle out once and then draws thousands of solutions in a second.

Large rectangles are drawn to scale, since a drawing of all cells would be hundreds of columns wide:
a few units are one column, and walls that are not in one line stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from exactcover.base.text.names import numbered
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Lattice
from exactcover.lattices.view import EAST, JOINTS, LETTERS, NORTH, OUTLINE, SOUTH, WEST, View
from exactcover.puzzle import Placement, Puzzle, cells_array
from exactcover.puzzle.rectangles import has_large_pieces
from exactcover.show.text_sheet import BY_POSITION, TextSheet, lay_out, short_names

APART = 3
"""Blanks between small drawings."""

MOST_SHEETS = 8
"""Sheets that a `Drawer` keeps: solutions with as many copies of each piece share one."""


def heading(number: int) -> str:
    """The line above a solution; solutions are counted from 1."""
    return f"# --- SOLUTION {number} ---"


class Drawer:
    """Draws solutions of one puzzle: a name in each cell; walls where a name occurs twice.

    colour   a ground of its own for each piece, by the escape sequences of a terminal
    letters  without walls, also where a name occurs twice, and rectangles by their cells
    marked   copies of a piece are numbered where the drawing would not show where one ends
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        colour: bool = False,
        letters: bool = False,
        marked: bool = True,
    ) -> None:
        self._puzzle, self._letters = puzzle, letters
        self._colour, self._marked = colour, marked
        self._names = tuple(piece.name for piece in puzzle.pieces)
        self._sheet = lru_cache(MOST_SHEETS)(partial(_sheet, puzzle.space))
        self._by_size = not letters and has_large_pieces(puzzle)

    def draw(self, placements: Iterable[Placement]) -> str:
        """The drawing of a solution, or of a part of one; no line break at its end."""
        given = list(placements)
        if self._by_size and given:
            return draw_rectangles(given)
        lattice = self._puzzle.lattice
        view, placed = _viewed(lattice, given, letters=self._letters, marks=self._marked)
        names = self._names if placed is given else tuple(one.piece for one in placed)
        sheet = self._sheet(names, view)
        return _listed(placed) if sheet is None else sheet.draw(placed, colour=self._colour)


def draw_placements(
    lattice: Lattice,
    placements: Sequence[Placement],
    *,
    region_cells: npt.ArrayLike | None = None,
    colour: bool = False,
    letters: bool = False,
) -> str:
    """The drawing of pieces in their places; `colour` and `letters` as for a `Drawer`.

    region_cells  cells to draw, covered or not; None: those that are covered
    """
    covered = [cell for placement in placements for cell in placement.cells]
    cells = cells_array(lattice, covered if region_cells is None else region_cells, "the drawing")
    if not len(cells):
        return ""
    view, placed = _viewed(lattice, list(placements), letters=letters)
    sheet = _sheet(CellSet.of(lattice, cells), [placement.piece for placement in placed], view)
    return sheet.draw(placed, colour=colour) if sheet else _listed(placed)


def _viewed(
    lattice: Lattice, placed: list[Placement], *, letters: bool, marks: bool = True
) -> tuple[View, list[Placement]]:
    """How pieces are drawn; copies are numbered where it does not show where one ends.

    Walls show it, but not between layers.
    """
    copies = len({placement.piece for placement in placed}) < len(placed)
    plain = lattice.views.get(LETTERS, BY_POSITION)
    view = lattice.views.get(OUTLINE, plain) if copies and not letters else plain
    walled = all(glyph.walls for glyph in view.glyphs) and not view.layers
    return view, marked(placed) if copies and marks and not walled else placed


def marked(placements: Sequence[Placement]) -> list[Placement]:
    """The placements, those of a name that occurs more than once with a number behind it."""
    names = numbered([placement.piece for placement in placements])
    return [replace(one, piece=name) for one, name in zip(placements, names, strict=True)]


def draw_shape(lattice: Lattice, cells: npt.ArrayLike) -> str:
    """A small drawing of a shape, without names."""
    shape = CellSet.of(lattice, cells_array(lattice, cells, "the shape"))
    if not len(shape):
        return ""
    view = lattice.views.get(LETTERS, BY_POSITION)
    several = len(view.glyphs) > 1
    kinds = lattice.kind_numbers(shape.cells).tolist() if several else [0] * len(shape)
    bare = [view.glyphs[kind].bare for kind in kinds]
    sheet = lay_out(shape, view, {token: token for token in bare}, shape_only=True)
    placements = [
        Placement(token, (tuple(cell),))
        for token, cell in zip(bare, shape.cells.tolist(), strict=True)
    ]
    return sheet.draw(placements) if sheet else _listed(placements)


def draw_shapes(
    lattice: Lattice, shapes: Iterable[npt.ArrayLike], *, width: int = 80, names: Iterable[str] = ()
) -> str:
    """Small drawings of shapes side by side, standing on as many lines as the width needs; with
    names, each below its own."""
    rows: list[list[list[str]]] = [[]]
    used = 0
    for shape, name in zip_longest(shapes, names):
        block = draw_shape(lattice, shape).split("\n") + [name] * (name is not None)
        size = max(map(len, block))
        if rows[-1] and used + APART + size > width:
            rows.append([])
        used = used + APART + size if rows[-1] else size
        rows[-1].append([line.ljust(size) for line in block])
    drawn = []
    for blocks in rows:
        height = max(map(len, blocks), default=0)
        columns = [[" " * len(one[0])] * (height - len(one)) + one for one in blocks]
        lines = zip(*columns, strict=True)
        drawn.append("\n".join((" " * APART).join(line).rstrip() for line in lines))
    return "\n\n".join(drawn)


def _sheet(region: CellSet, names: Iterable[str], view: View) -> TextSheet | None:
    """The sheet of a region; None where its cells make no picture."""
    return lay_out(region, view, short_names(names, view.longest))


def _listed(placements: Iterable[Placement]) -> str:
    """Each piece with its cells, for placements that cannot be drawn."""
    return "\n".join(
        f"{placement.piece}: "
        + " ".join(f"({','.join(map(str, cell))})" for cell in placement.cells)
        for placement in placements
    )


# -- large rectangles ------------------------------------------------------------------------------

WIDE = 76
"""The columns that a drawing takes, about."""

ROW = 2
"""The height of a row, in widths of a column."""

NEAREST = 2
"""The least number of columns or rows between walls that are not in one line."""


def draw_rectangles(placements: Iterable[Placement]) -> str:
    """The drawing of rectangles in their places, the highest y first; no line break at its end."""
    boxes = []
    for placement in placements:
        (x, y), (last_x, last_y) = min(placement.cells), max(placement.cells)
        boxes.append((placement.piece, (x, y), (last_x + 1, last_y + 1)))
    places = [corner for _, *corners in boxes for corner in corners]
    across = [x for x, _ in places]
    scale = min(ROW, WIDE / (max(across) - min(across)))
    column = _scaled(across, scale)
    height = _scaled([y for _, y in places], scale / ROW)
    top = max(height.values())
    sides = np.zeros((top + 1, max(column.values()) + 1), np.int64)
    texts: dict[tuple[int, int], str] = {}
    for name, (x, y), (end_x, end_y) in boxes:
        left, right, upper, lower = column[x], column[end_x], top - height[end_y], top - height[y]
        sides[[upper, lower], left:right] |= EAST
        sides[[upper, lower], left + 1 : right + 1] |= WEST
        sides[upper:lower, [left, right]] |= SOUTH
        sides[upper + 1 : lower + 1, [left, right]] |= NORTH
        if len(name) < right - left:
            start = (left + right + 1 - len(name)) // 2
            texts |= {((upper + lower) // 2, start + at): sign for at, sign in enumerate(name)}
    drawn = np.array([*JOINTS])[sides].tolist()
    for (row, at), sign in texts.items():
        drawn[row][at] = sign
    return "\n".join("".join(line).rstrip() for line in drawn)


def _scaled(places: Sequence[int], scale: float) -> dict[int, int]:
    """The column or row of each place: to scale, but no two too near to each other."""
    found: dict[int, int] = {}
    first, before = min(places), -NEAREST
    for place in sorted(set(places)):
        before = max(before + NEAREST, round((place - first) * scale))
        found[place] = before
    return found
