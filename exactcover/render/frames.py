"""One frame of a film as a figure: boards side by side, what was tried, and counters.

Units are pixels. `pages/assets/film-board.js` and `film-profile.js` draw the same on a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from exactcover.puzzle import Puzzle
from exactcover.render.palette import (
    EDGE,
    EMPTY,
    FAINT,
    FIXED,
    INK,
    OPTIONAL,
    PALETTE,
    Tone,
    ink_on,
    shaded,
)
from exactcover.render.parts import name_at
from exactcover.render.reels import HOLE, Placed, Reel, pieces_at_first
from exactcover.render.svg import Disc, Figure, Label, Path, Point, Shape
from exactcover.render.tiles import Board, Sheet, Tile, board_of
from exactcover.search.recording import Moment

MARGIN = 12.0
TEXT = 12.0
"""The height of the text of a frame."""

FITS, NOFITS = PALETTE[4], Tone("#7B838D", "#868E98")
"""The colours of the two bars of a number of pieces left."""

SOFT = Tone("#515A65", "#A9B2BD")

HIGH = 420.0
"""The most pixels of a board downwards."""


READABLE = 5.0
"""The least height of a text that is written."""


@dataclass(frozen=True)
class Shot:
    """What one reel shows: a moment, the pieces on the board, and what was tried up to then.

    tried  fits and no-fits by the number of pieces left
    """

    moment: Moment
    placed: tuple[Placed, ...]
    tried: Mapping[int, tuple[int, int]]


class Camera:
    """Makes the frames of a film of some reels, all of one size.

    width  of a frame
    most   the most fits or no-fits with a number of pieces left, for the scale of the bars
    """

    def __init__(self, puzzle: Puzzle, reels: Sequence[Reel], width: int, most: int) -> None:
        self._puzzle, self._reels = puzzle, reels
        self._board: Board = board_of(puzzle.space)
        self._optional = set(puzzle.space.find(puzzle.region.optional).tolist())
        self._most = max(1, most)
        self._column = (width - MARGIN * (len(reels) + 1)) / len(reels)
        self._scale = min(self._column / self._board.width, HIGH / self._board.height)
        self._levels = max(1, *(pieces_at_first(reel) for reel in reels))
        self._row = max(4.0, min(13.0, 200.0 / self._levels))
        self._down = self._board.height * self._scale
        self.width = width
        height = 3.1 * TEXT + self._down + 2.6 * TEXT + self._row * self._levels + MARGIN
        self.height = round(height / 2) * 2

    def frame(self, shots: Sequence[Shot]) -> Figure:
        """The frame with these shots, one for each reel."""
        shapes: list[Shape] = []
        for number, (reel, shot) in enumerate(zip(self._reels, shots, strict=True)):
            x = MARGIN + number * (self._column + MARGIN)
            shapes += self._reel(reel, shot, x)
        corners = np.array([[0.0, 0.0], [self.width, self.height]])
        return Figure.around(shapes, corners)

    def _reel(self, reel: Reel, shot: Shot, x: float) -> Iterator[Shape]:
        most = int(self._column / (0.55 * TEXT))
        name = reel.recording.strategy
        yield Label((x, 1.4 * TEXT), _shortened(name, most), TEXT, INK, "start")
        left = x + (self._column - self._board.width * self._scale) / 2
        yield from self._on_board(reel, shot, left, 2.6 * TEXT)
        y = 2.6 * TEXT + self._down + 1.4 * TEXT
        found = shot.moment.found
        parts = [f"event {shot.moment.event:,}", f"fits {shot.moment.fits:,}"]
        parts += [f"no-fits {shot.moment.nofits:,}"] * bool(shot.moment.nofits)
        parts += [f"{found:,} solution{'s' * (found != 1)}"] * bool(found)
        yield Label((x, y), " · ".join(parts), TEXT, INK, "start")
        yield from self._profile(reel, shot, x, y + 1.2 * TEXT)

    # -- what was tried ----------------------------------------------------------------------------

    def _profile(self, reel: Reel, shot: Shot, x: float, y: float) -> Iterator[Shape]:
        """A row for each number of pieces left: the piece placed there, fits and no-fits."""
        branch = [placed for placed in shot.placed if placed.piece != HOLE]
        most = pieces_at_first(reel)
        text = min(0.85 * self._row, 10.0)
        for row in range(self._levels):
            left, top = most - row, y + row * self._row
            if left < 1:
                return
            middle = top + self._row / 2
            open_ = row < len(branch)
            if text > READABLE:
                ink = INK if open_ else SOFT
                yield Label((x + 16, middle), str(left), text, ink, "end")
            if open_:
                tone = PALETTE[branch[row].colour]
                yield _box(x + 20, top + 0.5, 20.0, self._row - 1, tone)
                if text > READABLE:
                    piece = _shortened(self._puzzle.pieces[branch[row].piece].name, 3)
                    yield Label((x + 30, middle), piece, text, ink_on(tone))
            fits, nofits = shot.tried.get(left, (0, 0))
            wide = self._column - 46
            if fits:
                yield _box(x + 46, top + 0.5, wide * self._share(fits), 0.55 * self._row, FITS)
            if nofits:
                share = wide * self._share(nofits)
                yield _box(x + 46, top + 0.62 * self._row, share, 0.28 * self._row, NOFITS)

    def _share(self, many: int) -> float:
        return log10(1 + many) / log10(1 + self._most)

    # -- the board ---------------------------------------------------------------------------------

    def _on_board(self, reel: Reel, shot: Shot, x: float, y: float) -> Iterator[Shape]:
        pieces = [one for one in (*reel.fixed, *shot.placed) if one.piece != HOLE]
        tones = [FIXED] * len(reel.fixed)
        tones += [PALETTE[one.colour] for one in pieces[len(reel.fixed) :]]
        owner = {cell: number for number, one in enumerate(pieces) for cell in one.cells}
        brush = Brush(owner, tones, self._optional, self._scale, (x, y))
        for sheet in self._board.sheets:
            if sheet.title:
                size = max(0.3 * self._board.pitch * self._scale, 8.0)
                at = brush.at(sheet.at)
                yield Label((at[0], at[1] + size / 2), sheet.title, size, INK, "start")
            yield from brush.solid(sheet) if sheet.solid else brush.flat(sheet)
            if not sheet.solid:
                yield from self._names(sheet, pieces, tones, brush)

    def _names(
        self, sheet: Sheet, pieces: Sequence[Placed], tones: Sequence[Tone], brush: Brush
    ) -> Iterator[Label]:
        for one, tone in zip(pieces, tones, strict=True):
            spots = [sheet.names[cell] for cell in one.cells if cell in sheet.names]
            if not spots:
                continue
            places = np.array([place for place, _ in spots])
            away = np.linalg.norm(places - places.mean(axis=0), axis=1)
            place, room = spots[int(np.round(away, 6).argmin())]
            name = self._puzzle.pieces[one.piece].name
            yield name_at(brush.at(place), name, room * self._scale, tone)


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

    def _edges(self, tile: Tile) -> Iterator[tuple[Point, Point]]:
        """The edges of a tile beyond which there is another piece, or none."""
        mine = self._owner[tile.cell]
        places = self._places(tile.points)
        sides = zip(places, (*places[1:], places[0]), tile.beyond, strict=True)
        for a, b, other in sides:
            if other < 0 or self._owner.get(other) != mine:
                yield a, b

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
        yield from self._bars([tile for tile in sheet.tiles if tile.size and len(tile.points) == 2])
        yield from self._discs([tile for tile in sheet.tiles if len(tile.points) == 1])

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
                along = (b - a) / np.linalg.norm(b - a) * 0.6 * tile.size * self._scale
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
        for tile in sheet.tiles:
            if tile.cell in self._owner and tile.front not in self._owner:
                yield from self._tile(tile)

    def _tile(self, tile: Tile) -> Iterator[Shape]:
        tone = shaded(self._tone(tile.cell), tile.light)
        places = self._places(tile.points)
        if len(places) == 1:
            radius = tile.size * self._scale
            yield Disc(places[0], radius, tone, EDGE, glossy=True)
        elif tile.size:
            width = tile.size * self._scale
            yield Path((places,), line=EDGE, width=1.2 * width, closed=False)
            yield Path((places,), line=tone, width=width, closed=False)
        else:
            yield Path((places,), tone, tone, 0.8)
            if edges := tuple(self._edges(tile)):
                yield Path(edges, line=EDGE, width=1.2, closed=False)


def _box(x: float, y: float, width: float, height: float, tone: Tone) -> Path:
    loop = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
    return Path((loop,), tone)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"
