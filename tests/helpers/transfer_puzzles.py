"""Puzzles whose solutions are counted in several ways, and the engines that count them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from exactcover.backends import Status, Task, get_backend, started
from exactcover.backends.automaton import count
from exactcover.lattices import Lattice, get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.transfer import Cell, Graph, connected_sets

HYPERCUBIC = {1: "hypercubic-1", 2: "square", 3: "cubic", 4: "hypercubic"}
HYPERCUBIC |= {5: "hypercubic-5", 6: "hypercubic-6"}

L_TETROMINO = ((0, 0), (1, 0), (2, 0), (2, 1))
S_TETROMINO = ((0, 0), (1, 0), (1, 1), (2, 1))
T_TETROMINO = ((0, 0), (1, 0), (2, 0), (1, 1))
I_TETROMINO = ((0, 0), (1, 0), (2, 0), (3, 0))
SQUARE = ((0, 0), (1, 0), (0, 1), (1, 1))
L_TROMINO = ((0, 0), (1, 0), (0, 1))
MONOMINO = ((0, 0),)
DOMINO = ((0, 0), (1, 0))


def puzzle_of(
    lattice: Lattice | str, cells: Iterable[Cell], parts: Iterable[Iterable[Cell]]
) -> Puzzle:
    """Pieces of these shapes, mirror images included, in any number.

    The same shape may come up again and again, each time under another name.
    """
    lattice = get_lattice(lattice) if isinstance(lattice, str) else lattice
    pieces = tuple(Piece(f"P{number}", sorted(part), 0, None) for number, part in enumerate(parts))
    return Puzzle(lattice, Region(sorted(cells)), pieces, reflections=True)


def shapes_in(neighbours: Graph, size: int) -> list[frozenset[Cell]]:
    """The connected sets of cells, one of those that are translates of each other.

    Translates of each other are those with equal differences; cells have no kinds here.
    """
    found = {}
    for part in connected_sets(neighbours, size):
        least = tuple(map(min, zip(*part, strict=True)))
        key = frozenset(tuple(a - b for a, b in zip(c, least, strict=True)) for c in part)
        found.setdefault(key, part)
    return list(found.values())


def by_automaton(puzzle: Puzzle, order: str = "narrow", **told: object) -> int:
    """The count of the automaton, with this order of cells and these settings."""
    model = puzzle.model
    words = {name: str(value) for name, value in told.items()}
    return count(model.problem, model.layout, Task(heuristic=order, settings=words)).run()


def by_memo(problem: Problem) -> int:
    """The count of the engine that remembers states."""
    search = started(get_backend("memo"), problem, None, Task(heuristic="f"))
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    return search.report().found


def board(cells: Iterable[Cell], *pieces: Piece, reflections: bool = True) -> Puzzle:
    """A board of squares."""
    return Puzzle(get_lattice("square"), Region(sorted(cells)), pieces, reflections)


def line(
    cells: Sequence[int],
    *pieces: Piece,
    optional: Sequence[int] = (),
    empty: tuple[int, int] | None = None,
) -> Puzzle:
    """A board in one dimension."""
    region = Region([(x,) for x in cells], np.array(optional, int).reshape(-1, 1), empty)
    return Puzzle(get_lattice("hypercubic-1"), region, pieces, True)


def rod(name: str, length: int, low: int = 0, high: int | None = None) -> Piece:
    """A piece in one dimension."""
    return Piece(name, [(x,) for x in range(length)], low, high)
