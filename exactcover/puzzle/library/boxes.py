"""Rectangles and bricks by size: `32x11` is a rectangle of squares, `4x2x1` a brick of cubes.

A size is written without blanks, so `2 x domino` remains two dominoes.
"""

from __future__ import annotations

import re

import numpy as np

from exactcover.errors import PuzzleError
from exactcover.lattices import Cells, Lattice, get_lattice

SIZE = re.compile(r"[0-9]{1,9}(?:[x×][0-9]{1,9}){1,2}")

MOST = 1_000_000
"""The most cells of a rectangle or a brick, as of any piece."""


def sizes_in(name: str) -> tuple[int, ...] | None:
    """The sizes that a name says; None: it says none."""
    if not SIZE.fullmatch(name):
        return None
    return tuple(int(size) for size in re.split("[x×]", name))


def box_of(sizes: tuple[int, ...], lattice: Lattice | None) -> tuple[Lattice, Cells]:
    """The lattice and the cells of a rectangle or a brick; in space a rectangle is one cube high.

    Raises `PuzzleError` if the lattice has no such pieces, or a size is 0 or too large.
    """
    said = "x".join(map(str, sizes))
    where = lattice or get_lattice("square" if len(sizes) == 2 else "cubic")
    if where.name not in ("square", "cubic") or len(sizes) > where.dimension:
        what = "a rectangle of squares" if len(sizes) == 2 else "a brick of cubes"
        raise PuzzleError(f"{said} is {what}, which the lattice {where.name!r} does not have")
    volume = 1
    for size in sizes:
        volume *= size
    if not 1 <= volume <= MOST:
        raise PuzzleError(f"{said}: a piece has 1 to {MOST:,} cells, not {volume:,}")
    full = (*sizes, *[1] * (where.dimension - len(sizes)))
    cells = np.indices(full).reshape(where.dimension, -1).T.astype(np.int64)
    return where, cells
