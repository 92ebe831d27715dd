"""A board as tiles that never move, for pictures in which only colours change: films.

A tile is what a cell, or a face of it, looks like on paper, with a note for each of its edges which
cell lies beyond. So a state of the board is drawn without geometry: fill the tiles, and draw the
edges beyond which there is another piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from exactcover.base.values.products import Floats, times
from exactcover.geometry.bodies import BALL, BAR, SOLID, Bodies, Key, ring
from exactcover.puzzle import Cell
from exactcover.show.render.outlines import cut, turn
from exactcover.show.render.parts import BAR_WIDTH, bar_width, middle_of, room_in, stubs, touching
from exactcover.show.render.surfaces import (
    EDGE_ON,
    VIEW,
    OuterFace,
    faces_of,
    in_view,
    lit,
    outer_faces,
)
from exactcover.show.render.svg import Point

OUTSIDE, FOLD = -1, -2
"""Beyond an edge there is no cell: nothing; another face of the same cell."""

JOINT = -3
"""This less the number of a cell stands for its copy across the joint of a wrapped board."""

RADIUS = 0.96
"""The radius of a disc, as a share of half the distance between neighbours."""

PARTS = 1_000_000
"""Places on paper are compared in this many parts of a unit."""

Normal = tuple[float, ...]


@dataclass(frozen=True)
class Tile:
    """The drawing of a cell, or of one of its faces.

    cell    its place in the region
    points  the corners of a polygon, the ends of a bar, or the centre of a disc
    keys    of a polygon: its corners as whole numbers, for outlines
    beyond  of a polygon: the cell beyond each edge, or OUTSIDE, FOLD or JOINT less a cell; of a
            disc: the cells that it touches; of a bar: the numbers of the points where it ends
    over    of a face: the cell before the face beyond each edge, or OUTSIDE; if it is filled, the
            edge is a fold
    size    the radius of a disc, the width of a bar; 0 for a polygon
    light   1, or less for a face that is turned away from the light
    front   of a face: the cell before it, which hides it when it is filled, or OUTSIDE
    stubs   of a disc or a bar: the cells that it meets across the joint, each with the line there
    """

    cell: int
    points: tuple[Point, ...]
    beyond: tuple[int, ...]
    size: float = 0.0
    light: float = 1.0
    front: int = OUTSIDE
    stubs: tuple[tuple[int, tuple[Point, ...]], ...] = ()
    over: tuple[int, ...] = ()
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """Tiles that are drawn together.

    solid   from the back to the front, without empty cells; else side by side, with them
    tiles   what is drawn
    floor   the corners of faces of the empty region that are seen behind all pieces
    names   where a piece is named that has this cell in its middle, and how much room is there
    title   what stands above
    at      on a board, the left upper corner of the sheet with its title
    shift   on a board, what is added to each point of the sheet
    """

    tiles: tuple[Tile, ...]
    solid: bool = False
    floor: tuple[tuple[Point, ...], ...] = ()
    names: Mapping[int, tuple[Point, float]] = field(default_factory=dict)
    title: str = ""
    at: Point = (0.0, 0.0)
    shift: Point = (0.0, 0.0)

    def middle(self, cells: Iterable[int]) -> int | None:
        """The cell in the middle of those of a piece that lie here, where its name stands."""
        here = sorted(cell for cell in cells if cell in self.names)
        return here[middle_of([self.names[cell][0] for cell in here])] if here else None


def box(sheet: Sheet) -> tuple[Point, Point]:
    """The least and the greatest x and y of a sheet without its title."""
    corners = [point for face in sheet.floor for point in face]
    for tile in sheet.tiles:
        around, reach = tile.points, 0.0
        if len(around) == 1:
            reach = tile.size if sheet.solid else tile.size / RADIUS
        elif tile.size and not sheet.solid:
            reach = 0.65 * tile.size
        elif tile.size:
            (ax, ay), (bx, by) = around
            around, reach = (((ax + bx) / 2, (ay + by) / 2),), 0.8 * tile.size / BAR_WIDTH
        if reach:
            around = tuple((x + sign, y + sign) for x, y in around for sign in (-reach, reach))
        corners += around
        corners += [point for _, line in tile.stubs for point in line]
    low, high = np.min(corners, axis=0).tolist(), np.max(corners, axis=0).tolist()
    return (low[0], low[1]), (high[0], high[1])


# -- cells side by side ---------------------------------------------------------------------------


def flat_sheet(
    bodies: Bodies,
    cells: Sequence[Cell],
    numbers: Sequence[int],
    copies: Mapping[Cell, int],
    *,
    above: bool,
) -> Sheet:
    """Cells in the plane, or those of a layer as seen from above.

    copies  cells across the joint of a wrapped board, each with the number of the one it stands for
    """
    sorts: dict[str, list[int]] = {}
    for number in numbers:
        sorts.setdefault(bodies.body(cells[number]).sort, []).append(number)
    tiles = [*_balls(bodies, cells, sorts.pop(BALL, [])), *_bars(bodies, cells, sorts.pop(BAR, []))]
    tiles = _with_stubs(bodies, cells, tiles, copies, None)
    others = [(number, cells[number]) for those in sorts.values() for number in those]
    others += [(JOINT - number, cell) for cell, number in copies.items() if bodies.body(cell).sides]
    if above:
        shadows = []
        for number, cell in others:
            corners = bodies.in_space(bodies.corners(cell))
            shadow = _hull([(_whole(x), -_whole(y)) for x, y, _ in corners.tolist()])
            shadows.append((number, shadow))
        tiles += polygon_tiles(shadows, lambda keys: [(x / PARTS, y / PARTS) for x, y in keys])
    else:
        outlines = []
        for number, cell in others:
            keys = bodies.corners(cell)
            outlines.append((number, [keys[a] for a, *_ in bodies.body(cell).sides]))
        tiles += polygon_tiles(outlines, lambda keys: map(_on_paper, bodies.in_space(keys)))
    room = [min(room_in(bodies, body), 0.5 * bodies.pitch) for body in bodies.kinds]
    middles = bodies.in_space([bodies.middle(cells[number]) for number in numbers])
    names = {
        number: (_on_paper(middle), room[bodies.kind(cells[number])])
        for number, middle in zip(numbers, middles, strict=True)
    }
    return Sheet(tuple(tiles), names=names)


def _balls(bodies: Bodies, cells: Sequence[Cell], numbers: Sequence[int]) -> Iterator[Tile]:
    """Discs, each with those that it touches and that come later."""
    centres = [bodies.centre(cells[number]) for number in numbers]
    for at, later in touching(centres, bodies.pitch):
        others = tuple(numbers[other] for other in later)
        yield Tile(numbers[at], (_on_paper(centres[at]),), others, bodies.pitch / 2 * RADIUS)


def _bars(bodies: Bodies, cells: Sequence[Cell], numbers: Sequence[int]) -> Iterator[Tile]:
    """Bars, with a number for each point at which any of them ends."""
    points: dict[Key, int] = {}
    for number in numbers:
        corners = bodies.corners(cells[number])
        ends = tuple(points.setdefault(corner, len(points)) for corner in corners)
        places = tuple(_on_paper(place) for place in bodies.in_space(corners))
        yield Tile(number, places, ends, bar_width(bodies, bodies.body(cells[number])))


def polygon_tiles(
    outlines: Sequence[tuple[int, list[Key]]], on_paper: Callable[[list[Key]], Iterable[Point]]
) -> Iterator[Tile]:
    """Polygons with the cell beyond each edge, all of them in the same sense.

    An edge on which corners of other polygons lie is cut there, so that each part of it has one
    polygon beyond. Those across a joint, whose numbers are below 0, are no tiles.
    """
    if not outlines:
        return
    edges = [(number, list(ring(outline))) for number, outline in outlines]
    there = {edge for _, those in edges for edge in those}
    lonely = {edge for edge in there if edge[::-1] not in there}
    parts = dict(zip(lonely, cut(lonely, {a for edge in lonely for a in edge}), strict=True))
    parted = [
        (number, [part for edge in those for part in parts.get(edge, (edge,))])
        for number, those in edges
    ]
    corners = [*{a for _, those in parted for a, _ in those}]
    places = dict(zip(corners, on_paper(corners), strict=True))
    owner = {edge: number for number, those in parted for edge in those}
    for number, those in parted:
        if number >= 0:
            beyond = tuple(owner.get((b, a), OUTSIDE) for a, b in those)
            keys = tuple(a for a, _ in those)
            yield Tile(number, tuple(places[key] for key in keys), beyond, keys=keys)


def _with_stubs(
    bodies: Bodies,
    cells: Sequence[Cell],
    tiles: Iterable[Tile],
    copies: Mapping[Cell, int],
    view: Floats | None,
) -> list[Tile]:
    """Discs and bars with the lines to those across the joint; `view` turns space to the viewer."""
    tiles = list(tiles)
    found: dict[Cell, list[tuple[int, tuple[Point, ...]]]] = {}
    for own, other, line in stubs(bodies, [cells[tile.cell] for tile in tiles], copies):
        places = line if view is None else times(line, view)
        points = tuple(_on_paper(place) for place in places)
        found.setdefault(own, []).append((copies[other], points))
    return [replace(tile, stubs=tuple(found.get(cells[tile.cell], ()))) for tile in tiles]


def _hull(points: Sequence[Key]) -> list[Key]:
    """The convex hull of points in the plane, against the clock where y goes up."""
    halves: list[list[Key]] = []
    for order in (sorted(set(points)), sorted(set(points), reverse=True)):
        half: list[Key] = []
        for point in order:
            while len(half) > 1 and turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _whole(value: float) -> int:
    """A coordinate on paper as a whole number, so that equal ones are equal."""
    return round(value * PARTS)


def _on_paper(place: Floats) -> Point:
    return float(place[0]), -float(place[1])


# -- cells in space -------------------------------------------------------------------------------


def solid_sheet(
    bodies: Bodies, cells: Sequence[Cell], numbers: Sequence[int], copies: Mapping[Cell, int]
) -> Sheet:
    """The faces of cells that are turned to the reader, from the back to the front."""
    middles = in_view(bodies, [bodies.middle(cells[number]) for number in numbers])
    in_order = [numbers[at] for at in np.argsort(middles[:, 2], kind="stable").tolist()]
    if any(bodies.body(cells[number]).sort != SOLID for number in numbers):
        round_ = _balls_in_space(bodies, cells, in_order)
        return Sheet(tuple(_with_stubs(bodies, cells, round_, copies, VIEW)), solid=True)
    faces = [(number, face) for number in in_order for face in _seen_faces(bodies, cells[number])]
    across = [
        (JOINT - number, face)
        for cell, number in copies.items()
        for face in _seen_faces(bodies, cell)
    ]
    sharing: dict[frozenset[Key], list[int]] = {}
    beyond: dict[tuple[frozenset[Key], Normal], list[tuple[int, OuterFace]]] = {}
    for number, face in (*faces, *across):
        sharing.setdefault(frozenset(face.keys), []).append(number)
        for edge in face.edges():
            beyond.setdefault((frozenset(edge), _rounded(face.normal)), []).append((number, face))

    def before(number: int, face: OuterFace, *, joint: bool = False) -> int:
        """The cell on the other side of a face; `joint`: the one across the joint."""
        there = sharing[frozenset(face.keys)]
        return next((one for one in there if one != number and (one < 0) == joint), OUTSIDE)

    tiles = []
    for number, face in faces:
        normal = times(face.normal, VIEW)
        if normal[2] <= EDGE_ON:
            continue
        goes_on = before(number, face, joint=True)
        fold = (FOLD if goes_on == OUTSIDE else goes_on), None
        sides = [
            next(
                (one for one in beyond[frozenset(edge), _rounded(face.normal)] if one[0] != number),
                fold,
            )
            for edge in face.edges()
        ]
        tiles.append(
            Tile(
                number,
                tuple(map(_on_paper, in_view(bodies, face.keys))),
                tuple(other for other, _ in sides),
                light=lit(normal),
                front=before(number, face),
                over=tuple(OUTSIDE if its is None else before(other, its) for other, its in sides),
                keys=tuple(face.keys),
            )
        )
    floor = [
        tuple(map(_on_paper, in_view(bodies, face.keys)))
        for face in outer_faces(bodies, [[cells[number] for number in numbers]])
        if times(face.normal, VIEW)[2] < -EDGE_ON
    ]
    return Sheet(tuple(tiles), solid=True, floor=tuple(floor))


def _seen_faces(bodies: Bodies, cell: Cell) -> Iterator[OuterFace]:
    """The faces of a cell; one with two sides is turned to the reader."""
    for face in faces_of(bodies, [cell]):
        if face.two_sided and times(face.normal, VIEW)[2] < 0:
            yield face._replace(keys=face.keys[::-1], normal=-face.normal)
        else:
            yield face


def _balls_in_space(
    bodies: Bodies, cells: Sequence[Cell], in_order: Sequence[int]
) -> Iterator[Tile]:
    """Balls, or bars in space; a ball touches those that come later."""
    centres = [bodies.centre(cells[number]) for number in in_order]
    for (_, later), number in zip(touching(centres, bodies.pitch), in_order, strict=True):
        body = bodies.body(cells[number])
        if body.sort == BAR:
            ends = in_view(bodies, bodies.corners(cells[number]))
            points = tuple(map(_on_paper, ends))
            yield Tile(number, points, (OUTSIDE, OUTSIDE), bar_width(bodies, body))
            continue
        (place,) = in_view(bodies, [bodies.middle(cells[number])])
        others = [in_order[other] for other in later]
        balls = tuple(other for other in others if bodies.body(cells[other]).sort != BAR)
        yield Tile(number, (_on_paper(place),), balls, bodies.pitch / 2)


def _rounded(normal: Floats) -> Normal:
    return tuple(round(float(x), 6) + 0.0 for x in normal)
