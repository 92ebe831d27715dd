"""One frame of a film as a figure: boards side by side, fits and no-fits, and counters.

Units are pixels. `pages/assets/film-board.js` and `film-profile.js` draw the same on a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from exactcover.base.values.products import length
from exactcover.puzzle import Puzzle
from exactcover.search.moments import Moment
from exactcover.show.render.brush import Brush
from exactcover.show.render.palette import (
    FIXED,
    INK,
    PALETTE,
    Tone,
    ink_on,
)
from exactcover.show.render.parts import name_at
from exactcover.show.render.reels import HOLE, Placed, Reel, pieces_at_first
from exactcover.show.render.spread import Board, board_of
from exactcover.show.render.svg import Figure, Label, Path, Shape
from exactcover.show.render.tiles import Sheet

MARGIN = 12.0
TEXT = 12.0
"""The height of the text of a frame."""

FITS, NOFITS = PALETTE[4], Tone("#7B838D", "#868E98")
"""The colours of the two bars of a number of pieces left."""

SOFT = Tone("#515A65", "#A9B2BD")

HIGH = 420.0
"""The most pixels of a board downwards."""


LETTER = 0.55
"""The width of a letter, as a share of its height."""

READABLE = 5.0
"""The least height of a text that is written."""


@dataclass(frozen=True)
class Shot:
    """The state of one reel: a moment, the pieces on the board, and the attempts up to then.

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
        most = int(self._column / (LETTER * TEXT))
        name = reel.recording.strategy
        yield Label((x, 1.4 * TEXT), _shortened(name, most), TEXT, INK, "start")
        left = x + (self._column - self._board.width * self._scale) / 2
        yield from self._on_board(reel, shot, left, 2.6 * TEXT)
        y = 2.6 * TEXT + self._down + 1.4 * TEXT
        found = shot.moment.found
        parts = [f"event {shot.moment.event:,}", f"fits {shot.moment.fits:,}"]
        parts += [f"no-fits {shot.moment.nofits:,}"] * bool(shot.moment.nofits)
        parts += [f"{found:,} solution{'s' * (found != 1)}"] * bool(found)
        told = " · ".join(parts)
        size = min(TEXT, self._column / (LETTER * len(told)))
        yield Label((x, y), told, size, INK, "start")
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
            away = length(places - places.mean(axis=0))
            place, room = spots[int(np.round(away, 6).argmin())]
            name = self._puzzle.pieces[one.piece].name
            yield name_at(brush.at(place), name, room * self._scale, tone)


def _box(x: float, y: float, width: float, height: float, tone: Tone) -> Path:
    loop = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
    return Path((loop,), tone)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"
