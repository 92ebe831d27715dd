"""Tiles laid out: the figure of parts for a picture, and the board of a region for films.

Cells in more than three dimensions are blocks in space, which stand in a nested grid. A picture may
take cells in space apart in the same way, one block for each height.

A board shows cells in space twice: as solids seen along a diagonal, and layer by layer as seen from
above, so that nothing is hidden. Its tiles never move; only their colours change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, hypot, sqrt
from string import ascii_lowercase

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import Block, Bodies, bodies_of, caption, ring
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell
from exactcover.show.paint import Painter, solid_shapes
from exactcover.show.palette import INK
from exactcover.show.parts import Numbered, Patch, middle_of
from exactcover.show.svg import (
    Figure,
    Label,
    Point,
    Shape,
    captioned,
    in_grid,
    joined,
    nested_grid,
)
from exactcover.show.tiles import Sheet, box, flat_sheet, solid_sheet

JOINED = "Opposite sides of the board are joined"
"""The sentence for the description of a picture of a wrapped board."""

LABEL = 0.35
"""How far from a joined side its letter stands, in distances of neighbours."""

MAX_CELLS = 20_000
"""A picture of more cells would take minutes to make and to show."""

LONG = 6
"""This many layers stand in one row."""

GAP = 0.5
"""Between two sheets, in distances of neighbours."""

WIDE = 1.5
"""How much wider than high a block should be."""

TITLE = 0.5
"""The height of the title of a sheet, in distances of neighbours."""


# -- the figure of parts ---------------------------------------------------------------------------


def figure_of(lattice: Lattice, parts: Iterable[Patch], *, layers: bool = False) -> Figure:
    """The figure of parts; `layers` takes cells in space apart by their height."""
    parts = [part for part in parts if part.cells]
    count = sum(len(part.cells) for part in parts)
    if not count:
        raise ExactCoverError("there are no cells to draw")
    if count > MAX_CELLS:
        raise ExactCoverError(f"{count:,} cells are too many for a picture: up to {MAX_CELLS:,}")
    bodies = bodies_of(lattice)
    cells: list[tuple[int, Cell]] = []
    owner: dict[int, int] = {}
    for number, part in enumerate(parts):
        owner |= dict.fromkeys(range(len(cells), len(cells) + len(part.cells)), number)
        cells += enumerate(part.cells, len(cells))
    painter = Painter(owner, parts)
    if not bodies.solid:
        return _figure(bodies, Numbered(cells), painter)
    blocks = Numbered(cells).divided(bodies.block)
    if layers:
        blocks = {
            (Fraction(level).limit_denominator(10**6), *block): layer
            for block, here in blocks.items()
            for level, layer in here.divided(bodies.height).items()
        }
    in_rows = sorted(blocks, key=lambda place: place[::-1])
    figures = {place: _figure(bodies, blocks[place], painter) for place in in_rows}
    if len(figures) == 1:
        return figures[in_rows[0]]
    if not layers:  # equal cells of all blocks stand alike
        low = np.min([figure.low for figure in figures.values()], axis=0).tolist()
        high = np.max([figure.high for figure in figures.values()], axis=0).tolist()
        boxed = (replace(one, low=tuple(low), high=tuple(high)) for one in figures.values())
        figures = dict(zip(figures, boxed, strict=True))
    axes, gap, count = "zwvu" if layers else "wvu", 0.4 * bodies.pitch, len(figures)
    for place, figure in figures.items():
        figures[place] = captioned(figure, caption(place, axes), 0.3 * bodies.pitch)
    if len(in_rows[0]) == 1:
        columns = count if count <= LONG else ceil(sqrt(2 * count))
        return in_grid([*figures.values()], columns, gap)
    wide, tall = np.max([figure.size for figure in figures.values()], axis=0).tolist()
    placed = []
    for place, (x, y) in nested_grid(figures, (wide, tall), gap).items():
        width, height = figures[place].size
        placed.append(figures[place].at(x + (wide - width) / 2, y + (tall - height) / 2))
    return joined(placed)


def _figure(bodies: Bodies, cells: Numbered, painter: Painter) -> Figure:
    """The cells of one block."""
    shapes: list[Shape]
    if bodies.solid:
        sheet = solid_sheet(bodies, cells.own)
        shapes = solid_shapes(sheet, painter, bodies)
    else:
        sheet = flat_sheet(bodies, cells, above=False)
        shapes = painter.flat(sheet)
    return Figure.around(shapes, np.array(box(sheet)))


def with_joints(figure: Figure, space: CellSet) -> Figure:
    """The figure of a wrapped board in the plane, with the same letter at two sides that are one.

    Sides that are joined by one translation have one letter, in their middle.
    """
    bodies = bodies_of(space.lattice)
    if space.periods is None or bodies.solid:
        return figure
    pitch = bodies.pitch
    sides: dict[Cell, list[tuple[Point, Point]]] = {}
    for tile in flat_sheet(bodies, Numbered.of(space), above=False).tiles:
        edges = [*ring(tile.points)]
        for one in tile.joined:
            (ax, ay), (bx, by) = edges[one.side]
            middle = round((ax + bx) / 2, 6), round((ay + by) / 2, 6)
            far = LABEL * pitch / hypot(bx - ax, by - ay)
            at = middle[0] - far * (by - ay), middle[1] + far * (bx - ax)
            sides.setdefault(one.shift, []).append((middle, at))
    labels = []
    shifts = sorted(shift for shift in sides if shift > _back(shift))
    for shift, letter in zip(shifts, ascii_lowercase, strict=False):
        for there in (shift, _back(shift)):
            # The sides at both ends are translates, so the same one of them is in the middle.
            in_order = sorted(sides[there])
            _, at = in_order[middle_of([middle for middle, _ in in_order])]
            labels.append(Label(at, letter, 0.4 * pitch, INK))
    low, high = ((x + by, y + by) for (x, y), by in
                 ((figure.low, -LABEL * pitch), (figure.high, LABEL * pitch)))  # fmt: skip
    return Figure((*figure.shapes, *labels), low, high)


def _back(shift: Cell) -> Cell:
    return tuple(-step for step in shift)


# -- the board of a region -------------------------------------------------------------------------


@dataclass(frozen=True)
class LaidBoard:
    """The sheets of a region, in one drawing of this width and height, in units of its own.

    pitch  the distance between neighbours
    """

    sheets: tuple[Sheet, ...]
    width: float
    height: float
    pitch: float


def board_of(space: CellSet) -> LaidBoard:
    """The board of a region; cells are numbered as in it.

    Of each block the solid stands first, then its layers, the lowest first, in as many lines as
    look well. All layers stand in boxes of one size, so that equal places of two layers lie alike.
    """
    bodies = bodies_of(space.lattice)
    cells, pitch = Numbered.of(space), bodies.pitch
    if not bodies.solid:
        sheet = flat_sheet(bodies, cells, above=False)
        (left, top), (right, bottom) = box(sheet)
        moved = replace(sheet, shift=(0.0 - left, 0.0 - top))
        return LaidBoard((moved,), right - left, bottom - top, pitch)
    in_blocks = cells.divided(bodies.block)
    blocks = {place: _in_space(bodies, here) for place, here in in_blocks.items()}
    corners = [box(layer) for _, *layers in blocks.values() for layer in layers]
    low, high = np.min(corners, axis=(0, 1)).tolist(), np.max(corners, axis=(0, 1)).tolist()
    gap, title = GAP * pitch, TITLE * pitch
    across, tall = high[0] - low[0] + gap, high[1] - low[1] + title + gap
    spots: dict[Block, list[tuple[Sheet, Point, Point]]] = {}
    sizes: list[Point] = []
    for place, (solid, *layers) in blocks.items():
        corner, end = box(solid)
        wide, down = end[0] - corner[0], end[1] - corner[1] + title * bool(solid.title)
        many = len(layers)
        columns, right, bottom = min(
            ((count, wide + count * across, -(-many // count) * tall)
             for count in range(1, many + 1)),
            key=lambda side: max(side[1] / WIDE, side[2]),
        )  # fmt: skip
        spots[place] = [(solid, corner, (0.0, 0.0))]
        for number, layer in enumerate(layers):
            line, column = divmod(number, columns)
            spots[place].append(
                (layer, (low[0], low[1]), (wide + gap + column * across, line * tall))
            )
        sizes.append((right, max(down, bottom - gap)))
    width, height = np.max(sizes, axis=0).tolist()
    places = nested_grid(blocks, (width, height), 1.6 * gap)
    sheets = []
    for place, (left, top) in places.items():
        for sheet, corner, (x, y) in spots[place]:
            at = left + x, top + y
            shift = at[0] - corner[0], at[1] - corner[1] + title * bool(sheet.title)
            sheets.append(replace(sheet, at=at, shift=shift))
    right, bottom = np.max([*places.values()], axis=0).tolist()
    return LaidBoard(tuple(sheets), right + width, bottom + height, pitch)


def _in_space(bodies: Bodies, cells: Numbered) -> list[Sheet]:
    """A block: the solid, then its layers, the lowest first."""
    layers = [
        replace(flat_sheet(bodies, layer, above=True), title=f"layer {place}")
        for place, layer in enumerate(cells.divided(bodies.height).values(), 1)
    ]
    (_, first), *_ = cells.own
    return [replace(solid_sheet(bodies, cells.own), title=caption(bodies.block(first))), *layers]
