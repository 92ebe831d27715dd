"""All connected shapes of n cells: fixed, one-sided (turning allowed) or free (mirrors too)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from operator import add

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check, patiently
from exactcover.errors import PuzzleError
from exactcover.lattices.base import Cells, Lattice


class Sort(Enum):
    """The motions that leave a shape the same."""

    FIXED = "fixed"  # translations only
    ONE_SIDED = "one-sided"  # turning
    FREE = "free"  # turning and turning over

    def motions(self, lattice: Lattice) -> npt.NDArray[np.int64]:
        """The motions that make no new shape."""
        if self is Sort.FIXED:
            return np.zeros(1, np.int64)
        return lattice.group.selected(self is Sort.FREE)


BUDGET = 1 << 18
CAPACITY = 1 << 14
MAX_REACH = 2_000_000
MAX_SHAPES = 20_000_000
"""More than this are counted but not listed: they would fill the memory."""


def shape_batches(lattice: Lattice, size: int, sort: Sort) -> Iterator[npt.NDArray[np.int64]]:
    """The shapes of `size` cells in batches of codes [m, size]; see `cells_of_codes`.

    A batch may be empty: between two of them control comes back to the caller.
    """
    if size < 1:
        raise PuzzleError(f"a shape has at least 1 cell, not {size}")
    span = shape_span(lattice, size)
    if len(lattice.kinds) * span**lattice.dimension >= 1 << 62:
        raise PuzzleError(f"shapes of {size} cells are too large to be enumerated")
    from exactcover.geometry.enumeration_kernel import grow

    group, motions = lattice.group, sort.motions(lattice)[1:]
    for root in range(len(lattice.kinds)):
        coordinates, around = _reach(lattice, root, size)
        cells = len(coordinates)
        state = np.array([0, 1, 0, 0], np.int64)
        at, end = np.full(size, -1, np.int64), np.zeros(size, np.int64)
        queue, seen = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
        seen[0] = 1
        codes, out = np.zeros((2, size), np.int64), np.zeros((CAPACITY, size), np.int64)
        while not state[2]:
            check()
            given = grow(
                state, at, end, queue, seen, around, coordinates,
                group.matrices[motions], group.kinds[motions], group.offsets[motions],
                codes, out, span, BUDGET,
            )  # fmt: skip
            yield out[:given].copy()


def shape_span(lattice: Lattice, size: int) -> int:
    """More than any coordinate of a normal form: neighbours may be several steps apart."""
    reach = max(int(abs(lattice.vectors(cells)).max(initial=0)) for cells in lattice.adjacent)
    return (size - 1) * max(1, reach) + 1


def count_shapes(lattice: Lattice, size: int, sort: Sort) -> int:
    """How many shapes of `size` cells there are."""
    return sum(len(batch) for batch in shape_batches(lattice, size, sort))


def shapes(lattice: Lattice, size: int, sort: Sort, most: int = MAX_SHAPES) -> Cells:
    """The shapes of `size` cells as canonical forms [m, size, width], sorted; more than `most`
    are refused."""
    batches, total = [], 0
    for batch in shape_batches(lattice, size, sort):
        batches.append(batch)
        total += len(batch)
        if total > most:
            raise PuzzleError(
                f"there are more than {most:,} {sort.value} shapes of {size} cells on "
                f"{lattice.name}: they can be counted but not listed"
            )
    codes = np.concatenate(batches)
    return cells_of_codes(lattice, codes[np.lexsort(codes.T[::-1])], size)


def cells_of_codes(lattice: Lattice, codes: npt.NDArray[np.int64], size: int) -> Cells:
    """The cells that the kernel's codes stand for: [..., size] -> [..., size, width]."""
    span = shape_span(lattice, size)
    rest, kind = np.divmod(codes, len(lattice.kinds))
    vectors = np.empty((*codes.shape, lattice.dimension), np.int64)
    for axis in reversed(range(lattice.dimension)):
        rest, vectors[..., axis] = np.divmod(rest, span)
    return lattice.cells(vectors, kind)


def _reach(
    lattice: Lattice, root: int, size: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The cells greater than the one at the origin within size - 1 steps, and their neighbours.

    Coordinates are int64 [cells, dimension + 1]; the origin, with kind `root`, is cell 0.
    """
    adjacent = [
        np.column_stack([lattice.vectors(offsets), lattice.kind_numbers(offsets)]).tolist()
        for offsets in lattice.adjacent
    ]

    def beside(cell: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for *step, kind in adjacent[cell[-1]]:
            yield (*map(add, cell, step), kind)

    origin = (*(0,) * lattice.dimension, root)
    number = {origin: 0}
    ring = [origin]
    for _ in range(size - 1):
        farther = []
        for cell in patiently(ring):
            for other in beside(cell):
                if other > origin and other not in number:
                    number[other] = len(number)
                    farther.append(other)
        if len(number) > MAX_REACH:
            raise PuzzleError(f"shapes of {size} cells reach too far on {lattice.name}")
        ring = farther
    around = np.full((len(number), max(map(len, adjacent))), -1, np.int64)
    for cell, row in number.items():
        for side, other in enumerate(beside(cell)):
            around[row, side] = number.get(other, -1)
    return np.array(list(number), np.int64), around
