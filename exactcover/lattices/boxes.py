"""Boxes of unit cells in one to six dimensions: polyominoes, polycubes, polyhypercubes.

The symmetries are the signed permutations of the axes. A cyclic permutation with a sign that makes
it a proper motion, a quarter turn in the first plane and one mirror generate them all.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from exactcover.lattices.base import NO_NAMES, Lattice
from exactcover.lattices.family import COORDINATES, Family
from exactcover.lattices.motions import Matrix, Motion, point
from exactcover.lattices.sketch import MAX_ROWS, Rows
from exactcover.lattices.view import (
    BLOCKS,
    EAST,
    JOINTS,
    LETTERS,
    NORTH,
    OUTLINE,
    SOUTH,
    WEST,
    Glyph,
    Vector,
    View,
    Wall,
)

BOX = Glyph(
    walls=(
        Wall(-1, -1, "───", ((-1, -2, EAST), (-1, 2, WEST))),
        Wall(1, -1, "───", ((1, -2, EAST), (1, 2, WEST))),
        Wall(0, -2, "│", ((-1, -2, SOUTH), (1, -2, NORTH))),
        Wall(0, 2, "│", ((-1, 2, SOUTH), (1, 2, NORTH))),
    )
)


def hypercubic(
    dimension: int,
    *,
    name: str | None = None,
    polyform: str | None = None,
    regions: tuple[Family, ...] = (),
    flat: str = "",
    names: str = "",
    aliases: tuple[str, ...] = (),
    summary: str = "",
) -> Lattice:
    """The hypercubic lattice of this dimension; the other fields of `Lattice` follow from it."""
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
        views=_views(dimension),
        sketch=Rows() if dimension <= MAX_ROWS else None,
        regions=regions,
        flat=flat,
        names=names or NO_NAMES,
        aliases=aliases,
        summary=summary or f"unit cells in {dimension} dimensions",
    )


def diamond(dimension: int) -> Family:
    """The cells near one."""
    apart = " + ".join(f"abs({letter})" for letter in COORDINATES[:dimension])
    return Family(
        "diamond",
        ("r",),
        "all cells within r steps of the middle one",
        ("-r..r",) * dimension,
        f"{apart} <= r",
    )


def corner(dimension: int, name: str = "corner") -> Family:
    """Stairs that are the same from each side."""
    return Family(
        name,
        ("n",),
        "a stepped corner: rows of n, n - 1, ... 1 cells",
        ("0..n - 1",) * dimension,
        f"{' + '.join(COORDINATES[:dimension])} < n",
    )


def _axis(dimension: int, axis: int, length: int = 1) -> Vector:
    return tuple(length if number == axis else 0 for number in range(dimension))


def _views(dimension: int) -> dict[str, View]:
    """Squares, cubes, and slices of what has more dimensions."""
    layers = tuple(_axis(dimension, axis) for axis in range(2, dimension))
    flat = (0,) * dimension  # there is no y where cells lie on a line
    up_one, up_two = (_axis(dimension, 1, n) if dimension > 1 else flat for n in (1, 2))
    return {
        LETTERS: View(
            across=_axis(dimension, 0),
            up=up_one,
            layers=layers,
            share=1,
            longest=None if dimension in (2, 3) else 3,
            boxed=True,
            commas=dimension == 3,
        ),
        OUTLINE: View(
            across=_axis(dimension, 0, 4),
            up=up_two,
            layers=layers,
            glyphs=(BOX,),
            nodes=JOINTS,
            room=3,
            longest=3,
            pad=" ",
        ),
        BLOCKS: View(across=_axis(dimension, 0, 2), up=up_one, layers=layers, fill=2),
    }


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
