"""Draws the tiles of a board in the colours of the pieces that lie on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from exactcover.base.values.products import length
from exactcover.show.render.palette import EDGE, EMPTY, FAINT, OPTIONAL, Tone
from exactcover.show.render.parts import Part
from exactcover.show.render.space import Painter
from exactcover.show.render.svg import Disc, Path, Point, Shape
from exactcover.show.render.tiles import JOINT, Sheet, Tile


class Brush:
    """Draws the tiles of a board in the colours of the pieces that own them.

    owner  the piece that covers each cell; tones: the colours of the pieces
    """

    def __init__(
        self,
        owner: Mapping[int, int],
        tones: Sequence[Tone],
        optional: set[int],
        scale: float,
        origin: Point,
    ) -> None:
        self._owner, self._tones, self._optional = owner, tones, optional
        self._scale, self._origin = scale, origin

    def at(self, point: Point) -> Point:
        """Where a point of the board is in the frame."""
        return (
            self._origin[0] + point[0] * self._scale,
            self._origin[1] + point[1] * self._scale,
        )

    def _places(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(self.at(point) for point in points)

    def _tone(self, cell: int) -> Tone:
        owner = self._owner.get(cell)
        if owner is not None:
            return self._tones[owner]
        return OPTIONAL if cell in self._optional else EMPTY

    def _edges(self, tile: Tile, *, dashed: bool = False) -> Iterator[tuple[Point, Point]]:
        """The edges of a tile beyond which there is another piece, or none.

        dashed  instead those at the joint of a wrapped board across which the piece goes on
        """
        mine = self._owner[tile.cell]
        places = self._places(tile.points)
        sides = zip(places, (*places[1:], places[0]), tile.beyond, strict=True)
        for a, b, other in sides:
            joint = other <= JOINT
            goes_on = self._owner.get(JOINT - other if joint else other) == mine
            if (goes_on and joint) if dashed else not goes_on:
                yield a, b

    def _stubs(self, tiles: Sequence[Tile]) -> Iterator[Shape]:
        """Dashed lines from discs and bars to where a piece goes on across the joint."""
        lines = tuple(
            self._places(line)
            for tile in tiles
            for other, line in tile.stubs
            if tile.cell in self._owner and self._owner[tile.cell] == self._owner.get(other)
        )
        if lines:
            yield Path(lines, line=EDGE, width=1.5, closed=False, dashed=True)

    # -- side by side ------------------------------------------------------------------------------

    def flat(self, sheet: Sheet) -> Iterator[Shape]:
        """Cells side by side, empty ones too."""
        polygons = [tile for tile in sheet.tiles if not tile.size]
        loops: dict[tuple[bool, Tone], list[tuple[Point, ...]]] = {}
        for tile in polygons:
            filled = tile.cell in self._owner
            key = filled, self._tone(tile.cell)
            loops.setdefault(key, []).append(self._places(tile.points))
        for (filled, tone), those in sorted(loops.items(), key=lambda entry: entry[0][0]):
            yield Path(tuple(those), tone, tone if filled else FAINT, 1.2 if filled else 0.7)
        filled_tiles = [tile for tile in polygons if tile.cell in self._owner]
        if edges := tuple(edge for tile in filled_tiles for edge in self._edges(tile)):
            yield Path(edges, line=EDGE, width=1.5, closed=False)
        joints = tuple(edge for tile in filled_tiles for edge in self._edges(tile, dashed=True))
        if joints:
            yield Path(joints, line=EDGE, width=0.9, closed=False, dashed=True)
        yield from self._bars([tile for tile in sheet.tiles if tile.size and len(tile.points) == 2])
        yield from self._discs([tile for tile in sheet.tiles if len(tile.points) == 1])
        yield from self._stubs(sheet.tiles)

    def _bars(self, tiles: Sequence[Tile]) -> Iterator[Shape]:
        """Bars; one that ends where other pieces are stops short of that point."""
        bare = tuple(self._places(tile.points) for tile in tiles if tile.cell not in self._owner)
        if bare:
            yield Path(bare, line=FAINT, width=2, closed=False)
        there: dict[int, list[int]] = {}
        by_piece: dict[int, list[Tile]] = {}
        for tile in tiles:
            if tile.cell in self._owner:
                mine = self._owner[tile.cell]
                by_piece.setdefault(mine, []).append(tile)
                for node in tile.beyond:
                    there.setdefault(node, []).append(mine)
        for mine, those in by_piece.items():
            lines = []
            for tile in those:
                a, b = np.array(self._places(tile.points))
                along = (b - a) / length(b - a) * 0.6 * tile.size * self._scale
                first, second = (
                    there[node].count(mine) == 1 and len(set(there[node])) > 1
                    for node in tile.beyond
                )
                ends = a + first * along, b - second * along
                lines.append(tuple((float(x), float(y)) for x, y in ends))
            width = those[0].size * self._scale
            yield Path(tuple(lines), line=EDGE, width=1.25 * width, closed=False)
            yield Path(tuple(lines), line=self._tones[mine], width=width, closed=False)

    def _discs(self, tiles: Sequence[Tile]) -> Iterator[Shape]:
        """Discs, those of a piece that touch joined."""
        places = {tile.cell: self.at(tile.points[0]) for tile in tiles}
        for tile in tiles:
            mine = self._owner.get(tile.cell)
            joints = [other for other in tile.beyond if mine == self._owner.get(other, -1)]
            if joints:
                lines = tuple((places[tile.cell], places[other]) for other in joints)
                width = tile.size * self._scale
                yield Path(lines, line=self._tone(tile.cell), width=width, closed=False)
        for tile in tiles:
            line = EDGE if tile.cell in self._owner else FAINT
            radius = 0.96 * tile.size * self._scale
            yield Disc(places[tile.cell], radius, self._tone(tile.cell), line)

    # -- from the back to the front ----------------------------------------------------------------

    def solid(self, sheet: Sheet) -> Iterator[Shape]:
        """Cells in space; of empty ones only what lies behind all pieces."""
        if sheet.floor:
            floor = tuple(self._places(face) for face in sheet.floor)
            yield Path(floor, EMPTY, FAINT, 0.7)
        for tile in sheet.tiles:
            if tile.cell not in self._owner and len(tile.points) == 1:
                yield Disc(self.at(tile.points[0]), 0.3 * tile.size * self._scale, EMPTY, FAINT)
        parts = [Part((), tone) for tone in self._tones]
        for painted in Painter(self._owner, parts, self.at, self._scale).paint(sheet):
            yield from painted.shapes
