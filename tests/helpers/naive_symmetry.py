"""Unique solutions by brute force: apply every motion to every solution and see which are one.

It works on cells alone: a motion of the lattice, moved back onto the region in any way, is a
symmetry of a puzzle if region, optional cells and stationary pieces come to lie on themselves and
the movable pieces are as many of each kind as before. A mirror counts as a turn where all pieces
may be turned over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from tests.helpers.naive_tiling import (
    Cell,
    Kind,
    PlainPuzzle,
    Tiling,
    is_period,
    kind_of,
    may_turn_over,
    mirrored,
)

Move = tuple[dict[Cell, Cell], bool]
"""Where each cell of the region goes, and whether a piece comes to be its mirror image."""


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
    """The motions that are symmetries of the puzzle."""
    fixed = {part for part, _ in puzzle.stationary()}
    optional = set(puzzle.optional)
    movable = [piece for piece in puzzle.pieces if not piece.stationary]
    turned_over = all(may_turn_over(puzzle, piece) for piece in movable)
    closed = counted != "rotations" and _closed(puzzle)
    found = []
    for number in range(len(puzzle.lattice.group)):
        proper = bool(puzzle.lattice.group.proper[number])
        if proper or turned_over or closed:
            found += [
                (move, not proper)
                for move in _onto(puzzle, number)
                if {move[cell] for cell in optional} == optional
                and {frozenset(move[cell] for cell in part) for part in fixed} == fixed
            ]
    return found


def _onto(puzzle: PlainPuzzle, number: int) -> Iterator[dict[Cell, Cell]]:
    """A motion with every translation that takes the region to itself."""
    lattice, size = puzzle.lattice, puzzle.lattice.dimension
    periods = lattice.group.matrices[number] @ np.array(puzzle.wrap, int).reshape(-1, size).T
    if not all(is_period(puzzle.wrap, period) for period in periods.T.tolist()):
        return
    space = (*puzzle.cells, *puzzle.optional)
    first, *others = lattice.moved(np.array(space), [number])[0].tolist()
    for target in space:
        shift = [a - b for a, b in zip(target[:size], first[:size], strict=True)]
        images = {target} if list(target[size:]) == first[size:] else set()
        move = {space[0]: target}
        for cell, turned in zip(space[1:], others, strict=True):
            vector = [a + b for a, b in zip(turned[:size], shift, strict=True)]
            image = puzzle.own((*vector, *turned[size:])) if images else None
            if image is None:
                images.clear()
                break
            images.add(image)
            move[cell] = image
        if len(images) == len(space):
            yield move


def _closed(puzzle: PlainPuzzle) -> bool:
    """Whether there are as many copies of the mirror image of every kind."""
    stationary = sum(len(part) for part, _ in puzzle.stationary())
    free = len(puzzle.cells) + len(puzzle.optional) - stationary
    low: Counter[Kind] = Counter()
    high: Counter[Kind] = Counter()
    for piece in puzzle.pieces:
        if not piece.stationary:
            kind = kind_of(puzzle, piece)
            low[kind] += piece.low
            room = max(free // kind.size, piece.low)
            high[kind] += room if piece.high is None else piece.high
    for kind in high:
        high[kind] = min(high[kind], max(low[kind], free // kind.size))
    images = {kind: mirrored(puzzle.lattice, kind) for kind in high}
    return all((low[a], high[a]) == (low[b], high[b]) for a, b in images.items())


def _moved(puzzle: PlainPuzzle, tiling: Tiling, move: Move) -> Tiling:
    onto, mirror = move
    return frozenset(
        (
            mirrored(puzzle.lattice, kind) if mirror else kind,
            frozenset(onto[cell] for cell in cells),
        )
        for kind, cells in tiling
    )
