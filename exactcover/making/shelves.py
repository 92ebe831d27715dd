"""Rectangles side by side on sheets: in rows, the deepest first."""

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
    found: dict[int, Spot] = {}
    number, x, y, deep = 0, spacing, spacing, 0.0
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place][1], place)):
        width, height = sizes[place]
        if x + width + spacing > sheet[0] and x > spacing:  # the next row
            x, y, deep = spacing, y + deep + spacing, 0.0
        if y + height + spacing > sheet[1]:  # the next sheet
            number, x, y, deep = number + 1, spacing, spacing, 0.0
        found[place] = Spot(number, x, y, turned[place])
        x, deep = x + width + spacing, max(deep, height)
    return [found[place] for place in range(len(sizes))]


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
