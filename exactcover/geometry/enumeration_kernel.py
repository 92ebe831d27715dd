"""Redelmeier's enumeration of connected sets of cells, as a resumable kernel.

Every connected set of cells has one least cell; with that cell at the origin, each set of n cells
is reached once by growing it, in queue order, through cells greater than the origin. (D. H.
Redelmeier, "Counting polyominoes: yet another attack", Discrete Mathematics 36, 1981.) The cells
that can be reached are numbered beforehand, so the kernel needs only a table of neighbours.

A set counts if no allowed motion gives a lesser normal form: so one of each class is stored, and
no table of known shapes is kept.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import jit

Ints = npt.NDArray[np.int64]


@jit
def grow(
    state: Ints,
    at: Ints,
    end: Ints,
    queue: Ints,
    seen: Ints,
    around: Ints,
    coordinates: Ints,
    matrices: Ints,
    kinds: Ints,
    offsets: Ints,
    codes: Ints,
    out: Ints,
    span: int,
    budget: int,
) -> int:
    """Go on until `budget` sets are made, `out` is full or all is done; return the number in `out`.

    state       [level, queue length, done, sets made so far]
    at, end     by level: the place in the queue of the cell chosen there, the queue's length before
    queue       cells met, in the order of meeting; seen marks them
    around      int64 [cells, degree]  neighbours of each cell, -1: none
    coordinates int64 [cells, dimension + 1]  vector and kind
    matrices, kinds, offsets           the motions to compare with, without the identity
    codes       int64 [2, size]        work space
    out         int64 [capacity, size] the codes of the sets found
    span        more than any coordinate of a set moved to the origin
    """
    size = at.shape[0]
    dimension = coordinates.shape[1] - 1
    level, length = state[0], state[1]
    given, made = 0, 0
    capacity = out.shape[0]
    while True:
        if given == capacity or made == budget:
            break
        at[level] += 1
        if at[level] >= length:
            # Every choice here is used up: take back the cell chosen one level above.
            if level == 0:
                state[2] = 1
                break
            level -= 1
            for place in range(end[level], length):
                seen[queue[place]] = 0
            length = end[level]
            continue
        if level == 0 and at[0] > 0:
            state[2] = 1  # only the origin may be first
            break
        if level < size - 1:
            end[level] = length
            cell = queue[at[level]]
            for side in range(around.shape[1]):
                other = around[cell, side]
                if other >= 0 and seen[other] == 0:
                    seen[other] = 1
                    queue[length] = other
                    length += 1
            level += 1
            at[level] = at[level - 1]
            continue
        made += 1
        _normal_codes(queue, at, coordinates, codes[0], span, dimension, kinds.shape[1])
        if _is_least(queue, at, coordinates, matrices, kinds, offsets, codes, span, dimension):
            for number in range(size):  # to assign a row would compile numba's text of an error
                out[given, number] = codes[0, number]
            given += 1
    state[0], state[1] = level, length
    state[3] += made
    return given


@jit
def _sorted_codes(
    vectors: Ints, kind: Ints, codes: Ints, span: int, dimension: int, n_kinds: int
) -> None:
    """The codes of cells moved to the origin, ascending, into `codes`."""
    size = codes.shape[0]
    for axis in range(dimension):
        least = vectors[0, axis]
        for number in range(1, size):
            least = min(least, vectors[number, axis])
        for number in range(size):
            vectors[number, axis] -= least
    for number in range(size):
        code = 0
        for axis in range(dimension):
            code = code * span + vectors[number, axis]
        code = code * n_kinds + kind[number]
        place = number
        while place > 0 and codes[place - 1] > code:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = code


@jit
def _normal_codes(
    queue: Ints, at: Ints, coordinates: Ints, codes: Ints, span: int, dimension: int, n_kinds: int
) -> None:
    """The codes of the set that the levels choose, as it stands."""
    size = codes.shape[0]
    vectors = np.empty((size, dimension), np.int64)
    kind = np.empty(size, np.int64)
    for number in range(size):
        cell = queue[at[number]]
        for axis in range(dimension):
            vectors[number, axis] = coordinates[cell, axis]
        kind[number] = coordinates[cell, dimension]
    _sorted_codes(vectors, kind, codes, span, dimension, n_kinds)


@jit
def _is_least(
    queue: Ints,
    at: Ints,
    coordinates: Ints,
    matrices: Ints,
    kinds: Ints,
    offsets: Ints,
    codes: Ints,
    span: int,
    dimension: int,
) -> bool:
    """Whether no motion gives codes less than `codes[0]`."""
    size = codes.shape[1]
    vectors = np.empty((size, dimension), np.int64)
    kind = np.empty(size, np.int64)
    for motion in range(matrices.shape[0]):
        for number in range(size):
            cell = queue[at[number]]
            old = coordinates[cell, dimension]
            kind[number] = kinds[motion, old]
            for row in range(dimension):
                value = offsets[motion, old, row]
                for column in range(dimension):
                    value += matrices[motion, row, column] * coordinates[cell, column]
                vectors[number, row] = value
        _sorted_codes(vectors, kind, codes[1], span, dimension, kinds.shape[1])
        for number in range(size):
            if codes[1, number] != codes[0, number]:
                if codes[1, number] < codes[0, number]:
                    return False
                break
    return True
