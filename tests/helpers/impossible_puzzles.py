"""Puzzles without a solution for a reason that a reader may know, and how to draw the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from exactcover.geometry.enumeration import Sort, shapes
from exactcover.geometry.regions import region_cells
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Cells
from exactcover.puzzle import Cell, Piece, Puzzle, Region

SQUARE, CUBIC, TRIANGULAR = map(get_lattice, ("square", "cubic", "triangular"))

DOMINO = [(0, 0), (0, 1)]
I_TETROMINO = [(0, 0), (0, 1), (0, 2), (0, 3)]
L_TETROMINO = [(0, 0), (0, 1), (0, 2), (1, 2)]
T_TETROMINO = [(0, 0), (0, 1), (0, 2), (1, 1)]


def box(*sides: int) -> list[Cell]:
    return list(product(*map(range, sides)))


def puzzle(
    lattice_name: str, cells: Iterable[Cell], pieces: Iterable[object], copies: int = 1
) -> Puzzle:
    """So many copies of each piece on these cells."""
    lattice = get_lattice(lattice_name)
    named = [
        Piece(f"P{number}", np.array(piece), copies, copies) for number, piece in enumerate(pieces)
    ]
    return Puzzle(lattice, Region(np.array(list(cells))), tuple(named))


def free_set(lattice_name: str, size: int) -> Cells:
    return shapes(get_lattice(lattice_name), size, Sort.FREE)


def hexominoes(*sides: int) -> Puzzle:
    """The 35 hexominoes in a rectangle of 210 cells."""
    return puzzle("square", box(*sides), free_set("square", 6))


def hexominoes_but(left_out: int) -> Puzzle:
    """All hexominoes but one in two rectangles, 9 x 12 and 8 x 12."""
    two = box(9, 12) + [(x + 20, y) for x, y in box(8, 12)]
    pieces = [piece for number, piece in enumerate(free_set("square", 6)) if number != left_out]
    return puzzle("square", two, pieces)


def blacks(cells: Iterable[Sequence[int]]) -> int:
    """How many of the cells are black on a chessboard."""
    return sum(sum(cell) % 2 for cell in cells)


def mutilated_chessboard() -> Puzzle:
    cells = [cell for cell in box(8, 8) if cell not in ((0, 0), (7, 7))]
    return puzzle("square", cells, [DOMINO], 31)


def hexiamonds(*sizes: int) -> Puzzle:
    """The twelve hexiamonds in a trapezoid of 72 triangles."""
    cells = region_cells(TRIANGULAR, "trapezoid", sizes)
    return puzzle("triangular", map(tuple, cells.tolist()), free_set("triangular", 6))


def bars_in_cube() -> Puzzle:
    """N. G. de Bruijn: 54 bars 1 x 1 x 4 in a cube of side 6."""
    return puzzle("cubic", box(6, 6, 6), [box(1, 1, 4)], 54)


def bricks_in_cube() -> Puzzle:
    """N. G. de Bruijn: 27 bricks 1 x 2 x 4 in a cube of side 6."""
    return puzzle("cubic", box(6, 6, 6), [box(1, 2, 4)], 27)


SMALL = {
    "mutilated chessboard": mutilated_chessboard,
    "T tetrominoes in a square": lambda: puzzle("square", box(10, 10), [T_TETROMINO], 25),
    "L tetrominoes in a square": lambda: puzzle("square", box(10, 10), [L_TETROMINO], 25),
    "I tetrominoes in a square": lambda: puzzle("square", box(10, 10), [I_TETROMINO], 25),
    "five tetrominoes": lambda: puzzle("square", box(4, 5), free_set("square", 4)),
    "hexiamonds 9 6": lambda: hexiamonds(9, 6),
    "bars in a cube": bars_in_cube,
}
