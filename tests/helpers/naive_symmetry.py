"""Unique solutions by brute force: apply every motion to every solution and see which are one.

It works on cells alone: a motion of the lattice, moved back onto the region, is a symmetry of a
puzzle if region, optional cells and stationary pieces come to lie on themselves and the movable
pieces are as many of each kind as before. A mirror counts as a turn where all pieces may be turned
over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from tests.helpers.naive_tiling import (
    Cell,
    Kind,
    PlainPuzzle,
    Tiling,
    drawn,
    kind_of,
    may_turn_over,
    turned_kind,
)

Move = Callable[[Iterable[Cell]], frozenset[Cell]]


def orbits(puzzle: PlainPuzzle, solutions: set[Tiling], counted: str) -> list[set[Tiling]]:
    """The solutions in classes of those that the symmetries take to each other; all: each alone."""
    if counted == "all":
        return [{solution} for solution in solutions]
    moves = symmetries(puzzle, counted)
    left, found = set(solutions), []
    while left:
        seed = next(iter(left))
        orbit = {_moved(puzzle, seed, move) for move in moves}
        assert orbit <= solutions
        found.append(orbit)
        left -= orbit
    return found


def symmetries(puzzle: PlainPuzzle, counted: str) -> list[Move]:
    """The motions that are symmetries of the puzzle, as functions of cells."""
    lattice = puzzle.lattice
    space = frozenset(puzzle.cells) | frozenset(puzzle.optional)
    fixed = {frozenset(piece.cells) for piece in puzzle.pieces if piece.stationary}
    found = []
    for number in range(len(lattice.group)):
        move = _onto(puzzle, number, space)
        if move(space) != space or move(puzzle.optional) != frozenset(puzzle.optional):
            continue
        if {move(part) for part in fixed} != fixed:
            continue
        movable = [piece for piece in puzzle.pieces if not piece.stationary]
        turn = lattice.group.proper[number] or all(may_turn_over(puzzle, p) for p in movable)
        if not turn and (counted == "rotations" or not _closed(puzzle, move)):
            continue
        found.append(move)
    return found


def _onto(puzzle: PlainPuzzle, number: int, space: frozenset[Cell]) -> Move:
    """A motion with the translation that takes the lowest corner of the region to itself."""
    lattice = puzzle.lattice
    size = lattice.dimension
    cells = np.array(sorted(space))
    shift = cells[:, :size].min(axis=0) - lattice.moved(cells, [number])[0][:, :size].min(axis=0)

    def move(listed: Iterable[Cell]) -> frozenset[Cell]:
        array = np.array(sorted(listed), np.int64).reshape(-1, lattice.width)
        image = lattice.moved(array, [number])[0]
        image[:, :size] += shift
        return frozenset(map(tuple, image.tolist()))

    return move


def _closed(puzzle: PlainPuzzle, move: Move) -> bool:
    """Whether there are as many copies of the mirror image of every kind."""
    stationary = sum(len(piece.cells) for piece in puzzle.pieces if piece.stationary)
    free = len(puzzle.cells) + len(puzzle.optional) - stationary
    low: Counter[Kind] = Counter()
    high: Counter[Kind] = Counter()
    mirror = {}
    for piece in puzzle.pieces:
        if piece.stationary:
            continue
        room = max(free // len(piece.cells), piece.low)
        kind = kind_of(puzzle, piece)
        mirror[kind] = _moved_kind(puzzle, kind, move(piece.cells))
        low[kind] += piece.low
        high[kind] += room if piece.high is None else piece.high
    for kind in high:
        high[kind] = min(high[kind], max(low[kind], free // kind.size))
    return all(
        (low[kind], high[kind]) == (low[image], high[image]) for kind, image in mirror.items()
    )


def _moved(puzzle: PlainPuzzle, tiling: Tiling, move: Move) -> Tiling:
    moved = [(kind, move(cells)) for kind, cells in tiling]
    return frozenset((_moved_kind(puzzle, kind, cells), cells) for kind, cells in moved)


def _moved_kind(puzzle: PlainPuzzle, kind: Kind, moved: frozenset[Cell]) -> Kind:
    """The kind of a piece that lies on these cells after a motion."""
    if drawn(puzzle.lattice, moved) in kind.shapes:
        return kind
    return turned_kind(puzzle.lattice, moved, crossing=kind.crossing)
