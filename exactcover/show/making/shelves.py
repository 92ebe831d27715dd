"""Rectangles side by side on sheets: the deepest first, each in the first row with room for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from exactcover.errors import ExactCoverError

Size = tuple[float, float]


@dataclass(frozen=True)
class Spot:
    """Where a rectangle lies: its sheet, its lower left corner, and whether it is turned."""

    sheet: int
    x: float
    y: float
    turned: bool


@dataclass
class _Row:
    """A row on a sheet: where its next rectangle goes."""

    sheet: int
    x: float
    y: float


def spots(
    sizes: Sequence[Size],
    names: Sequence[str],
    spacing: float,
    sheet: Size | None = None,
) -> list[Spot]:
    """A spot for each rectangle, with space between them and round them.

    sheet  width and height of a sheet; None: one sheet, about square, as large as is needed
    """
    if sheet is None:
        area = sum((w + spacing) * (h + spacing) for w, h in sizes)
        widest = max(w for w, _ in sizes) + 2 * spacing
        sheet = max(widest, 1.2 * sqrt(area) + spacing), inf
    turned = [
        _is_turned(size, name, spacing, sheet) for size, name in zip(sizes, names, strict=True)
    ]
    sizes = [(h, w) if turn else (w, h) for (w, h), turn in zip(sizes, turned, strict=True)]
    rows: list[_Row] = []
    heights: list[float] = []  # how much of each sheet is taken by rows
    found: dict[int, Spot] = {}
    order = sorted(range(len(sizes)), key=lambda place: (*_deepest(sizes[place]), place))
    for place in order:
        width, height = sizes[place]
        row = next((row for row in rows if row.x + width + spacing <= sheet[0]), None)
        if row is None:  # a row on the first sheet with room for one
            room = (n for n, taken in enumerate(heights) if taken + height + spacing <= sheet[1])
            number = next(room, len(heights))
            if number == len(heights):
                heights.append(spacing)
            row = _Row(number, spacing, heights[number])
            rows.append(row)
            heights[number] += height + spacing
        found[place] = Spot(row.sheet, row.x, row.y, turned[place])
        row.x += width + spacing
    return [found[place] for place in range(len(sizes))]


def _deepest(size: Size) -> Size:
    """The deepest first, of those the widest; rounded, so that equal ones keep their order."""
    return -round(size[1], 6), -round(size[0], 6)


def _is_turned(size: Size, name: str, spacing: float, sheet: Size) -> bool:
    """Whether a rectangle has to be turned by a quarter to fit on a sheet."""
    width, height = sheet[0] - 2 * spacing, sheet[1] - 2 * spacing
    for turned, (across, down) in ((False, size), (True, size[::-1])):
        if across <= width and down <= height:
            return turned
    raise ExactCoverError(
        f"{name} is {size[0]:.4g} x {size[1]:.4g} mm, which does not fit on a sheet of "
        f"{sheet[0]:.4g} x {sheet[1]:.4g} mm with {spacing:.4g} mm round it: take a larger "
        "sheet, a smaller unit or less spacing"
    )
