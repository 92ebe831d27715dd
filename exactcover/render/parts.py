"""What a figure shows: parts, each with its cells, a colour and a name; and where names stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.render.bodies import BALL, BAR, Bodies, Body, Floats
from exactcover.render.palette import Tone, ink_on
from exactcover.render.svg import Label, Point

BAR_WIDTH = 0.3
"""The width of a bar, as a share of its length."""

LETTER = 0.62
"""The width of a letter, as a share of its height; that of a wide one."""

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """Cells of one colour.

    label   what is written on it
    title   what a reader is told who points at it
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
    centres = np.array([bodies.centre(cell) for cell in cells])
    away = np.linalg.norm(centres - centres.mean(axis=0), axis=1)
    return cells[int(np.round(away, 6).argmin())]


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
    return BAR_WIDTH * float(np.linalg.norm(second - first))


def stubs(bodies: Bodies, part: Part) -> list[Floats]:
    """Lines from bars and balls to where the piece goes on across the joint: float64 [2, axes]."""
    centres = {cell: bodies.centre(cell) for cell in part.cells}
    found = []
    for cell in part.beyond:
        if bodies.body(cell).sort not in (BAR, BALL):
            continue
        there = bodies.centre(cell)
        for own, here in centres.items():
            if shared := set(bodies.corners(cell)) & set(bodies.corners(own)):
                start = bodies.in_space([*shared])[0]
            elif np.linalg.norm(there - here) < 1.01 * bodies.pitch:
                start = (here + there) / 2
            else:
                continue
            found.append(np.array([start, start + 0.8 * (there - start)]))
    return found


def _distance(point: Floats, a: Floats, b: Floats) -> float:
    """The distance of a point from a line."""
    along = (b - a) / np.linalg.norm(b - a)
    across = (point - a) - ((point - a) @ along) * along
    return float(np.linalg.norm(across))
