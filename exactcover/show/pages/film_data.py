"""A film as the page `film.js` reads it: the board, and recordings as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from exactcover.puzzle import Puzzle
from exactcover.show.pages.arrays import whole
from exactcover.show.render import palette
from exactcover.show.render.board import Board, board_of
from exactcover.show.render.palette import PALETTE, Tone, ink_on
from exactcover.show.render.replay import Replay, pieces_at_first
from exactcover.show.render.tiles import Sheet, Tile

KINDS = ("start", "placed", "removed", "empty", "found", "copy")
"""The kinds of events; the page has their numbers."""

TONES = ("ink", "empty", "optional", "faint", "edge", "fixed")
"""The colours that the page needs beside those of the pieces."""

ENDINGS = {
    "complete": "the whole tree is searched",
    "events": "the recording ends here",
    "moments": "the recording ends here",
    "solutions": "the wanted solution is found",
    "interrupted": "the recording was interrupted",
    "impossible": "there is no solution",
}


def film_data(puzzle: Puzzle, reels: Sequence[Replay]) -> dict[str, object]:
    """All that the page needs."""
    tones = {name: getattr(palette, name.upper()) for name in TONES}
    return {
        "pieces": [piece.name for piece in puzzle.pieces],
        "palette": [list(tone) for tone in PALETTE],
        "tones": {name: list(tone) for name, tone in tones.items()},
        "inks": {"palette": [_ink(tone) for tone in PALETTE], "fixed": _ink(palette.FIXED)},
        "cells": len(puzzle.space),
        "optional": puzzle.space.find(puzzle.region.optional).tolist()
        if len(puzzle.region.optional)
        else [],
        "fixed": [[one.piece, one.cells] for one in (reels[0].fixed if reels else ())],
        "board": _board(board_of(puzzle.space)),
        "reels": [_reel(reel) for reel in reels],
    }


def _ink(tone: Tone) -> list[str]:
    return list(ink_on(tone))


def _board(board: Board) -> dict[str, object]:
    return {
        "width": _short(board.width),
        "height": _short(board.height),
        "pitch": _short(board.pitch),
        "sheets": [_sheet(sheet) for sheet in board.sheets],
    }


def _sheet(sheet: Sheet) -> dict[str, object]:
    return {
        "solid": sheet.solid,
        "title": sheet.title,
        "at": [_short(x) for x in sheet.at],
        "floor": [[_short(x) for point in face for x in point] for face in sheet.floor],
        "names": {
            str(cell): [_short(x), _short(y), _short(room)]
            for cell, ((x, y), room) in sheet.names.items()
        },
        "tiles": [
            [
                tile.cell, [_short(x) for point in tile.points for x in point], tile.beyond,
                _short(tile.size), _short(tile.light), tile.front, tile.over,
                *([_stubs(tile)] if tile.stubs else []),
            ]
            for tile in sheet.tiles
        ],
    }  # fmt: skip


def _stubs(tile: Tile) -> list[list[float]]:
    """For each line across the joint: the cell there, and the coordinates of the ends."""
    return [[cell, *(_short(x) for point in line for x in point)] for cell, line in tile.stubs]


def _reel(reel: Replay) -> dict[str, object]:
    recording = reel.recording
    moments = recording.moments
    added = [placed for some in reel.added for placed in some]
    numbers: dict[tuple[int, ...], int] = {}
    for placed in added:
        numbers.setdefault(placed.cells, len(numbers))
    tried = [(left, one) for moment in moments for left, one in moment.tried.items()]
    most = max([pieces_at_first(reel), *(left for left, _ in tried)])
    return {
        "strategy": recording.strategy,
        "ending": recording.reason or ENDINGS[recording.status],
        "every": recording.every,
        "most": most,
        "options": [list(cells) for cells in numbers],
        "event": whole([moment.event for moment in moments]),
        "fits": whole([moment.fits for moment in moments]),
        "nofits": whole([moment.nofits for moment in moments]),
        "found": whole([moment.found for moment in moments]),
        "kind": whole([KINDS.index(moment.kind) for moment in moments]),
        "kept": whole([moment.kept for moment in moments]),
        "counts": whole([len(some) for some in reel.added]),
        "placed": whole([numbers[placed.cells] for placed in added]),
        "pieces": whole([placed.piece for placed in added]),
        "colours": whole([placed.colour for placed in added]),
        "tried": {
            "counts": whole([len(moment.tried) for moment in moments]),
            "left": whole([left for left, _ in tried]),
            "tries": whole([one.attempts for _, one in tried]),
            "fits": whole([one.fits for _, one in tried]),
        },
    }


def _short(value: float) -> float:
    return round(value, 4)
