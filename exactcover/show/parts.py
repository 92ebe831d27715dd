"""The parts of a figure: cells with a colour and a name, where names stand, parts of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.geometry.bodies import BALL, BAR, Bodies, Body, as_tuples
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import copies_beside
from exactcover.problem import IntArray
from exactcover.puzzle import Cell, Piece, Placement, Puzzle, Region
from exactcover.puzzle.paint import Paint
from exactcover.show.palette import (
    EMPTY,
    FIXED,
    OPTIONAL,
    Tone,
    colour,
    colour_numbers,
    ink_on,
    mixed,
    touching_cells,
)
from exactcover.show.svg import Label, Point

Placed = TypeVar("Placed", float, tuple[Fraction, ...])
"""A place by which cells are divided: a height, or a block."""

BAR_WIDTH = 0.3
"""The width of a bar, as a share of its length."""

NECK = 0.5
"""The radius of what joins two balls, as a share of theirs."""

LETTER = 0.62
"""The width of a letter, as a share of its height; that of a wide one."""

NEAR = 1.01
"""Balls no farther apart than this many pitches touch."""


@dataclass(frozen=True)
class Patch:
    """Cells of one colour.

    label   what is written on it
    title   the text that is shown when a reader points at it
    whole   its cells are one piece, drawn without the lines between them; otherwise the label is
            written on each cell
    """

    cells: tuple[Cell, ...]
    tone: Tone
    label: str = ""
    title: str = ""
    whole: bool = True


def name_at(place: Point, text: str, room: float, ground: Tone) -> Label:
    """A name in a circle of radius `room`; a long one is smaller, and one that is too long cut."""
    least = 0.42 * room
    fits = max(3, int(2.1 * room / (LETTER * least)))
    if len(text) > fits:
        text = text[: fits - 1] + "…"
    size = min(1.1 * room, 1.9 * room / (LETTER * max(1, len(text))))
    return Label(place, text, max(size, least), ink_on(ground))


def middle_cell(bodies: Bodies, cells: Sequence[Cell]) -> Cell:
    """The cell nearest to the middle of all of them, to write a name on."""
    return cells[middle_of([bodies.centre(cell) for cell in cells])]


def middle_of(places: Sequence[Floats | Point]) -> int:
    """The number of the place that is nearest to the mean of all."""
    points = np.array(places)
    away = length(points - points.mean(axis=0))
    return int(np.round(away, 6).argmin())


def touching(centres: Sequence[Floats] | Floats, pitch: float) -> Iterator[tuple[int, list[int]]]:
    """The number of each ball, and those of later ones that touch it."""
    places = np.array(centres)
    for number in range(len(places)):
        later = length(places[number + 1 :] - places[number]) < NEAR * pitch
        yield number, (number + 1 + np.flatnonzero(later)).tolist()


def room_in(bodies: Bodies, body: Body) -> float:
    """How far it is from the centre of a cell to its nearest side."""
    if body.sort == BALL:
        return 0.75 * bodies.pitch / 2
    if body.sort == BAR:
        return 0.65 * bar_width(bodies, body)
    corners, (centre,) = bodies.in_space(body.corners), bodies.in_space([body.centre])
    starts = corners[[side[0] for side in body.sides]]
    along = corners[[side[1] for side in body.sides]] - starts
    along /= length(along)[:, None]
    away = centre - starts
    return float(length(away - dot(away, along)[:, None] * along).min())


def bar_width(bodies: Bodies, body: Body) -> float:
    """How wide a bar is."""
    first, second = bodies.in_space(body.corners)
    return BAR_WIDTH * float(length(second - first))


# -- the cells of a board --------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbered:
    """Cells with their numbers.

    own     the cells
    copies  of a wrapped board the copies of cells beside it, with the numbers of these cells
    """

    own: Sequence[tuple[int, Cell]]
    copies: Sequence[tuple[int, Cell]] = ()

    @classmethod
    def of(cls, space: CellSet) -> Numbered:
        """The cells of a region by their places in it."""
        own = [*enumerate(as_tuples(space.cells))]
        if space.periods is None:
            return cls(own)
        beside = copies_beside(space)
        return cls(own, [*zip(space.find(beside).tolist(), as_tuples(beside), strict=True)])

    def divided(self, place: Callable[[Cell], Placed]) -> dict[Placed, Numbered]:
        """The cells by places, the lowest first; copies only where there are others."""
        groups: dict[Placed, tuple[list[tuple[int, Cell]], list[tuple[int, Cell]]]] = {}
        for number, cell in self.own:
            groups.setdefault(place(cell), ([], []))[0].append((number, cell))
        for copy, cell in self.copies:
            if place(cell) in groups:
                groups[place(cell)][1].append((copy, cell))
        return {at: Numbered(*groups[at]) for at in sorted(groups)}


# -- the parts of a board --------------------------------------------------------------------------


def board_parts(
    puzzle: Puzzle, placements: Sequence[Placement] | None = None, *, names: bool = True
) -> tuple[list[Patch], list[Patch]]:
    """Placed pieces, and the cells without one. Default: the stationary pieces.

    Each piece has a colour; those that touch differ. Stationary pieces are grey.
    """
    if placements is None:
        placements = [Placement(one.name, tuple(as_tuples(one.cells))) for one in puzzle.stationary]
    covered = {cell for placement in placements for cell in placement.cells}
    bare = [cell for cell in as_tuples(puzzle.space.cells) if cell not in covered]
    pieces = parts_of(puzzle.space, placements, tones_of(puzzle, placements), names=names)
    return pieces, ground(puzzle.region, bare, puzzle.paint)


def parts_of(
    space: CellSet, placements: Sequence[Placement], tones: Sequence[Tone], *, names: bool
) -> list[Patch]:
    """Pieces placed on these cells, in these colours."""
    return [
        Patch(one.cells, tone, one.piece * names, one.piece)
        for one, tone in zip(placements, tones, strict=True)
    ]


def tones_of(puzzle: Puzzle, placements: Sequence[Placement]) -> list[Tone]:
    """The colours of placed pieces; those of movable pieces that touch differ."""
    fixed = {piece.name for piece in puzzle.stationary}
    movable = [placement for placement in placements if placement.piece not in fixed]
    tones = iter(tones_on(puzzle.space, movable, copies(puzzle.movable)))
    return [FIXED if placement.piece in fixed else next(tones) for placement in placements]


def tones_on(
    space: CellSet, placements: Sequence[Placement], most: Mapping[str, int | None]
) -> list[Tone]:
    """The colours of pieces on these cells; `most` has the names of all, with their copies."""
    owners = owners_on(space, [placement.cells for placement in placements])
    pairs = np.sort(owners[touching_cells(space)], axis=1).tolist()
    touching = {(a, b) for a, b in pairs if 0 <= a < b}
    names = [placement.piece for placement in placements]
    return [colour(number) for number in colour_numbers(names, most, touching)]


def owners_on(space: CellSet, owned: Iterable[Sequence[Cell]]) -> IntArray:
    """For each cell of a region the number of those that own it, or -1."""
    owners = np.full(len(space), -1)
    for number, cells in enumerate(owned):
        owners[space.find(np.array(cells, np.int64))] = number
    return owners


def copies(pieces: Iterable[Piece]) -> dict[str, int | None]:
    """How many copies of each piece there are at most; None: any number."""
    return {piece.name: piece.high for piece in pieces}


def ground(region: Region, cells: Iterable[Cell], paint: Paint | None = None) -> list[Patch]:
    """Cells without a piece: those to be filled, those that may stay empty, and painted ones."""
    optional = set(as_tuples(region.optional))
    kinds: dict[tuple[bool, int], list[Cell]] = {}
    for cell in cells:
        painted = paint.cells.get(cell, 0) if paint is not None else 0
        kinds.setdefault((cell in optional, painted), []).append(cell)
    parts = []
    for (may_be_empty, number), those in sorted(kinds.items()):
        tone = OPTIONAL if may_be_empty else EMPTY
        words = "may stay empty" if may_be_empty else "to be filled"
        if number and paint is not None:
            tone = mixed(colour(number - 1), tone, 0.55)
            words = f"{words}, colour {number}"
        parts.append(Patch(tuple(those), tone, "", words, whole=False))
    return parts
