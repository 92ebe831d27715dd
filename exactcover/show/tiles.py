"""The surface of cells in space, and a board as tiles that never move.

A tile is what a cell, or a face of it, looks like on paper, with a note for each of its edges which
cell lies beyond. So a state of the board is drawn without geometry: fill the tiles, and draw the
edges beyond which there is another piece. Pictures and films are made of them.

Two cells in space share a face just where its corners are equal, and corners are whole numbers, so
nothing is rounded. Pages and printed parts are made of the faces that no two cells share. A picture
shows them from far away along a diagonal, with light from the upper left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from exactcover.base.values.products import Floats, dot, length, times
from exactcover.geometry.bodies import BALL, BAR, SOLID, Bodies, Body, Key, as_tuples, ring
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import copies_beside
from exactcover.puzzle import Cell
from exactcover.show.outlines import OUTSIDE, parted, turn
from exactcover.show.svg import Point

Placed = TypeVar("Placed", float, tuple[Fraction, ...])
"""A place by which cells are divided: a height, or a block."""

THIN = 1e-6
"""A cell that is not thicker than this has faces with two sides."""

_TURNED = np.array([[1, -1, 1], [1, 1, -1], [0, 2, 1]])
_LENGTHS = np.sqrt([2.0, 6.0, 3.0])
VIEW = _TURNED / _LENGTHS
"""Space to the coordinates of the viewer: right, up, towards the viewer. z goes up on paper."""

LIGHT = np.array([-0.35, 0.8, 0.5]) / length(np.array([-0.35, 0.8, 0.5]))
"""Where the light comes from, in the coordinates of the viewer."""

DARKEST = 0.8
"""The light on a face that is turned away from the light."""

EDGE_ON = 1e-6
"""A face whose normal is as near as this to the paper is not seen."""


class Face(NamedTuple):
    """A flat convex part of a surface.

    keys       its corners, against the clock as seen from outside
    normal     float64 [3]: points outwards, length 1
    two_sided  its cell has no thickness, so the normal may point either way
    """

    keys: tuple[Key, ...]
    normal: Floats
    two_sided: bool = False


def outer_faces(bodies: Bodies, cells: Iterable[Cell]) -> list[Face]:
    """The surface of cells: their faces without those between two of them."""
    faces = [*faces_of(bodies, cells)]
    times = Counter(frozenset(face.keys) for face in faces)
    return [face for face in faces if times[frozenset(face.keys)] == 1]


def faces_of(bodies: Bodies, cells: Iterable[Cell]) -> Iterator[Face]:
    """All faces of cells, those between two of them twice."""
    for cell in cells:
        corners = bodies.corners(cell)
        for side, normal, two_sided in _oriented(bodies, bodies.body(cell)):
            yield Face(tuple(corners[at] for at in side), normal, two_sided)


@lru_cache(maxsize=256)
def _oriented(bodies: Bodies, body: Body) -> tuple[tuple[tuple[int, ...], Floats, bool], ...]:
    """The faces of a body: the numbers of their corners, the normal, and whether it has two
    sides."""
    places, (centre,) = bodies.in_space(body.corners), bodies.in_space([body.centre])
    found = []
    for side in body.sides:
        corners = places[list(side)]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal /= length(normal)
        outward = float(dot(normal, corners.mean(axis=0) - centre))
        if outward < -THIN:
            side, normal = side[::-1], -normal
        found.append((side, normal, abs(outward) <= THIN))
    return tuple(found)


# -- as seen from the front ------------------------------------------------------------------------


def in_view(bodies: Bodies, keys: Sequence[Key]) -> Floats:
    """Where corners lie in the coordinates of the viewer: float64 [n, 3].

    Sums of whole numbers are divided at the end, so equal depths are equal.
    """
    places = np.array(keys, np.int64) @ (bodies.steps @ _TURNED)
    return np.asarray(places / (bodies.fine * bodies.denominator * _LENGTHS))


def lit(normal: Floats) -> float:
    """How much light a face gets that looks in this direction of the viewer's coordinates."""
    return min(1.0, DARKEST + (1 - DARKEST) * max(0.0, float(dot(normal, LIGHT))))


# -- the measures of cells -------------------------------------------------------------------------

BAR_WIDTH = 0.3
"""The width of a bar, as a share of its length."""

NECK = 0.5
"""The radius of what joins two balls, as a share of theirs."""

NEAR = 1.01
"""Balls no farther apart than this many pitches touch."""


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


# -- tiles -----------------------------------------------------------------------------------------

RADIUS = 0.96
"""The radius of a disc, as a share of half the distance between neighbours."""

PARTS = 1_000_000
"""Places on paper are compared in this many parts of a unit."""


class Joined(NamedTuple):
    """A side of a cell of a wrapped board that is one with a side at another end of it.

    side   its number, as an edge of the tile
    cell   the cell beyond it
    shift  where the copy of this cell lies, from the cell itself
    """

    side: int
    cell: int
    shift: Cell


@dataclass(frozen=True)
class Tile:
    """The drawing of a cell, or of one of its faces.

    cell    its place in the region
    points  the corners of a polygon, the ends of a bar, or the centre of a disc
    keys    of a polygon: its corners as whole numbers, for outlines
    beyond  of a polygon: the other cell beyond each edge, or OUTSIDE; of a disc: the cells that it
            touches
    over    of a face: the cell before the face beyond each edge, or OUTSIDE; if it is filled, the
            edge is a fold
    size    the radius of a disc, the width of a bar; 0 for a polygon
    light   1, or less for a face that is turned away from the light
    front   of a face: the cell before it, which hides it when it is filled, or OUTSIDE
    joined  of a polygon in the plane: its sides that are joined with others
    """

    cell: int
    points: tuple[Point, ...]
    beyond: tuple[int, ...]
    size: float = 0.0
    light: float = 1.0
    front: int = OUTSIDE
    joined: tuple[Joined, ...] = ()
    over: tuple[int, ...] = ()
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """Tiles that are drawn together.

    solid   from the back to the front, without empty cells; else side by side, with them
    tiles   what is drawn
    floor   the corners of faces of the empty region that are seen behind all pieces
    names   where a piece is named that has this cell in its middle, and how much room is there
    """

    tiles: tuple[Tile, ...]
    solid: bool = False
    floor: tuple[tuple[Point, ...], ...] = ()
    names: Mapping[int, tuple[Point, float]] = field(default_factory=dict)


def box(sheet: Sheet, owned: Container[int] | None = None) -> tuple[Point, Point]:
    """The least and the greatest x and y of the tiles of some cells; None: of the whole sheet."""
    corners = [point for face in sheet.floor if owned is None for point in face]
    for tile in sheet.tiles:
        if owned is not None and tile.cell not in owned:
            continue
        around, reach = tile.points, 0.0
        if len(around) == 1:
            reach = tile.size if sheet.solid else tile.size / RADIUS
        elif tile.size and not sheet.solid:
            reach = 0.65 * tile.size
        elif tile.size:
            (ax, ay), (bx, by) = around
            around, reach = (((ax + bx) / 2, (ay + by) / 2),), 0.8 * tile.size / BAR_WIDTH
        corners += [(x + sign, y + sign) for x, y in around for sign in (-reach, reach)]
    low, high = np.min(corners, axis=0).tolist(), np.max(corners, axis=0).tolist()
    return (low[0], low[1]), (high[0], high[1])


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


# -- cells side by side ---------------------------------------------------------------------------


def flat_sheet(bodies: Bodies, cells: Numbered, *, above: bool) -> Sheet:
    """Cells in the plane, or those of a layer as seen from above."""
    round_ = [one for one in cells.own if not bodies.body(one[1]).sides]
    tiles = [*_round_tiles(bodies, round_, RADIUS, solid=False)]
    own, copies = cells.own, cells.copies
    outlines: list[tuple[int, list[Key]]] = []
    places: dict[Key, Point] = {}
    for place, (_, cell) in enumerate((*own, *copies)):
        if sides := bodies.body(cell).sides:
            keys = bodies.corners(cell)
            points = [*_on_paper(bodies.in_space(keys))]
            if above:  # on paper equal corners are equal as whole numbers
                keys = [(round(x * PARTS), round(y * PARTS)) for x, y in points]
            places |= zip(keys, points, strict=True)
            outlines.append((place, _hull(keys) if above else [keys[a] for a, *_ in sides]))
    cell_of = dict(own)
    for place, loop, others in parted(outlines):
        if place >= len(own):
            continue
        joined = []
        for side, other in enumerate(others):
            if other >= len(own):
                number, copy = copies[other - len(own)]
                pairs = zip(copy, cell_of[number], strict=True)
                joined.append(Joined(side, number, tuple(a - b for a, b in pairs)))
        beyond = (own[other][0] if 0 <= other < len(own) else OUTSIDE for other in others)
        points = [places[key] for key in loop]
        tiles.append(
            Tile(own[place][0], tuple(points), tuple(beyond), joined=tuple(joined), keys=loop)
        )
    room = [min(room_in(bodies, body), 0.5 * bodies.pitch) for body in bodies.kinds]
    middles = _on_paper(bodies.in_space([bodies.middle(cell) for _, cell in cells.own]))
    names = {
        number: (middle, room[bodies.kind(cell)])
        for (number, cell), middle in zip(cells.own, middles, strict=True)
    }
    return Sheet(tuple(tiles), names=names)


def _round_tiles(
    bodies: Bodies, cells: Sequence[tuple[int, Cell]], radius: float, *, solid: bool
) -> Iterator[Tile]:
    """Discs or balls, each with those that it touches and that come later; and bars.

    radius  of a disc, as a share of half the distance between neighbours
    solid   as seen by the viewer of a solid
    """
    balls = [one for one in cells if bodies.body(one[1]).sort != BAR]
    near = touching([bodies.centre(cell) for _, cell in balls], bodies.pitch)
    beside = {balls[at][0]: tuple(balls[other][0] for other in later) for at, later in near}
    for number, cell in cells:
        size, beyond = bodies.pitch / 2 * radius, beside.get(number)
        if beyond is None:
            size, beyond = bar_width(bodies, bodies.body(cell)), ()
        keys = bodies.corners(cell) or [bodies.middle(cell)]
        ends = tuple(_on_paper(in_view(bodies, keys) if solid else bodies.in_space(keys)))
        yield Tile(number, ends, beyond, size)


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


def _on_paper(places: Floats) -> Iterator[Point]:
    return ((x, 0.0 - y) for x, y, *_ in places.tolist())


# -- cells in space -------------------------------------------------------------------------------


def solid_sheet(bodies: Bodies, cells: Sequence[tuple[int, Cell]]) -> Sheet:
    """The faces of numbered cells that are turned to the reader, from the back to the front."""
    middles = in_view(bodies, [bodies.middle(cell) for _, cell in cells])
    in_order = [cells[at] for at in np.argsort(middles[:, 2], kind="stable").tolist()]
    if any(bodies.body(cell).sort != SOLID for _, cell in in_order):
        round_ = _round_tiles(bodies, in_order, 1.0, solid=True)
        return Sheet(tuple(round_), solid=True)
    faces = [(number, face) for number, cell in in_order for face in _seen_faces(bodies, cell)]
    sharing: dict[frozenset[Key], list[int]] = {}
    in_plane: dict[object, list[tuple[int, Face]]] = {}
    for number, face in faces:
        sharing.setdefault(frozenset(face.keys), []).append(number)
        for edge in ring(face.keys):
            in_plane.setdefault((frozenset(edge), _rounded(face)), []).append((number, face))

    def before(number: int, face: Face) -> int:
        """The cell on the other side of a face."""
        there = sharing[frozenset(face.keys)]
        return next((one for one in there if one != number), OUTSIDE)

    tiles = []
    floor: list[tuple[int, tuple[Point, ...]]] = []
    for number, face in faces:
        normal = times(face.normal, VIEW)
        points = tuple(_on_paper(in_view(bodies, face.keys)))
        if normal[2] < -EDGE_ON and before(number, face) == OUTSIDE:
            floor.append((number, points))
        if normal[2] <= EDGE_ON:
            continue
        beyond, over = [], []
        for edge in ring(face.keys):
            there = in_plane[frozenset(edge), _rounded(face)]
            other, its = next((one for one in there if one[0] != number), (OUTSIDE, None))
            beyond.append(other)
            over.append(OUTSIDE if its is None else before(other, its))
        tiles.append(
            Tile(
                number, points, tuple(beyond), light=lit(normal), front=before(number, face),
                over=tuple(over), keys=tuple(face.keys),
            )
        )  # fmt: skip
    floor.sort(key=lambda one: one[0])
    return Sheet(tuple(tiles), solid=True, floor=tuple(points for _, points in floor))


def _seen_faces(bodies: Bodies, cell: Cell) -> Iterator[Face]:
    """The faces of a cell; one with two sides is turned to the reader."""
    for face in faces_of(bodies, [cell]):
        if face.two_sided and times(face.normal, VIEW)[2] < 0:
            yield face._replace(keys=face.keys[::-1], normal=-face.normal)
        else:
            yield face


def _rounded(face: Face) -> tuple[float, ...]:
    """The normal of a face, equal where it is equal but for rounding."""
    return tuple(round(float(x), 6) + 0.0 for x in face.normal)
