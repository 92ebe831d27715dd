"""A plain reference for wrapped boards and masks: cells are compared by differences.

Two cells are the same where their difference is a whole combination of the period vectors, found by
Cramer's rule; nothing is reduced to a normal form. A piece is known by its shape and by the cells
that it may lie on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import atan2

import numpy as np

from tests.helpers.naive_tiling import (
    Cell,
    PlainPiece,
    PlainPuzzle,
    Point,
    Shape,
    _turned,
    shape_of,
)

Vector = tuple[Fraction | int, ...]
Tiling = frozenset[tuple[Shape, frozenset[Cell]]]


@dataclass
class Wrapped:
    """A plain puzzle on a wrapped board: at most two period vectors."""

    plain: PlainPuzzle
    wrap: tuple[tuple[int, ...], ...]

    @property
    def space(self) -> tuple[Cell, ...]:
        return (*self.plain.cells, *self.plain.optional)

    def own(self, cell: Cell) -> Cell | None:
        """The cell of the region that is the same as this one."""
        size = self.plain.lattice.dimension
        for other in self.space:
            if cell[size:] == other[size:] and self.is_period(minus(cell[:size], other[:size])):
                return other
        return None

    def is_period(self, vector: Vector) -> bool:
        """Whether a vector is a whole combination of the period vectors."""
        if not any(vector) or not self.wrap:
            return not any(vector)
        if len(self.wrap) == 1:
            [period] = self.wrap
            axis = next(number for number, value in enumerate(period) if value)
            times = Fraction(vector[axis]) / period[axis]
            return times.denominator == 1 and tuple(times * x for x in period) == tuple(vector)
        (a, b), (c, d) = self.wrap
        det = a * d - b * c
        x, y = vector
        first, second = Fraction(x * d - y * c) / det, Fraction(a * y - b * x) / det
        return first.denominator == second.denominator == 1

    def same(self, one: Point, other: Point) -> bool:
        """Whether two points of the plane are the same point of the board."""
        difference = minus(one, other)
        return all(Fraction(x).denominator == 1 for x in difference) and self.is_period(difference)

    def shape(self, piece: PlainPiece) -> Shape:
        return shape_of(self.plain.lattice, piece.cells, self.plain.reflections)


def minus(one: Vector, other: Vector) -> Vector:
    return tuple(a - b for a, b in zip(one, other, strict=True))


# -- tilings --------------------------------------------------------------------------------------


def tilings(puzzle: Wrapped) -> set[Tiling]:
    """Every solution; stationary pieces, the same in all of them, left out."""
    plain = puzzle.plain
    fixed = [stationary(puzzle, piece) for piece in plain.pieces if piece.stationary]
    if not plain.crossing and any(cross(puzzle, a, b) for a, b in combinations(fixed, 2)):
        return set()
    free = set(puzzle.space) - {cell for part in fixed for cell in part}
    low: Counter[Shape] = Counter()
    high: Counter[Shape] = Counter()
    for piece in plain.pieces:
        if not piece.stationary:
            low[puzzle.shape(piece)] += piece.low
            high[puzzle.shape(piece)] += 99 if piece.high is None else piece.high
    places = {label: images(puzzle, label, free) for label in high}
    found: set[Tiling] = set()

    def extend(left: list[Cell], placed: list[tuple[Shape, frozenset[Cell]]], holes: int) -> None:
        if not left:
            many = Counter(label for label, _ in placed)
            least, most = plain.empty or (0, len(plain.optional))
            if least <= holes <= most and all(low[s] <= many[s] <= high[s] for s in high):
                found.add(frozenset(placed))
            return
        first, open_ = left[0], set(left)
        if first in plain.optional:
            extend(left[1:], placed, holes + 1)
        for label, listed in places.items():
            for image in listed:
                if first not in image or not image <= open_:
                    continue
                others = [*fixed, *(cells for _, cells in placed)]
                if plain.crossing or not any(cross(puzzle, image, other) for other in others):
                    rest = [cell for cell in left if cell not in image]
                    extend(rest, [*placed, (label, image)], holes)

    extend(sorted(free), [], 0)
    return found


def stationary(puzzle: Wrapped, piece: PlainPiece) -> frozenset[Cell]:
    cells = [puzzle.own(cell) for cell in piece.cells]
    assert None not in cells
    return frozenset(cell for cell in cells if cell is not None)


def images(puzzle: Wrapped, shape: Shape, free: set[Cell]) -> set[frozenset[Cell]]:
    """Every way in which a shape lies on free cells, without lying on itself."""
    lattice = puzzle.plain.lattice
    size = lattice.dimension
    centres = list(lattice.centres.values())
    found = set()
    for points in _turned(lattice, shape, puzzle.plain.reflections):
        for target in free:
            kind = (*target, 0)[size]
            shift = minus(add(centres[kind], target[:size]), points[0])
            if any(Fraction(step).denominator != 1 for step in shift):
                continue
            cells = [puzzle.own(cell_at(puzzle, add(point, shift))) for point in points]
            image = frozenset(cell for cell in cells if cell is not None)
            if None not in cells and len(image) == len(points) and image <= free:
                found.add(image)
    return found


def add(one: Vector, other: Vector) -> Point:
    return tuple(Fraction(a + b) for a, b in zip(one, other, strict=True))


def cell_at(puzzle: Wrapped, place: Point) -> Cell:
    """The cell whose centre this is."""
    lattice = puzzle.plain.lattice
    for kind, centre in enumerate(lattice.centres.values()):
        vector = minus(place, centre)
        if all(Fraction(x).denominator == 1 for x in vector):
            whole = tuple(int(x) for x in vector)
            return (*whole, kind) if lattice.width > lattice.dimension else whole
    raise AssertionError(place)


def cross(puzzle: Wrapped, one: Iterable[Cell], other: Iterable[Cell]) -> bool:
    """Whether two pieces of sticks cross: round some end, their sticks alternate."""
    lattice = puzzle.plain.lattice
    if not lattice.name.startswith("sticks"):
        return False
    round_ends: list[tuple[Point, list[tuple[float, int]]]] = []
    for owner, cells in enumerate((one, other)):
        for cell in cells:
            outline = list(lattice.outlines.values())[cell[2]]
            ends = [add(end, cell[:2]) for end in outline]
            for here, there in (ends, ends[::-1]):
                step = np.array([float(x) for x in minus(there, here)]) @ np.array(lattice.basis)
                same = [listed for place, listed in round_ends if puzzle.same(here, place)]
                if not same:
                    same = [[]]
                    round_ends.append((here, same[0]))
                same[0].append((atan2(step[1], step[0]), owner))
    for _, around in round_ends:
        ring = [owner for _, owner in sorted(around)]
        if sum(ring[i - 1] != ring[i] for i in range(len(ring))) >= 4:
            return True
    return False


# -- symmetries -----------------------------------------------------------------------------------


def orbits(puzzle: Wrapped, solutions: set[Tiling], counted: str) -> int:
    """How many classes the solutions make under the symmetries of the board."""
    moves = [*symmetries(puzzle, counted)]
    left, number = set(solutions), 0
    while left:
        seed = left.pop()
        for move, relabel in moves:
            moved = frozenset(
                (relabel[label], frozenset(move[cell] for cell in cells)) for label, cells in seed
            )
            assert moved in solutions
            left.discard(moved)
        number += 1
    return number


def symmetries(
    puzzle: Wrapped, counted: str
) -> Iterator[tuple[dict[Cell, Cell], dict[Shape, Shape]]]:
    """Motions with translations: where each cell and each label goes."""
    plain, lattice = puzzle.plain, puzzle.plain.lattice
    fixed = {stationary(puzzle, piece) for piece in plain.pieces if piece.stationary}
    free = set(puzzle.space) - {cell for part in fixed for cell in part}
    labels: dict[Shape, Counter[str]] = {}
    for piece in plain.pieces:
        if not piece.stationary:
            many = labels.setdefault(puzzle.shape(piece), Counter())
            many["low"] += piece.low
            many["high"] += 99 if piece.high is None else piece.high
    for shape, many in labels.items():
        room = len(free) // len(shape)
        many["high"] = min(many["high"], max(room, many["low"]))
    places = {label: images(puzzle, label, free) for label in labels}
    for number in range(len(lattice.group)):
        matrix = lattice.group.matrices[number]
        if not all(puzzle.is_period(tuple((matrix @ np.array(p)).tolist())) for p in puzzle.wrap):
            continue
        turn = bool(lattice.group.proper[number]) or plain.reflections
        if not turn and counted == "rotations":
            continue
        for move in translated(puzzle, number):
            if {frozenset(move[cell] for cell in part) for part in fixed} != fixed:
                continue
            if {move[cell] for cell in plain.optional} != set(plain.optional):
                continue
            onto: dict[Shape, Shape] = {}
            for label, listed in places.items():
                there = {frozenset(move[cell] for cell in image) for image in listed}
                shape = label if turn else mirrored(puzzle, label)
                wanted = [label] if shape == label else labels
                for other in wanted:
                    if (
                        other == shape
                        and places[other] == there
                        and labels[other] == labels[label]
                        and other not in onto.values()
                    ):
                        onto[label] = other
                        break
            if len(onto) == len(labels):
                yield move, onto


def mirrored(puzzle: Wrapped, shape: Shape) -> Shape:
    lattice = puzzle.plain.lattice
    cells = np.array([cell_at(puzzle, point) for point in shape])
    mirror = int(np.flatnonzero(~lattice.group.proper)[0])
    turned = lattice.moved(cells, [mirror])[0]
    return shape_of(lattice, map(tuple, turned.tolist()), False)


def translated(puzzle: Wrapped, number: int) -> Iterator[dict[Cell, Cell]]:
    """A motion of the lattice with every translation that keeps the region."""
    lattice = puzzle.plain.lattice
    size = lattice.dimension
    turned = [tuple(cell) for cell in lattice.moved(np.array(puzzle.space), [number])[0].tolist()]
    for target in puzzle.space:
        if target[size:] != turned[0][size:]:
            continue
        shift = minus(target[:size], turned[0][:size])
        there = [
            puzzle.own((*(int(x) for x in add(cell[:size], shift)), *cell[size:]))
            for cell in turned
        ]
        if None not in there and len(set(there)) == len(there):
            yield {a: b for a, b in zip(puzzle.space, there, strict=True) if b is not None}


__all__ = ["Tiling", "Wrapped", "orbits", "symmetries", "tilings"]
