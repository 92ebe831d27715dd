"""Puzzles whose number of solutions is published, built from their cells."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region

PENTOMINOES = {
    "F": ".XX XX. .X.",
    "I": "XXXXX",
    "L": "XXXX X...",
    "N": ".XXX XX..",
    "P": "XXX XX.",
    "T": "XXX .X. .X.",
    "U": "X.X XXX",
    "V": "X.. X.. XXX",
    "W": "X.. XX. .XX",
    "X": ".X. XXX .X.",
    "Y": "XXXX .X..",
    "Z": "XX. .X. .XX",
}

SOMA = {
    "V": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "L": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)],
    "T": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)],
    "Z": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
    "A": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)],
    "B": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)],
    "P": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
}


def box(*sides: int) -> npt.NDArray[np.int64]:
    return np.array(list(product(*map(range, sides))))


def drawn(rows: str) -> list[tuple[int, int]]:
    return [
        (x, y)
        for y, row in enumerate(rows.split())
        for x, letter in enumerate(row)
        if letter == "X"
    ]


def pentominoes(width: int, height: int) -> Puzzle:
    pieces = tuple(Piece(name, drawn(rows)) for name, rows in PENTOMINOES.items())
    return Puzzle(get_lattice("square"), Region(box(width, height)), pieces)


def soma() -> Puzzle:
    pieces = tuple(Piece(name, cells) for name, cells in SOMA.items())
    return Puzzle(get_lattice("cubic"), Region(box(3, 3, 3)), pieces)
