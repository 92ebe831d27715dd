"""Where blocks of cells stand in space: slices of more than three dimensions, and pieces in rows.

The fourth coordinate counts blocks to the right, the fifth towards the reader, the sixth to the
right again with a wider gap, so that grids are nested, as on pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, sqrt

import numpy as np

from exactcover.render.bodies import BAR, Block, Bodies
from exactcover.render.parts import Cell
from exactcover.values.products import Floats

GAP = 1.0
"""Between blocks, in pitches."""


def extent(bodies: Bodies, cells: Iterable[Cell]) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of the box round cells, in their own block."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for cell in cells:
        body = bodies.body(cell)
        points = (
            bodies.in_space(bodies.corners(cell)) if body.corners else bodies.centre(cell)[None]
        )
        reach = 0.0 if body.sides else bodies.pitch / (6 if body.sort == BAR else 2)
        flat = points.shape[1]
        low[:flat] = np.minimum(low[:flat], points.min(axis=0) - reach)
        high[:flat] = np.maximum(high[:flat], points.max(axis=0) + reach)
    return np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)


def nested(bodies: Bodies, cells: Sequence[Cell]) -> dict[Block, Floats]:
    """The offset of each block of cells."""
    low, high = extent(bodies, cells)
    gap = GAP * bodies.pitch
    size = high - low
    places = sorted({bodies.block(cell) for cell in cells})
    offsets = {place: np.zeros(3) for place in places}
    for axis, values in enumerate(zip(*places, strict=True)):
        there = sorted(set(values))
        way, sign = (0, 1.0) if axis % 2 == 0 else (1, -1.0)
        step = size[way] + gap * (1 + axis // 2)
        for place in places:
            offsets[place][way] += sign * there.index(place[axis]) * step
        size[way] += (len(there) - 1) * step
    return offsets


def in_rows(sizes: Sequence[Floats], gap: float, ratio: float) -> list[Floats]:
    """Where boxes stand that are laid out in rows, the first at the back.

    sizes  of each box
    ratio  about how much wider than deep they are together
    """
    across = max(float(size[0]) for size in sizes) + gap
    down = max(float(size[1]) for size in sizes) + gap
    columns = max(1, min(len(sizes), ceil(sqrt(len(sizes) * ratio * down / across))))
    rows = [list(range(a, min(a + columns, len(sizes)))) for a in range(0, len(sizes), columns)]
    widths = [max(float(sizes[row[c]][0]) for row in rows if c < len(row)) for c in range(columns)]
    places: list[Floats] = []
    y = 0.0
    for row in rows:
        depth = max(float(sizes[number][1]) for number in row)
        x = 0.0
        for column, number in enumerate(row):
            width, own = sizes[number][:2]
            middle = x + (widths[column] - float(width)) / 2
            places.append(np.array([middle, y - (depth + float(own)) / 2, 0.0]))
            x += widths[column] + gap
        y -= depth + gap
    return places
