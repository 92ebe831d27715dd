"""Tiles laid out: the figure of parts for a picture, and the board of a region for films.

Cells in more than three dimensions are blocks in space: the fourth coordinate counts them across
the page, the fifth down, the sixth across again with a wider gap, so that grids are nested. A
picture may take cells in space apart in the same way, one block for each height.

A board shows cells in space twice: as solids seen along a diagonal, and layer by layer as seen from
above, so that nothing is hidden. Its tiles never move; only their colours change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, sqrt

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import Block, Bodies, as_tuples, bodies_of, caption
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell
from exactcover.show.render.paint import Painter, solid_shapes
from exactcover.show.render.parts import Patch, copies_across
from exactcover.show.render.svg import Figure, Point, Shape, captioned, in_grid
from exactcover.show.render.tiles import Sheet, box, flat_sheet, solid_sheet

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
    if not bodies.solid:
        return _figure(bodies, parts)
    blocks = _blocks(bodies, parts, layers)
    if len(blocks) == 1:
        return _figure(bodies, parts)
    figures = {place: _figure(bodies, block) for place, block in blocks.items()}
    if not layers:
        figures = _alike(figures)
    size = 0.3 * bodies.pitch
    named = {
        place: captioned(figure, caption(place, "zwvu" if layers else "wvu"), size)
        for place, figure in figures.items()
    }
    return _nested(named, 0.4 * bodies.pitch)


def _figure(bodies: Bodies, parts: Sequence[Patch]) -> Figure:
    """The parts in one block."""
    cells = [cell for part in parts for cell in part.cells]
    owner = dict(enumerate(number for number, part in enumerate(parts) for _ in part.cells))
    copies: dict[Cell, int] = {}
    for number, part in enumerate(parts):
        for cell in part.beyond:
            copies[cell] = len(owner)
            owner[len(owner)] = number
    shapes: list[Shape]
    if bodies.solid:
        sheet = solid_sheet(bodies, cells, range(len(cells)), copies)
        shapes = solid_shapes(sheet, owner, parts, bodies)
    else:
        sheet = flat_sheet(bodies, cells, range(len(cells)), copies, above=False)
        shapes = Painter(owner, parts).flat(sheet)
    return Figure.around(shapes, np.array(box(sheet)))


def _blocks(bodies: Bodies, parts: Sequence[Patch], layers: bool) -> Mapping[Block, list[Patch]]:
    """The parts of each block."""
    blocks: dict[Block, list[Patch]] = {}
    for part in parts:
        cells: dict[Block, list[Cell]] = {}
        for cell in part.cells:
            cells.setdefault(_place(bodies, cell, layers), []).append(cell)
        for place, here in cells.items():
            beside = tuple(
                cell for cell in part.beyond if bodies.block(cell) == bodies.block(here[0])
            )
            blocks.setdefault(place, []).append(replace(part, cells=tuple(here), beyond=beside))
    return blocks


def _place(bodies: Bodies, cell: Cell, layers: bool) -> Block:
    """The block of a cell; of layers, its height before that."""
    if not layers:
        return bodies.block(cell)
    return (Fraction(bodies.height(cell)).limit_denominator(10**6), *bodies.block(cell))


def _alike(figures: Mapping[Block, Figure]) -> dict[Block, Figure]:
    """The figures in boxes of one size, so that equal cells of all blocks stand alike."""
    low = np.min([figure.low for figure in figures.values()], axis=0).tolist()
    high = np.max([figure.high for figure in figures.values()], axis=0).tolist()
    return {
        place: replace(figure, low=tuple(low), high=tuple(high))
        for place, figure in figures.items()
    }


def _nested(figures: Mapping[Block, Figure], gap: float) -> Figure:
    """Blocks in a grid: the first coordinate counts across, the second down, and so on."""
    *inner, last = (sorted(set(values)) for values in zip(*figures, strict=True))
    if not inner:
        columns = len(last) if len(last) <= LONG else ceil(sqrt(2 * len(last)))
        return in_grid([figures[(value,)] for value in last], columns, gap)
    blank = replace(next(iter(figures.values())), shapes=())
    rows = [
        _nested({(*place,): figures.get((*place, value), blank) for place in product(*inner)}, gap)
        for value in last
    ]
    return in_grid(rows, len(rows) if len(inner) % 2 == 0 else 1, gap * (1 + len(inner)))


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
    """The board of a region; cells are numbered as in it."""
    bodies = bodies_of(space.lattice)
    cells = as_tuples(space.cells)
    copies = copies_across(space)
    if not bodies.solid:
        sheet = flat_sheet(bodies, cells, range(len(cells)), copies, above=False)
        return _composed([[[sheet]]], bodies.pitch)
    grid: dict[Block, list[list[Sheet]]] = {}
    for place, numbers in bodies.in_blocks(cells).items():
        here = {cell: n for cell, n in copies.items() if bodies.block(cell) == place}
        sheets = _in_space(bodies, cells, numbers, here, caption(place))
        grid.setdefault(place[1:], []).append(sheets)
    return _composed([row for _, row in sorted(grid.items())], bodies.pitch)


def _in_space(
    bodies: Bodies,
    cells: Sequence[Cell],
    numbers: Sequence[int],
    copies: Mapping[Cell, int],
    title: str,
) -> list[Sheet]:
    """A block: the solid, then its layers, the lowest first."""
    heights: dict[float, list[int]] = {}
    for number in numbers:
        heights.setdefault(bodies.height(cells[number]), []).append(number)
    layers = []
    for place, (level, those) in enumerate(sorted(heights.items()), 1):
        here = {cell: number for cell, number in copies.items() if bodies.height(cell) == level}
        layer = flat_sheet(bodies, cells, those, here, above=True)
        layers.append(replace(layer, title=f"layer {place}"))
    return [replace(solid_sheet(bodies, cells, numbers, copies), title=title), *layers]


def _composed(grid: Sequence[Sequence[Sequence[Sheet]]], pitch: float) -> LaidBoard:
    """Rows of blocks, each block its sheets side by side in as many lines as look well.

    All layers stand in boxes of one size, so that equal places of two layers lie alike.
    """
    placed: list[Sheet] = []
    boxes = [box(layer) for row in grid for _, *layers in row for layer in layers]
    low, high = _around(boxes) if boxes else ((0.0, 0.0), (0.0, 0.0))
    across, tall = high[0] - low[0], high[1] - low[1] + TITLE * pitch
    gap, width, y = GAP * pitch, 0.0, 0.0
    for row in grid:
        x = height = 0.0
        for sheets in row:
            (first, *layers), left = sheets, x
            wide, down = _size(first, pitch)
            placed.append(_moved(first, x, y, pitch, box(first)[0]))
            x += wide
            if layers:
                columns = min(
                    range(1, len(layers) + 1),
                    key=lambda many: max(
                        (wide + many * (across + gap)) / WIDE,
                        -(-len(layers) // many) * (tall + gap),
                    ),
                )
                for number, layer in enumerate(layers):
                    line, column = divmod(number, columns)
                    spot = x + gap + column * (across + gap), y + line * (tall + gap)
                    placed.append(_moved(layer, *spot, pitch, low))
                x += columns * (across + gap)
                down = max(down, -(-len(layers) // columns) * (tall + gap) - gap)
            height = max(height, down)
            x += 1.6 * gap
            assert x > left
        width = max(width, x - 1.6 * gap)
        y += height + gap
    return LaidBoard(tuple(placed), width, y - gap, pitch)


def _around(boxes: Iterable[tuple[Point, Point]]) -> tuple[Point, Point]:
    """The box around boxes."""
    lows, highs = (np.array(ends) for ends in zip(*boxes, strict=True))
    (x0, y0), (x1, y1) = lows.min(axis=0).tolist(), highs.max(axis=0).tolist()
    return (x0, y0), (x1, y1)


def _size(sheet: Sheet, pitch: float) -> Point:
    (x0, y0), (x1, y1) = box(sheet)
    return x1 - x0, y1 - y0 + (TITLE * pitch if sheet.title else 0.0)


def _moved(sheet: Sheet, x: float, y: float, pitch: float, corner: Point) -> Sheet:
    """The sheet with this corner here, below its title."""
    dx, dy = x - corner[0], y - corner[1] + (TITLE * pitch if sheet.title else 0.0)

    def moved(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((px + dx, py + dy) for px, py in points)

    return replace(
        sheet,
        tiles=tuple(
            replace(
                tile,
                points=moved(tile.points),
                stubs=tuple((cell, moved(line)) for cell, line in tile.stubs),
            )
            for tile in sheet.tiles
        ),
        floor=tuple(moved(face) for face in sheet.floor),
        names={cell: ((px + dx, py + dy), room) for cell, ((px, py), room) in sheet.names.items()},
        at=(x, y),
    )
