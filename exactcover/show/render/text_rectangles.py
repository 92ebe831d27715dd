"""Large rectangles as text: walls drawn to scale, with the size of each rectangle inside.

A drawing of all cells would be hundreds of columns wide. So a few units are one column, and two
walls that are not in one line stay apart however near they are. Large bricks are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from exactcover.puzzle import Placement

WIDE = 76
"""The columns that a drawing takes, about."""

ROW = 2
"""The height of a row, in widths of a column."""

APART = 2
"""The least number of columns or rows between walls that are not in one line."""

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
WALLS = {
    0: " ", UP: "│", DOWN: "│", UP | DOWN: "│", LEFT: "─", RIGHT: "─", LEFT | RIGHT: "─",
    UP | LEFT: "┘", UP | RIGHT: "└", DOWN | LEFT: "┐", DOWN | RIGHT: "┌",
    UP | DOWN | LEFT: "┤", UP | DOWN | RIGHT: "├", UP | LEFT | RIGHT: "┴",
    DOWN | LEFT | RIGHT: "┬", UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip
"""The character of a point, by the sides on which a wall goes on from it."""


def draw_rectangles(placements: Iterable[Placement]) -> str:
    """The drawing of rectangles in their places, the highest y first; no line break at its end."""
    boxes = [(placement.piece, *_corners(placement)) for placement in placements]
    lows = [low for _, low, _ in boxes]
    highs = [high for _, _, high in boxes]
    wide = max(x for x, _ in highs) - min(x for x, _ in lows)
    scale = min(ROW, WIDE / wide)
    column = _scaled([x for x, _ in (*lows, *highs)], scale)
    height = _scaled([y for _, y in (*lows, *highs)], scale / ROW)
    top = max(height.values())
    sides: dict[tuple[int, int], int] = {}
    texts: dict[tuple[int, int], str] = {}
    for name, (x, y), (end_x, end_y) in boxes:
        left, right = column[x], column[end_x]
        upper, lower = top - height[end_y], top - height[y]
        for row in (upper, lower):
            for at, after in pairwise(range(left, right + 1)):
                sides[row, at] = sides.get((row, at), 0) | RIGHT
                sides[row, after] = sides.get((row, after), 0) | LEFT
        for at in (left, right):
            for row, below in pairwise(range(upper, lower + 1)):
                sides[row, at] = sides.get((row, at), 0) | DOWN
                sides[below, at] = sides.get((below, at), 0) | UP
        if len(name) < right - left:
            start = (left + right + 1 - len(name)) // 2
            texts |= {((upper + lower) // 2, start + at): sign for at, sign in enumerate(name)}
    columns = range(max(column.values()) + 1)
    lines = (
        "".join(texts.get((row, at)) or WALLS[sides.get((row, at), 0)] for at in columns)
        for row in range(top + 1)
    )
    return "\n".join(line.rstrip() for line in lines)


def list_bricks(placements: Iterable[Placement]) -> str:
    """A line for each brick: its name, its size as it lies, and its lowest corner."""
    rows = []
    for placement in placements:
        low, high = min(placement.cells), max(placement.cells)
        size = "x".join(str(last - first + 1) for first, last in zip(low, high, strict=True))
        rows.append((placement.piece, size, ",".join(map(str, low))))
    names, sizes = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{name:{names}}  {size:{sizes}} at {at}" for name, size, at in rows)


def _corners(placement: Placement) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lowest corner of a rectangle, and the highest."""
    (x, y), (last_x, last_y) = min(placement.cells), max(placement.cells)
    return (x, y), (last_x + 1, last_y + 1)


def _scaled(places: Sequence[int], scale: float) -> dict[int, int]:
    """The column or row of each place: to scale, but no two too near to each other."""
    found: dict[int, int] = {}
    first, before = min(places), -APART
    for place in sorted(set(places)):
        before = max(before + APART, round((place - first) * scale))
        found[place] = before
    return found
