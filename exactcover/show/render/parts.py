"""The parts of a figure, each with its cells, a colour and a name; and where names stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.base.values.products import Floats, dot, length
from exactcover.geometry.bodies import BALL, BAR, Bodies, Body, Key
from exactcover.show.render.palette import Tone, ink_on
from exactcover.show.render.svg import Label, Point

BAR_WIDTH = 0.3
"""The width of a bar, as a share of its length."""

NECK = 0.5
"""The radius of what joins two balls, as a share of theirs."""

LETTER = 0.62
"""The width of a letter, as a share of its height; that of a wide one."""

NEAR = 1.01
"""Balls no farther apart than this many pitches touch."""

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Patch:
    """Cells of one colour.

    label   what is written on it
    title   the text that is shown when a reader points at it
    whole   its cells are one piece, drawn without the lines between them
    single  the label is written on each cell
    beyond  cells across the joint of a wrapped board: there the piece goes on
    """

    cells: tuple[Cell, ...]
    tone: Tone
    label: str = ""
    title: str = ""
    whole: bool = True
    single: bool = False
    beyond: tuple[Cell, ...] = ()


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
    corners = bodies.in_space(body.corners)
    if body.sort == BAR:
        return 0.65 * bar_width(bodies, body)
    centre = bodies.in_space([body.centre])[0]
    return min(_distance(centre, corners[a], corners[b]) for a, b, *_ in body.sides)


def bar_width(bodies: Bodies, body: Body) -> float:
    """How wide a bar is."""
    first, second = bodies.in_space(body.corners)
    return BAR_WIDTH * float(length(second - first))


def stubs(
    bodies: Bodies, cells: Iterable[Cell], beyond: Iterable[Cell]
) -> list[tuple[Cell, Cell, Floats]]:
    """Lines from bars and balls to where a piece goes on across the joint.

    Each with its cell and the one across the joint: float64 [2, axes].
    """
    cells = list(cells)
    beyond = [cell for cell in beyond if bodies.body(cell).sort in (BAR, BALL)]
    if not cells or not beyond:
        return []
    centres = np.array([bodies.centre(cell) for cell in cells])
    meeting: dict[Key, list[int]] = {}
    for number, cell in enumerate(cells):
        for corner in bodies.corners(cell):
            meeting.setdefault(corner, []).append(number)
    found = []
    for cell in beyond:
        there = bodies.centre(cell)
        near = np.flatnonzero(length(centres - there) < NEAR * bodies.pitch).tolist()
        starts = {number: (centres[number] + there) / 2 for number in near}
        for corner in bodies.corners(cell):
            for number in meeting.get(corner, ()):
                starts[number] = bodies.in_space([corner])[0]
        for number, start in sorted(starts.items(), key=lambda one: one[0]):
            line = np.array([start, start + 0.8 * (there - start)])
            found.append((cells[number], cell, line))
    return found


def _distance(point: Floats, a: Floats, b: Floats) -> float:
    """The distance of a point from a line."""
    along = (b - a) / length(b - a)
    across = (point - a) - dot(point - a, along) * along
    return float(length(across))
