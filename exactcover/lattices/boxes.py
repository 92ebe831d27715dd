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
from exactcover.lattices.view import (
    EAST,
    JOINTS,
    LETTERS,
    MAX_ROWS,
    NORTH,
    OUTLINE,
    SOUTH,
    WEST,
    Glyph,
    Rows,
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
    origin = (0,) * dimension
    return Lattice(
        name=name or f"hypercubic-{dimension}",
        polyform=polyform or f"{dimension}-D polyhypercube",
        dimension=dimension,
        rotations=_turns(dimension),
        reflections=(Motion(_matrix(mirror)),),
        neighbours=((origin, tuple(axes[0].tolist())),),
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


# -- the lattices ---------------------------------------------------------------------------------


SQUARE = hypercubic(
    2,
    name="square",
    polyform="polyomino",
    regions=(
        diamond(2),
        corner(2, "triangle"),
        corner(2, "staircase"),
        Family(
            "parallelogram",
            ("width", "height"),
            "rows of `width` cells, each one cell further than the last",
            ("0..width + height - 2", "0..height - 1"),
            "y <= x < y + width",
        ),
        Family(
            "pyramid",
            ("n",),
            "rows of 1, 3, 5 ... 2n - 1 cells",
            ("1 - n..n - 1", "0..n - 1"),
            "abs(x) < n - y",
        ),
        Family(
            "aztec",
            ("n",),
            "the Aztec diamond: rows of 2, 4, ... 2n, 2n, ... 4, 2 cells",
            ("-n..n - 1", "-n..n - 1"),
            "abs(x + 1/2) + abs(y + 1/2) <= n",
        ),
        Family(
            "cross",
            ("arm", "width"),
            "four arms round a square of side `width`",
            ("-arm..width + arm - 1", "-arm..width + arm - 1"),
            "0 <= x < width or 0 <= y < width",
        ),
        Family(
            "frame",
            ("width", "height", "border"),
            "a box with a hole in the middle",
            ("0..width - 1", "0..height - 1"),
            "x < border or x >= width - border or y < border or y >= height - border",
        ),
    ),
    names="exactcover.lattices.pieces:POLYOMINOES",
    aliases=("hypercubic-2", "squares", "2d"),
    summary="squares in the plane",
)


CUBIC = hypercubic(
    3,
    name="cubic",
    polyform="polycube",
    regions=(
        diamond(3),
        corner(3),
        Family(
            "pyramid",
            ("n",),
            "square layers of side 2n - 1, ... 3, 1",
            ("1 - n..n - 1", "1 - n..n - 1", "0..n - 1"),
            "abs(x) < n - z and abs(y) < n - z",
        ),
    ),
    flat="square",
    names="exactcover.lattices.pieces:POLYCUBES",
    aliases=("hypercubic-3", "cubes", "3d"),
    summary="cubes in space",
)


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
    regions=(diamond(4), corner(4)),
    flat="cubic",
    names="exactcover.lattices.pieces:POLYTESSERACTS",
    aliases=("hypercubic-4", "hypercubic-4d", "tesseract", "4d"),
    summary="tesseracts: unit cells in 4-D",
)
HYPERCUBIC_5 = hypercubic(
    5, regions=(diamond(5), corner(5)), flat="hypercubic", aliases=("hypercubic-5d", "5d")
)
HYPERCUBIC_6 = hypercubic(
    6, regions=(diamond(6), corner(6)), flat="hypercubic-5", aliases=("hypercubic-6d", "6d")
)
