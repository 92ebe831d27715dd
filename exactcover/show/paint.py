"""Paints the tiles of a sheet in the colours of the parts that own them: pictures and films.

Cells in the plane are painted part by part. A polygon, the outline of a piece, is exact: it is made
of the whole numbers of its tiles.

Cells in space are painted from the back to the front: the tiles of a solid sheet come in the order
of the depths of their cells' centres. That order is right wherever the face between two neighbours
is orthogonal to the line between their centres, as it is in all our lattices: a ray towards the
viewer passes such a face only from the cell that lies deeper to the other one, so of two cells on
one ray the nearer has the nearer centre. A line is drawn where a piece ends or has an edge, not
between two of its faces in one plane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import Literal

import numpy as np

from exactcover.base.values.products import length
from exactcover.geometry.bodies import caption, ring
from exactcover.show.board import LABEL, BoardState, DrawnBoard, Part
from exactcover.show.outlines import NOTHING, Polygon, area, loops_of, middle, unhidden
from exactcover.show.palette import EDGE, EMPTY, FAINT, INK, Tone, ink_on, shaded
from exactcover.show.svg import (
    Disc,
    Figure,
    Label,
    Path,
    Point,
    Shape,
    captioned,
    in_grid,
    joined,
    nested_grid,
)
from exactcover.show.tiles import NECK, Sheet, Tile, box, middle_of

LETTER = 0.62
"""The width of a letter, as a share of its height; that of a wide one."""

LONG = 6
"""This many layers stand in one row."""

WIDTH = 1.5
"""The width of the outline of a piece in the plane, in pixels."""

GAP = 0.6
"""How far a bar ends before a point where other pieces are, as a share of its width."""

SEAM, OUTLINE = 0.8, 1.3
"""The widths of the line that closes the seam between two faces of one colour, and of the outline
of a piece in space, in pixels. The first is narrower, so that it does not show beside the other."""

BRIGHTER = 0.02
"""By how much a bright face is preferred to a dark one as the place of a name."""

SPECK = 1e-3
"""A ball of which less is seen is left out, as a share of the square between neighbours."""

_ROUND = [(cos(number * pi / 12), sin(number * pi / 12)) for number in range(24)]
"""A disc as a polygon, as far as it is compared with others."""


@dataclass(frozen=True)
class Painted:
    """A tile, or what joins two balls, as shapes.

    outline  as it is seen, against the clock where y goes up
    covers   whether it hides what is behind it
    owner    the number of its part
    """

    tile: Tile
    shapes: tuple[Shape, ...]
    outline: Polygon
    covers: bool
    owner: int


@dataclass(frozen=True)
class Painter:
    """Paints the tiles that parts own.

    owner  the number of the part that owns each cell
    """

    owner: Mapping[int, int]
    parts: Sequence[Part]

    def _goes_on(self, tile: Tile, other: int) -> bool:
        """Whether the part of a tile goes on in another cell."""
        return self.owner.get(other) == self.owner[tile.cell]

    def _before(self, one: tuple[int, object]) -> tuple[bool, int]:
        return self.parts[one[0]].whole, one[0]

    # -- side by side ------------------------------------------------------------------------------

    def flat(self, sheet: Sheet) -> list[Shape]:
        """The tiles of cells in the plane that have a part; names on top."""
        of_part: dict[int, list[Tile]] = {}
        for tile in sheet.tiles:
            if tile.cell in self.owner:
                of_part.setdefault(self.owner[tile.cell], []).append(tile)
        ends = self._bar_ends(sheet)
        shapes: list[Shape] = []
        labels: list[Label] = []
        # The lines of the cells without a piece would cover those of the pieces.
        for number, tiles in sorted(of_part.items(), key=self._before):
            part = self.parts[number]
            if polygons := [tile for tile in tiles if not tile.size]:
                shapes.append(self._polygons(part, polygons))
            if bars := [tile for tile in tiles if len(tile.points) == 2]:
                shapes += self._bars(part, bars, number, ends)
            if discs := [tile for tile in tiles if len(tile.points) == 1]:
                shapes += self._discs(part, discs)
            labels += self._names(sheet, part, [tile.cell for tile in tiles])
        return [*shapes, *labels]

    def _polygons(self, part: Part, tiles: Sequence[Tile]) -> Path:
        """The outline of a piece, or the outlines of cells."""
        if not part.whole:
            loops = tuple(tile.points for tile in tiles)
            return Path(loops, part.tone, FAINT, 0.75, part.title)
        place = {key: point for tile in tiles
                 for key, point in zip(tile.keys, tile.points, strict=True)}  # fmt: skip
        ends = [
            edge
            for tile in tiles
            for edge, other in zip(ring(tile.keys), tile.beyond, strict=True)
            if not self._goes_on(tile, other)
        ]
        loops = tuple(tuple(place[key] for key in loop) for loop in loops_of(ends))
        return Path(loops, part.tone, EDGE, WIDTH, part.title)

    def _bar_ends(self, sheet: Sheet) -> dict[Point, Counter[int]]:
        """How many bars of each piece end at a point."""
        ends: dict[Point, Counter[int]] = {}
        for tile in sheet.tiles:
            number = self.owner.get(tile.cell, -1)
            if len(tile.points) == 2 and number >= 0 and self.parts[number].whole:
                for point in tile.points:
                    ends.setdefault(point, Counter())[number] += 1
        return ends

    def _bars(
        self, part: Part, tiles: Sequence[Tile], number: int, ends: Mapping[Point, Counter[int]]
    ) -> Iterator[Path]:
        """The bars of a piece on a wider dark one; those of a region as thin lines.

        A piece that ends at a point where other pieces are stops short of it, so that one sees
        where it ends; one that goes on there goes through.
        """
        if not part.whole:
            lines = tuple(tile.points for tile in tiles)
            yield Path(lines, line=FAINT, width=2, title=part.title)
            return
        width = tiles[0].size
        lines = tuple(
            _shortened(
                tile.points,
                [GAP * tile.size * (ends[point][number] == 1 and len(ends[point]) > 1)
                 for point in tile.points],
            )
            for tile in tiles
        )  # fmt: skip
        yield Path(lines, line=EDGE, width=1.25 * width, scaled=True)
        yield Path(lines, None, part.tone, width, part.title, scaled=True)

    def _discs(self, part: Part, tiles: Sequence[Tile]) -> Iterator[Shape]:
        """Discs, those of a piece that touch joined by a bar."""
        places = {tile.cell: tile.points[0] for tile in tiles}
        if part.whole:
            joints = tuple(
                (places[tile.cell], places[other])
                for tile in tiles
                for other in tile.beyond
                if other in places
            )
            if joints:
                yield Path(joints, line=part.tone, width=tiles[0].size, scaled=True)
        for tile in tiles:
            line = EDGE if part.whole else FAINT
            yield Disc(places[tile.cell], tile.size, part.tone, line, part.title)

    def _names(self, sheet: Sheet, part: Part, cells: Sequence[int]) -> Iterator[Label]:
        """The name of a part, in its middle or on each of its cells."""
        if not part.label:
            return
        cells = sorted(cells)
        if part.whole:
            cells = [cells[middle_of([sheet.names[cell][0] for cell in cells])]]
        for cell in cells:
            place, room = sheet.names[cell]
            yield name_at(place, part.label, room, part.tone)

    # -- from the back to the front ----------------------------------------------------------------

    def seen(self, sheet: Sheet, board: DrawnBoard, *, ground: bool) -> Iterator[Shape]:
        """The parts in space, as far as they are seen, with their names.

        ground  with the floor and the places of balls that no part owns
        """
        if ground and sheet.floor:
            yield Path(sheet.floor, EMPTY, FAINT, 0.7)
        for tile in sheet.tiles if ground else ():
            if tile.cell not in self.owner and len(tile.points) == 1:
                yield Disc(tile.points[0], 0.3 * tile.size, EMPTY, FAINT)
        painted = [*self.solid(sheet)]
        flat = all(one.tile.keys for one in painted)
        outlines, covers = [one.outline for one in painted], [one.covers for one in painted]
        seen = unhidden(outlines, covers, NOTHING if flat else SPECK * board.pitch**2)
        yield from (shape for number in seen for shape in painted[number].shapes)
        if flat:
            yield from _on_faces([(painted[number], seen[number]) for number in seen], self.parts)
        else:
            yield from _on_balls(painted, self.parts, board.pitch)

    def solid(self, sheet: Sheet) -> Iterator[Painted]:
        """The tiles with a part, but for those that a cell with a part hides."""
        balls = {tile.cell: tile for tile in sheet.tiles if len(tile.points) == 1}
        shown = [tile for tile in sheet.tiles
                 if tile.cell in self.owner and tile.front not in self.owner]  # fmt: skip
        outlined = {
            (self.owner[tile.cell], key)
            for tile in shown
            if tile.keys
            for edge, ends in zip(ring(tile.keys), self._ends(tile), strict=True)
            if ends
            for key in edge
        }
        for tile in shown:
            owner = self.owner[tile.cell]
            part, points, size = self.parts[owner], tile.points, tile.size
            if tile.keys:
                corners = [point for key, point in zip(tile.keys, points, strict=True)
                           if (owner, key) in outlined]  # fmt: skip
                face = tuple(self._face(tile, points, part, corners))
                yield Painted(tile, face, _turned(points), True, owner)
                continue
            line = EDGE if part.whole else FAINT
            if len(points) == 2:
                bar = _bar(points, size, part, line)
                yield Painted(tile, bar, _strip(points, 1.12 * size), False, owner)
                continue
            # What joins two balls is painted before both, so they cover its ends.
            for other in tile.beyond if part.whole else ():
                if self._goes_on(tile, other):
                    ends = (*points, *balls[other].points)
                    neck = _bar(ends, 2 * NECK * size, part, EDGE)
                    yield Painted(tile, neck, _strip(ends, 2 * NECK * size), False, owner)
            ball = Disc(points[0], size, part.tone, line, part.title, glossy=part.whole)
            yield Painted(tile, (ball,), _disc(points[0], size), True, owner)

    def _ends(self, tile: Tile) -> list[bool]:
        """For each edge of a face whether the outline of its piece is drawn there."""
        return [not self._goes_on(tile, other) or over in self.owner
                for other, over in zip(tile.beyond, tile.over, strict=True)]  # fmt: skip

    def _face(
        self, tile: Tile, points: tuple[Point, ...], part: Part, corners: Sequence[Point]
    ) -> Iterator[Path]:
        """A face of a solid.

        corners  those where an outline of its piece ends; a dot there, as wide as the line, is over
                 the end that the face itself has painted over
        """
        tone = shaded(part.tone, tile.light)
        if not part.whole:
            yield Path((points,), tone, FAINT, 0.75, part.title)
            return
        # A line of its own colour closes the seam that two filled faces would show.
        yield Path((points,), tone, tone, SEAM, part.title)
        ends = [edge for edge, end in zip(ring(points), self._ends(tile), strict=True) if end]
        covered = {point for edge in ends for point in edge}
        ends += [(point, point) for point in corners if point not in covered]
        if ends:
            yield Path(tuple(ends), line=EDGE, width=OUTLINE)


def _shortened(ends: tuple[Point, ...], short: Sequence[float]) -> tuple[Point, ...]:
    first, second = np.array(ends)
    along = (second - first) / length(second - first)
    first, second = first + short[0] * along, second - short[1] * along
    return (float(first[0]), float(first[1])), (float(second[0]), float(second[1]))


def _bar(ends: tuple[Point, ...], width: float, part: Part, line: Tone) -> tuple[Path, Path]:
    """A bar between two points: a wide dark one, and its colour on it."""
    tone = shaded(part.tone, 0.9)
    return (
        Path((ends,), None, line, 1.12 * width, scaled=True),
        Path((ends,), None, tone, width, part.title, scaled=True),
    )


def _turned(points: Sequence[Point]) -> Polygon:
    return [(x, -y) for x, y in points]


def _disc(centre: Point, radius: float) -> Polygon:
    return [(centre[0] + radius * x, radius * y - centre[1]) for x, y in _ROUND]


def _strip(ends: Sequence[Point], width: float) -> Polygon:
    first, second = np.array(_turned(ends))
    along = second - first
    reach = 0.5 * width * along / (length(along) or 1.0)
    side = np.array([-reach[1], reach[0]])
    corners = first - reach - side, second + reach - side, second + reach + side
    return [(float(x), float(y)) for x, y in (*corners, first - reach + side)]


# -- pictures -------------------------------------------------------------------------------------


View = Literal["solid", "layers", "flat"]
"""How cells in space are drawn: whole, layer by layer, or layer by layer as seen from above."""


def figure(
    board: DrawnBoard, state: BoardState, *, view: View = "solid", ground: bool = False
) -> Figure:
    """The figure of a board.

    ground  all cells have a place in the figure, also those that no part owns
    """
    owner = {cell: number for cell, number in enumerate(state.owners) if number >= 0}
    painter = Painter(owner, state.parts)
    cells = None if ground else owner.keys()

    def painted(sheet: Sheet) -> Figure:
        shapes = painter.seen(sheet, board, ground=ground) if sheet.solid else painter.flat(sheet)
        return Figure.around(shapes, np.array(box(sheet, cells)))

    if not board.solid:
        return _with_joints(painted(board.flat[()][0.0]), board)
    sheets = board.solids
    if view != "solid":
        sheets = {
            (Fraction(height).limit_denominator(10**6), *block): sheet
            for block, those in (board.flat if view == "flat" else board.layers).items()
            for height, sheet in those.items()
        }
    figures = {
        place: painted(sheets[place])
        for place in sorted(sheets, key=lambda place: place[::-1])
        if cells is None or any(tile.cell in cells for tile in sheets[place].tiles)
    }
    if len(figures) == 1:
        return next(iter(figures.values()))
    if view != "layers":  # equal cells of all blocks stand alike
        low = np.min([figure.low for figure in figures.values()], axis=0).tolist()
        high = np.max([figure.high for figure in figures.values()], axis=0).tolist()
        figures = {place: replace(one, low=tuple(low), high=tuple(high))
                   for place, one in figures.items()}  # fmt: skip
    axes, gap, count = "wvu" if view == "solid" else "zwvu", 0.4 * board.pitch, len(figures)
    for place, figure in figures.items():
        figures[place] = captioned(figure, caption(place, axes), 0.3 * board.pitch)
    if all(len(place) == 1 for place in figures):
        columns = count if count <= LONG else ceil(sqrt(2 * count))
        return in_grid([*figures.values()], columns, gap)
    wide, tall = np.max([figure.size for figure in figures.values()], axis=0).tolist()
    placed = []
    for place, (x, y) in nested_grid(figures, (wide, tall), gap).items():
        width, height = figures[place].size
        placed.append(figures[place].at(x + (wide - width) / 2, y + (tall - height) / 2))
    return joined(placed)


def _with_joints(figure: Figure, board: DrawnBoard) -> Figure:
    """The figure of a wrapped board in the plane, with letters at its joined sides."""
    if not board.joints:
        return figure
    labels = [Label(at, letter, 0.4 * board.pitch, INK) for at, letter in board.joints]
    far = LABEL * board.pitch
    (left, top), (right, bottom) = figure.low, figure.high
    shapes = (*figure.shapes, *labels)
    return Figure(shapes, (left - far, top - far), (right + far, bottom + far))


def name_at(place: Point, text: str, room: float, ground: Tone) -> Label:
    """A name in a circle of radius `room`; a long one is smaller, and one that is too long cut."""
    least = 0.42 * room
    fits = max(3, int(2.1 * room / (LETTER * least)))
    if len(text) > fits:
        text = text[: fits - 1] + "…"
    size = min(1.1 * room, 1.9 * room / (LETTER * max(1, len(text))))
    return Label(place, text, max(size, least), ink_on(ground))


def _on_faces(seen: Sequence[tuple[Painted, Polygon]], parts: Sequence[Part]) -> list[Label]:
    """The name of each part, where most room is for it."""
    best: dict[int, tuple[float, Label]] = {}
    for painted, clear in seen:
        part, light = parts[painted.owner], painted.tile.light
        # Equal areas differ in their last digits, by the release of numpy.
        size = round(area(clear) * (1 + BRIGHTER * light), 6)
        if not part.label or size <= best.get(painted.owner, (0.0,))[0]:
            continue
        x, y = middle(clear)
        room = min(
            abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]))
            / (hypot(b[0] - a[0], b[1] - a[1]) or 1.0)
            for a, b in zip(clear, clear[1:] + clear[:1], strict=True)
            if a != b
        )
        label = name_at((x, -y), part.label, room, shaded(part.tone, light))
        best[painted.owner] = size, label
    return [label for _, label in best.values()]


def _on_balls(painted: Sequence[Painted], parts: Sequence[Part], pitch: float) -> list[Label]:
    """The name of each part on the nearest of its balls or bars whose middle can be seen."""
    tiles = [one for one in painted if one.covers or len(one.tile.points) > 1]
    places = np.array([np.mean(one.tile.points, axis=0) for one in tiles])
    named: dict[int, Label] = {}
    for number in range(len(tiles) - 1, -1, -1):
        owner, place = tiles[number].owner, places[number]
        nearer = length(places[number + 1 :] - place) < 0.7 * pitch
        if parts[owner].label and owner not in named and not nearer.any():
            at = float(place[0]), float(place[1])
            named[owner] = name_at(at, parts[owner].label, 0.3 * pitch, parts[owner].tone)
    return [*named.values()]
