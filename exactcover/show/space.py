"""Cells in space as a page draws them: corners, and faces with the cells at their sides.

A page shows any choice of cells: some are hidden, others moved away. So it gets every face of every
cell once, with the one or two cells that it belongs to, and drops a face while the cells at both
its sides are there and lie together. Which corners and faces are the same is decided here, on whole
numbers; the page compares nothing but numbers of cells.

A cell in the plane is a tile: the prism over its polygon. Balls and bars have no faces; they are
given by their middles and ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from exactcover.base.values.products import Floats
from exactcover.geometry.bodies import BAR, POLYGON, SOLID, Block, Bodies, Key, ring
from exactcover.puzzle import Cell
from exactcover.show.arrays import real, whole
from exactcover.show.outlines import OUTSIDE, parted, turn
from exactcover.show.svg import nested_grid
from exactcover.show.tiles import bar_width, faces_of, touching

THICKNESS = 0.34
"""The thickness of a tile, as a share of the distance between neighbours."""

BLOCK_GAP = 1.0
"""Between blocks, in pitches."""

Spot = tuple[int, Cell]
"""A cell, and the number of the block that it lies in."""

Corner = tuple[int, Key]
"""A corner of a cell, and the number of its block."""


@dataclass
class Space:
    """The corners and faces of cells, and their balls and bars.

    corners  where each corner lies
    faces    the corners of each face by number, against the clock as seen from outside its first
             cell
    sides    the first cell of each face, and the second one, or -1
    ears     face -> triangles, as places among its corners, if it is not convex
    balls    cells that are balls, and the pairs of them that touch
    bars     cells that are bars, the numbers of their end points, and their width

    bodies   of the lattice
    offsets  where each block lies
    spots    the cells, each with the number of its block
    """

    bodies: Bodies
    offsets: Sequence[Floats]
    spots: Sequence[Spot]
    corners: list[Floats] = field(default_factory=list)
    faces: list[tuple[int, ...]] = field(default_factory=list)
    sides: list[list[int]] = field(default_factory=list)
    ears: dict[int, list[int]] = field(default_factory=dict)
    thin: bool = False
    balls: list[int] = field(default_factory=list)
    bars: list[tuple[int, int, int]] = field(default_factory=list)
    width: float = 0.0

    def __post_init__(self) -> None:
        self._numbers: dict[Corner, int] = {}
        self._known: dict[tuple[int, frozenset[Key]], int] = {}
        outlines: dict[int, list[tuple[int, list[Key]]]] = {}  # of cells in the plane, by block
        for number, (block, cell) in enumerate(self.spots):
            body = self.bodies.body(cell)
            if body.sort == POLYGON:
                corners = self.bodies.corners(cell)
                outline = [corners[start] for start, *_ in body.sides]
                outlines.setdefault(block, []).append((number, outline))
            elif body.sort == SOLID:
                self._add_solid(number, block, cell)
            elif body.sort == BAR:
                first, second = self.bodies.corners(cell)
                self.bars.append((number, self._corner(block, first), self._corner(block, second)))
                self.width = bar_width(self.bodies, body)
            else:
                self.balls.append(number)
        for block, those in outlines.items():
            for number, keys, beyond in parted(those):
                self._add_tile(number, block, keys, beyond)

    def data(self, *, turning: bool = False) -> dict[str, object]:
        """The data for the page.

        turning  whether cells of four dimensions turn there, as balls
        """
        starts = np.cumsum([0, *map(len, self.faces)])
        cells = [cell for _, cell in self.spots]
        lattice = self.bodies.lattice
        turning &= lattice.dimension == 4
        places = lattice.positions(np.array(cells, np.int64)) if turning else None
        return {
            "centres": real(self._centres()),
            "blocks": whole([block for block, _ in self.spots]),
            "offsets": real([x for offset in self.offsets for x in offset]),
            "corners": real(np.array(self.corners)),
            "starts": whole(starts),
            "loops": whole([corner for face in self.faces for corner in face]),
            "sides": whole([cell for pair in self.sides for cell in pair]),
            "ears": self.ears,
            "thin": self.thin,
            "balls": whole(self.balls),
            "joints": whole([*self._joints()]),
            "bars": whole([number for bar in self.bars for number in bar]),
            "width": self.width,
            "fourth": None
            if places is None
            else {
                "centres": real(places),
                "joints": whole([*chain(*_pairs(places, self.bodies.pitch))]),
            },
        }

    def _centres(self) -> Floats:
        """The centres of the cells, without the offsets of their blocks: float64 [n, 3]."""
        places = np.zeros((len(self.spots), 3))
        for number, (_, cell) in enumerate(self.spots):
            centre = self.bodies.centre(cell)
            places[number, : len(centre)] = centre
        return places

    # -- corners and faces ------------------------------------------------------------------------

    def _corner(self, block: int, key: Key, height: float = 0.0) -> int:
        """The number of a corner; those of tiles differ by their height too."""
        known = block, (*key, int(height > 0)) if len(key) == 2 else key
        if known not in self._numbers:
            self._numbers[known] = len(self.corners)
            place = np.zeros(3)
            flat = self.bodies.in_space([key])[0]
            place[: len(flat)] = flat
            place[2] += height
            self.corners.append(place + self.offsets[block])
        return self._numbers[known]

    def _add_solid(self, number: int, block: int, cell: Cell) -> None:
        """Add the faces of a cell, or the cell to those that are known."""
        for key in self.bodies.corners(cell):
            self._corner(block, key)
        for face in faces_of(self.bodies, [cell]):
            corners = block, frozenset(face.keys)
            known = self._known.get(corners)
            if known is not None and self.sides[known][1] < 0:
                self.sides[known][1] = number
            else:
                self.thin |= face.two_sided
                self._known[corners] = len(self.faces)
                self._add_face(number, [self._corner(block, key) for key in face.keys])

    def _add_tile(
        self, number: int, block: int, loop: tuple[Key, ...], beyond: tuple[int, ...]
    ) -> None:
        """The prism over a polygon, with the cell beyond each of its edges."""
        if self.bodies.mirrored:
            loop, beyond = loop[::-1], (*beyond[-2::-1], beyond[-1])
        half = THICKNESS * self.bodies.pitch / 2
        above = [self._corner(block, key, half) for key in loop]
        below = [self._corner(block, key, -half) for key in loop]
        if (ears := triangles(loop)) is not None:
            last, first_face = len(loop) - 1, len(self.faces)
            self.ears[first_face] = [place for ear in ears for place in ear]
            self.ears[first_face + 1] = [last - place for ear in ears for place in ear[::-1]]
        self._add_face(number, above)
        self._add_face(number, below[::-1])
        for (here, there), other in zip(ring(range(len(loop))), beyond, strict=True):
            if other > number or other < 0:
                wall = above[here], below[here], below[there], above[there]
                self._add_face(number, wall, other)

    def _add_face(self, number: int, loop: Sequence[int], other: int = OUTSIDE) -> None:
        self.faces.append(tuple(loop))
        self.sides.append([number, other])

    # -- balls and bars ---------------------------------------------------------------------------

    def _joints(self) -> Iterator[int]:
        """Pairs of balls of one block that touch, one number after the other."""
        for first, second in _pairs(self._centres()[self.balls], self.bodies.pitch):
            one, other = self.balls[first], self.balls[second]
            if self.spots[one][0] == self.spots[other][0]:
                yield from (one, other)


def _pairs(centres: Floats, pitch: float) -> Iterator[tuple[int, int]]:
    """The balls that touch, as pairs."""
    return ((one, other) for one, those in touching(centres, pitch) for other in those)


# -- concave polygons ------------------------------------------------------------------------------


def triangles(loop: Sequence[Key]) -> list[tuple[int, int, int]] | None:
    """Triangles that make up a polygon, as places in the loop; None if it is convex.

    One ear after the other is cut off: a corner that juts out, with no other corner in the triangle
    that it makes with the two beside it. Whole numbers make every comparison exact.
    """
    bends = [
        turn(a, b, c)
        for a, b, c in zip((loop[-1], *loop[:-1]), loop, (*loop[1:], loop[0]), strict=True)
    ]
    sign = 1 if sum(turn((0, 0), a, b) for a, b in ring(loop)) > 0 else -1
    if all(sign * bend >= 0 for bend in bends):
        return None
    left = list(range(len(loop)))
    found: list[tuple[int, int, int]] = []
    while len(left) > 3:
        place = next(place for place in range(len(left)) if _is_ear(loop, left, place, sign))
        found.append((left[place - 1], left[place], left[(place + 1) % len(left)]))
        del left[place]
    return [*found, (left[0], left[1], left[2])]


def _is_ear(loop: Sequence[Key], left: Sequence[int], place: int, sign: int) -> bool:
    ear = left[place - 1], left[place], left[(place + 1) % len(left)]
    a, b, c = (loop[number] for number in ear)
    bend = sign * turn(a, b, c)
    if bend <= 0:
        # A corner on a straight line is cut off as an empty triangle.
        return bend == 0
    return not any(
        all(sign * turn(p, q, loop[other]) >= 0 for p, q in ((a, b), (b, c), (c, a)))
        for other in left
        if other not in ear
    )


# -- where blocks stand ----------------------------------------------------------------------------


def extent(bodies: Bodies, cells: Iterable[Cell]) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of the box round cells, in their own block."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for cell in cells:
        body = bodies.body(cell)
        points = (
            bodies.in_space(bodies.corners(cell)) if body.corners else bodies.centre(cell)[None]
        )
        reach = 0.0 if body.sides else bodies.pitch / (6 if body.sort == BAR else 2)
        flat = points.shape[1]
        low[:flat] = np.minimum(low[:flat], points.min(axis=0) - reach)
        high[:flat] = np.maximum(high[:flat], points.max(axis=0) + reach)
    return np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)


def nested(bodies: Bodies, cells: Sequence[Cell]) -> dict[Block, Floats]:
    """The offset of each block of cells, in a nested grid as on pictures, the first at the back."""
    low, high = extent(bodies, cells)
    across, deep, _ = (high - low).tolist()
    places = nested_grid(bodies.in_blocks(cells), (across, deep), BLOCK_GAP * bodies.pitch)
    return {block: np.array([x, 0.0 - y, 0.0]) for block, (x, y) in places.items()}
