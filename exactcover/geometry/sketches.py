"""Cells from a drawing of several lines, and back, as the lattice says.

A drawing looks like what it means: the top line is the highest row. `.` is an empty place. The
lowest left place is the cell with coordinates 0; of several kinds of cell at one vector, it is any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from exactcover.errors import FormatError, shown
from exactcover.lattices import Cells, Lattice
from exactcover.lattices.view import EMPTY, MAX_ROWS, Rows, Sketch, Spot

Cell = tuple[int, ...]
Place = tuple[int, int, str]
"""A column, a row counted from the bottom, and the character there."""

POINT = "+"


def sketched_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a drawing; every mark is one. There may be none."""
    if isinstance(lattice.sketch, Rows):
        return [cell for cell, _ in marked_cells(lattice, text, _marks)]
    if lattice.sketch is None:
        raise FormatError(f"there are no drawings on the lattice {lattice.name}: list the cells")
    rows = _rows(text)
    cells = _sketched(lattice.sketch, list(_places(rows)), rows)
    return [cell[: lattice.width] for cell in cells]


def sketch_of(lattice: Lattice, cells: Cells) -> str | None:
    """A drawing of cells, at least one, or None where the lattice has no drawings."""
    if isinstance(lattice.sketch, Rows):
        return rows_of(lattice, cells - cells.min(axis=0), ["#"] * len(cells))
    if lattice.sketch is None:
        return None
    kinds = lattice.kind_numbers(cells).tolist()
    vectors = lattice.vectors(cells).tolist()
    return _picture(
        [
            place
            for (x, y), kind in zip(vectors, kinds, strict=True)
            for place in _drawn_cell(lattice.sketch, x, y, kind)
        ]
    )


# -- rows of cells --------------------------------------------------------------------------------


def _marks(row: str) -> list[str]:
    return [mark for mark in row if not mark.isspace()]


def marked_cells(
    lattice: Lattice, text: str, split: Callable[[str], list[str]]
) -> Iterator[tuple[Cell, str]]:
    """The filled places of a drawing in 1 to 4 dimensions, and what stands there."""
    dimension = lattice.dimension
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


def rows_of(lattice: Lattice, cells: Cells, words: Sequence[str]) -> str:
    """The rows of a box with a word for each of these cells, none of them negative."""
    padded = np.zeros((len(cells), MAX_ROWS), np.int64)
    padded[:, : lattice.dimension] = cells
    column = max(map(len, words))
    places = np.full(tuple(padded.max(axis=0) + 1), EMPTY.rjust(column), object)
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


def _rows(text: str) -> list[str]:
    """The rows of a drawing from the bottom up, without blank ones below and above."""
    rows = text.split("\n")[::-1]
    filled = [number for number, row in enumerate(rows) if row.strip()]
    if not filled:
        raise FormatError("the drawing is empty")
    return rows[filled[0] : filled[-1] + 1]


def _places(rows: list[str]) -> Iterator[Place]:
    """The characters that are not blank, as (column, row from the bottom, character)."""
    for height, row in enumerate(rows):
        if "\t" in row:
            raise FormatError("a tab in a drawing: use blanks", token=shown(row.strip()))
        for column, character in enumerate(row):
            if character != " ":
                yield column, height, character


def _sketched(sketch: Sketch, places: Sequence[Place], rows: Sequence[str]) -> Iterator[Cell]:
    """The cells of a sketch, each with its kind, in the order of the places."""
    known = set(sketch.marks) | {EMPTY} | ({POINT} if sketch.points else set())
    for column, height, mark in places:
        if sketch.marks and mark not in known:
            raise _misplaced(f"a cell is drawn {_choices(sketch)}", column, rows[height])
    # Where each kind has a mark of its own, a place between cells may be marked as empty.
    firm = [place for place in places if not sketch.marks or place[2] != EMPTY]
    first = next((place for place in firm if place[2] in sketch.marks or not sketch.marks), None)
    if first is None:
        return
    starts = [
        (first[0] - column, first[1] - height)
        for (column, height), mark in zip(sketch.places, _marks_of(sketch), strict=True)
        if mark in (None, first[2])
    ]
    unfit = [_first_unfit(sketch, firm, start) for start in starts]
    if None not in unfit:
        column, height, _ = unfit[0] or first
        raise _misplaced(sketch.rule, column, rows[height])
    start = _origin(sketch, places, starts[unfit.index(None)])
    kinds = {sketch.residue(place): kind for kind, place in enumerate(sketch.places)}
    for column, height, mark in firm:
        if mark == EMPTY or (mark == POINT and sketch.points):
            continue
        spot = (column - start[0], height - start[1])
        kind = kinds[sketch.residue(spot)]
        right, above = sketch.places[kind]
        yield *sketch.unit((spot[0] - right, spot[1] - above)), kind


def _marks_of(sketch: Sketch) -> Sequence[str | None]:
    """For each kind its own mark, or None where any will do."""
    return list(sketch.marks) or [None] * len(sketch.places)


def _first_unfit(sketch: Sketch, places: Sequence[Place], start: Spot) -> Place | None:
    """The first place where there can be no such mark if the vector 0 is at `start`."""
    allowed: dict[str | None, set[Spot]] = {}
    for (column, height), mark in zip(sketch.places, _marks_of(sketch), strict=True):
        allowed.setdefault(mark, set()).add(sketch.residue((column, height)))
    for (column, height), ring in zip(sketch.places, sketch.points, strict=False):
        spots = {sketch.residue((column + right, height + above)) for right, above in ring}
        allowed.setdefault(POINT, set()).update(spots)
    for place in places:
        mark = place[2] if place[2] in allowed else None
        spot = (place[0] - start[0], place[1] - start[1])
        if sketch.residue(spot) not in allowed[mark]:
            return place
    return None


def _origin(sketch: Sketch, places: Sequence[Place], start: Spot) -> Spot:
    """Where the vector 0 is, moved by whole vectors so that the drawing begins there.

    If rows slant, it is the unit of the lowest left place; otherwise the lowest left corner.
    """
    slants = sketch.across[1] != 0 or sketch.up[0] != 0
    lowest = min(height for _, height, _ in places)
    left = min(column for column, height, _ in places if height == lowest)
    spots = [(left, lowest)] if slants else [(column, height) for column, height, _ in places]
    units = [sketch.unit((column - start[0], height - start[1])) for column, height in spots]
    x, y = (min(values) for values in zip(*units, strict=True))
    return (
        start[0] + sketch.across[0] * x + sketch.across[1] * y,
        start[1] + sketch.up[0] * x + sketch.up[1] * y,
    )


def _choices(sketch: Sketch) -> str:
    """The marks of a sketch, for messages."""
    others, last = ", ".join(sketch.marks[:-1]), sketch.marks[-1]
    cells = f"{others} or {last}" if others else last
    return f"{cells}, a point between cells + or ." if sketch.points else cells


def _misplaced(rule: str, column: int, row: str) -> FormatError:
    message = f"{rule}: not so in column {column + 1} of this row"
    return FormatError(message, token=shown(row.strip()))


def _drawn_cell(sketch: Sketch, x: int, y: int, kind: int) -> Iterator[Place]:
    """The marks of a cell: the points beside it, and its own."""
    column, height = sketch.spot(x, y, kind)
    for right, above in sketch.points[kind] if sketch.points else ():
        yield column + right, height + above, POINT
    yield column, height, sketch.mark(kind)


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
