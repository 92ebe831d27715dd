"""A plain, slow, obviously right reference: every tiling of a puzzle, straight from its cells.

A cell is the point of its centre, in lattice coordinates as exact fractions; a motion is applied to
those points; and pieces are laid on the first cell that is not yet decided. Nothing here knows
options, items, images or positions. Of a lattice only its data are read: centres, generators and,
for sticks, where their ends lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import atan2, floor

from exactcover.lattices import Lattice
from exactcover.lattices.base import Motion

Cell = tuple[int, ...]
Point = tuple[Fraction, ...]
Shape = tuple[Point, ...]
"""The first of all ways in which a piece can lie, moved to the origin: equal for equal shapes."""

Tiling = frozenset[tuple[Shape, frozenset[Cell]]]
"""The movable pieces of a solution: cells, labelled by their shape."""


@dataclass(frozen=True)
class PlainPiece:
    """A piece as plain values; `high` None: any number."""

    name: str
    cells: tuple[Cell, ...]
    low: int = 1
    high: int | None = 1
    stationary: bool = False


@dataclass(frozen=True)
class PlainPuzzle:
    """A puzzle as plain values; `empty` bounds the number of optional cells left empty."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    optional: tuple[Cell, ...]
    pieces: tuple[PlainPiece, ...]
    empty: tuple[int, int] | None = None
    reflections: bool = True
    crossing: bool = True


def tilings(puzzle: PlainPuzzle) -> set[Tiling]:
    """Every solution of a puzzle; stationary pieces, the same in all of them, left out."""
    lattice = puzzle.lattice
    fixed = [frozenset(piece.cells) for piece in puzzle.pieces if piece.stationary]
    if not puzzle.crossing and any(cross(lattice, a, b) for a, b in combinations(fixed, 2)):
        return set()
    free = (set(puzzle.cells) | set(puzzle.optional)) - {cell for part in fixed for cell in part}
    low, high = _copies(puzzle)
    images = {shape: list(_images(lattice, shape, free, puzzle.reflections)) for shape in low}
    found: list[Tiling] = []

    def extend(left: list[Cell], placed: list[tuple[Shape, frozenset[Cell]]], holes: int) -> None:
        if not left:
            many = Counter(shape for shape, _ in placed)
            least, most = puzzle.empty or (0, len(puzzle.optional))
            if least <= holes <= most and all(low[s] <= many[s] <= high[s] for s in low):
                found.append(frozenset(placed))
            return
        first, open_ = left[0], set(left)
        if first in puzzle.optional:
            extend(left[1:], placed, holes + 1)
        for shape, places in images.items():
            for image in places:
                if first not in image or not image <= open_:
                    continue
                others = [*fixed, *(cells for _, cells in placed)]
                if puzzle.crossing or not any(cross(lattice, image, other) for other in others):
                    rest = [cell for cell in left if cell not in image]
                    extend(rest, [*placed, (shape, image)], holes)

    extend(sorted(free), [], 0)
    assert len(set(found)) == len(found)
    return set(found)


def shape_of(lattice: Lattice, cells: Iterable[Cell], reflections: bool) -> Shape:
    """The shape of some cells."""
    return min(_turned(lattice, _drawn(lattice, cells), reflections))


def cross(lattice: Lattice, one: Iterable[Cell], other: Iterable[Cell]) -> bool:
    """Whether two pieces of sticks cross: round some end, their sticks alternate."""
    if not lattice.name.startswith("sticks"):
        return False
    at_one, at_other = _round_ends(lattice, one), _round_ends(lattice, other)
    for end in at_one.keys() & at_other.keys():
        labels = [(angle, 0) for angle in at_one[end]] + [(angle, 1) for angle in at_other[end]]
        ring = [label for _, label in sorted(labels)]
        turns = sum(ring[i - 1] != ring[i] for i in range(len(ring)))
        if turns >= 4:
            return True
    return False


# -- copies and images ----------------------------------------------------------------------------


def _copies(puzzle: PlainPuzzle) -> tuple[dict[Shape, int], dict[Shape, float]]:
    low: dict[Shape, int] = {}
    high: dict[Shape, float] = {}
    for piece in puzzle.pieces:
        if piece.stationary:
            continue
        shape = shape_of(puzzle.lattice, piece.cells, puzzle.reflections)
        low[shape] = low.get(shape, 0) + piece.low
        high[shape] = high.get(shape, 0) + (float("inf") if piece.high is None else piece.high)
    return low, high


def _images(
    lattice: Lattice, shape: Shape, free: set[Cell], reflections: bool
) -> Iterator[frozenset[Cell]]:
    """Every way in which a shape lies on free cells, once."""
    cell_at = {_centre(lattice, cell): cell for cell in free}
    seen = set()
    for points in _turned(lattice, shape, reflections):
        for target in cell_at:
            shift = [a - b for a, b in zip(target, points[0], strict=True)]
            if any(step.denominator != 1 for step in shift):
                continue
            moved = [_plus(point, shift) for point in points]
            if all(point in cell_at for point in moved):
                seen.add(frozenset(cell_at[point] for point in moved))
    yield from seen


def _drawn(lattice: Lattice, cells: Iterable[Cell]) -> Shape:
    """Cells as a piece is drawn, moved to the origin."""
    return _at_origin(_centre(lattice, cell) for cell in cells)


@lru_cache(maxsize=4096)
def _turned(lattice: Lattice, start: Shape, reflections: bool) -> frozenset[Shape]:
    """All ways in which a piece can be turned, each moved to the origin."""
    generators = [*lattice.rotations, *lattice.reflections]
    # A product of motions is proper where an even number of its factors are reflections.
    reached = {(start, True)}
    fresh = [(start, True)]
    while fresh:
        shape, proper = fresh.pop()
        for motion in generators:
            turned = _at_origin(_moved(motion, point) for point in shape)
            state = (turned, proper == (motion not in lattice.reflections))
            if state not in reached:
                reached.add(state)
                fresh.append(state)
    return frozenset(shape for shape, proper in reached if proper or reflections)


def _moved(motion: Motion, place: Point) -> Point:
    shift: Sequence[Fraction] = motion.shift or [Fraction(0)] * len(place)
    return tuple(
        sum((m * x for m, x in zip(row, place, strict=True)), start)
        for row, start in zip(motion.matrix, shift, strict=True)
    )


def _at_origin(points: Iterable[Point]) -> Shape:
    """Points moved by a whole vector so that the first of them is near the origin, sorted."""
    ordered = sorted(points)
    return tuple(_plus(point, [-floor(x) for x in ordered[0]]) for point in ordered)


def _plus(place: Point, shift: Sequence[Fraction | int]) -> Point:
    return tuple(a + b for a, b in zip(place, shift, strict=True))


def _centre(lattice: Lattice, cell: Cell) -> Point:
    vector, kind = cell[: lattice.dimension], (*cell, 0)[lattice.dimension]
    return _plus(list(lattice.centres.values())[kind], vector)


def _round_ends(lattice: Lattice, sticks: Iterable[Cell]) -> dict[Point, list[float]]:
    """For each end of these sticks, in which directions sticks leave it."""

    def place(end: Point) -> tuple[float, float]:
        (a, b), (u, v) = end, lattice.basis
        return float(a) * u[0] + float(b) * v[0], float(a) * u[1] + float(b) * v[1]

    leaving: dict[Point, list[float]] = {}
    for stick in sticks:
        vector, kind = stick[: lattice.dimension], stick[lattice.dimension]
        ends = [_plus(end, vector) for end in list(lattice.outlines.values())[kind]]
        for here, there in (ends, ends[::-1]):
            (x, y), (u, v) = place(here), place(there)
            leaving.setdefault(here, []).append(atan2(v - y, u - x))
    return leaving
