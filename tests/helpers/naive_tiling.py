"""A plain, slow, obviously right reference: every tiling of a puzzle, straight from its cells.

A cell is the point of its centre, in lattice coordinates as exact fractions; a motion is applied to
those points; and pieces are laid on the first cell that is not yet decided. Two points of a wrapped
board are one where they differ by a whole combination of the periods, found by Cramer's rule;
nothing is reduced to a normal form. Nothing here knows options, items, images or positions. Of a
lattice only its data are read: centres, generators and, for sticks, where their ends lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import atan2, floor

from exactcover.lattices import Lattice, Motion

Cell = tuple[int, ...]
Point = tuple[Fraction, ...]
Wrap = tuple[tuple[int, ...], ...]
Shape = tuple[Point, ...]
"""One way in which a piece can lie, moved to the origin."""


@dataclass(frozen=True)
class Kind:
    """What tells pieces apart: every way in which one can be turned, and whether it may cross.

    A piece that nothing can cross may as well be crossed.
    """

    shapes: frozenset[Shape]
    crossing: bool = True

    @property
    def size(self) -> int:
        return len(next(iter(self.shapes)))


Tiling = frozenset[tuple[Kind, frozenset[Cell]]]
"""The movable pieces of a solution: cells, labelled by their kind."""


@dataclass(frozen=True)
class PlainPiece:
    """A piece as plain values; `high` None: any number; permissions None: as the puzzle says."""

    name: str
    cells: tuple[Cell, ...]
    low: int = 1
    high: int | None = 1
    stationary: bool = False
    reflections: bool | None = None
    crossing: bool | None = None


@dataclass(frozen=True)
class PlainPuzzle:
    """A puzzle as plain values.

    empty  bounds for the number of optional cells left empty
    wrap   the period vectors of a wrapped board: two in the plane at most
    """

    lattice: Lattice
    cells: tuple[Cell, ...]
    optional: tuple[Cell, ...]
    pieces: tuple[PlainPiece, ...]
    empty: tuple[int, int] | None = None
    reflections: bool = True
    crossing: bool = True
    wrap: Wrap = ()

    def own(self, cell: Cell) -> Cell | None:
        """The cell of the region that is the same as this one."""
        space = (*self.cells, *self.optional)
        if cell in space or not self.wrap:
            return cell if cell in space else None
        return _at(
            {_centre(self.lattice, one): one for one in space},
            _centre(self.lattice, cell),
            self.wrap,
        )

    def stationary(self) -> list[tuple[frozenset[Cell], bool]]:
        """The cells of each stationary piece, and whether others may cross it."""
        return [
            (frozenset(self.own(cell) or cell for cell in piece.cells), may_cross(self, piece))
            for piece in self.pieces
            if piece.stationary
        ]


def tilings(puzzle: PlainPuzzle) -> set[Tiling]:
    """Every solution of a puzzle; stationary pieces, the same in all of them, left out."""
    fixed = puzzle.stationary()
    if any(_clash(puzzle, one, other) for one, other in combinations(fixed, 2)):
        return set()
    free = (set(puzzle.cells) | set(puzzle.optional)) - {cell for part, _ in fixed for cell in part}
    low, high = _copies(puzzle)
    images = {kind: _images(puzzle, kind, free) for kind in low}
    found: list[Tiling] = []

    def extend(left: list[Cell], placed: list[tuple[Kind, frozenset[Cell]]], holes: int) -> None:
        if not left:
            many = Counter(kind for kind, _ in placed)
            least, most = puzzle.empty or (0, len(puzzle.optional))
            if least <= holes <= most and all(low[k] <= many[k] <= high[k] for k in low):
                found.append(frozenset(placed))
            return
        first, open_ = left[0], set(left)
        if first in puzzle.optional:
            extend(left[1:], placed, holes + 1)
        others = [*fixed, *((cells, kind.crossing) for kind, cells in placed)]
        for kind, places in images.items():
            for image in places:
                if first not in image or not image <= open_:
                    continue
                if not any(_clash(puzzle, (image, kind.crossing), other) for other in others):
                    rest = [cell for cell in left if cell not in image]
                    extend(rest, [*placed, (kind, image)], holes)

    extend(sorted(free), [], 0)
    assert len(set(found)) == len(found)
    return set(found)


def may_turn_over(puzzle: PlainPuzzle, piece: PlainPiece) -> bool:
    """Whether a piece may be turned over."""
    return puzzle.reflections if piece.reflections is None else piece.reflections


def may_cross(puzzle: PlainPuzzle, piece: PlainPiece) -> bool:
    """Whether a piece may cross another that may."""
    return puzzle.crossing if piece.crossing is None else piece.crossing


def kind_of(puzzle: PlainPuzzle, piece: PlainPiece) -> Kind:
    """The kind of a piece: pieces of one kind are copies of each other."""
    lattice = puzzle.lattice
    shapes = _turned(lattice, drawn(lattice, piece.cells), may_turn_over(puzzle, piece))
    crossing = may_cross(puzzle, piece)
    return Kind(shapes, crossing or not cross(lattice, piece.cells, _beside(lattice, piece.cells)))


def mirrored(lattice: Lattice, kind: Kind) -> Kind:
    """The kind of the mirror images of a piece."""
    mirror = lattice.reflections[0]
    shapes = (_at_origin(_moved(mirror, point) for point in shape) for shape in kind.shapes)
    return Kind(frozenset(shapes), kind.crossing)


def drawn(lattice: Lattice, cells: Iterable[Cell]) -> Shape:
    """Cells as a piece is drawn, moved to the origin."""
    return _at_origin(_centre(lattice, cell) for cell in cells)


def _clash(
    puzzle: PlainPuzzle, one: tuple[frozenset[Cell], bool], other: tuple[frozenset[Cell], bool]
) -> bool:
    """Whether two pieces cross and one of them may not; each with whether it may."""
    return not (one[1] and other[1]) and cross(puzzle.lattice, one[0], other[0], puzzle.wrap)


def _beside(lattice: Lattice, cells: Iterable[Cell]) -> set[Cell]:
    """All cells near these, but these."""
    steps = list(product((-1, 0, 1), repeat=lattice.dimension))
    kinds = range(len(lattice.kinds))
    near = set()
    if lattice.name.startswith("sticks"):
        for cell in cells:
            for step, kind in product(steps, kinds):
                near.add((*(a + b for a, b in zip(cell, step, strict=False)), kind))
    return near - set(cells)


def cross(lattice: Lattice, one: Iterable[Cell], other: Iterable[Cell], wrap: Wrap = ()) -> bool:
    """Whether two pieces of sticks cross: round some end, their sticks alternate."""
    if not lattice.name.startswith("sticks"):
        return False
    at_one, at_other = _round_ends(lattice, one, wrap), _round_ends(lattice, other, wrap)
    for end, angles in at_one.items():
        labels = [(angle, 0) for angle in angles]
        labels += [(a, 1) for here in at_other if _same(end, here, wrap) for a in at_other[here]]
        ring = [label for _, label in sorted(labels)]
        turns = sum(ring[i - 1] != ring[i] for i in range(len(ring)))
        if turns >= 4:
            return True
    return False


# -- copies and images ----------------------------------------------------------------------------


def _copies(puzzle: PlainPuzzle) -> tuple[dict[Kind, int], dict[Kind, float]]:
    low: dict[Kind, int] = {}
    high: dict[Kind, float] = {}
    for piece in puzzle.pieces:
        if piece.stationary:
            continue
        kind = kind_of(puzzle, piece)
        low[kind] = low.get(kind, 0) + piece.low
        high[kind] = high.get(kind, 0) + (float("inf") if piece.high is None else piece.high)
    return low, high


def _images(puzzle: PlainPuzzle, kind: Kind, free: set[Cell]) -> set[frozenset[Cell]]:
    """Every way in which a piece lies on free cells, without lying on itself."""
    cell_at = {_centre(puzzle.lattice, cell): cell for cell in free}
    found = set()
    for points in kind.shapes:
        for target in cell_at:
            shift = [a - b for a, b in zip(target, points[0], strict=True)]
            if any(step.denominator != 1 for step in shift):
                continue
            cells = [_at(cell_at, _plus(point, shift), puzzle.wrap) for point in points]
            image = frozenset(cell for cell in cells if cell is not None)
            if len(image) == len(points):
                found.add(image)
    return found


def _at(cells: Mapping[Point, Cell], place: Point, wrap: Wrap) -> Cell | None:
    """The cell whose centre this is, among cells by their centres."""
    if place in cells or not wrap:
        return cells.get(place)
    return next((cells[centre] for centre in cells if _same(place, centre, wrap)), None)


def _same(one: Point, other: Point, wrap: Wrap) -> bool:
    """Whether two points are the same point of the board."""
    return one == other or is_period(wrap, [a - b for a, b in zip(one, other, strict=True)])


def is_period(wrap: Wrap, vector: Sequence[Fraction | int]) -> bool:
    """Whether a vector is a whole combination of the period vectors."""
    difference = [Fraction(x) for x in vector]
    if not wrap or not any(difference):
        return not any(difference)
    if len(wrap) == 1:
        [period] = wrap
        times = next(x / step for x, step in zip(difference, period, strict=True) if step)
        return times.denominator == 1 and [times * step for step in period] == difference
    ((a, b), (c, d)), (x, y) = wrap, difference
    first, second = (x * d - y * c) / (a * d - b * c), (a * y - b * x) / (a * d - b * c)
    return first.denominator == second.denominator == 1


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


def _round_ends(lattice: Lattice, sticks: Iterable[Cell], wrap: Wrap) -> dict[Point, list[float]]:
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
            end = next((end for end in leaving if _same(here, end, wrap)), here)
            leaving.setdefault(end, []).append(atan2(v - y, u - x))
    return leaving
