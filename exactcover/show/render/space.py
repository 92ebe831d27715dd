"""Paints cells in space from the back to the front: pictures, and the solids of films.

The tiles of a sheet come in the order of the depths of their cells' centres. That order is right
wherever the face between two neighbours is orthogonal to the line between their centres, as it is
in all our lattices: a ray towards the viewer passes such a face only from the cell that lies deeper
to the other one, so of two cells on one ray the nearer has the nearer centre.

A line is drawn where a piece ends or has an edge, not between two of its faces in one plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

import numpy as np

from exactcover.base.values.products import Floats, length, times
from exactcover.show.render.bodies import BAR, SOLID, Bodies
from exactcover.show.render.covering import Polygon, area, middle, unhidden
from exactcover.show.render.palette import EDGE, FAINT, Tone, shaded
from exactcover.show.render.parts import NECK, Cell, Part, name_at, stubs
from exactcover.show.render.svg import Disc, Figure, Label, Path, Point, Shape
from exactcover.show.render.tiles import JOINT, Sheet, Tile, solid_sheet
from exactcover.show.render.view import VIEW, in_view

SEAM = 1.2
"""The width of the line that closes the seam between two faces of one colour, in pixels."""

BRIGHTER = 0.02
"""By how much a bright face is preferred to a dark one as the place of a name."""

SPECK = 1e-3
"""A ball of which less is seen is left out, as a share of the square between neighbours."""

_ROUND = [(cos(number * pi / 12), sin(number * pi / 12)) for number in range(24)]
"""A disc as a polygon, as far as it is compared with others."""


@dataclass(frozen=True)
class Painted:
    """A tile, or what joins two balls, as shapes.

    outline  as it is seen, against the clock where y goes up
    covers   whether it hides what is behind it
    owner    the number of its part
    """

    tile: Tile
    shapes: tuple[Shape, ...]
    outline: Polygon
    covers: bool
    owner: int


class Painter:
    """Paints the tiles that parts own.

    owner  the number of the part that owns each cell
    place  where a point of the sheet is in the figure; scale: a unit of the sheet there
    """

    def __init__(
        self,
        owner: Mapping[int, int],
        parts: Sequence[Part],
        place: Callable[[Point], Point] = lambda point: point,
        scale: float = 1.0,
    ) -> None:
        self._owner, self._parts, self._place, self._scale = owner, parts, place, scale

    def paint(self, sheet: Sheet) -> Iterator[Painted]:
        """The tiles with a part, but for those that a cell with a part hides."""
        balls = {tile.cell: tile for tile in sheet.tiles if len(tile.points) == 1}
        for tile in sheet.tiles:
            if tile.cell not in self._owner or tile.front in self._owner:
                continue
            whole = self._parts[self._owner[tile.cell]].whole
            for other in tile.beyond if len(tile.points) == 1 and whole else ():
                if self._goes_on(tile, other):
                    yield self._neck(tile, balls[other])
            yield self._painted(tile)

    def _goes_on(self, tile: Tile, other: int) -> bool:
        """Whether the part of a tile goes on in another cell, perhaps across the joint."""
        other = JOINT - other if other <= JOINT else other
        return self._owner.get(other) == self._owner[tile.cell]

    def _painted(self, tile: Tile) -> Painted:
        owner = self._owner[tile.cell]
        part = self._parts[owner]
        points = tuple(map(self._place, tile.points))
        tone, size = shaded(part.tone, tile.light), tile.size * self._scale
        stubs = [self._stub(line) for other, line in tile.stubs if self._goes_on(tile, other)]
        if len(points) == 1:
            line = EDGE if part.whole else FAINT
            ball = Disc(points[0], size, part.tone, line, part.title, glossy=part.whole)
            return Painted(tile, (ball, *stubs), _disc(points[0], size), True, owner)
        if size:
            line = EDGE if part.whole else FAINT
            bar = _bar(points, size, part, line)
            return Painted(tile, (*bar, *stubs), _strip(points, 1.12 * size), False, owner)
        face = tuple(self._face(tile, points, tone, part))
        return Painted(tile, face, _turned(points), True, owner)

    def _face(
        self, tile: Tile, points: tuple[Point, ...], tone: Tone, part: Part
    ) -> Iterator[Path]:
        if not part.whole:
            yield Path((points,), tone, FAINT, 0.75, part.title)
            return
        # A line of its own colour closes the seam that two filled faces would show.
        yield Path((points,), tone, tone, SEAM, part.title)
        ends, joints = [], []
        sides = zip(points, (*points[1:], points[0]), tile.beyond, tile.over, strict=True)
        for a, b, other, over in sides:
            if not self._goes_on(tile, other) or over in self._owner:
                ends.append((a, b))
            elif other <= JOINT:
                joints.append((a, b))
        if ends:
            yield Path(tuple(ends), line=EDGE, width=1.3, closed=False)
        if joints:
            yield Path(tuple(joints), line=EDGE, width=0.8, closed=False, dashed=True)

    def _neck(self, tile: Tile, other: Tile) -> Painted:
        """The bar that joins two balls. It is painted before both, so they cover its ends."""
        ends = self._place(tile.points[0]), self._place(other.points[0])
        width, owner = 2 * NECK * tile.size * self._scale, self._owner[tile.cell]
        bar = _bar(ends, width, self._parts[owner], EDGE)
        return Painted(tile, bar, _strip(ends, width), False, owner)

    def _stub(self, line: tuple[Point, ...]) -> Path:
        """A dashed line to where a piece goes on across the joint."""
        places = tuple(map(self._place, line))
        return Path((places,), line=EDGE, closed=False, dashed=True)


def _bar(ends: tuple[Point, ...], width: float, part: Part, line: Tone) -> tuple[Path, Path]:
    """A bar between two points: a wide dark one, and its colour on it."""
    tone = shaded(part.tone, 0.9)
    return (
        Path((ends,), None, line, 1.12 * width, closed=False, scaled=True),
        Path((ends,), None, tone, width, part.title, closed=False, scaled=True),
    )


def _turned(points: Sequence[Point]) -> Polygon:
    return [(x, -y) for x, y in points]


def _disc(centre: Point, radius: float) -> Polygon:
    return [(centre[0] + radius * x, radius * y - centre[1]) for x, y in _ROUND]


def _strip(ends: Sequence[Point], width: float) -> Polygon:
    first, second = np.array(_turned(ends))
    along = second - first
    reach = 0.5 * width * along / (length(along) or 1.0)
    side = np.array([-reach[1], reach[0]])
    corners = first - reach - side, second + reach - side, second + reach + side
    return [(float(x), float(y)) for x, y in (*corners, first - reach + side)]


# -- pictures -------------------------------------------------------------------------------------


def solid_figure(bodies: Bodies, parts: Sequence[Part]) -> Figure:
    """The parts in space, as far as they are seen, with their names; y downwards."""
    cells = [cell for part in parts for cell in part.cells]
    owner = dict(enumerate(number for number, part in enumerate(parts) for _ in part.cells))
    copies: dict[Cell, int] = {}
    for number, part in enumerate(parts):
        for cell in part.beyond:
            copies[cell] = len(owner)
            owner[len(owner)] = number
    sheet = solid_sheet(bodies, cells, range(len(cells)), copies)
    painted = [*Painter(owner, parts).paint(sheet)]
    flat = all(body.sort == SOLID for body in bodies.kinds)
    seen = unhidden(
        [one.outline for one in painted],
        [one.covers for one in painted],
        *(() if flat else (SPECK * bodies.pitch**2,)),
    )
    shapes = [shape for number in seen for shape in painted[number].shapes]
    if flat:
        labels = _on_faces([(painted[number], clear) for number, clear in seen.items()], parts)
    else:
        labels = _on_balls(painted, parts, bodies.pitch)
    return Figure.around([*shapes, *labels], _extent(bodies, parts))


def _on_faces(seen: Sequence[tuple[Painted, Polygon]], parts: Sequence[Part]) -> list[Label]:
    """The name of each part, where most room is for it."""
    best: dict[int, tuple[float, Label]] = {}
    for painted, clear in seen:
        part, light = parts[painted.owner], painted.tile.light
        size = area(clear) * (1 + BRIGHTER * light)
        if not part.label or size <= best.get(painted.owner, (0.0,))[0]:
            continue
        x, y = middle(clear)
        room = min(
            abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]))
            / (hypot(b[0] - a[0], b[1] - a[1]) or 1.0)
            for a, b in zip(clear, clear[1:] + clear[:1], strict=True)
            if a != b
        )
        label = name_at((x, -y), part.label, room, shaded(part.tone, light))
        best[painted.owner] = size, label
    return [label for _, label in best.values()]


def _on_balls(painted: Sequence[Painted], parts: Sequence[Part], pitch: float) -> list[Label]:
    """The name of each part on the nearest of its balls or bars whose middle can be seen."""
    tiles = [one for one in painted if one.covers or len(one.tile.points) > 1]
    places = np.array([np.mean(one.tile.points, axis=0) for one in tiles])
    named: dict[int, Label] = {}
    for number in range(len(tiles) - 1, -1, -1):
        owner, place = tiles[number].owner, places[number]
        nearer = length(places[number + 1 :] - place) < 0.7 * pitch
        if parts[owner].label and owner not in named and not nearer.any():
            at = float(place[0]), float(place[1])
            named[owner] = name_at(at, parts[owner].label, 0.3 * pitch, parts[owner].tone)
    return [*named.values()]


def _extent(bodies: Bodies, parts: Sequence[Part]) -> Floats:
    """Points on paper whose box holds all cells."""
    found = []
    for part in parts:
        for cell in part.cells:
            body = bodies.body(cell)
            if body.sort == SOLID:
                found.append(in_view(bodies, bodies.corners(cell)))
                continue
            (centre,) = in_view(bodies, [bodies.middle(cell)])
            reach = bodies.pitch / 2
            if body.sort == BAR:
                ends = bodies.in_space(body.corners)
                reach = 0.8 * float(length(ends[1] - ends[0]))
            found += [centre[None] - reach, centre[None] + reach]
        found += [times(line, VIEW) for *_, line in stubs(bodies, part.cells, part.beyond)]
    return np.asarray(np.concatenate(found)[:, :2] * [1, -1])
