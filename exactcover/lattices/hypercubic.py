"""Boxes of unit cells in one to six dimensions: polyominoes, polycubes, polyhypercubes.

The symmetries are the signed permutations of the axes. A cyclic permutation with a sign that makes
it a proper motion, a quarter turn in the first plane and one mirror generate them all.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from exactcover.lattices.base import Lattice, Matrix, Motion, point


def hypercubic(
    dimension: int,
    *,
    name: str | None = None,
    polyform: str | None = None,
    aliases: tuple[str, ...] = (),
    summary: str = "",
) -> Lattice:
    """The hypercubic lattice of this dimension."""
    half = Fraction(1, 2)
    axes = np.eye(dimension, dtype=int)
    mirror = axes.copy()
    mirror[0, 0] = -1
    corners = [
        tuple(vector)
        for count in range(2, dimension + 1)
        for vector in [[1] * count + [0] * (dimension - count)]
    ]
    origin = (0,) * dimension
    return Lattice(
        name=name or f"hypercubic-{dimension}",
        polyform=polyform or f"{dimension}-D polyhypercube",
        dimension=dimension,
        rotations=_turns(dimension),
        reflections=(Motion(_matrix(mirror)),),
        neighbours=((origin, tuple(axes[0].tolist())),),
        corners=tuple((origin, corner) for corner in corners),
        outlines={
            "cell": tuple(point(*values) for values in product((-half, half), repeat=dimension))
            if dimension != 2
            else (point(-half, -half), point(half, -half), point(half, half), point(-half, half))
        },
        aliases=aliases,
        summary=summary or f"unit cells in {dimension} dimensions",
    )


def _turns(dimension: int) -> tuple[Motion, ...]:
    """Quarter turns in each pair of consecutive axes: they generate every proper motion."""
    turns = []
    for axis in range(dimension - 1):
        matrix = np.eye(dimension, dtype=int)
        matrix[axis : axis + 2, axis : axis + 2] = [[0, -1], [1, 0]]
        turns.append(Motion(_matrix(matrix)))
    return tuple(turns)


def _matrix(array: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Matrix:
    return tuple(tuple(int(value) for value in row) for row in array)


LINE = hypercubic(
    1,
    name="hypercubic-1",
    polyform="polyline",
    aliases=("line", "1d"),
    summary="unit cells on a line",
)
HYPERCUBIC = hypercubic(
    4,
    name="hypercubic",
    polyform="polytesseract",
    aliases=("hypercubic-4", "hypercubic-4d", "tesseract", "4d"),
    summary="tesseracts: unit cells in 4-D",
)
HYPERCUBIC_5 = hypercubic(5, aliases=("hypercubic-5d", "5d"))
HYPERCUBIC_6 = hypercubic(6, aliases=("hypercubic-6d", "6d"))
