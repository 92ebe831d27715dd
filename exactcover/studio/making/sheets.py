"""Cuts laid out on sheets, and the lines that a laser follows there.

A cut is what is laid on a sheet as one: a piece, all pieces of a solution, or a part of the tray.

Outlines of pieces that touch have lines in common. shapely cuts all outlines where they meet, which
leaves each stretch once, and joins stretches where only two of them meet. Each stroke begins near
the end of the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any

import numpy as np

from exactcover.base import Floats, length, shown
from exactcover.errors import ExactCoverError
from exactcover.show.packages import package
from exactcover.show.paint import LETTER
from exactcover.studio.making.flat_shapes import polygons

GRID = 1e-5
"""Millimetres; points that are nearer to each other are one."""

Stroke = Floats
"""Points in millimetres, float64 [n, 2]; a closed stroke ends where it starts."""


@dataclass(frozen=True)
class Word:
    """A name to be engraved: where its middle is, and how high it is, in millimetres."""

    x: float
    y: float
    height: float
    text: str


@dataclass(frozen=True, eq=False)
class CutSheet:
    """One sheet, in millimetres; y goes up from its lower left corner.

    strokes  the lines to cut, float64 [n, 2] each, in the order of cutting
    words    the names to engrave
    """

    width: float
    height: float
    strokes: tuple[Stroke, ...]
    words: tuple[Word, ...] = ()

    @property
    def length(self) -> float:
        """The length of all cuts, in millimetres."""
        return sum(float(length(np.diff(stroke, axis=0)).sum()) for stroke in self.strokes)


@dataclass(frozen=True, eq=False)
class Cut:
    """A shape that is laid on a sheet as one.

    shape     the polygon that is cut out
    middle    the point where its name is written; None: nowhere
    room      how large a name may be there: the radius of a circle
    pieces    what it consists of, if it is cut up further
    polygons  how many separate parts it is
    """

    name: str
    copies: int
    shape: Any
    middle: Any = None
    room: float = 0.0
    pieces: tuple[Cut, ...] = ()
    polygons: int = 1

    @property
    def size(self) -> Size:
        low_x, low_y, high_x, high_y = self.shape.bounds
        return high_x - low_x, high_y - low_y


def laid_out(
    cuts: Sequence[Cut], spacing: float, sheet: Size | None, *, names: bool
) -> list[CutSheet]:
    """All copies on sheets; without a size there is one sheet, as large as is needed."""
    copies = [one for one in cuts for _ in range(one.copies)]
    places = spots([one.size for one in copies], [one.name for one in copies], spacing, sheet)
    strokes: dict[int, list[Stroke]] = {}
    words: dict[int, list[Word]] = {}
    for one, spot in zip(copies, places, strict=True):
        lines = strokes.setdefault(spot.sheet, [])
        if one.pieces:
            lines += strokes_of([_placed(piece.shape, one, spot) for piece in one.pieces])
        else:  # holes before what is round them, so that nothing falls out first
            for part in polygons(_placed(one.shape, one, spot)):
                lines += in_order(np.array(ring.coords) for ring in part.interiors)
                lines.append(np.array(part.exterior.coords))
        for piece in one.pieces or (one,):
            if names and piece.middle is not None:
                place = _placed(piece.middle, one, spot)
                height = min(piece.room, 1.8 * piece.room / (LETTER * len(piece.name)))
                word = Word(place.x, place.y, height, piece.name)
                words.setdefault(spot.sheet, []).append(word)
    sheets = []
    for number, those in sorted(strokes.items()):
        width, height = sheet or np.concatenate(those).max(axis=0) + spacing
        sheets.append(
            CutSheet(float(width), float(height), tuple(those), tuple(words.get(number, ())))
        )
    return sheets


def _placed(shape: Any, whole: Cut, spot: Spot) -> Any:
    """A shape that is a part of something, where that lies on its sheet."""
    move = package("shapely.affinity")
    low_x, low_y, high_x, _ = whole.shape.bounds
    if not spot.turned:
        return move.translate(shape, spot.x - low_x, spot.y - low_y)
    # A quarter turn takes (x, y) to (y, -x).
    return move.affine_transform(shape, [0, 1, -1, 0, spot.x - low_y, spot.y + high_x])


# -- lines, each once ------------------------------------------------------------------------------


def strokes_of(shapes: Sequence[Any]) -> list[Stroke]:
    """The outlines of polygons, each line once."""
    shapely = package("shapely")
    lines = shapely.union_all([shape.boundary for shape in shapes], grid_size=GRID)
    merged = shapely.line_merge(lines).simplify(GRID)
    return in_order(np.array(line.coords) for line in getattr(merged, "geoms", [merged]))


def in_order(strokes: Iterable[Stroke]) -> list[Stroke]:
    """Strokes one after the other, each time the one that starts or ends nearest."""
    left = sorted(strokes, key=lambda stroke: tuple(stroke.min(axis=0)))
    order: list[Stroke] = []
    here = np.zeros(2)
    while left:
        ends = np.array([[stroke[0], stroke[-1]] for stroke in left])
        away = length(ends - here)
        number, end = np.unravel_index(int(np.round(away, 6).argmin()), away.shape)
        stroke = left.pop(int(number))
        order.append(stroke[::-1] if end else stroke)
        here = order[-1][-1]
    return order


# -- rectangles on sheets --------------------------------------------------------------------------


Size = tuple[float, float]


PAPER = {"A3": (297.0, 420.0), "A4": (210.0, 297.0), "A5": (148.0, 210.0), "letter": (215.9, 279.4)}

_MEASURES = re.compile(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


def sheet_size(sheet: object) -> Size | None:
    """Width and height of a sheet, from two numbers, a text such as "300x200", or a name."""
    if sheet is None:
        return None
    if isinstance(sheet, str):
        if size := {name.lower(): size for name, size in PAPER.items()}.get(sheet.lower()):
            return size
        if found := _MEASURES.fullmatch(sheet.strip()):
            sheet = float(found[1]), float(found[2])
    if isinstance(sheet, tuple | list) and len(sheet) == 2:
        sides = [float(side) for side in sheet if isinstance(side, int | float)]
        if len(sides) == 2 and all(1 <= side <= 100_000 for side in sides):
            return sides[0], sides[1]
    raise ExactCoverError(
        f"sheet={shown(sheet)}: it must be a width and a height in millimetres, such as 300x200, "
        f"or one of {', '.join(PAPER)}"
    )


@dataclass(frozen=True)
class Spot:
    """Where a rectangle lies: its sheet, its lower left corner, and whether it is turned."""

    sheet: int
    x: float
    y: float
    turned: bool


def spots(
    sizes: Sequence[Size], names: Sequence[str], spacing: float, sheet: Size | None = None
) -> list[Spot]:
    """A spot for each rectangle, with space between them and round them.

    sheet  width and height of a sheet; None: one sheet, about square, as large as is needed
    """
    if sheet is None:
        area = sum((w + spacing) * (h + spacing) for w, h in sizes)
        widest = max(w for w, _ in sizes) + 2 * spacing
        sheet = max(widest, 1.2 * sqrt(area) + spacing), inf
    turned = [_is_turned(*one, spacing, sheet) for one in zip(sizes, names, strict=True)]
    sizes = [(h, w) if turn else (w, h) for (w, h), turn in zip(sizes, turned, strict=True)]
    rows: list[Spot] = []  # the next place of each row
    heights: list[float] = []  # how much of each sheet is taken by rows
    found: dict[int, Spot] = {}
    # The deepest first, of those the widest; rounded, so that equal ones keep their order.
    rounded = np.round(sizes, 6)
    for place in np.lexsort((-rounded[:, 0], -rounded[:, 1])).tolist():
        width, height = sizes[place]
        fitting = (n for n, row in enumerate(rows) if row.x + width + spacing <= sheet[0])
        at = next(fitting, len(rows))
        if at == len(rows):  # a row on the first sheet with room for one
            room = (n for n, taken in enumerate(heights) if taken + height + spacing <= sheet[1])
            number = next(room, len(heights))
            if number == len(heights):
                heights.append(spacing)
            rows.append(Spot(number, spacing, heights[number], turned=False))
            heights[number] += height + spacing
        found[place] = replace(rows[at], turned=turned[place])
        rows[at] = replace(rows[at], x=rows[at].x + width + spacing)
    return [found[place] for place in range(len(sizes))]


def _is_turned(size: Size, name: str, spacing: float, sheet: Size) -> bool:
    """Whether a rectangle has to be turned by a quarter to fit on a sheet."""
    width, height = sheet[0] - 2 * spacing, sheet[1] - 2 * spacing
    for turned in (False, True):
        across, down = size[::-1] if turned else size
        if across <= width and down <= height:
            return turned
    raise ExactCoverError(
        f"{name} is {size[0]:.4g} x {size[1]:.4g} mm, which does not fit on a sheet of "
        f"{sheet[0]:.4g} x {sheet[1]:.4g} mm with {spacing:.4g} mm round it: take a larger "
        "sheet, a smaller unit or less spacing"
    )
