"""The bodies that named regions are made of: a diamond of radius 6, a hexagon of side 3.

A family of regions is data: the names of its sizes, and a `Body` made of them - a box of vectors
and a test of where the centres of its cells lie, in lattice coordinates. Since the sides of every
body run along or between cells, a cell belongs to a body just where its centre does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells, Lattice

Floats = npt.NDArray[np.float64]
Test = Callable[..., npt.NDArray[np.bool_]]
Limits = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Body:
    """A part of space: cells with vectors within the limits (from, to) whose centre passes."""

    limits: Limits
    passes: Test | None = None

    def cells(self, lattice: Lattice) -> Cells:
        """The cells of this body, sorted."""
        axes = [np.arange(low, high + 1) for low, high in self.limits]
        vectors = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
        kept = []
        for kind, centre in enumerate(lattice.centres.values()):
            chosen = vectors
            if self.passes is not None:
                places = vectors + np.array([float(value) for value in centre])
                chosen = vectors[self.passes(*places.T)]
            kept.append(lattice.cells(chosen, np.full(len(chosen), kind)))
        return CellSet.of(lattice, np.concatenate(kept)).cells

    def candidates(self, lattice: Lattice) -> int:
        """How many cells there are at most, without making them."""
        count = len(lattice.kinds)
        for low, high in self.limits:
            count *= max(0, high - low + 1)
        return count


@dataclass(frozen=True)
class Family:
    """A family of regions.

    name       what it is asked for by
    sizes      what its whole numbers mean, in order
    summary    one line for lists
    body       makes the body from the sizes
    """

    name: str
    sizes: tuple[str, ...]
    summary: str
    body: Callable[..., Body]

    @property
    def usage(self) -> str:
        return " ".join((self.name, *self.sizes))


# -- bodies in the plane of triangles and hexagons ------------------------------------------------
#
# Both have unit vectors 60 degrees apart, so one polygon serves both. Triangles lie between grid
# lines, hexagons on grid points: a row of n hexagons is n - 1 steps long.


def _triangle(n: int) -> Body:
    return Body([(0, n)] * 2, lambda x, y: (x >= 0) & (y >= 0) & (x + y <= n))


def _inverted_triangle(n: int) -> Body:
    return Body([(0, n)] * 2, lambda x, y: (x <= n) & (y <= n) & (x + y >= n))


def _hexagon(n: int) -> Body:
    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        return (abs(x) <= n) & (abs(y) <= n) & (abs(x + y) <= n)

    return Body([(-n, n)] * 2, passes)


def _hexagon_of_sides(a: int, b: int, c: int) -> Body:
    """Opposite sides are equal; a is the bottom, and so on against the clock."""

    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        inside = (x >= 0) & (x <= a + c) & (y >= 0) & (y <= b + c)
        return inside & (x + y >= c) & (x + y <= a + b + c)

    return Body([(0, a + c), (0, b + c)], passes)


def _truncated_triangle(long: int, short: int) -> Body:
    """A triangle of side long + 2 short with its corners, of side short, cut off."""

    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        inside = (x >= 0) & (y >= 0) & (x + y <= long + 2 * short)
        return inside & (x <= long + short) & (y <= long + short) & (x + y >= short)

    return Body([(0, long + 2 * short)] * 2, passes)


def _parallelogram(a: int, b: int) -> Body:
    return Body([(0, a), (0, b)], lambda x, y: (x >= 0) & (x <= a) & (y >= 0) & (y <= b))


def _trapezoid(bottom: int, height: int) -> Body:
    if height > bottom:
        raise PuzzleError("region trapezoid: its height must not be more than its bottom")
    return Body(
        [(0, bottom), (0, height)],
        lambda x, y: (x >= 0) & (y >= 0) & (y <= height) & (x + y <= bottom),
    )


def _star(n: int) -> Body:
    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        up = (x >= -n) & (y >= -n) & (x + y <= n)
        down = (x <= n) & (y <= n) & (x + y >= -n)
        return up | down

    return Body([(-2 * n, 2 * n)] * 2, passes)


def _rows_of_hexagons(width: int, height: int) -> Body:
    """Rows one above the other, every second one half a hexagon to the right."""

    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        first = -np.floor(y / 2)
        return np.asarray((x >= first) & (x < first + width))

    return Body([(-(height // 2), width - 1), (0, height - 1)], passes)


POLYGONS = (
    Family("triangle", ("n",), "a triangle of side n", _triangle),
    Family("inverted-triangle", ("n",), "a triangle of side n, point down", _inverted_triangle),
    Family("hexagon", ("n",), "a regular hexagon of side n", _hexagon),
    Family("hexagon", ("a", "b", "c"), "a hexagon of sides a b c a b c", _hexagon_of_sides),
    Family(
        "truncated-triangle",
        ("long", "short"),
        "a hexagon of sides long and short in turn",
        _truncated_triangle,
    ),
    Family("parallelogram", ("a", "b"), "a parallelogram of sides a and b", _parallelogram),
    Family("rhombus", ("n",), "a rhombus of side n", lambda n: _parallelogram(n, n)),
    Family("trapezoid", ("bottom", "height"), "a triangle without its tip", _trapezoid),
    Family("star", ("n",), "a six-pointed star: a hexagon of side n with six triangles", _star),
)


def _of_hexagons(family: Family) -> Family:
    """The same polygon with sides counted in hexagons."""
    return Family(
        family.name,
        family.sizes,
        family.summary + ", in hexagons",
        lambda *sizes: family.body(*(size - 1 for size in sizes)),
    )


def _stacked(family: Family) -> Family:
    """The polygon as the base of a column."""

    def body(*sizes: int) -> Body:
        base, height = family.body(*sizes[:-1]), sizes[-1]
        passes = base.passes
        return Body(
            [*base.limits, (0, height - 1)],
            None if passes is None else lambda x, y, z: passes(x, y),
        )

    layers = "layers" if "height" in family.sizes else "height"
    return Family(family.name, (*family.sizes, layers), f"{family.summary}, stacked", body)


# -- bodies of squares, cubes and their like ------------------------------------------------------


def _diamond(dimension: int) -> Family:
    def body(r: int) -> Body:
        return Body([(-r, r)] * dimension, lambda *places: sum(map(abs, places)) <= r)

    return Family("diamond", ("r",), "all cells within r steps of the middle one", body)


def _corner(dimension: int, name: str) -> Family:
    def body(n: int) -> Body:
        return Body([(0, n - 1)] * dimension, lambda *places: sum(places) < n)

    return Family(name, ("n",), "a stepped corner: rows of n, n - 1, ... 1 cells", body)


def _shifted_rows(width: int, height: int) -> Body:
    return Body(
        [(0, width + height - 2), (0, height - 1)],
        lambda x, y: (x >= y) & (x < y + width),
    )


def _aztec(n: int) -> Body:
    return Body([(-n, n - 1)] * 2, lambda x, y: abs(x + 0.5) + abs(y + 0.5) <= n)


def _cross(arm: int, width: int) -> Body:
    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        return ((x >= 0) & (x < width)) | ((y >= 0) & (y < width))

    return Body([(-arm, width + arm - 1)] * 2, passes)


def _frame(width: int, height: int, border: int) -> Body:
    def passes(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
        across = (x < border) | (x >= width - border)
        return across | (y < border) | (y >= height - border)

    return Body([(0, width - 1), (0, height - 1)], passes)


def _pyramid_of_rows(n: int) -> Body:
    return Body([(1 - n, n - 1), (0, n - 1)], lambda x, y: abs(x) < n - y)


def _pyramid_of_layers(n: int) -> Body:
    return Body(
        [(1 - n, n - 1)] * 2 + [(0, n - 1)],
        lambda x, y, z: (abs(x) < n - z) & (abs(y) < n - z),
    )


SQUARE = (
    _diamond(2),
    _corner(2, "triangle"),
    _corner(2, "staircase"),
    Family(
        "parallelogram",
        ("width", "height"),
        "rows of `width` cells, each one cell further than the last",
        _shifted_rows,
    ),
    Family("pyramid", ("n",), "rows of 1, 3, 5 ... 2n - 1 cells", _pyramid_of_rows),
    Family("aztec", ("n",), "the Aztec diamond: rows of 2, 4, ... 2n, 2n, ... 4, 2 cells", _aztec),
    Family("cross", ("arm", "width"), "four arms round a square of side `width`", _cross),
    Family("frame", ("width", "height", "border"), "a box with a hole in the middle", _frame),
)

CUBIC = (
    _diamond(3),
    _corner(3, "corner"),
    Family("pyramid", ("n",), "square layers of side 2n - 1, ... 3, 1", _pyramid_of_layers),
)


# -- bodies of balls ------------------------------------------------------------------------------
#
# With the unit vectors of `fcc`, X = x + y, Y = x + z, Z = y + z are coordinates at right angles.


def _octahedron(n: int, *, half: bool = False) -> Body:
    m = n - 1

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        across, deep, high = x + y - m, x + z, y + z
        inside = np.abs(across) + np.abs(deep) + np.abs(high) <= m
        return inside & (high >= 0) if half else inside

    return Body([(-m, 2 * m)] * 3, passes)


def _cuboctahedron(n: int) -> Body:
    m = n - 1

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        sides = np.abs(np.stack([x + y, x + z, y + z]))
        return np.asarray((sides.max(axis=0) <= m) & (sides.sum(axis=0) <= 2 * m))

    return Body([(-2 * m, 2 * m)] * 3, passes)


BALLS = (
    Family("tetrahedron", ("n",), "a pile of balls with n along each edge", _corner(3, "").body),
    Family("octahedron", ("n",), "balls with n along each edge", _octahedron),
    Family(
        "square-pyramid",
        ("n",),
        "a pile of balls on an n x n square",
        lambda n: _octahedron(n, half=True),
    ),
    Family("cuboctahedron", ("n",), "balls with n along each edge", _cuboctahedron),
)


def _cuboid(a: int, b: int, c: int) -> Body:
    """With the unit vectors of `bcc`, a cell lies at half of (y + z - x, x + z - y, x + y - z)."""

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        doubled = (y + z - x, x + z - y, x + y - z)
        inside = np.ones(len(x), bool)
        for value, side in zip(doubled, (a, b, c), strict=True):
            inside &= (value >= 0) & (value <= 2 * (side - 1))
        return inside

    return Body([(0, b + c - 2), (0, a + c - 2), (0, a + b - 2)], passes)


TRUNCATED_OCTAHEDRA = (
    Family("cuboid", ("a", "b", "c"), "a x b x c cells at right angles and those between", _cuboid),
)


# -- bodies of tetrahedra -------------------------------------------------------------------------


def _rhombic_dodecahedron(n: int) -> Body:
    """Round the middle of a cube of `rhombic`; on each face there stands a pyramid."""

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        a, b, c = abs(x), abs(y), abs(z)
        return np.asarray((a + b <= n) & (b + c <= n) & (a + c <= n))

    return Body([(-n, n)] * 3, passes)


def _large_tetrahedron(n: int) -> Body:
    """Its sides are those of the tetrahedra of `octet`: halfway between whole numbers."""

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        return (x >= -0.5) & (y >= -0.5) & (z >= -0.5) & (x + y + z <= n - 1.5)

    return Body([(0, n - 1)] * 3, passes)


def _large_octahedron(n: int) -> Body:
    """Round the middle of an octahedron of `octet` if n is odd, otherwise round a corner of one."""

    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        sides = abs(x + y - (n + 1) % 2) + abs(x + z) + abs(y + z)
        return np.asarray(sides <= n)

    return Body([(-(n // 2) - 1, n // 2 + 1)] * 3, passes)


def _cubes_in_five(a: int, b: int, c: int) -> Body:
    def passes(x: Floats, y: Floats, z: Floats) -> npt.NDArray[np.bool_]:
        inside = np.ones(len(x), bool)
        for value, side in ((x + y, a), (x + z, b), (y + z, c)):
            inside &= (value >= 0) & (value <= side)
        return inside

    return Body(
        [(-(less // 2) - 1, (a + b + c - less) // 2 + 1) for less in (c, b, a)],
        passes,
    )


OCTETS = (
    Family("tetrahedron", ("n",), "a tetrahedron with edges n long", _large_tetrahedron),
    Family("octahedron", ("n",), "an octahedron with edges n long", _large_octahedron),
)

FAMILIES: dict[str, tuple[Family, ...]] = {
    "square": SQUARE,
    "cubic": CUBIC,
    "hypercubic": (_diamond(4), _corner(4, "corner")),
    "hypercubic-5": (_diamond(5), _corner(5, "corner")),
    "hypercubic-6": (_diamond(6), _corner(6, "corner")),
    "triangular": POLYGONS,
    "hexagonal": (
        *map(_of_hexagons, POLYGONS),
        Family(
            "rectangle",
            ("width", "height"),
            "rows of `width` hexagons, every second one half a hexagon to the right",
            _rows_of_hexagons,
        ),
    ),
    "prism": tuple(map(_stacked, POLYGONS)),
    "fcc": BALLS,
    "bcc": TRUNCATED_OCTAHEDRA,
    "rhombic": (
        Family("dodecahedron", ("n",), "a rhombic dodecahedron 2n wide", _rhombic_dodecahedron),
    ),
    "octet": OCTETS,
    "octet-eighths": (
        *OCTETS,
        Family("cuboid", ("a", "b", "c"), "a x b x c cubes of five cells each", _cubes_in_five),
    ),
}
"""The families of each lattice, besides `box`, which all have."""
