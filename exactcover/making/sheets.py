"""Cuts laid out on sheets.

A cut is what is laid on a sheet as one: a piece, all pieces of a solution, or a part of the tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactcover.making.extra import package
from exactcover.making.flat import polygons
from exactcover.making.shelves import Size, Spot, spots
from exactcover.making.strokes import Stroke, in_order, length_of, strokes_of
from exactcover.render.parts import LETTER


@dataclass(frozen=True)
class Word:
    """A name to be engraved: where its middle is, and how high it is, in millimetres."""

    x: float
    y: float
    height: float
    text: str


@dataclass(frozen=True, eq=False)
class CutSheet:
    """One sheet, in millimetres; y goes up from its lower left corner.

    strokes  the lines to cut, float64 [n, 2] each, in the order of cutting
    words    the names to engrave
    """

    width: float
    height: float
    strokes: tuple[Stroke, ...]
    words: tuple[Word, ...] = ()

    @property
    def length(self) -> float:
        """The length of all cuts, in millimetres."""
        return sum(map(length_of, self.strokes))


@dataclass(frozen=True, eq=False)
class Cut:
    """A shape that is laid on a sheet as one.

    shape     the polygon that is cut out
    middle    the point where its name is written; None: nowhere
    room      how large a name may be there: the radius of a circle
    pieces    what it consists of, if it is cut up further
    polygons  how many separate parts it is
    """

    name: str
    copies: int
    shape: Any
    middle: Any = None
    room: float = 0.0
    pieces: tuple[Cut, ...] = ()
    polygons: int = 1

    @property
    def size(self) -> Size:
        low_x, low_y, high_x, high_y = self.shape.bounds
        return high_x - low_x, high_y - low_y

    @property
    def outlines(self) -> list[Any]:
        return [piece.shape for piece in self.pieces] or [self.shape]


def laid_out(
    cuts: Sequence[Cut], spacing: float, sheet: Size | None, *, names: bool
) -> list[CutSheet]:
    """All copies on sheets; without a size there is one sheet, as large as is needed."""
    copies = [one for one in cuts for _ in range(one.copies)]
    places = spots([one.size for one in copies], [one.name for one in copies], spacing, sheet)
    strokes: dict[int, list[Stroke]] = {}
    words: dict[int, list[Word]] = {}
    for one, spot in zip(copies, places, strict=True):
        outlines = [_placed(shape, one, spot) for shape in one.outlines]
        strokes.setdefault(spot.sheet, []).extend(_strokes(outlines))
        for piece in one.pieces or (one,):
            if names and piece.middle is not None:
                word = _word(_placed(piece.middle, one, spot), piece.name, piece.room)
                words.setdefault(spot.sheet, []).append(word)
    sheets = []
    for number, those in sorted(strokes.items()):
        width, height = sheet or np.concatenate(those).max(axis=0) + spacing
        sheets.append(
            CutSheet(float(width), float(height), tuple(those), tuple(words.get(number, ())))
        )
    return sheets


def _placed(shape: Any, whole: Cut, spot: Spot) -> Any:
    """A shape that is a part of something, where that lies on its sheet."""
    move = package("shapely.affinity")
    low_x, low_y, high_x, _ = whole.shape.bounds
    if not spot.turned:
        return move.translate(shape, spot.x - low_x, spot.y - low_y)
    # A quarter turn takes (x, y) to (y, -x).
    return move.affine_transform(shape, [0, 1, -1, 0, spot.x - low_y, spot.y + high_x])


def _strokes(shapes: Sequence[Any]) -> list[Stroke]:
    """The lines round shapes: holes before what is round them, so that nothing falls out first."""
    if len(shapes) > 1:
        return strokes_of(shapes)
    rings = []
    for part in polygons(shapes[0]):
        rings += in_order(np.array(ring.coords) for ring in part.interiors)
        rings.append(np.array(part.exterior.coords))
    return rings


def _word(place: Any, text: str, room: float) -> Word:
    """A name in a circle of radius `room` round a point."""
    return Word(place.x, place.y, min(room, 1.8 * room / (LETTER * len(text))), text)
