"""Figures of cells in the plane: filled outlines, rounded bars and discs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from exactcover.base.values.products import Floats, length
from exactcover.show.render.bodies import BALL, BAR, POLYGON, Bodies, Key
from exactcover.show.render.outlines import Edge, outline, parted
from exactcover.show.render.palette import EDGE, FAINT
from exactcover.show.render.parts import Cell, Part, bar_width, middle_cell, name_at, room_in, stubs
from exactcover.show.render.svg import Disc, Figure, Label, Path, Point, Shape

RADIUS = 0.96
"""The radius of a disc, as a share of half the distance between neighbours."""

WIDTH = 1.5
"""The width of the outline of a piece, in pixels."""

GAP = 0.6
"""How far a bar ends before a point where other pieces are, as a share of its width."""


def flat_figure(bodies: Bodies, parts: Sequence[Part]) -> Figure:
    """The parts in the plane, names on top; y downwards."""
    at_points = Counter(
        (corner, number)
        for number, part in enumerate(parts)
        if part.whole
        for cell in (*part.cells, *part.beyond)
        if bodies.body(cell).sort == BAR
        for corner in bodies.corners(cell)
    )
    shapes: list[Shape] = []
    labels: list[Label] = []
    for number, part in enumerate(parts):
        sorts: dict[str, list[Cell]] = {}
        for cell in part.cells:
            sorts.setdefault(bodies.body(cell).sort, []).append(cell)
        if POLYGON in sorts:
            shapes += _polygons(bodies, part, sorts[POLYGON])
        if BAR in sorts:
            shapes += _bars(bodies, part, sorts[BAR], number, at_points)
        if BALL in sorts:
            shapes += _discs(bodies, part, sorts[BALL])
        if lines := tuple(_flipped(line) for *_, line in stubs(bodies, part.cells, part.beyond)):
            shapes.append(Path(lines, line=EDGE, width=WIDTH, closed=False, dashed=True))
        labels += _labels(bodies, part)
    return Figure.around([*shapes, *labels], _extent(bodies, parts))


def _polygons(bodies: Bodies, part: Part, cells: Sequence[Cell]) -> Iterator[Path]:
    """The outline of a piece, or the outlines of cells; where a piece goes on, it is dashed."""
    edges = [_edges(bodies, cell) for cell in cells]
    loops = outline(edges) if part.whole else [[a for a, _ in polygon] for polygon in edges]
    line, width = (EDGE, WIDTH) if part.whole else (FAINT, 0.75)
    filled = tuple(_on_paper(bodies, loop) for loop in loops)
    if not part.beyond:
        yield Path(filled, part.tone, line, width, part.title)
        return
    yield Path(filled, part.tone, title=part.title)
    sides = parted(edges, [_edges(bodies, cell) for cell in part.beyond])
    for ends, dashed in zip(sides, (False, True), strict=True):
        lines = tuple(_on_paper(bodies, list(edge)) for edge in ends)
        if lines:
            yield Path(
                lines,
                line=line,
                width=0.6 * width if dashed else width,
                closed=False,
                dashed=dashed,
            )


def _edges(bodies: Bodies, cell: Cell) -> list[Edge]:
    corners = bodies.corners(cell)
    return [(corners[a], corners[b]) for a, b in bodies.body(cell).sides]


def _bars(
    bodies: Bodies,
    part: Part,
    cells: Sequence[Cell],
    number: int,
    at_points: Counter[tuple[Key, int]],
) -> Iterator[Path]:
    """The bars of a piece on a wider dark one; those of a region as thin lines.

    A piece that ends at a point where other pieces are stops short of it, so that one sees where it
    ends; one that goes on there goes through.
    """
    crowded = Counter(point for point, _ in at_points)
    lines = []
    for cell in cells:
        ends = _on_paper(bodies, bodies.corners(cell))
        if part.whole:
            width = bar_width(bodies, bodies.body(cell))
            short = [
                GAP * width * (at_points[corner, number] == 1 and crowded[corner] > 1)
                for corner in bodies.corners(cell)
            ]
            ends = _shortened(ends, short)
        lines.append(ends)
    if not part.whole:
        yield Path(tuple(lines), line=FAINT, width=2, title=part.title, closed=False)
        return
    width = bar_width(bodies, bodies.body(cells[0]))
    yield Path(tuple(lines), line=EDGE, width=1.25 * width, closed=False, scaled=True)
    yield Path(tuple(lines), None, part.tone, width, part.title, closed=False, scaled=True)


def _shortened(ends: tuple[Point, ...], short: Sequence[float]) -> tuple[Point, ...]:
    first, second = np.array(ends)
    along = (second - first) / length(second - first)
    first, second = first + short[0] * along, second - short[1] * along
    return (float(first[0]), float(first[1])), (float(second[0]), float(second[1]))


def _discs(bodies: Bodies, part: Part, cells: Sequence[Cell]) -> Iterator[Shape]:
    """Discs, those of a piece that touch joined by a bar."""
    radius = bodies.pitch / 2 * RADIUS
    centres = {cell: bodies.centre(cell) for cell in cells}
    if part.whole:
        joints = tuple(
            ((float(a[0]), -float(a[1])), (float(b[0]), -float(b[1])))
            for a in centres.values()
            for b in centres.values()
            if tuple(a) < tuple(b) and length(b - a) < 1.01 * bodies.pitch
        )
        if joints:
            yield Path(joints, line=part.tone, width=radius, closed=False, scaled=True)
    for x, y in centres.values():
        line = EDGE if part.whole else FAINT
        yield Disc((float(x), -float(y)), radius, part.tone, line, part.title)


def _labels(bodies: Bodies, part: Part) -> Iterator[Label]:
    if not part.label:
        return
    for cell in part.cells if part.single else [middle_cell(bodies, part.cells)]:
        x, y = bodies.centre(cell)
        room = room_in(bodies, bodies.body(cell))
        yield name_at((float(x), -float(y)), part.label, room, part.tone)


def _on_paper(bodies: Bodies, keys: list[Key]) -> tuple[Point, ...]:
    return _flipped(bodies.in_space(keys))


def _flipped(places: Floats) -> tuple[Point, ...]:
    """Places with y downwards."""
    return tuple((float(x), -float(y)) for x, y in places)


def _extent(
    bodies: Bodies, parts: Sequence[Part]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Points whose box holds all parts."""
    found = []
    for part in parts:
        for cell in part.cells:
            body = bodies.body(cell)
            if body.sort == POLYGON:
                found.append(bodies.in_space(bodies.corners(cell)))
                continue
            around = (
                bodies.in_space(bodies.corners(cell)) if body.corners else bodies.centre(cell)[None]
            )
            reach = 0.65 * bar_width(bodies, body) if body.sort == BAR else bodies.pitch / 2
            found += [around - reach, around + reach]
        found += [line for *_, line in stubs(bodies, part.cells, part.beyond)]
    points = np.concatenate(found)
    points[:, 1] *= -1
    return points
