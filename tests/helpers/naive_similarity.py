"""How many pieces of two solutions differ, by their cells alone and over all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product

import exactcover as ec

Cell = tuple[int, ...]
Cells = frozenset[Cell]


def motions(cells: Iterable[Cell], *, mirrors: bool) -> list[dict[Cell, Cell]]:
    """The motions of a box of squares or cubes onto itself, as maps of its cells."""
    known = sorted(cells)
    size = [max(axis) for axis in zip(*known, strict=True)]
    found = []
    for order in permutations(range(len(size))):
        if [size[axis] for axis in order] != size:
            continue
        for flips in product((False, True), repeat=len(size)):
            even = sum(a > b for a, b in combinations(order, 2)) % 2 == sum(flips) % 2
            if even or mirrors:
                found.append({
                    cell: tuple(
                        size[axis] - cell[axis] if flip else cell[axis]
                        for axis, flip in zip(order, flips, strict=True)
                    )
                    for cell in known
                })  # fmt: skip
    return found


def places(solution: ec.Solution) -> set[Cells]:
    return {frozenset(placement.cells) for placement in solution.placements}


def distance(first: ec.Solution, second: ec.Solution, maps: Sequence[dict[Cell, Cell]]) -> int:
    """How many pieces differ, however the second solution is turned."""
    ours, theirs = places(first), places(second)
    shared = max(
        len(ours & {frozenset(move[cell] for cell in piece) for piece in theirs}) for move in maps
    )
    return max(len(ours), len(theirs)) - shared


def edges(
    solutions: Sequence[ec.Solution], maps: Sequence[dict[Cell, Cell]], differ: int
) -> dict[tuple[int, int], int]:
    """The pairs that differ in few pieces, numbered from 1, and in how many."""
    far = {
        (one, other): distance(solutions[one - 1], solutions[other - 1], maps)
        for one, other in combinations(range(1, len(solutions) + 1), 2)
    }
    return {pair: changed for pair, changed in far.items() if changed <= differ}
