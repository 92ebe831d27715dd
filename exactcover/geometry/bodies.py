"""The cells of a lattice as bodies in space, made from what the lattice says of itself.

A body is a polygon in the plane, a convex solid, a bar with rounded ends, or a ball. Its corners
are kept as whole numbers: lattice coordinates times a common denominator. So corners, edges and
faces of two cells are the same just where these numbers are equal. The axes are whole numbers too,
in fine parts of a unit. So a place in space is a sum of whole numbers, and only the division at the
end rounds: equal heights and depths are equal, whatever processor it is.

Above three dimensions a cell is drawn as its slice along the first three axes. That is right where
the cell is this slice, moved along the other axes; a ball stands for any other cell, and for one of
which the lattice gives no outline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import lcm
from operator import add
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactcover.base.values.products import Floats, length, times
from exactcover.lattices.base import Cells, Lattice
from exactcover.lattices.motions import Point

POLYGON, SOLID, BAR, BALL = "polygon", "solid", "bar", "ball"

Key = tuple[int, ...]
"""A corner: lattice coordinates times the denominator of the bodies."""

Block = tuple[Fraction, ...]
"""Cells with the same coordinates beyond the third, which are drawn side by side."""

BITS = 30
"""The longest axis has about this many binary digits; a place far beyond any picture is exact."""

Ints = npt.NDArray[np.int64]
Corner = TypeVar("Corner")


@dataclass(frozen=True)
class Body:
    """The body of one kind of cell at the origin.

    sort     POLYGON, SOLID, BAR or BALL
    centre   its centre, times the denominator
    corners  its corners, times the denominator
    sides    corners by number: the edges of a polygon, the faces of a solid, each in cyclic order
    """

    sort: str
    centre: Key
    corners: tuple[Key, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Bodies:
    """The bodies of the kinds of a lattice.

    denominator  what lattice coordinates are multiplied by
    steps        int64 [axes, 2 or 3]: where the axes that are drawn lie in space, times `fine`
    fine         a power of two
    kinds        the body of each kind
    pitch        the least distance between the centres of two neighbours
    """

    lattice: Lattice
    denominator: int
    steps: Ints
    fine: float
    kinds: tuple[Body, ...]
    pitch: float

    @cached_property
    def axes(self) -> int:
        """How many lattice coordinates are drawn; the others number blocks."""
        return min(self.lattice.dimension, 3)

    @property
    def basis(self) -> Floats:
        """Where the axes that are drawn lie in space: float64 [axes, 2 or 3]."""
        return np.asarray(self.steps / self.fine)

    @property
    def solid(self) -> bool:
        """Whether cells lie in space, not in the plane."""
        return len(self.steps) == 3

    @property
    def mirrored(self) -> bool:
        """Whether the axes of cells in the plane lie with the clock."""
        (a, b), (c, d) = self.steps.tolist()
        return bool(a * d < b * c)

    def shift(self, cell: tuple[int, ...]) -> Key:
        """The shift of the corners of a cell's body by the cell's vector."""
        return tuple([x * self.denominator for x in cell[: self.axes]]) + self._flat

    @cached_property
    def _flat(self) -> Key:
        """A zero for each coordinate in space that vectors of the lattice do not have."""
        return (0,) * (len(self.steps) - self.axes)

    def body(self, cell: tuple[int, ...]) -> Body:
        """The body of the kind of a cell."""
        return self.kinds[self.kind(cell)]

    def kind(self, cell: tuple[int, ...]) -> int:
        """The kind of a cell."""
        return cell[-1] if len(self.kinds) > 1 else 0

    def block(self, cell: tuple[int, ...]) -> Block:
        """The block of a cell in more than three dimensions: its coordinates beyond the third."""
        centre = self.lattice.centres[self.lattice.kinds[self.kind(cell)]]
        return tuple(cell[axis] + centre[axis] for axis in range(3, self.lattice.dimension))

    def in_blocks(self, cells: Iterable[tuple[int, ...]]) -> dict[Block, list[int]]:
        """The blocks of cells, the lowest first, each with the numbers of its cells."""
        blocks: dict[Block, list[int]] = {}
        for number, cell in enumerate(cells):
            blocks.setdefault(self.block(cell), []).append(number)
        return dict(sorted(blocks.items()))

    def height(self, cell: tuple[int, ...]) -> float:
        """The height of a cell in space, equal for all cells of a layer."""
        return round(float(self.centre(cell)[2]), 6)

    def corners(self, cell: tuple[int, ...]) -> list[Key]:
        """The corners of a cell."""
        shift = self.shift(cell)
        return [moved(corner, shift) for corner in self.body(cell).corners]

    def middle(self, cell: tuple[int, ...]) -> Key:
        """The centre of a cell, times the denominator."""
        return moved(self.body(cell).centre, self.shift(cell))

    def centre(self, cell: tuple[int, ...]) -> Floats:
        """Where the centre of a cell lies in space."""
        place: Floats = self.in_space([self.middle(cell)])[0]
        return place

    def in_space(self, keys: Sequence[Key] | Ints) -> Floats:
        """Where corners lie: float64 [n, 2 or 3]."""
        return np.asarray(np.asarray(keys, np.int64) @ self.steps / (self.fine * self.denominator))


def ring(loop: Sequence[Corner]) -> Iterator[tuple[Corner, Corner]]:
    """The edges of a loop: each corner with the next one, the last one with the first."""
    return zip(loop, (*loop[1:], loop[0]), strict=True)


def moved(corner: Key, shift: Key) -> Key:
    """A corner moved by a vector."""
    return tuple(map(add, corner, shift))


def caption(place: Block, axes: str = "wvu") -> str:
    """The coordinates of a block: `w=1`."""
    return " ".join(f"{axis}={float(x):.3g}" for axis, x in zip(axes, place, strict=False))


@lru_cache(maxsize=32)
def bodies_of(lattice: Lattice) -> Bodies:
    """The bodies of a lattice's cells."""
    axes = min(lattice.dimension, 3)
    basis = _basis(lattice)[:axes]
    outlines = [lattice.outlines.get(kind, ()) for kind in lattice.kinds]
    centres = [centre[:axes] for centre in lattice.centres.values()]
    if lattice.dimension > 3:
        outlines = [_slice(corners) for corners in outlines]
    if lattice.dimension == 1:
        basis = np.array([[float(basis[0, 0]), 0.0], [0.0, 1.0]])
        outlines = [_strip(corners) for corners in outlines]
        centres = [(*centre, Fraction(0)) for centre in centres]
    points = [*centres, *(corner for corners in outlines for corner in corners)]
    denominator = lcm(*(x.denominator for point in points for x in map(Fraction, point)))

    def key(point: Point) -> Key:
        return tuple(int(x * denominator) for x in point)

    kinds = tuple(
        _body(key(centre), () if lattice.balls else tuple(map(key, corners)))
        for centre, corners in zip(centres, outlines, strict=True)
    )
    # A little more than the longest, so that it does not matter how its last digit was rounded.
    fine = 2.0 ** (BITS - int(np.frexp(1.001 * np.abs(basis).max())[1]))
    steps = np.rint(basis * fine).astype(np.int64)
    return Bodies(lattice, denominator, steps, fine, kinds, _pitch(lattice))


def _basis(lattice: Lattice) -> Floats:
    """The basis in as many dimensions as the lattice has; that may span a plane in space."""
    basis = np.array(lattice.basis, float)
    axes = min(lattice.dimension, 3)
    if basis.shape[1] == lattice.dimension and not basis[:axes, axes:].any():
        return basis[:axes, :axes]
    return np.asarray(np.linalg.cholesky(times(basis, basis.T))[:axes, :axes])


def _slice(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The first three coordinates of a cell that is a prism over them; nothing for another one."""
    low, high = {corner[:3] for corner in corners}, {corner[3:] for corner in corners}
    whole = set(corners) == {a + b for a, b in product(low, high)}
    return tuple(sorted(low)) if whole else ()


def _strip(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """A cell on a line as a rectangle of height 1."""
    if len(corners) != 2:
        return ()
    half = Fraction(1, 2)
    (a,), (b,) = sorted(corners)
    return (a, -half), (b, -half), (b, half), (a, half)


def _pitch(lattice: Lattice) -> float:
    """The least distance between the centres of two neighbours; 1 where there are none."""
    found = []
    for kind, around in enumerate(lattice.adjacent):
        if len(around):
            here = lattice.cells(np.zeros((1, lattice.dimension), np.int64), np.array([kind]))
            gaps = lattice.positions(around) - lattice.positions(here)
            found.append(float(length(gaps).min()))
    return min(found, default=1.0)


def _body(centre: Key, corners: tuple[Key, ...]) -> Body:
    if len(corners) == 2:
        return Body(BAR, centre, corners)
    if len(corners) > 2 and len(centre) == 2:
        return Body(POLYGON, centre, corners, _edges(corners))
    if len(corners) > 3 and (faces := convex_faces(corners)):
        return Body(SOLID, centre, corners, faces)
    return Body(BALL, centre)


def _edges(corners: tuple[Key, ...]) -> tuple[tuple[int, int], ...]:
    """The edges of a polygon, against the clock in lattice coordinates."""
    count = len(corners)
    edges = [(number, (number + 1) % count) for number in range(count)]
    twice = sum(corners[a][0] * corners[b][1] - corners[b][0] * corners[a][1] for a, b in edges)
    return tuple(edges) if twice > 0 else tuple((b, a) for a, b in reversed(edges))


def convex_faces(corners: tuple[Key, ...]) -> tuple[tuple[int, ...], ...]:
    """The faces of the convex hull of corners in space, each as corners in cyclic order.

    Three corners span a face where all others lie in its plane or on one side of it. This compares
    whole numbers, so it is exact. Corners in one plane have one face, which has two sides.
    """
    faces: dict[frozenset[int], tuple[int, ...]] = {}
    for first, second, third in combinations(range(len(corners)), 3):
        normal = _cross(
            minus(corners[second], corners[first]), minus(corners[third], corners[first])
        )
        heights = [_dot(normal, minus(corner, corners[first])) for corner in corners]
        if not any(normal) or min(heights) < 0 < max(heights):
            continue
        within = frozenset(number for number, height in enumerate(heights) if not height)
        if within not in faces:
            faces[within] = _in_order(corners, sorted(within), normal)
    return tuple(faces.values())


def _in_order(corners: tuple[Key, ...], face: list[int], normal: Key) -> tuple[int, ...]:
    """Corners of a convex face in cyclic order: all others lie to the left of each edge."""
    order = [face[0]]
    while True:
        here = corners[order[-1]]
        following = next(
            candidate
            for candidate in face
            if candidate != order[-1]
            and all(
                _is_left(minus(corners[candidate], here), minus(corners[other], here), normal)
                for other in face
                if other not in (candidate, order[-1])
            )
        )
        if following == order[0]:
            return tuple(order)
        order.append(following)


def _is_left(ahead: Key, other: Key, normal: Key) -> bool:
    """Whether a corner of a face lies to the left of the way ahead, or beyond its end."""
    turn = _dot(normal, _cross(ahead, other))
    return turn > 0 or (turn == 0 and _dot(other, other) < _dot(ahead, ahead))


def minus(a: Sequence[int], b: Sequence[int]) -> Key:
    """One corner or vector less another."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _cross(a: Key, b: Key) -> Key:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _dot(a: Key, b: Key) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def as_tuples(cells: Cells) -> list[tuple[int, ...]]:
    """Cells as tuples."""
    return [tuple(cell) for cell in cells.tolist()]
