"""Wrapped boards: cells that differ by a period are the same cell.

Periods are translations of the lattice. One of them makes a cylinder, two independent ones in the
plane make a torus; they need not be parallel to the axes. All their sums form a lattice of their
own, kept here in Hermite normal form: each vector has a first coordinate that is not 0, further to
the right than that of the vector before it. So a vector is reduced by one division a period, and
two vectors differ by a period just where their remainders are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import is_whole
from exactcover.errors import PuzzleError
from exactcover.lattices.base import Cells, Lattice

Vectors = npt.NDArray[np.int64]
Wrap = tuple[tuple[int, ...], ...]
"""Period vectors, as a puzzle says them."""

MAX_PERIOD = 1_000_000
"""The largest coordinate of a period vector."""

MAX_ENTRY = 1 << 40
"""The largest coordinate in normal form; with it nothing overflows."""


@dataclass(frozen=True, eq=False)
class Periods:
    """All sums of some period vectors, in Hermite normal form.

    rows    int64 [rank, dimension]
    pivots  the first coordinate of each row that is not 0, ascending
    """

    rows: Vectors
    pivots: tuple[int, ...]

    @classmethod
    def of(cls, lattice: Lattice, wrap: Sequence[Sequence[int]]) -> Periods | None:
        """The periods of a board, None for a board that is not wrapped; raises `PuzzleError`."""
        if not len(wrap):
            return None
        vectors = period_vectors(lattice, wrap)
        rows, pivots = _normal_form([list(vector) for vector in vectors])
        if len(rows) < len(vectors):
            raise PuzzleError(
                f"wrap: the period vectors {_text(vectors)} depend on each other: "
                "none may be 0 or follow from the others"
            )
        if max(abs(value) for row in rows for value in row) > MAX_ENTRY:
            raise PuzzleError(f"wrap: the periods {_text(vectors)} are too large")
        return cls(np.array(rows, np.int64), tuple(pivots))

    def reduced(self, vectors: Vectors) -> Vectors:
        """The remainders of vectors [..., dimension]: equal just where they differ by a period."""
        left = vectors.copy()
        for row, pivot in zip(self.rows, self.pivots, strict=True):
            left -= (left[..., pivot] // row[pivot])[..., None] * row
        return left

    def classes(self, lattice: Lattice, cells: Cells) -> Cells:
        """Cells [..., width] with their vectors reduced."""
        return lattice.cells(self.reduced(lattice.vectors(cells)), lattice.kind_numbers(cells))

    def kept_by(self, matrix: Vectors) -> bool:
        """Whether a motion with this matrix takes periods to periods."""
        rows, _ = _normal_form((self.rows @ matrix.T).tolist())
        return bool(np.array_equal(rows, self.rows))


def period_vectors(lattice: Lattice, wrap: Sequence[Sequence[int]]) -> Wrap:
    """Period vectors as tuples, checked to be translations of the lattice."""
    try:
        vectors = tuple(tuple(vector) for vector in wrap)
    except TypeError:
        raise _not_vectors(lattice, wrap) from None
    for vector in vectors:
        if len(vector) != lattice.dimension or not all(
            is_whole(value) and abs(value) <= MAX_PERIOD for value in vector
        ):
            raise _not_vectors(lattice, wrap)
    return tuple(tuple(map(int, vector)) for vector in vectors)


def _not_vectors(lattice: Lattice, wrap: object) -> PuzzleError:
    example = [[10, *[0] * (lattice.dimension - 1)]]
    return PuzzleError(
        f"wrap: period vectors are lists of {lattice.dimension} whole numbers up to "
        f"{MAX_PERIOD:,} on the lattice {lattice.name}, such as {example}, not {wrap!r:.60}"
    )


def _text(vectors: Wrap) -> str:
    return " ".join(str(list(vector)) for vector in vectors)


def _normal_form(rows: list[list[Any]]) -> tuple[list[list[int]], list[int]]:
    """The Hermite normal form of whole vectors, and the pivot of each row; 0 is left out."""
    rows = [[int(value) for value in row] for row in rows]
    done: list[list[int]] = []
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        while len(having := [row for row in rows if row[column]]) > 1:
            having.sort(key=lambda row: abs(row[column]))
            for row in having[1:]:
                _subtract(row, having[0], row[column] // having[0][column])
        if not having:
            continue
        pivot = having[0]
        rows = [row for row in rows if row is not pivot]
        if pivot[column] < 0:
            pivot[:] = [-value for value in pivot]
        for row in done:
            _subtract(row, pivot, row[column] // pivot[column])
        done.append(pivot)
        pivots.append(column)
    return done, pivots


def _subtract(row: list[int], other: list[int], times: int) -> None:
    row[:] = [a - times * b for a, b in zip(row, other, strict=True)]
