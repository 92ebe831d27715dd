"""A board spread out as sheets of tiles, laid out in one drawing.

Cells in the plane are one sheet. Cells in space are shown twice: as solids seen along a diagonal,
and layer by layer as seen from above, so that nothing is hidden. Cells in more than three
dimensions are blocks of these, in the order of `figures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from exactcover.geometry.cells import CellSet
from exactcover.show.render.boards import copies_across
from exactcover.show.render.bodies import Block, Bodies, as_tuples, bodies_of, caption
from exactcover.show.render.parts import Cell
from exactcover.show.render.svg import Point
from exactcover.show.render.tiles import Sheet, flat_sheet, solid_sheet

GAP = 0.5
"""Between two sheets, in distances of neighbours."""

WIDE = 1.5
"""How much wider than high a block should be."""

TITLE = 0.5
"""The height of the title of a sheet, in distances of neighbours."""


@dataclass(frozen=True)
class Board:
    """The sheets of a region, in one drawing of this width and height, in units of its own.

    pitch  the distance between neighbours
    """

    sheets: tuple[Sheet, ...]
    width: float
    height: float
    pitch: float


def board_of(space: CellSet) -> Board:
    """The board of a region; cells are numbered as in it."""
    bodies = bodies_of(space.lattice)
    cells = as_tuples(space.cells)
    copies = copies_across(space)
    if not bodies.solid:
        sheet = flat_sheet(bodies, cells, range(len(cells)), copies, above=False)
        return _composed([[[sheet]]], bodies.pitch)
    blocks: dict[Block, list[int]] = {}
    for number, cell in enumerate(cells):
        blocks.setdefault(bodies.block(cell), []).append(number)
    grid: dict[Block, list[list[Sheet]]] = {}
    for place, numbers in sorted(blocks.items()):
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

    def height(cell: Cell) -> float:
        return round(float(bodies.centre(cell)[2]), 6)

    heights: dict[float, list[int]] = {}
    for number in numbers:
        heights.setdefault(height(cells[number]), []).append(number)
    layers = []
    for level, those in sorted(heights.items()):
        here = {cell: number for cell, number in copies.items() if height(cell) == level}
        layer = flat_sheet(bodies, cells, those, here, above=True)
        layers.append(replace(layer, title=f"z={level:.3g}"))
    return [replace(solid_sheet(bodies, cells, numbers, copies), title=title), *layers]


# -- the drawing as a whole -----------------------------------------------------------------------


def _composed(grid: Sequence[Sequence[Sequence[Sheet]]], pitch: float) -> Board:
    """Rows of blocks, each block its sheets side by side in as many lines as look well."""
    placed: list[Sheet] = []
    gap, width, y = GAP * pitch, 0.0, 0.0
    for row in grid:
        x = height = 0.0
        for sheets in row:
            (first, *layers), left = sheets, x
            sizes = [_size(sheet, pitch) for sheet in sheets]
            placed.append(_moved(first, x, y, pitch))
            x, down = x + sizes[0][0], sizes[0][1]
            if layers:
                across = max(w for w, _ in sizes[1:])
                high = max(h for _, h in sizes[1:])
                columns = min(
                    range(1, len(layers) + 1),
                    key=lambda many: max(
                        (sizes[0][0] + many * (across + gap)) / WIDE,
                        -(-len(layers) // many) * (high + gap),
                    ),
                )
                for number, layer in enumerate(layers):
                    line, column = divmod(number, columns)
                    spot = x + gap + column * (across + gap), y + line * (high + gap)
                    placed.append(_moved(layer, *spot, pitch))
                x += columns * (across + gap)
                down = max(down, -(-len(layers) // columns) * (high + gap) - gap)
            height = max(height, down)
            x += 1.6 * gap
            assert x > left
        width = max(width, x - 1.6 * gap)
        y += height + gap
    return Board(tuple(placed), width, y - gap, pitch)


def _box(sheet: Sheet) -> tuple[Point, Point]:
    """The least and the greatest x and y of what is drawn."""
    xs, ys = [], []
    for tile in sheet.tiles:
        reach = tile.size if len(tile.points) == 1 else 0.7 * tile.size
        xs += [x + sign * reach for x, _ in tile.points for sign in (-1, 1)]
        ys += [y + sign * reach for _, y in tile.points for sign in (-1, 1)]
        xs += [x for _, line in tile.stubs for x, _ in line]
        ys += [y for _, line in tile.stubs for _, y in line]
    for face in sheet.floor:
        xs += [x for x, _ in face]
        ys += [y for _, y in face]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _size(sheet: Sheet, pitch: float) -> Point:
    (x0, y0), (x1, y1) = _box(sheet)
    return x1 - x0, y1 - y0 + (TITLE * pitch if sheet.title else 0.0)


def _moved(sheet: Sheet, x: float, y: float, pitch: float) -> Sheet:
    """The sheet with its left upper corner here, below its title."""
    (x0, y0), _ = _box(sheet)
    dx, dy = x - x0, y - y0 + (TITLE * pitch if sheet.title else 0.0)

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
